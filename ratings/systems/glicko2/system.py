"""Glicko-2 as a system: its parameters, its states and what is shown of them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from ratings import fields
from ratings.engine import Columns
from ratings.log import DAY, Floats, Integers
from ratings.parameters import Parameters, choice, flag, integer, number
from ratings.sequential import INTERVAL
from ratings.system import ShownMany, State
from ratings.systems.glicko2.calendar import calendar_body, rolled
from ratings.systems.glicko2.family import GlickoFamily
from ratings.systems.glicko2.per_match import per_match_body
from ratings.systems.glicko2.points import rank_points_many
from ratings.systems.glicko2.scale import (
    CENTRE,
    LEAST_DEVIATION,
    LEAST_VOLATILITY,
    MEAN_LIMIT,
    MOST_DEVIATION,
    MOST_VOLATILITY,
    NEVER_PLAYED,
    SCALE,
)
from ratings.systems.glicko2.teams import TEAMS


@dataclass(frozen=True, slots=True)
class Glicko2Parameters(Parameters):
    """The parameters of Glicko-2."""

    preset: str = choice(
        "inversus",
        ("inversus", "glickman"),
        "Bounds",
        "Keep rating, deviation and volatility within INVERSUS's bounds (ratings from 450 "
        "to 2550), which Rank Points need, or leave them unbounded as in Glickman's paper.",
    )
    rating: float = fields.new_rating()
    deviation: float | None = number(
        None,
        "New deviation",
        "The rating deviation of a newcomer; if empty, that of the bounds: 350.04 "
        "(inversus) or 350 (glickman).",
        symbol="RD",
        over=0,
        most=1000,
        optional=True,
    )
    volatility: float = number(
        0.06,
        "New volatility",
        "How erratic a newcomer's results are assumed to be.",
        symbol="sigma",
        over=0,
        most=0.1,
    )
    tau: float = number(
        0.5,
        "Change of volatility",
        "How much the volatility can change.",
        symbol="tau",
        least=0.1,
        most=2,
    )
    period: str = choice(
        "per-match",
        ("per-match", "calendar"),
        "Rating period",
        "Rate every match at once, or rate all matches of a period together at its end.",
    )
    period_days: int = integer(
        14,
        "Length of a period",
        "Days in a calendar period; without calendar periods, how many days without a "
        "match count as one period.",
        least=1,
        most=366,
    )
    match_periods: float = number(
        1.0,
        "Periods per match",
        ("How many periods' worth of uncertainty each match adds; not used with calendar periods."),
        least=0,
        most=10,
    )
    teams: str = fields.composite_teams()
    pairs: str = fields.pairs_of_sides()
    display: str = choice(
        "rating",
        ("rating", "points"),
        "Display",
        ("Show the rating, or Rank Points, which rise only after wins and fall only after losses."),
    )
    approach: float = number(
        0.5,
        "Approach",
        "How much of the way to their target Rank Points move after a match.",
        over=0,
        most=1,
    )
    max_step: float = number(
        500.0, "Largest step", "The most Rank Points one match can move.", least=1, most=10_000
    )
    bonus: float = number(
        0.0,
        "Win bonus",
        "Extra Rank Points for beating an opponent who is higher by the largest possible "
        "rating difference; fewer for smaller differences.",
        least=0,
        most=1000,
    )
    scaled_approach: bool = flag(
        False, "Scaled approach", "Whether Rank Points move less while the deviation is large."
    )
    tightest: bool = flag(
        False,
        "Tightest deviation",
        "Whether the target of Rank Points uses the smallest deviation the player has ever "
        "reached.",
    )
    size_advantage: float = fields.size_advantage(
        "Points that each player adds to the strength of a side."
    )
    pending_hours: int = fields.pending_hours()
    fairly_sure: float = fields.fairly_sure_deviation()
    sure: float = fields.sure_deviation()

    def conflicts(self) -> list[tuple[str, object, str]]:
        if self.display == "points" and self.preset != "inversus":
            return [("display", self.display, "Rank Points need the bounds of inversus")]
        return []

    def effective(self, name: str) -> object:
        if name == "deviation" and self.deviation is None:
            return Glicko2(self).new_player()[1] * SCALE
        return getattr(self, name)


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
    break_even = 90_000

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
        state: State = (mean, phi, volatility, NEVER_PLAYED)
        if self.is_calendar:
            state += (NEVER_PLAYED, 0.0, 0.0, 0.0)
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
            (states[:, 4] < periods) & (states[:, 4] > NEVER_PLAYED)
        ).tolist():
            row = states[index].tolist()
            if not self.has_points:
                row += [0.0] * 4
            after = rolled(
                row, float(periods[index]), chosen.tau, self.bounds, self.has_points, self.moving
            )
            result[index] = after[: len(self.columns)]
        return result

    @property
    def shown_bounds(self) -> tuple[float, float]:
        """The bounds of the rating; Rank Points come close to theirs and never rest on them."""
        if self.has_points:
            return super().shown_bounds
        mean_limit = self.bounds[0]
        return CENTRE - SCALE * mean_limit, CENTRE + SCALE * mean_limit

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
            low=rank_points_many(mean - INTERVAL * deviation),
            high=rank_points_many(mean + INTERVAL * deviation),
            center=rank_points_many(mean),
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
