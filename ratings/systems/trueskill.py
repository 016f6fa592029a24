"""TrueSkill (R. Herbrich, T. Minka, T. Graepel, "TrueSkill: A Bayesian Skill Rating System",
NIPS 2006): skills are normal, performances are skills plus noise of deviation beta, a side's
performance is the sum of its members'.

One module, because a system is read beside its paper: its parameters, its body, its explanation.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

import numpy as np

from ratings import fields
from ratings.curves import normal, normal_many
from ratings.draws import DrawRate
from ratings.engine import INDEX, Column, Columns, body, fetch_ahead
from ratings.gaussian import draw_moments, win_moments
from ratings.log import DAY, Floats, Integers
from ratings.parameters import number
from ratings.places import Noise
from ratings.sequential import ENDLESS, last_step_within, shares_of
from ratings.sidetable import SideTable
from ratings.system import FOREVER, NEVER, Prediction, Side, State
from ratings.systems.skills import SkillParameters, SkillSystem

_TOLERANCE: Final = 1e-7
_ROUNDING: Final = 1e-14
_MOST_SWEEPS: Final = 50
_NEVER_PLAYED: Final = float(NEVER)
_CANCELLED: Final = 1e-9
"""A part of a variance that its difference from one no longer tells exactly."""
_LEVEL: Final = 1e6
"""Up to how many times the variance of performances that of a skill is no cause to look."""


@dataclass(frozen=True, slots=True)
class TrueSkillParameters(SkillParameters):
    """The parameters of TrueSkill."""

    mu: float = fields.skill_mean()
    sigma: float = fields.skill_deviation()
    beta: float = fields.performance_deviation()
    tau: float = fields.change_per_match()
    idle_variance: float = number(
        0.0,
        "Change per day",
        "The variance that a skill gains per day without a match.",
        least=0,
        most=fields.LARGEST,
    )
    draw_probability: float = number(
        0.1,
        "Draws",
        "The share of matches between equals that end in a draw; 0 for a game without draws.",
        symbol="p",
        least=0,
        under=1,
    )
    size_advantage: float = fields.size_advantage(
        "Strength that each player adds to a side, on top of their skill."
    )
    pending_hours: int = fields.pending_hours()
    fairly_sure: float = fields.fairly_sure_part()
    sure: float = fields.sure_part()


@body
def idle_variance_of(variance: float, days: float, per_day: float, most: float) -> float:
    """Return a skill's variance after idle days: it grows to no more than the prior's."""
    return max(variance, min(variance + days * per_day, most))


@body
def _as_of(variance: float, at: int, last_at: float, per_day: float, most: float) -> float:
    """Return the variance a skill has grown to since the last match, if there was one."""
    if last_at == _NEVER_PLAYED:
        return variance
    return idle_variance_of(variance, float((at - int(last_at)) // DAY), per_day, most)


@body
def _left(variance: float, share: float, shrink: float, beta_squared: float) -> float:
    """Return the part of a skill's variance that a match leaves, which is never nothing."""
    left = 1.0 - share * variance * share * shrink
    if left < _CANCELLED:
        # Only rounding tells it from nothing; a known performance would leave as much as this.
        left = max(left, beta_squared / (variance + beta_squared))
    return left


@body
def _moved(
    mean: float, variance: float, share: float, shift: float, left: float, weight: float
) -> tuple[float, float]:
    """Return mean and deviation after a match that shifts the side and leaves a part `left`."""
    new_mean = mean + share * variance * shift
    new_variance = variance * left
    if weight != 1.0:
        precision = 1.0 / variance
        gained = 1.0 / new_variance - precision
        new_precision = precision + weight * gained
        product = mean * precision
        product += weight * (new_mean / new_variance - product)
        new_variance = 1.0 / new_precision
        new_mean = product * new_variance
    return new_mean, math.sqrt(new_variance)


@body
def _moments(
    lead: float, margin: float, precision: float, is_draw: bool
) -> tuple[float, float, float]:
    """Return v and w of a lead of the better ranked side, and the unit they are measured in."""
    unit = math.sqrt(precision)
    if is_draw:
        v, w = draw_moments(lead * unit, margin * unit)
    else:
        past = lead - margin
        v, w = win_moments(past * unit, past * past * precision)
    return v, w, unit


