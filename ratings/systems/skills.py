"""What TrueSkill and Weng-Lin share: skills as normal distributions."""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import Final, TypeVar

import numpy as np

from ratings.log import Floats
from ratings.parameters import Parameters
from ratings.sequential import INTERVAL, Sequential
from ratings.system import ShownMany, Side, State

MAX_HANDICAP_DEVIATIONS: Final = 10.0
"""How many deviations of a newcomer a handicap can be."""

POINTS_OF_BETA: Final = 200.0
"""Elo's own measure: how many points the deviation of a performance is."""


class SkillParameters(Parameters):
    """What the parameters of these systems have in common."""

    sigma: float
    beta: float
    sure: float


P = TypeVar("P", bound=SkillParameters)


class SkillSystem(Sequential[P]):
    """Base of the systems whose states begin with a skill's mean and deviation."""

    shown_as = "Rating"
    sums_members = True
    shows_lower_bound = True

    @property
    def handicap_unit(self) -> float:
        return self.parameters.beta / POINTS_OF_BETA

    @property
    def max_handicap(self) -> float:
        return MAX_HANDICAP_DEVIATIONS * self.parameters.sigma

    def settled(self, state: State) -> State:
        chosen = self.parameters
        return state[0], chosen.sure * chosen.sigma, *state[2:]

    def display_many(
        self,
        states: Floats,
        at: int | None = None,
        board: State | None = None,
        day: int | None = None,
    ) -> ShownMany:
        """Show a skill by a value it lies above with near certainty: mu - 3 sigma."""
        if at is not None:
            states = self.idle_many(states, at, day)
        mean, deviation = states[:, 0], states[:, 1]
        return ShownMany(
            value=mean - 3.0 * deviation,
            low=mean - INTERVAL * deviation,
            high=mean + INTERVAL * deviation,
            center=mean.copy(),
            provisional=np.zeros(len(states), dtype=bool),
            decimals=1,
        )

    @abstractmethod
    def _strength(self, side: Side) -> tuple[float, float]:
        """Return mean and variance of what a side can do."""

    def _opponent(self, state: State, own: Side, other: Side) -> State:
        """Return one who leaves lead and total variance of the match as they are."""
        (mean, variance), (their_mean, their_variance) = self._strength(own), self._strength(other)
        beta = self.parameters.beta
        rest = variance + their_variance - state[1] * state[1] - 2.0 * beta * beta
        return state[0] + (their_mean - mean), math.sqrt(max(rest, 0.0)), *self.new_player()[2:]
