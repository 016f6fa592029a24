"""Glicko-2 (M. E. Glickman, "Example of the Glicko-2 system", 2013/2022; bounds, partial idle
periods, teams and Rank Points after R. Juckett, "INVERSUS: online skill ranking", 2018).

Internally mu = (R - 1500)/173.7178 and phi = RD/173.7178; states hold mu as `mean` and phi as
`deviation`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from ratings.curves import logistic, logistic_many
from ratings.engine import Column, Columns, body
from ratings.log import DAY, Floats, Integers
from ratings.parameters import Parameters, choice, flag, integer, number
from ratings.places import Noise
from ratings.sequential import INTERVAL, Sequential, shares_of
from ratings.shares import result_of
from ratings.sidetable import SideTable
from ratings.system import FOREVER, NEVER, ShownMany, Side, State

P = TypeVar("P", bound=Parameters)

SCALE: Final = 173.7178
CENTRE: Final = 1500.0
MEAN_LIMIT: Final = 6.045
LEAST_DEVIATION: Final = 0.175
MOST_DEVIATION: Final = 2.015
LEAST_VOLATILITY: Final = 0.04
MOST_VOLATILITY: Final = 0.08
POINTS_LIMIT: Final = 10_000.0

_NEVER_PLAYED: Final = float(NEVER)
_ENDLESS_DAYS: Final = 10_000_000.0
_LEAST_INFORMATION: Final = 1e-12
_PRECISION: Final = 1e-6
_THREE_BY_PI_SQUARED: Final = 3.0 / (math.pi * math.pi)
_MOST_STEPS: Final = 100
_INDIVIDUAL: Final = 0
_COMPOSITE_OPPONENT: Final = 1
_COMPOSITE_TEAM: Final = 2
TEAMS: Final = {
    "individual": _INDIVIDUAL,
    "composite-opponent": _COMPOSITE_OPPONENT,
    "composite-team": _COMPOSITE_TEAM,
}


@dataclass(frozen=True, slots=True)
class Glicko2Parameters(Parameters):
    """The parameters of Glicko-2."""

    preset: str = choice(
        "inversus",
        ("inversus", "glickman"),
        "Bounds",
        "Keep rating, deviation and volatility within INVERSUS's bounds, or leave them free as in "
        "Glickman's paper.",
    )
    rating: float = number(
        1500.0, "New rating", "The rating of a newcomer.", symbol="R", least=-1e6, most=1e6
    )
    deviation: float | None = number(
        None,
        "New deviation",
        "The rating deviation of a newcomer; none: the preset's own, 350.04 (inversus) or 350.",
        symbol="RD",
        over=0,
        most=1000,
        optional=True,
    )
    volatility: float = number(
        0.06,
        "New volatility",
        "How erratic a newcomer's results are taken to be.",
        symbol="sigma",
        over=0,
        most=0.1,
    )
    tau: float = number(
        0.5,
        "Change of volatility",
        "How much the volatility may change.",
        symbol="tau",
        least=0.1,
        most=2,
    )
    period: str = choice(
        "per-match",
        ("per-match", "calendar"),
        "Rating period",
        "Rate after every match, or rate all matches of a stretch of days together at its end.",
    )
    period_days: int = integer(
        14,
        "Length of a period",
        "Days of a calendar period; without calendar periods, idle days that count as one period.",
        least=1,
        most=366,
    )
    match_periods: float = number(
        1.0,
        "Periods per match",
        "How many periods' worth of uncertainty a match adds of itself; not for calendar periods.",
        least=0,
        most=10,
    )
    teams: str = choice(
        "composite-team",
        ("individual", "composite-opponent", "composite-team"),
        "Teams",
        "Play every opponent by himself, or one of the opponents' mean strength, or one who stands "
        "as far from the player as the opposing mean from the own side's.",
    )
    pairs: str = choice(
        "mean",
        ("mean", "full"),
        "More than two sides",
        "Let the comparisons of a match weigh one together, or one each.",
    )
    display: str = choice(
        "rating",
        ("rating", "points"),
        "Display",
        "Show the rating, or Rank Points that rise after wins only and fall after losses only.",
    )
    approach: float = number(
        0.5,
        "Approach",
        "The part of the way to their goal that Rank Points move after a match.",
        over=0,
        most=1,
    )
    max_step: float = number(
        500.0, "Largest step", "The most Rank Points one match can move.", least=1, most=10_000
    )
    bonus: float = number(
        0.0,
        "Win bonus",
        "Rank Points for a win against an opponent at the largest distance above.",
        least=0,
        most=1000,
    )
    scaled_approach: bool = flag(
        False, "Scaled approach", "Let Rank Points move less while the deviation is large."
    )
    tightest: bool = flag(
        False, "Tightest deviation", "Aim Rank Points by the smallest deviation ever reached."
    )
    size_advantage: float = number(
        0.0,
        "Size advantage",
        "Points a side gains in strength for each of its players.",
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
        110.0, "Fairly sure", "Up to which deviation a rating is fairly sure.", over=0, most=1000
    )
    sure: float = number(75.0, "Sure", "Up to which deviation a rating is sure.", over=0, most=1000)

    def conflicts(self) -> list[tuple[str, object, str]]:
        if self.display == "points" and self.preset != "inversus":
            return [("display", self.display, "Rank Points need the bounds of inversus")]
        return []


@body
def reduction(phi: float) -> float:
    """Return g: how much an opponent's deviation takes from what a result says (step 3)."""
    return 1.0 / math.sqrt(1.0 + _THREE_BY_PI_SQUARED * (phi * phi))