@body
def _told(lead: float, spread: float, margin: float, is_draw: bool) -> tuple[float, float]:
    """Return what a match of two sides says of the better one's mean and of both variances."""
    precision = 1.0 / spread
    v, w, unit = _moments(lead, margin, precision, is_draw)
    return v * unit, w * precision


@body
def _compare(one: int, is_draw: bool, messages: Columns) -> tuple[float, float, float, float]:
    """Return what the difference of the neighbours one and one + 1 tells both of them.

    Messages stand as precision and precision times mean: first what comes down to the better,
    then what goes up to the worse.
    """
    precision, product, margin, up_precision, up_product, down_precision, down_product = messages
    other = one + 1
    own = precision[one] + up_precision[one]
    theirs = precision[other] + down_precision[other]
    both = 1.0 / (own * theirs)
    variance = theirs * both
    other_variance = own * both
    mean = (product[one] + up_product[one]) * variance
    other_mean = (product[other] + down_product[other]) * other_variance
    v, w, unit = _moments(mean - other_mean, margin[one], own * theirs / (own + theirs), is_draw)
    spread = variance + other_variance
    push = spread * unit * v
    # Of a spread that one of the two makes up, nothing but rounding may be left of the other.
    down = 1.0 / max(spread - w * variance, 0.5 * other_variance)
    up = 1.0 / max(spread - w * other_variance, 0.5 * variance)
    return w * down, (w * mean + push) * down, w * up, (w * other_mean - push) * up


@body
def _propagate(first: int, last: int, rank: Column, unit_margin: float, scratch: Columns) -> bool:
    """Pass messages forth and back until no side's marginal moves; say whether they settled.

    All that one sweep hands to the next is what came down. Then each side's shift and shrink are
    what the match says of its performance's mean and variance, per unit of the prior's.
    """
    prior_mean, prior_variance, players, shift, shrink = scratch[:5]
    messages = scratch[5:]
    precision, product, margin, up_precision, up_product, down_precision, down_product = messages
    sides = last - first
    widest = 0.0
    for side in range(sides):
        precision[side] = 1.0 / prior_variance[side]
        product[side] = prior_mean[side] * precision[side]
        margin[side] = unit_margin * math.sqrt(players[side] + players[min(side + 1, sides - 1)])
        up_precision[side] = 0.0
        up_product[side] = 0.0
        down_precision[side] = 0.0
        down_product[side] = 0.0
        widest = max(widest, abs(prior_mean[side]))
    settled = False
    for _ in range(_MOST_SWEEPS):
        for one in range(sides - 2):
            is_draw = rank[first + one] == rank[first + one + 1]
            _, _, up_precision[one + 1], up_product[one + 1] = _compare(one, is_draw, messages)
        settled = True
        for one in range(sides - 2, -1, -1):
            is_draw = rank[first + one] == rank[first + one + 1]
            told, pushed, up_precision[one + 1], up_product[one + 1] = _compare(
                one, is_draw, messages
            )
            total = precision[one] + up_precision[one] + told
            mean = (product[one] + up_product[one] + pushed) / total
            more = told - down_precision[one]
            moved = abs(pushed - down_product[one] - more * mean)
            down_precision[one] = told
            down_product[one] = pushed
            # Means far larger than the deviations carry their own rounding into every message.
            root = math.sqrt(total)
            allowed = _TOLERANCE + _ROUNDING * widest * root
            settled = settled and abs(more) <= allowed * total and moved <= allowed * root
        if settled:
            break
    for side in range(sides):
        told = up_precision[side] + down_precision[side]
        whole = 1.0 + told * prior_variance[side]
        shift[side] = (up_product[side] + down_product[side] - told * prior_mean[side]) / whole
        shrink[side] = told / whole
    return settled


