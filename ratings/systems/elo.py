"""Elo (A. E. Elo 1978; FIDE Handbook B.02; teams after Herbrich, Minka and Graepel 2006).

E_a = 1 / (1 + 10^((R_b - R_a)/400)); R_a <- R_a + K_a (S_a - E_a). Each player has a K of their
own, so the sum of ratings need not be constant.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ratings import fields
from ratings.curves import (
    FIDE,
    GAUSSIAN,
    LOGISTIC,
    elo_expected,
    elo_surprise,
    logistic_many,
    normal_many,
)
from ratings.engine import INDEX, Columns, body, fetch_ahead
from ratings.log import Floats, Integers
from ratings.parameters import Parameters, choice, flag, integer, number
from ratings.places import Noise
from ratings.sequential import Sequential, advantage_of, mean_of, shares_of, sure_by_count
from ratings.shares import result_of
from ratings.sidetable import SideTable
from ratings.system import ShownMany, Side, State

_COLUMNS: Final[dict[str, tuple[str, ...]]] = {
    "constant": ("rating",),
    "games": ("rating", "games"),
    "fide": ("rating", "reached_2400", "games"),
}
_CURVES: Final = {"logistic": LOGISTIC, "gaussian": GAUSSIAN, "fide": FIDE}
_MANY_GAMES: Final = 1_000_000.0
_CONSTANT: Final = 0
_BY_GAMES: Final = 1
_BY_FIDE: Final = 2
_POLICIES: Final = {"constant": _CONSTANT, "games": _BY_GAMES, "fide": _BY_FIDE}

_CAP: Final = 400.0
_UNCAPPED_FROM_RATING: Final = 2650.0
_UNCAPPED_FROM_DAY: Final = 20_362
"""2025-10-01."""


@dataclass(frozen=True, slots=True)
class EloParameters(Parameters):
    """The parameters of Elo."""

    policy: str = choice(
        "games",
        ("constant", "games", "fide"),
        "K policy",
        "Which K factor applies: always k; k0 for the first matches, then k; or FIDE's "
        "rules, with 40, 20 or 10 depending on games, rating and age.",
    )
    k0: float = number(
        40.0, "First K", "The K factor of a player's first matches.", symbol="K0", over=0, most=400
    )
    games: int = integer(
        30,
        "First matches",
        "How many matches the first K applies to.",
        least=0,
        most=1000,
        symbol="n",
    )
    k: float = number(
        20.0,
        "K",
        "The most a match can move a rating; a win between equals moves it by half as much.",
        symbol="K",
        over=0,
        most=400,
    )
    curve: str = choice(
        "logistic",
        ("logistic", "gaussian", "fide"),
        "Curve",
        "How a rating difference becomes an expected score: the logistic curve, the normal "
        "distribution, or FIDE's printed table.",
    )
    cap_400: bool = flag(
        False,
        "400-point rule",
        "A difference over 400 counts as 400; since October 2025 only for players under 2650.",
    )
    teams: str = choice(
        "mean",
        ("mean", "duel"),
        "Teams",
        "Compare the sides' mean ratings, or average each player's duels with every player "
        "on the other sides.",
    )
    start: float = number(1500.0, "Start", "The rating of a newcomer.", least=-1e6, most=1e6)
    floor: float | None = number(
        None,
        "Floor",
        "No rating falls below this; none: no floor.",
        least=-1e6,
        most=1e6,
        optional=True,
    )
    size_advantage: float = fields.size_advantage(
        "Points that each player adds to the strength of a side."
    )
    pending_hours: int = fields.pending_hours()
    fairly_sure: int = fields.fairly_sure_from()
    sure: int = fields.sure_from()

    def conflicts(self) -> list[tuple[str, object, str]]:
        if self.floor is not None and self.floor > self.start:
            return [("floor", self.floor, "must not be higher than the start")]
        return []


@body
def k_factor(
    policy: int,
    k_first: float,
    first_games: int,
    k: float,
    rating: float,
    games: float,
    reached: float,
    is_junior: bool,
) -> float:
    """Return a player's K from the state before the match (FIDE Handbook B.02, 8.3.3)."""
    if policy == _BY_GAMES:
        return k_first if games < first_games else k
    if policy == _BY_FIDE:
        if games < 30.0:
            return 40.0
        if reached > 0.0 or rating >= 2400.0:
            return 10.0
        if is_junior and rating < 2300.0:
            return 40.0
        return 20.0
    return k