@body
def compared(own: float, theirs: float, phi: float, score: float) -> tuple[float, float]:
    """Return g^2 E(1-E) and g(s-E) of one comparison; `phi` is the opponent's (step 3)."""
    g = reduction(phi)
    z = g * (own - theirs)
    odds = math.exp(-abs(z))
    likely = 1.0 / (1.0 + odds)
    unlikely = odds * likely
    expected = likely if z >= 0.0 else unlikely
    missing = unlikely if z >= 0.0 else likely
    return g * g * (likely * unlikely), g * (score * missing - (1.0 - score) * expected)


@body
def grown(phi: float, volatility: float, periods: float, low: float, high: float) -> float:
    """Return the deviation after idle periods (step 6), within the bounds."""
    return min(max(math.sqrt(phi * phi + periods * (volatility * volatility)), low), high)


@body
def _slope(y: float, e: float, excess: float, spread: float, steep: float) -> float:
    """Return f of step 5 at x = a + y; e is exp(x), spread phi^2 + v, excess Delta^2 - spread."""
    total = spread + e
    return e * (excess - e) / (2.0 * (total * total)) - y * steep


@body
def new_volatility(phi: float, volatility: float, v: float, delta: float, tau: float) -> float:
    """Return the volatility after a period, by the Illinois iteration of step 5.

    Everything is measured from a = ln sigma^2, and every x keeps its e^x: that spares the
    logarithm and most exponentials.
    """
    variance = volatility * volatility
    spread = phi * phi + v
    excess = delta * delta - spread
    steep = 1.0 / (tau * tau)
    fall = math.exp(-tau)
    low = 0.0
    e_low = variance
    at_low = _slope(low, e_low, excess, spread, steep)
    if excess > 0.0:
        high = math.log(excess) - 2.0 * math.log(volatility)
        e_high = excess
        at_high = _slope(high, e_high, excess, spread, steep)
    else:
        high = -tau
        e_high = variance * fall
        at_high = _slope(high, e_high, excess, spread, steep)
        steps = 1
        while steps < _MOST_STEPS and at_high < 0.0:
            high -= tau
            e_high *= fall
            at_high = _slope(high, e_high, excess, spread, steep)
            steps += 1
    for _ in range(_MOST_STEPS):
        if abs(high - low) <= _PRECISION:
            break
        between = low + (low - high) * at_low / (at_high - at_low)
        e_between = variance * math.exp(between)
        at_between = _slope(between, e_between, excess, spread, steep)
        crossed = at_between * at_high <= 0.0
        low = high if crossed else low
        e_low = e_high if crossed else e_low
        at_low = at_high if crossed else 0.5 * at_low
        high = between
        e_high = e_between
        at_high = at_between
    return math.sqrt(e_low)