@body
def trueskill_body(
    log: Columns, state: Columns, after: Columns, scratch: Columns, settings: Columns
) -> int:
    """Rate a log: see `ratings.engine.run`."""
    at, _day, weight, side_start, rank, _points, handicap, member_start, player, share, _ = log
    beta_squared, tau_squared, per_day, most_variance, unit_margin, size_advantage = settings
    mean = state[0]
    deviation = state[1]
    mean_after = after[0]
    deviation_after = after[1]
    # Only boards on which skills change with time have this column; without it, it stays unread.
    last_at = state[-1]
    last_after = after[-1]
    prior_mean, prior_variance, players, shift, shrink = scratch[:5]
    if len(player) == 2 * len(at) and most_variance < _LEVEL * beta_squared:
        _rate_duels(log, state, after, settings)
        return -1
    for match in range(len(at)):
        first = side_start[match] & INDEX
        last = side_start[match + 1] & INDEX
        is_draw = rank[first] == rank[first + 1]
        fetch_ahead(state, player, member_start[first] & INDEX, member_start[last] & INDEX)
        for side in range(first, last):
            begin = member_start[side] & INDEX
            end = member_start[side + 1] & INDEX
            total = size_advantage * (end - begin) + handicap[side]
            spread = 0.0
            for member in range(begin, end):
                who = player[member] & INDEX
                q = share[member]
                variance = deviation[who] * deviation[who]
                if per_day > 0.0:
                    variance = _as_of(variance, at[match], last_at[who], per_day, most_variance)
                variance += tau_squared
                deviation_after[member] = variance
                total += q * mean[who]
                spread += q * q * (variance + beta_squared)
            prior_mean[side - first] = total
            prior_variance[side - first] = spread
            players[side - first] = float(end - begin)
        if last - first == 2:
            shift[0], shrink[0] = _told(
                prior_mean[0] - prior_mean[1],
                prior_variance[0] + prior_variance[1],
                unit_margin * math.sqrt(players[0] + players[1]),
                is_draw,
            )
            shift[1] = -shift[0]
            shrink[1] = shrink[0]
        elif not _propagate(first, last, rank, unit_margin, scratch):
            return match
        for side in range(first, last):
            for member in range(member_start[side] & INDEX, member_start[side + 1] & INDEX):
                who = player[member] & INDEX
                mu, sigma = _moved(
                    mean[who],
                    deviation_after[member],
                    share[member],
                    shift[side - first],
                    _left(
                        deviation_after[member], share[member], shrink[side - first], beta_squared
                    ),
                    weight[match],
                )
                mean[who] = mean_after[member] = mu
                deviation[who] = deviation_after[member] = sigma
                if per_day > 0.0:
                    last_after[member] = float(at[match])
                    last_at[who] = last_after[member]
    return -1


@body
def _rate_duels(log: Columns, state: Columns, after: Columns, settings: Columns) -> None:
    """Rate a log of single players against each other, which is what most logs are.

    The same operations in the same order, but with places that follow from the number of the
    match, nothing to sum up, nothing to lay aside and nothing that could cancel.
    """
    at, _day, weight, _side_start, rank, _points, handicap, _member_start, player, share, _ = log
    beta_squared, tau_squared, per_day, most_variance, unit_margin, size_advantage = settings
    mean = state[0]
    deviation = state[1]
    mean_after = after[0]
    deviation_after = after[1]
    last_at = state[-1]
    last_after = after[-1]
    margin = unit_margin * math.sqrt(2.0)
    for match in range(len(at)):
        one = 2 * match
        other = one + 1
        fetch_ahead(state, player, one, other + 1)
        who = player[one] & INDEX
        whom = player[other] & INDEX
        q = share[one]
        r = share[other]
        variance = deviation[who] * deviation[who]
        their_variance = deviation[whom] * deviation[whom]
        if per_day > 0.0:
            variance = _as_of(variance, at[match], last_at[who], per_day, most_variance)
            their_variance = _as_of(
                their_variance, at[match], last_at[whom], per_day, most_variance
            )
            last_after[one] = last_after[other] = float(at[match])
            last_at[who] = last_at[whom] = float(at[match])
        variance += tau_squared
        their_variance += tau_squared
        lead = (size_advantage + handicap[one] + q * mean[who]) - (
            size_advantage + handicap[other] + r * mean[whom]
        )
        spread = q * q * (variance + beta_squared) + r * r * (their_variance + beta_squared)
        shift, shrink = _told(lead, spread, margin, rank[one] == rank[other])
        left = 1.0 - q * variance * q * shrink
        their_left = 1.0 - r * their_variance * r * shrink
        mu, sigma = _moved(mean[who], variance, q, shift, left, weight[match])
        their_mu, their_sigma = _moved(
            mean[whom], their_variance, r, -shift, their_left, weight[match]
        )
        mean[who] = mean_after[one] = mu
        mean[whom] = mean_after[other] = their_mu
        deviation[who] = deviation_after[one] = sigma
        deviation[whom] = deviation_after[other] = their_sigma