@body
def year_of(day: int) -> int:
    """Return the Gregorian year of a day number (days since 1970-01-01)."""
    shifted = day + 719_468
    era = shifted // 146_097
    day_of_era = shifted - era * 146_097
    year_of_era = (
        day_of_era - day_of_era // 1_460 + day_of_era // 36_524 - day_of_era // 146_096
    ) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    return int(year_of_era + era * 400 + (1 if day_of_year >= 306 else 0))


@body
def _is_junior(day: int, birth_year: int) -> bool:
    """Say whether the year of the 18th birthday has not ended; without a birth year it has."""
    return birth_year > 0 and year_of(day) <= birth_year + 18


@body
def _counted(difference: float, own: float, cap: bool, day: int) -> float:
    """Return the difference as the 400-point rule lets it count for a player rated `own`."""
    if not cap or (day >= _UNCAPPED_FROM_DAY and own >= _UNCAPPED_FROM_RATING):
        return difference
    return min(max(difference, -_CAP), _CAP)


@body
def elo_body(
    log: Columns, state: Columns, after: Columns, scratch: Columns, settings: Columns
) -> None:
    """Rate a log: see `ratings.engine.run`."""
    (
        _at,
        day,
        weight,
        side_start,
        rank,
        _points_for,
        handicap,
        member_start,
        player,
        share,
        birth_year,
    ) = log
    # Only the K policies that read them have these columns; else they stand for the rating's and
    # are left alone.
    rating = state[0]
    reached = state[:2][-1]
    games = state[-1]
    rating_after = after[0]
    reached_after = after[:2][-1]
    games_after = after[-1]
    strength, size = scratch
    policy, k_first, first_games, k, curve, cap, duel, floor, size_advantage = settings
    for match in range(len(day)):
        first = side_start[match] & INDEX
        last = side_start[match + 1] & INDEX
        begin = member_start[first] & INDEX
        end = member_start[last] & INDEX
        fetch_ahead(state, player, begin, end)
        if last - first == 2 and end - begin == 2:
            # A duel is what most logs are made of: no side to average, one curve for both.
            score = result_of(rank[first], rank[first + 1])
            shift = (handicap[first] - handicap[first + 1]) + size_advantage * (
                share[begin] - share[begin + 1]
            )
            who = player[begin] & INDEX
            whom = player[begin + 1] & INDEX
            one = rating[who]
            other = rating[whom]
            difference = one - other + shift
            if cap:
                counted = _counted(difference, one, cap, day[match])
                gain = elo_surprise(score, counted, curve)
                counted = _counted(-difference, other, cap, day[match])
                their_gain = elo_surprise(1.0 - score, counted, curve)
            else:
                gain = elo_surprise(score, difference, curve)
                their_gain = -gain
            k_one = weight[match] * share[begin]
            k_other = weight[match] * share[begin + 1]
            if policy == _CONSTANT:
                one = max(floor, one + k * k_one * gain)
                other = max(floor, other + k * k_other * their_gain)
                rating_after[begin] = one
                rating_after[begin + 1] = other
                rating[who] = one
                rating[whom] = other
                continue
            k_one *= k_factor(
                policy,
                k_first,
                first_games,
                k,
                one,
                games[who],
                reached[who],
                _is_junior(day[match], birth_year[who]),
            )
            k_other *= k_factor(
                policy,
                k_first,
                first_games,
                k,
                other,
                games[whom],
                reached[whom],
                _is_junior(day[match], birth_year[whom]),
            )
            rating_after[begin] = max(floor, one + k_one * gain)
            rating_after[begin + 1] = max(floor, other + k_other * their_gain)
        else:
            for side in range(first, last):
                total = 0.0
                shares = 0.0
                low = member_start[side] & INDEX
                high = member_start[side + 1] & INDEX
                for member in range(low, high):
                    shares += share[member]
                    total += share[member] * rating[player[member] & INDEX]
                mean = total / shares
                if high - low == 1:
                    mean = rating[player[low] & INDEX]
                size[side - first] = shares
                strength[side - first] = mean + (size_advantage * shares + handicap[side])
            for side in range(first, last):
                for member in range(member_start[side] & INDEX, member_start[side + 1] & INDEX):
                    who = player[member] & INDEX
                    own = rating[who]
                    gain = 0.0
                    opponents = 0.0
                    for other_side in range(first, last):
                        if other_side == side:
                            continue
                        score = result_of(rank[side], rank[other_side])
                        if not duel:
                            difference = strength[side - first] - strength[other_side - first]
                            counted = _counted(difference, own, cap, day[match])
                            gain += elo_surprise(score, counted, curve)
                            opponents += 1.0
                            continue
                        shift = (handicap[side] - handicap[other_side]) + size_advantage * (
                            size[side - first] - size[other_side - first]
                        )
                        for opponent in range(
                            member_start[other_side] & INDEX, member_start[other_side + 1] & INDEX
                        ):
                            difference = own - rating[player[opponent] & INDEX] + shift
                            counted = _counted(difference, own, cap, day[match])
                            gain += share[opponent] * elo_surprise(score, counted, curve)
                            opponents += share[opponent]
                    factor = k_factor(
                        policy,
                        k_first,
                        first_games,
                        k,
                        own,
                        games[who],
                        reached[who],
                        _is_junior(day[match], birth_year[who]),
                    )
                    rating_after[member] = max(
                        floor, own + factor * weight[match] * share[member] * (gain / opponents)
                    )
        for member in range(begin, end):
            who = player[member] & INDEX
            rating[who] = rating_after[member]
            if policy != _CONSTANT:
                games[who] += 1.0
                games_after[member] = games[who]
            if policy == _BY_FIDE:
                if rating[who] >= 2400.0:
                    reached[who] = 1.0
                reached_after[member] = reached[who]