@body
def end_period(
    mu: float,
    phi: float,
    volatility: float,
    information: float,
    gain: float,
    periods: float,
    tau: float,
    bounds: Columns,
) -> tuple[float, float, float]:
    """Return mean, deviation and volatility after a period's results (steps 4 to 8).

    `information` is the sum of g^2 E(1-E), which is 1/v; `gain` the sum of g(s-E); `periods`
    how many periods' growth the deviation takes before the results. Without `tau` the volatility
    stays.
    """
    mean_limit, low_phi, high_phi, low_volatility, high_volatility = bounds
    sigma = volatility
    if tau > 0.0 and information >= _LEAST_INFORMATION:
        v = 1.0 / information
        sigma = new_volatility(phi, volatility, v, v * gain, tau)
        sigma = min(max(sigma, low_volatility), high_volatility)
    before = phi * phi + periods * (sigma * sigma)
    variance = before / (1.0 + before * information)
    mean = min(max(mu + variance * gain, -mean_limit), mean_limit)
    return mean, min(max(math.sqrt(variance), low_phi), high_phi), sigma


@body
def rank_points(x: float) -> float:
    """Return RP(x): the bounded scale of means stretched over 0 to 10000."""
    kept = min(max(x, -MEAN_LIMIT), MEAN_LIMIT)
    return POINTS_LIMIT * (kept + MEAN_LIMIT) / (2.0 * MEAN_LIMIT)


@body
def moved_points(
    points: float,
    score: float,
    mu: float,
    phi: float,
    aim_phi: float,
    lead: float,
    settings: Columns,
) -> float:
    """Return Rank Points after a match or period with the mean score `score`.

    `lead` is how far the opponents stood above before it; `mu` and `phi` are those after it.
    """
    approach: float
    max_step: float
    bonus: float
    approach, max_step, bonus, scaled = settings
    if scaled:
        approach *= (MOST_DEVIATION - phi) / (MOST_DEVIATION - LEAST_DEVIATION)
    way = approach * (rank_points(mu - 3.0 * aim_phi) - points)
    if score > 0.5:
        rise = max(0.0, way) + bonus * max(0.0, lead) / (2.0 * MEAN_LIMIT)
        if rise < 1.0 and points + 1.0 <= min(rank_points(mu + 3.0 * phi), POINTS_LIMIT):
            rise = 1.0
        return min(points + min(rise, max_step), POINTS_LIMIT)
    if score < 0.5:
        return max(points - min(max(1.0, -way), max_step), 0.0)
    return points + min(max(0.5 * way, -max_step), max_step)


@body
def _side_means(
    first: int,
    last: int,
    member_start: Column,
    player: Column,
    share: Column,
    mean: Column,
    deviation: Column,
    side_mean: Column,
    side_deviation: Column,
    side_size: Column,
) -> None:
    """Fill in mean, mean deviation and size of the sides first:last."""
    for side in range(first, last):
        begin = member_start[side]
        if member_start[side + 1] - begin == 1:
            side_mean[side - first] = mean[player[begin]]
            side_deviation[side - first] = deviation[player[begin]]
            side_size[side - first] = share[begin]
            continue
        total = 0.0
        spread = 0.0
        size = 0.0
        for member in range(begin, member_start[side + 1]):
            size += share[member]
            total += share[member] * mean[player[member]]
            spread += share[member] * deviation[player[member]]
        side_mean[side - first] = total / size
        side_deviation[side - first] = spread / size
        side_size[side - first] = size


