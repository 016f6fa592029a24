"""TrueSkill (R. Herbrich, T. Minka, T. Graepel, "TrueSkill: A Bayesian Skill Rating System",
NIPS 2006): skills are normal, performances are skills plus noise of deviation beta, a side's
performance is the sum of its members'.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

import numpy as np

from ratings.curves import normal, normal_many
from ratings.draws import DrawRate
from ratings.engine import Column, Columns, body
from ratings.gaussian import draw_moments, win_moments
from ratings.log import DAY, Floats, Integers
from ratings.parameters import Parameters, integer, number
from ratings.places import Noise
from ratings.sequential import INTERVAL, Sequential, shares_of
from ratings.sidetable import SideTable
from ratings.system import FOREVER, NEVER, Prediction, ShownMany, Side, State

_TOLERANCE: Final = 1e-7
_ROUNDING: Final = 1e-14
_MOST_SWEEPS: Final = 50
_NEVER_PLAYED: Final = float(NEVER)
_ENDLESS_DAYS: Final = 10_000_000.0
_SMALLEST: Final = 1e-6
_ROOT_2: Final = math.sqrt(2.0)
_LARGEST: Final = 1e6


@dataclass(frozen=True, slots=True)
class TrueSkillParameters(Parameters):
    """The parameters of TrueSkill."""

    mu: float = number(25.0, "Start", "The mean of a newcomer.", symbol="mu", least=-1e6, most=1e6)
    sigma: float = number(
        25.0 / 3.0,
        "Start deviation",
        "The deviation of a newcomer.",
        symbol="sigma",
        least=_SMALLEST,
        most=_LARGEST,
    )
    beta: float = number(
        25.0 / 6.0,
        "Performance deviation",
        "How much performances vary from match to match.",
        symbol="beta",
        least=_SMALLEST,
        most=_LARGEST,
    )
    tau: float = number(
        25.0 / 300.0,
        "Change per match",
        "The deviation by which a skill may change from match to match.",
        symbol="tau",
        least=0,
        most=_LARGEST,
    )
    idle_variance: float = number(
        0.0,
        "Change per day",
        "The variance by which a skill may change per day of absence.",
        least=0,
        most=_LARGEST,
    )
    draw_probability: float = number(
        0.1,
        "Draws",
        "The share of draws between equals; 0 for a game without draws.",
        symbol="p",
        least=0,
        under=1,
    )
    size_advantage: float = number(
        0.0,
        "Size advantage",
        "What a side gains in strength for each of its players, beside their skills.",
        least=-1e6,
        most=1e6,
    )
    pending_hours: int = integer(
        24,
        "Time limit",
        "Hours after which a match that was started and never reported is lost.",
        least=1,
        most=720,
    )
    fairly_sure: float = number(
        0.4,
        "Fairly sure",
        "Up to which part of a newcomer's deviation a rating is fairly sure.",
        over=0,
        most=1,
    )
    sure: float = number(
        0.25, "Sure", "Up to which part of a newcomer's deviation a rating is sure.", over=0, most=1
    )


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
def _moved(
    mean: float, variance: float, share: float, shift: float, shrink: float, weight: float
) -> tuple[float, float]:
    """Return mean and deviation after a match that says `shift` and `shrink` of the side."""
    lever = share * variance
    new_mean = mean + lever * shift
    new_variance = variance * (1.0 - lever * share * shrink)
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
def _moments(t: float, margin: float, is_draw: bool) -> tuple[float, float]:
    """Return v and w of a difference t in deviations, the better ranked side first."""
    if is_draw:
        return draw_moments(t, margin)
    return win_moments(t - margin)


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
    unit = math.sqrt(own * theirs / (own + theirs))
    both = 1.0 / (own * theirs)
    variance = theirs * both
    other_variance = own * both
    mean = (product[one] + up_product[one]) * variance
    other_mean = (product[other] + down_product[other]) * other_variance
    v, w = _moments((mean - other_mean) * unit, margin[one] * unit, is_draw)
    spread = variance + other_variance
    push = spread * unit * v
    down = 1.0 / (spread - w * variance)
    up = 1.0 / (spread - w * other_variance)
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
    for match in range(len(at)):
        first = side_start[match]
        last = side_start[match + 1]
        begin = member_start[first]
        is_draw = rank[first] == rank[first + 1]
        if last - first == 2 and member_start[last] - begin == 2:
            # A duel is what most logs are made of: nothing to sum up, nothing to pass on.
            who = player[begin]
            whom = player[begin + 1]
            variance = deviation[who] * deviation[who]
            their_variance = deviation[whom] * deviation[whom]
            if per_day > 0.0:
                variance = _as_of(variance, at[match], last_at[who], per_day, most_variance)
                their_variance = _as_of(
                    their_variance, at[match], last_at[whom], per_day, most_variance
                )
                last_at[who] = last_at[whom] = float(at[match])
                last_after[begin] = last_after[begin + 1] = last_at[who]
            variance += tau_squared
            their_variance += tau_squared
            q = share[begin]
            r = share[begin + 1]
            lead = (handicap[first] + q * mean[who]) - (handicap[first + 1] + r * mean[whom])
            spread = q * q * (variance + beta_squared) + r * r * (their_variance + beta_squared)
            unit = 1.0 / math.sqrt(spread)
            v, w = _moments(lead * unit, unit_margin * _ROOT_2 * unit, is_draw)
            v *= unit
            w *= unit * unit
            mean[who], deviation[who] = _moved(mean[who], variance, q, v, w, weight[match])
            mean[whom], deviation[whom] = _moved(
                mean[whom], their_variance, r, -v, w, weight[match]
            )
            mean_after[begin] = mean[who]
            mean_after[begin + 1] = mean[whom]
            deviation_after[begin] = deviation[who]
            deviation_after[begin + 1] = deviation[whom]
            continue
        for side in range(first, last):
            total = size_advantage * (member_start[side + 1] - member_start[side]) + handicap[side]
            spread = 0.0
            for member in range(member_start[side], member_start[side + 1]):
                who = player[member]
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
            players[side - first] = float(member_start[side + 1] - member_start[side])
        if last - first == 2:
            unit = 1.0 / math.sqrt(prior_variance[0] + prior_variance[1])
            margin = unit_margin * math.sqrt(players[0] + players[1])
            v, w = _moments((prior_mean[0] - prior_mean[1]) * unit, margin * unit, is_draw)
            shift[0] = v * unit
            shift[1] = -shift[0]
            shrink[0] = w * (unit * unit)
            shrink[1] = shrink[0]
        elif not _propagate(first, last, rank, unit_margin, scratch):
            return match
        for side in range(first, last):
            for member in range(member_start[side], member_start[side + 1]):
                who = player[member]
                mean[who], deviation[who] = _moved(
                    mean[who],
                    deviation_after[member],
                    share[member],
                    shift[side - first],
                    shrink[side - first],
                    weight[match],
                )
                mean_after[member] = mean[who]
                deviation_after[member] = deviation[who]
                if per_day > 0.0:
                    last_after[member] = float(at[match])
                    last_at[who] = last_after[member]
    return -1


class TrueSkill(Sequential[TrueSkillParameters]):
    """TrueSkill: normal skills, sides that add up, any number of sides, draws of their own.

    State: mean and deviation; where skills change with time also the time of the last match.
    """

    name = "trueskill"
    title = "TrueSkill"
    parameter_class = TrueSkillParameters
    fitted = ("sigma", "tau", "idle_variance")
    break_even = 470_000
    scratch = 12
    shown_as = "Rating"

    def __init__(self, parameters: TrueSkillParameters | None = None, **settings: object) -> None:
        super().__init__(parameters, **settings)
        chosen = self.parameters
        self.body = trueskill_body
        self.columns = ("mean", "deviation")
        if chosen.idle_variance > 0.0:
            self.columns += ("last_at",)
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

    def settled(self, state: State) -> State:
        chosen = self.parameters
        return state[0], chosen.sure * chosen.sigma, *state[2:]

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

    def display_many(
        self,
        states: Floats,
        at: int | None = None,
        board: State | None = None,
        day: int | None = None,
    ) -> ShownMany:
        if at is not None:
            states = self.idle_many(states, at, day)
        return shown_skill(states)

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
    ) -> Prediction:
        prediction = super().predict(sides, at, day, draws)
        if len(sides) != 2:
            return prediction
        one, other = (self._strength(self._as_of(side, at, 0)) for side in sides)
        c = math.sqrt(one[1] + other[1])
        lead = (one[0] - other[0]) / c
        margin = self.unit_margin * math.sqrt(sum(len(side.keys) for side in sides)) / c
        win, loss = normal(lead - margin), normal(-lead - margin)
        return Prediction(
            prediction.expected, prediction.places, win=win, draw=1.0 - win - loss, loss=loss
        )

    def quality(self, sides: Sequence[Side], at: int, day: int | None = None) -> float:
        """Return the match quality: the draw density against that of perfectly known equals."""
        present = [self._as_of(side, at, 0) for side in sides]
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
        noise = (self.parameters.beta * self.parameters.beta) * (a @ a.T)
        whole = noise + (a * variance) @ a.T
        gaps = strengths[:-1] - strengths[1:]
        closeness = math.exp(-0.5 * float(gaps @ np.linalg.solve(whole, gaps)))
        return closeness * math.sqrt(float(np.linalg.det(noise) / np.linalg.det(whole)))

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
        estimate = np.clip(np.floor(room), 0.0, _ENDLESS_DAYS)
        steps = np.zeros(len(deviation))
        # The closed form may be off by one where rounding decides; `idle` itself has the last word.
        for nearby in (-1.0, 0.0, 1.0, 2.0):
            trial = np.maximum(estimate + nearby, 0.0)
            fits = self._grown_many(deviation, trial) <= limit
            steps = np.where(fits, np.maximum(steps, trial), steps)
        moment = last.astype(np.int64) + (steps.astype(np.int64) + 1) * DAY - 1
        endless = (steps >= _ENDLESS_DAYS) | (last == _NEVER_PLAYED)
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
        chosen = self.parameters
        beta_squared = chosen.beta * chosen.beta
        mean = table.total_of(table.states[:, 0])
        mean = mean + chosen.size_advantage * table.players + table.log.handicap
        variance = table.total_of(np.square(table.states[:, 1]) + beta_squared, power=2)
        return normal_many((mean[one] - mean[other]) / np.sqrt(variance[one] + variance[other]))

    def _opponent(self, state: State, own: Side, other: Side) -> State:
        """Return one who leaves lead and total variance of the match as they are."""
        (mean, variance), (their_mean, their_variance) = self._strength(own), self._strength(other)
        beta = self.parameters.beta
        rest = variance + their_variance - state[1] * state[1] - 2.0 * beta * beta
        return state[0] + (their_mean - mean), math.sqrt(max(rest, 0.0)), *state[2:]

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


def shown_skill(states: Floats) -> ShownMany:
    """Show normal skills by a value they lie above with near certainty: mu - 3 sigma."""
    mean, deviation = states[:, 0], states[:, 1]
    return ShownMany(
        value=mean - 3.0 * deviation,
        low=mean - INTERVAL * deviation,
        high=mean + INTERVAL * deviation,
        center=mean.copy(),
        provisional=np.zeros(len(states), dtype=bool),
        decimals=1,
    )
