"""What Glicko and Glicko-2 share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

from ratings.curves import logistic, logistic_many
from ratings.engine import Columns
from ratings.log import DAY, Floats, Integers
from ratings.parameters import Parameters
from ratings.places import Noise
from ratings.sequential import (
    ENDLESS,
    INTERVAL,
    Sequential,
    advantage_of,
    last_step_within,
    mean_of,
)
from ratings.sidetable import SideTable
from ratings.system import FOREVER, NEVER, ShownMany, Side, State
from ratings.systems.glicko2.period import THREE_BY_PI_SQUARED, reduction
from ratings.systems.glicko2.scale import CENTRE, NEVER_PLAYED, SCALE

P = TypeVar("P", bound=Parameters)


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
        played = last > NEVER_PLAYED
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
        if SCALE * self.bounds[2] <= limit:
            estimate[:] = ENDLESS
        steps = last_step_within(
            lambda steps: SCALE * self._grown_many(chosen, steps / unit), estimate, limit
        )
        endless = (steps >= ENDLESS) | (chosen[:, 3] == NEVER_PLAYED)
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
        mu = table.mean(0) + table.advantage(self.parameters.size_advantage) / SCALE
        spread = np.square(table.mean(1))
        lead = mu[one] - mu[other]
        g = 1.0 / np.sqrt(1.0 + THREE_BY_PI_SQUARED * (spread[one] + spread[other]))
        return logistic_many(g * lead)

    def _opponent(self, state: State, own: Side, other: Side) -> State:
        (mu, _), (their_mu, their_phi) = self._strength(own), self._strength(other)
        return state[0] + (their_mu - mu), their_phi, *self.new_player()[2:]

    def _performance(self, sides: Sequence[Side]) -> tuple[list[float], list[float], Noise]:
        strengths = [self._strength(side) for side in sides]
        spread = math.fsum(phi * phi for _, phi in strengths) / len(strengths)
        g = reduction(math.sqrt(2.0 * spread))
        return [g * mu for mu, _ in strengths], [1.0] * len(sides), "gumbel"

    def _strength(self, side: Side) -> tuple[float, float]:
        """Return a side's mean and mean deviation, handicap and size included."""
        advantage = advantage_of(side, self.parameters.size_advantage)
        return mean_of(side) + advantage / SCALE, mean_of(side, 1)


def _win_chance(lead: float, phi: float, their_phi: float) -> float:
    return logistic(reduction(math.sqrt(phi * phi + their_phi * their_phi)) * lead)