@body
def _evidence(
    member: int,
    side: int,
    first: int,
    last: int,
    log: Columns,
    mean: Column,
    deviation: Column,
    scratch: Columns,
    teams: int,
    pairs_full: bool,
    size_advantage: float,
) -> tuple[float, float, float, float]:
    """Return what a match says of one participant, before weight and share.

    The sums of g^2 E(1-E) and g(s-E) over the comparisons, the mean score and the opponents'
    mean strength.
    """
    _at, _day, _weight, _side_start, rank, _points, handicap, member_start, player, _, _ = log
    side_mean, side_deviation, side_size = scratch
    own = mean[player[member]]
    pair_weight = 1.0 if pairs_full else 1.0 / (last - first - 1)
    information = 0.0
    gain = 0.0
    score_sum = 0.0
    opponent_sum = 0.0
    comparisons = 0.0
    for other in range(first, last):
        if other == side:
            continue
        score = result_of(rank[side], rank[other])
        shift = (
            (handicap[other] - handicap[side])
            + size_advantage * (side_size[other - first] - side_size[side - first])
        ) / SCALE
        if teams == _INDIVIDUAL:
            for opponent in range(member_start[other], member_start[other + 1]):
                theirs = mean[player[opponent]] + shift
                told, surprise = compared(own, theirs, deviation[player[opponent]], score)
                information += pair_weight * told
                gain += pair_weight * surprise
                score_sum += score
                opponent_sum += theirs
                comparisons += 1.0
            continue
        theirs = side_mean[other - first] + shift
        if teams == _COMPOSITE_TEAM:
            theirs = own + (theirs - side_mean[side - first])
        told, surprise = compared(own, theirs, side_deviation[other - first], score)
        information += pair_weight * told
        gain += pair_weight * surprise
        score_sum += score
        opponent_sum += theirs
        comparisons += 1.0
    return information, gain, score_sum / comparisons, opponent_sum / comparisons


@body
def per_match_body(
    log: Columns, state: Columns, after: Columns, scratch: Columns, settings: Columns
) -> None:
    """Rate a log, every match a period: see `ratings.engine.run`."""
    at, _day, weight, side_start, rank, _points, handicap, member_start, player, share, _ = log
    teams, pairs_full, size_advantage, tau, own_periods, bounds, idle_days, with_points, moving = (
        settings
    )
    aim_tightest, points_settings = moving
    mean = state[0]
    deviation = state[1]
    volatility = state[2]
    last_at = state[3]
    mean_after = after[0]
    deviation_after = after[1]
    volatility_after = after[2]
    last_after = after[3]
    # Only boards that show Rank Points have these columns; without them they stay unread.
    points = state[-2]
    tightest = state[-1]
    points_after = after[-2]
    tightest_after = after[-1]
    side_mean, side_deviation, side_size = scratch
    for match in range(len(at)):
        first = side_start[match]
        last = side_start[match + 1]
        begin = member_start[first]
        end = member_start[last]
        for member in range(begin, end):
            who = player[member]
            if last_at[who] > _NEVER_PLAYED:
                days = (at[match] - int(last_at[who])) // DAY
                if days > 0:
                    deviation[who] = grown(
                        deviation[who], volatility[who], days / idle_days, bounds[1], bounds[2]
                    )
        # A duel is what most logs are made of: no side to average, one comparison for each.
        is_duel = last - first == 2 and end - begin == 2
        if not is_duel:
            _side_means(
                first,
                last,
                member_start,
                player,
                share,
                mean,
                deviation,
                side_mean,
                side_deviation,
                side_size,
            )
        for side in range(first, last):
            for member in range(member_start[side], member_start[side + 1]):
                who = player[member]
                if is_duel:
                    other = first + last - 1 - side
                    opponent = begin + end - 1 - member
                    score = result_of(rank[side], rank[other])
                    opponents = (
                        mean[player[opponent]]
                        + (
                            (handicap[other] - handicap[side])
                            + size_advantage * (share[opponent] - share[member])
                        )
                        / SCALE
                    )
                    information, gain = compared(
                        mean[who], opponents, deviation[player[opponent]], score
                    )
                else:
                    information, gain, score, opponents = _evidence(
                        member,
                        side,
                        first,
                        last,
                        log,
                        mean,
                        deviation,
                        scratch,
                        teams,
                        pairs_full,
                        size_advantage,
                    )
                factor = weight[match] * share[member]
                mu, phi, sigma = end_period(
                    mean[who],
                    deviation[who],
                    volatility[who],
                    factor * information,
                    factor * gain,
                    own_periods,
                    tau,
                    bounds,
                )
                mean_after[member] = mu
                deviation_after[member] = phi
                volatility_after[member] = sigma
                last_after[member] = float(at[match])
                if with_points:
                    smallest = min(tightest[who], phi)
                    tightest_after[member] = smallest
                    points_after[member] = moved_points(
                        points[who],
                        score,
                        mu,
                        phi,
                        smallest if aim_tightest else phi,
                        opponents - mean[who],
                        points_settings,
                    )
        for member in range(begin, end):
            who = player[member]
            mean[who] = mean_after[member]
            deviation[who] = deviation_after[member]
            volatility[who] = volatility_after[member]
            last_at[who] = last_after[member]
            if with_points:
                points[who] = points_after[member]
                tightest[who] = tightest_after[member]