class TrueSkill(SkillSystem[TrueSkillParameters]):
    """TrueSkill: normal skills, sides that add up, any number of sides, draws of their own.

    State: mean and deviation; where skills change with time also the time of the last match.
    """

    name = "trueskill"
    title = "TrueSkill"
    parameter_class = TrueSkillParameters
    fitted = ("sigma", "tau", "idle_variance")
    break_even = 200_000
    scratch = 12
    has_own_draws = True

    def __init__(self, parameters: TrueSkillParameters | None = None, **settings: object) -> None:
        super().__init__(parameters, **settings)
        chosen = self.parameters
        self.body = trueskill_body
        self.columns = ("mean", "deviation")
        if chosen.idle_variance > 0.0:
            self.columns += ("last_at",)
            # What is shown falls with every day of absence, and players are ordered by it.
            self.period_days = 1
        self.unit_margin = draw_margin(chosen.draw_probability, chosen.beta, 1)
        self.settings = (
            chosen.beta * chosen.beta,
            chosen.tau * chosen.tau,
            chosen.idle_variance,
            chosen.sigma * chosen.sigma,
            self.unit_margin,
            chosen.size_advantage,
        )

    def new_player(self, board: State | None = None) -> State:
        chosen = self.parameters
        return (chosen.mu, chosen.sigma, _NEVER_PLAYED)[: len(self.columns)]

    def idle_many(
        self, states: Floats, at: int | Integers, day: int | Integers | None = None
    ) -> Floats:
        chosen = self.parameters
        if not chosen.idle_variance:
            return states
        idle = states.copy()
        played = states[:, 2] > _NEVER_PLAYED
        moment = np.broadcast_to(at, len(states))[played]
        days = (moment - states[played, 2].astype(np.int64)) // DAY
        idle[played, 1] = self._grown_many(states[played, 1], days.astype(np.float64))
        return idle

    def certain_until_many(self, states: Floats, games: Integers) -> tuple[Integers, Integers]:
        chosen = self.parameters
        return self._within_until(states, chosen.fairly_sure), self._within_until(
            states, chosen.sure
        )

    def predict(
        self,
        sides: Sequence[Side],
        at: int,
        day: int | None = None,
        draws: DrawRate | None = None,
        board: State | None = None,
    ) -> Prediction:
        prediction = super().predict(sides, at, day, draws, board)
        if len(sides) != 2:
            return prediction
        one, other = (self._strength(side) for side in self._present(sides, at, day, board))
        c = math.sqrt(one[1] + other[1])
        lead = (one[0] - other[0]) / c
        margin = self.unit_margin * math.sqrt(sum(len(side.keys) for side in sides)) / c
        win, loss = normal(lead - margin), normal(-lead - margin)
        draw = max(1.0 - win - loss, 0.0) if margin > 0.0 else 0.0
        return Prediction(prediction.expected, prediction.places, win=win, draw=draw, loss=loss)

    def quality(
        self,
        sides: Sequence[Side],
        at: int,
        day: int | None = None,
        board: State | None = None,
    ) -> float:
        """Return the match quality: the draw density against that of perfectly known equals."""
        present = self._present(sides, at, day, board)
        rows = []
        for index in range(len(present) - 1):
            row: list[float] = []
            for number_, side in enumerate(present):
                sign = (number_ == index) - (number_ == index + 1)
                row.extend(sign * share for share in shares_of(side))
            rows.append(row)
        a = np.array(rows)
        variance = np.array([state[1] * state[1] for side in present for state in side.states])
        strengths = np.array([self._strength(side)[0] for side in present])
        # In units of beta, and by logarithms: determinants of many sides leave the range of floats.
        beta = self.parameters.beta
        noise = a @ a.T
        whole = noise + (a * (variance / (beta * beta))) @ a.T
        gaps = (strengths[:-1] - strengths[1:]) / beta
        largest = max(float(np.abs(gaps).max()), 1.0)
        gaps /= largest
        closeness = -float(gaps @ np.linalg.solve(whole, gaps)) * largest * largest
        volumes = float(np.linalg.slogdet(noise)[1] - np.linalg.slogdet(whole)[1])
        return min(math.exp(0.5 * (closeness + volumes)), 1.0)

    def _within_until(self, states: Floats, part: float) -> Integers:
        """Return the last moment at which each idle deviation is within a part of the prior's."""
        chosen = self.parameters
        limit = part * chosen.sigma
        until = np.full(len(states), NEVER, dtype=np.int64)
        within = states[:, 1] <= limit
        if not chosen.idle_variance or part >= 1.0:
            until[within] = FOREVER
            return until
        deviation, last = states[within, 1], states[within, 2]
        room = (limit * limit - deviation * deviation) / chosen.idle_variance
        steps = last_step_within(
            lambda days: self._grown_many(deviation, days), np.floor(room), limit
        )
        moment = last.astype(np.int64) + (steps.astype(np.int64) + 1) * DAY - 1
        endless = (steps >= ENDLESS) | (last == _NEVER_PLAYED)
        until[within] = np.where(endless, FOREVER, moment)
        return until

    def _grown_many(self, deviation: Floats, days: Floats) -> Floats:
        chosen = self.parameters
        variance = deviation * deviation
        most = chosen.sigma * chosen.sigma
        grown = np.maximum(variance, np.minimum(variance + days * chosen.idle_variance, most))
        # A deviation that did not grow keeps its bits, which the root of its square may not.
        return np.where(grown > variance, np.sqrt(grown), deviation)

    def _chance(self, one: Side, other: Side, day: int) -> float:
        mean, variance = self._strength(one)
        other_mean, other_variance = self._strength(other)
        return normal((mean - other_mean) / math.sqrt(variance + other_variance))

    def chances(self, table: SideTable, one: Integers, other: Integers) -> Floats:
        mean, variance = self._strengths(table)
        return normal_many((mean[one] - mean[other]) / np.sqrt(variance[one] + variance[other]))

    def outcomes(self, table: SideTable, one: Integers, other: Integers) -> tuple[Floats, Floats]:
        """Return P(win) and P(draw) of the sides `one` against `other`, as `predict` of the two."""
        mean, variance = self._strengths(table)
        players = (table.players[one] + table.players[other]).astype(np.float64)
        c = np.sqrt(variance[one] + variance[other])
        lead, margin = (mean[one] - mean[other]) / c, self.unit_margin * np.sqrt(players) / c
        win, loss = normal_many(lead - margin), normal_many(-lead - margin)
        return win, np.maximum(1.0 - win - loss, 0.0)

    def qualities(self, table: SideTable, one: Integers, other: Integers) -> Floats:
        """Return `quality` of the sides `one` against `other`, in closed form for pairs."""
        beta = self.parameters.beta
        mean, variance = self._strengths(table)
        noise = table.total_of(np.full(len(table.states), beta * beta), power=2)
        lead, whole = mean[one] - mean[other], variance[one] + variance[other]
        quality: Floats = np.sqrt((noise[one] + noise[other]) / whole)
        quality *= np.exp(-0.5 * lead * lead / whole)
        return quality

    def _strengths(self, table: SideTable) -> tuple[Floats, Floats]:
        """Return mean and variance of each side's performance."""
        chosen = self.parameters
        beta_squared = chosen.beta * chosen.beta
        mean = table.total_of(table.states[:, 0])
        mean = mean + chosen.size_advantage * table.players + table.log.handicap
        return mean, table.total_of(np.square(table.states[:, 1]) + beta_squared, power=2)

    def _performance(self, sides: Sequence[Side]) -> tuple[list[float], list[float], Noise]:
        strengths = [self._strength(side) for side in sides]
        return [m for m, _ in strengths], [math.sqrt(v) for _, v in strengths], "normal"

    def _strength(self, side: Side) -> tuple[float, float]:
        """Return mean and variance of a side's performance."""
        chosen = self.parameters
        shares = shares_of(side)
        members = list(zip(shares, side.states, strict=True))
        mean = math.fsum(q * state[0] for q, state in members)
        beta_squared = chosen.beta * chosen.beta
        variance = math.fsum(q * q * (state[1] * state[1] + beta_squared) for q, state in members)
        return mean + chosen.size_advantage * len(members) + side.handicap, variance


def draw_margin(probability: float, beta: float, players: int) -> float:
    """Return epsilon: how close performances must be for a draw of that probability."""
    return NormalDist().inv_cdf((probability + 1.0) / 2.0) * math.sqrt(players) * beta