class Elo(Sequential[EloParameters]):
    """Elo: one number per player, moved by K times the surprise.

    State: the rating; unless K is constant, the games rated on this board; under FIDE's policy
    also whether 2400 was ever reached.
    """

    name = "elo"
    title = "Elo"
    shown_as = "Rating"
    parameter_class = EloParameters
    fitted = ("k0", "games", "k")
    break_even = 250_000
    scratch = 2

    def __init__(self, parameters: EloParameters | None = None, **settings: object) -> None:
        super().__init__(parameters, **settings)
        chosen = self.parameters
        self.body = elo_body
        self.columns = _COLUMNS[chosen.policy]
        self.reads_birth_years = chosen.policy == "fide"
        self.settings = (
            _POLICIES[chosen.policy],
            chosen.k0,
            chosen.games,
            chosen.k,
            _CURVES[chosen.curve],
            chosen.cap_400,
            chosen.teams == "duel",
            -math.inf if chosen.floor is None else chosen.floor,
            chosen.size_advantage,
        )

    def new_player(self, board: State | None = None) -> State:
        start = self.parameters.start
        known = {"rating": start, "reached_2400": float(start >= 2400.0), "games": 0.0}
        return tuple(known[column] for column in self.columns)

    def settled(self, state: State) -> State:
        """Return the state with so many games that the first K is over."""
        if len(state) == 1:
            return state
        return *state[:-1], _MANY_GAMES

    @property
    def shown_bounds(self) -> tuple[float, float]:
        floor = self.parameters.floor
        return -math.inf if floor is None else floor, math.inf

    def unbounded(self) -> Elo | None:
        chosen = self.parameters
        return None if chosen.floor is None else Elo(replace(chosen, floor=None))

    def idle_many(
        self, states: Floats, at: int | Integers, day: int | Integers | None = None
    ) -> Floats:
        return states

    def display_many(
        self,
        states: Floats,
        at: int | None = None,
        board: State | None = None,
        day: int | None = None,
    ) -> ShownMany:
        return ShownMany.certain(np.ascontiguousarray(states[:, 0]))

    def certain_until_many(self, states: Floats, games: Integers) -> tuple[Integers, Integers]:
        return sure_by_count(games, self.parameters.fairly_sure, self.parameters.sure)

    def expected(self, difference: float) -> float:
        """Return the expected score at a rating difference, without the 400-point rule."""
        return elo_expected(difference, _CURVES[self.parameters.curve])

    def _chance(self, one: Side, other: Side, day: int) -> float:
        return 0.5 * (self._seen_by(one, other, day) + (1.0 - self._seen_by(other, one, day)))

    def chances(self, table: SideTable, one: Integers, other: Integers) -> Floats:
        log, chosen = table.log, self.parameters
        strength = table.mean(0) + table.advantage(chosen.size_advantage)
        curve = _CURVES[chosen.curve]
        is_duel = chosen.teams == "duel" and len(log.player) > len(log.rank)
        if is_duel or chosen.cap_400 or curve == FIDE:
            day = table.day()
            sides = [_side(table, index) for index in range(len(log.rank))]
            return np.array(
                [
                    self._chance(sides[i], sides[j], int(day[i]))
                    for i, j in zip(one.tolist(), other.tolist(), strict=True)
                ]
            )
        lead = strength[one] - strength[other]
        if curve == LOGISTIC:
            return logistic_many(lead * (math.log(10.0) / 400.0))
        return normal_many(lead / (200.0 * math.sqrt(2.0)))

    def _seen_by(self, one: Side, other: Side, day: int) -> float:
        """Return the mean expectation of a side's members: only they know if the cap is theirs."""
        chosen = self.parameters
        curve, cap = _CURVES[chosen.curve], chosen.cap_400
        shift = self._advantage(one) - self._advantage(other)
        gap = mean_of(one) - mean_of(other)
        terms, weights = [], []
        for (own, *_seen), share in zip(one.states, shares_of(one), strict=True):
            if chosen.teams == "duel":
                for (theirs, *_), other_share in zip(other.states, shares_of(other), strict=True):
                    difference = _counted(own - theirs + shift, own, cap, day)
                    terms.append(share * other_share * elo_expected(difference, curve))
                    weights.append(share * other_share)
            else:
                terms.append(share * elo_expected(_counted(gap + shift, own, cap, day), curve))
                weights.append(share)
        return math.fsum(terms) / math.fsum(weights)

    def _advantage(self, side: Side) -> float:
        return advantage_of(side, self.parameters.size_advantage)

    def _opponent(self, state: State, own: Side, other: Side) -> State:
        lead = mean_of(other) + self._advantage(other) - mean_of(own) - self._advantage(own)
        return state[0] + lead, *self.new_player()[1:]

    def _performance(self, sides: Sequence[Side]) -> tuple[list[float], list[float], Noise]:
        scale, noise = 400.0 / math.log(10.0), "gumbel"
        if self.parameters.curve == "gaussian":
            scale, noise = 200.0, "normal"
        locations = [mean_of(side) + self._advantage(side) for side in sides]
        return locations, [scale] * len(sides), noise  # type: ignore[return-value]


def _side(table: SideTable, index: int) -> Side:
    log = table.log
    members = slice(int(log.member_start[index]), int(log.member_start[index + 1]))
    return Side(
        states=tuple(tuple(row) for row in table.states[members].tolist()),
        keys=tuple(log.keys[who] for who in log.player[members].tolist()),
        handicap=float(log.handicap[index]),
        shares=tuple(log.share[members].tolist()),
    )