@body
def rolled(
    row: Columns, period: float, tau: float, bounds: Columns, with_points: bool, moving: Columns
) -> Columns:
    """Return a calendar state as it stands at the start of a later period.

    The period the player last played in ends with its sums; every one since lets the deviation
    grow.
    """
    mu, phi, sigma, last, own_period, information, gain, points, tightest, played, won, lead = row
    aim_tightest, points_settings = moving
    if own_period < period:
        idle = period - own_period
        if played > 0.0:
            mu, phi, sigma = end_period(mu, phi, sigma, information, gain, 1.0, tau, bounds)
            idle -= 1.0
            if with_points:
                tightest = min(tightest, phi)
                points = moved_points(
                    points,
                    won / played,
                    mu,
                    phi,
                    tightest if aim_tightest else phi,
                    lead / played,
                    points_settings,
                )
        if idle > 0.0:
            phi = grown(phi, sigma, idle, bounds[1], bounds[2])
        own_period = period
        information = 0.0
        gain = 0.0
        played = 0.0
        won = 0.0
        lead = 0.0
    return mu, phi, sigma, last, own_period, information, gain, points, tightest, played, won, lead


@body
def calendar_body(
    log: Columns, state: Columns, after: Columns, scratch: Columns, settings: Columns
) -> None:
    """Rate a log in calendar periods: see `ratings.engine.run`.

    A match changes only its participants' sums; a player is rolled forward into the present
    period when next met, so everybody is compared as of the period's start.
    """
    at, day, weight, side_start, _rank, _points, _handicap, member_start, player, share, _ = log
    teams, pairs_full, size_advantage, tau, _own, bounds, period_days, with_points, moving = (
        settings
    )
    mean, deviation, volatility, last_at, in_period, information, gain, played = state[:8]
    mean_after, deviation_after, volatility_after, last_after = after[:4]
    period_after, information_after, gain_after, played_after = after[4:8]
    # Only boards that show Rank Points have these columns; without them they stay unread.
    points = state[-4]
    tightest = state[-3]
    won = state[-2]
    lead = state[-1]
    points_after = after[-4]
    tightest_after = after[-3]
    won_after = after[-2]
    lead_after = after[-1]
    side_mean, side_deviation, side_size = scratch
    for match in range(len(at)):
        first = side_start[match]
        last = side_start[match + 1]
        begin = member_start[first]
        end = member_start[last]
        period = float(day[match] // int(period_days))
        for member in range(begin, end):
            who = player[member]
            if in_period[who] == _NEVER_PLAYED:
                in_period[who] = period
            if in_period[who] >= period:
                continue
            row = rolled(
                (
                    mean[who],
                    deviation[who],
                    volatility[who],
                    last_at[who],
                    in_period[who],
                    information[who],
                    gain[who],
                    points[who] if with_points else 0.0,
                    tightest[who] if with_points else 0.0,
                    played[who],
                    won[who] if with_points else 0.0,
                    lead[who] if with_points else 0.0,
                ),
                period,
                tau,
                bounds,
                with_points,
                moving,
            )
            mean[who] = row[0]
            deviation[who] = row[1]
            volatility[who] = row[2]
            in_period[who] = row[4]
            information[who] = row[5]
            gain[who] = row[6]
            played[who] = row[9]
            if with_points:
                points[who] = row[7]
                tightest[who] = row[8]
                won[who] = row[10]
                lead[who] = row[11]
        _side_means(
            first,
            last,
            member_start,
            player,
            share,
            mean,
            deviation,
            side_mean,
            side_deviation,
            side_size,
        )
        for side in range(first, last):
            for member in range(member_start[side], member_start[side + 1]):
                who = player[member]
                new_information, new_gain, score, opponents = _evidence(
                    member,
                    side,
                    first,
                    last,
                    log,
                    mean,
                    deviation,
                    scratch,
                    teams,
                    pairs_full,
                    size_advantage,
                )
                factor = weight[match] * share[member]
                mean_after[member] = mean[who]
                deviation_after[member] = deviation[who]
                volatility_after[member] = volatility[who]
                last_after[member] = float(at[match])
                period_after[member] = in_period[who]
                information_after[member] = information[who] + factor * new_information
                gain_after[member] = gain[who] + factor * new_gain
                played_after[member] = played[who] + factor
                if with_points:
                    points_after[member] = points[who]
                    tightest_after[member] = tightest[who]
                    won_after[member] = won[who] + factor * score
                    lead_after[member] = lead[who] + factor * (opponents - mean[who])
        for member in range(begin, end):
            who = player[member]
            last_at[who] = last_after[member]
            information[who] = information_after[member]
            gain[who] = gain_after[member]
            played[who] = played_after[member]
            if with_points:
                won[who] = won_after[member]
                lead[who] = lead_after[member]


class GlickoFamily(Sequential[P]):
    """What Glicko and Glicko-2 share: states that begin with mean, deviation, its growth, time."""

    parameters: Any
    bounds: Columns
    scratch = 3
    shown_as = "Rating"

    def expected(self, one: tuple[float, float], other: tuple[float, float]) -> float:
        """Return the expected score of (rating, deviation) against another, both uncertain."""
        (mu, phi), (their_mu, their_phi) = (
            ((rating - CENTRE) / SCALE, deviation / SCALE) for rating, deviation in (one, other)
        )
        return _win_chance(mu - their_mu, phi, their_phi)

    def settled(self, state: State) -> State:
        return state[0], self.parameters.sure / SCALE, *state[2:]

    def idle_many(
        self, states: Floats, at: int | Integers, day: int | Integers | None = None
    ) -> Floats:
        idle = states.copy()
        last = states[:, 3]
        played = last > _NEVER_PLAYED
        days = np.zeros(len(states), dtype=np.int64)
        moment = np.broadcast_to(at, len(states))[played]
        days[played] = (moment - last[played].astype(np.int64)) // DAY
        some = days > 0
        idle[some, 1] = self._grown_many(states[some], days[some] / self.parameters.period_days)
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
        mean, deviation = states[:, 0], states[:, 1]
        low, high = mean - INTERVAL * deviation, mean + INTERVAL * deviation
        low, high, center = (CENTRE + SCALE * x for x in (low, high, mean))
        provisional = np.zeros(len(states), dtype=bool)
        return ShownMany(center, low, high, center, provisional, decimals=0)

    def certain_until_many(self, states: Floats, games: Integers) -> tuple[Integers, Integers]:
        chosen = self.parameters
        return self._within_until(states, chosen.fairly_sure), self._within_until(
            states, chosen.sure
        )

    def _last_moment(self, states: Floats, steps: Floats) -> Integers:
        """Return the last microsecond after that many steps of growth."""
        return states[:, 3].astype(np.int64) + (steps.astype(np.int64) + 1) * DAY - 1

    @property
    def _steps_per_period(self) -> float:
        """Return in how many steps, days here, a period's growth comes."""
        return float(self.parameters.period_days)

    def _within_until(self, states: Floats, limit: float) -> Integers:
        """Return the last moment at which each idle deviation is at most `limit` rating points."""
        until = np.full(len(states), NEVER, dtype=np.int64)
        within = SCALE * states[:, 1] <= limit
        chosen, unit = states[within], self._steps_per_period
        room = np.square(limit / SCALE) - np.square(chosen[:, 1])
        with np.errstate(all="ignore"):
            estimate = np.floor(room / np.square(chosen[:, 2]) * unit)
        estimate = np.nan_to_num(np.clip(estimate, 0.0, _ENDLESS_DAYS), nan=_ENDLESS_DAYS)
        if SCALE * self.bounds[2] <= limit:
            estimate[:] = _ENDLESS_DAYS
        steps = np.zeros(len(chosen))
        # The closed form may be off by one where rounding decides; `idle` itself has the last word.
        for nearby in (-1.0, 0.0, 1.0, 2.0):
            trial = np.maximum(estimate + nearby, 0.0)
            fits = SCALE * self._grown_many(chosen, trial / unit) <= limit
            steps = np.where(fits, np.maximum(steps, trial), steps)
        endless = (steps >= _ENDLESS_DAYS) | (chosen[:, 3] == _NEVER_PLAYED)
        until[within] = np.where(endless, FOREVER, self._last_moment(chosen, steps))
        return until

    def _grown_many(self, states: Floats, periods: Floats) -> Floats:
        deviation, volatility = states[:, 1], states[:, 2]
        increased = np.sqrt(deviation * deviation + periods * (volatility * volatility))
        return np.minimum(np.maximum(increased, self.bounds[1]), self.bounds[2])

    def _chance(self, one: Side, other: Side, day: int) -> float:
        mu, phi = self._strength(one)
        their_mu, their_phi = self._strength(other)
        return _win_chance(mu - their_mu, phi, their_phi)

    def chances(self, table: SideTable, one: Integers, other: Integers) -> Floats:
        log = table.log
        advantage = self.parameters.size_advantage * table.size + log.handicap
        mu = table.mean(0) + advantage / SCALE
        spread = np.square(table.mean(1))
        lead = mu[one] - mu[other]
        g = 1.0 / np.sqrt(1.0 + _THREE_BY_PI_SQUARED * (spread[one] + spread[other]))
        return logistic_many(g * lead)

    def _opponent(self, state: State, own: Side, other: Side) -> State:
        (mu, _), (their_mu, their_phi) = self._strength(own), self._strength(other)
        return state[0] + (their_mu - mu), their_phi, *state[2:]

    def _performance(self, sides: Sequence[Side]) -> tuple[list[float], list[float], Noise]:
        strengths = [self._strength(side) for side in sides]
        spread = math.fsum(phi * phi for _, phi in strengths) / len(strengths)
        g = reduction(math.sqrt(2.0 * spread))
        return [g * mu for mu, _ in strengths], [1.0] * len(sides), "gumbel"

    def _strength(self, side: Side) -> tuple[float, float]:
        """Return a side's mean and mean deviation, handicap and size included."""
        shares = shares_of(side)
        size = math.fsum(shares)
        mu, phi = (
            math.fsum(q * state[column] for q, state in zip(shares, side.states, strict=True))
            / size
            for column in (0, 1)
        )
        return mu + (self.parameters.size_advantage * size + side.handicap) / SCALE, phi


class Glicko2(GlickoFamily[Glicko2Parameters]):
    """Glicko-2: a mean, a deviation that grows with absence, and a volatility.

    State: mean and deviation on the internal scale, volatility, time of the last match; with
    calendar periods the period's number and its sums so far; with Rank Points the points and the
    smallest deviation ever reached.
    """

    name = "glicko2"
    title = "Glicko-2"
    parameter_class = Glicko2Parameters
    fitted = ("volatility", "match_periods")
    break_even = 105_000

    def __init__(self, parameters: Glicko2Parameters | None = None, **settings: object) -> None:
        super().__init__(parameters, **settings)
        chosen = self.parameters
        self.is_calendar = chosen.period == "calendar"
        self.body = calendar_body if self.is_calendar else per_match_body
        self.has_points = chosen.display == "points"
        if self.has_points:
            self.shown_as = "Rank Points"
        is_bounded = chosen.preset == "inversus"
        self.columns = ("mean", "deviation", "volatility", "last_at")
        if self.is_calendar:
            self.columns += ("period", "information", "gain", "played")
        if self.has_points:
            self.columns += ("points", "tightest")
            if self.is_calendar:
                self.columns += ("won", "lead")
        self.bounds: Columns = (
            (MEAN_LIMIT, LEAST_DEVIATION, MOST_DEVIATION, LEAST_VOLATILITY, MOST_VOLATILITY)
            if is_bounded
            else (math.inf, 0.0, math.inf, 0.0, math.inf)
        )
        self.moving: Columns = (
            chosen.tightest,
            (chosen.approach, chosen.max_step, chosen.bonus, chosen.scaled_approach),
        )
        self.settings = (
            TEAMS[chosen.teams],
            chosen.pairs == "full",
            chosen.size_advantage,
            chosen.tau,
            chosen.match_periods,
            self.bounds,
            float(chosen.period_days),
            self.has_points,
            self.moving,
        )

    def new_player(self, board: State | None = None) -> State:
        chosen = self.parameters
        deviation = MOST_DEVIATION if chosen.preset == "inversus" else 350.0 / SCALE
        if chosen.deviation is not None:
            deviation = chosen.deviation / SCALE
        mean_limit, low_phi, high_phi, low_volatility, high_volatility = self.bounds
        mean = min(max((chosen.rating - CENTRE) / SCALE, -mean_limit), mean_limit)
        phi = min(max(deviation, low_phi), high_phi)
        volatility = min(max(chosen.volatility, low_volatility), high_volatility)
        state: State = (mean, phi, volatility, _NEVER_PLAYED)
        if self.is_calendar:
            state += (_NEVER_PLAYED, 0.0, 0.0, 0.0)
        if self.has_points:
            state += (0.0, phi)
            if self.is_calendar:
                state += (0.0, 0.0)
        return state

    def _as_if_ended(self, states: Floats) -> Floats:
        """Return calendar states as if the periods in which they have results ended now."""
        open_period = states[:, 7] > 0.0
        return self._rolled(states, np.where(open_period, states[:, 4] + 1.0, states[:, 4]))

    def _rolled(self, states: Floats, periods: Floats) -> Floats:
        """Return calendar states as they stand at the start of the given periods."""
        result = states.copy()
        chosen = self.parameters
        for index in np.flatnonzero(
            (states[:, 4] < periods) & (states[:, 4] > _NEVER_PLAYED)
        ).tolist():
            row = states[index].tolist()
            extra = row[8:] if self.has_points else [0.0] * 4
            points, tightest, won, lead = extra
            full = (*row[:7], points, tightest, row[7], won, lead)
            after = rolled(
                full, float(periods[index]), chosen.tau, self.bounds, self.has_points, self.moving
            )
            result[index, :7] = after[:7]
            result[index, 7] = after[9]
            if self.has_points:
                result[index, 8:] = (after[7], after[8], after[10], after[11])
        return result

    def unbounded(self) -> Glicko2 | None:
        """Return Glicko-2 without bounds, which Rank Points cannot do without."""
        if self.parameters.preset != "inversus" or self.has_points:
            return None
        deviation = self.new_player()[1] * SCALE
        return Glicko2(replace(self.parameters, preset="glickman", deviation=deviation))

    def idle_many(
        self, states: Floats, at: int | Integers, day: int | Integers | None = None
    ) -> Floats:
        if not self.is_calendar:
            return super().idle_many(states, at, day)
        period = (at // DAY if day is None else day) // self.parameters.period_days
        return self._rolled(states, np.broadcast_to(np.float64(period), len(states)))

    def display_many(
        self,
        states: Floats,
        at: int | None = None,
        board: State | None = None,
        day: int | None = None,
    ) -> ShownMany:
        if at is not None:
            states = self.idle_many(states, at, day)
        provisional = np.zeros(len(states), dtype=bool)
        if self.is_calendar:
            provisional = states[:, 7] > 0.0
            states = self._as_if_ended(states)
        if not self.has_points:
            return replace(super().display_many(states), provisional=provisional)
        mean, deviation = states[:, 0], states[:, 1]
        return ShownMany(
            value=states[:, self.columns.index("points")].copy(),
            low=_points_many(mean - INTERVAL * deviation),
            high=_points_many(mean + INTERVAL * deviation),
            center=_points_many(mean),
            provisional=provisional,
            decimals=0,
        )

    def certain_until_many(self, states: Floats, games: Integers) -> tuple[Integers, Integers]:
        if self.is_calendar:
            states = self._as_if_ended(states)
        return super().certain_until_many(states, games)

    def _last_moment(self, states: Floats, steps: Floats) -> Integers:
        if not self.is_calendar:
            return super()._last_moment(states, steps)
        periods = (states[:, 4] + steps).astype(np.int64) + 1
        moments: Integers = periods * (self.parameters.period_days * DAY) - 1
        return moments

    @property
    def _steps_per_period(self) -> float:
        return 1.0 if self.is_calendar else super()._steps_per_period


def _win_chance(lead: float, phi: float, their_phi: float) -> float:
    return logistic(reduction(math.sqrt(phi * phi + their_phi * their_phi)) * lead)


def _points_many(x: NDArray[np.float64]) -> Floats:
    kept = np.clip(x, -MEAN_LIMIT, MEAN_LIMIT)
    return POINTS_LIMIT * (kept + MEAN_LIMIT) / (2.0 * MEAN_LIMIT)
