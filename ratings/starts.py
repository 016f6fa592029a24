"""A rating that a player brings from elsewhere, as the state with which the player begins.

Who begins at 1850 begins as newcomers do under rules whose newcomers have 1850, so that every
system says by its own parameters what such a state is, and which numbers it can hold.

On a zero-sum board players take what they have from each other, so nobody brings a rating into the
sum. Where such a board has anchors, who is given a rating is one: it stays, and is no part of it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ratings.log import Floats
from ratings.parameters import ParameterError
from ratings.system import ShownMany, State, System

LEAST_PART: Final = 0.01
"""Of a newcomer's deviation, at least: one that is nearly none would never move again."""
_TOLERANCE: Final = 1e-9
_ANCHORED: Final = "anchored"

_PARAMETERS: Final = (("start", ""), ("rating", "deviation"), ("mu", "sigma"))
"""How systems call what newcomers have; without a second name, there is no deviation."""


class StartObstacle(Enum):
    """Why a rating from elsewhere can be no state of a system."""

    PLACE = "place"
    """Players hold places, which are no distances."""
    FIT = "fit"
    """All results are rated at once, and nobody begins with anything."""
    SHARED = "shared"
    """Players take what they have from each other, so that the sum stays."""
    UNANCHORED = "unanchored"
    """They do, but where the rules have anchors."""
    EARNED = "earned"
    """What is shown is earned match by match."""


_OBSTACLES: Final = {
    "rung": StartObstacle.PLACE,
    "strength": StartObstacle.FIT,
    "pq": StartObstacle.UNANCHORED,
    "points": StartObstacle.SHARED,
}
"""By what a system's first column holds."""


class StartError(ValueError):
    """A start that a system cannot have; `field` says which of the two numbers."""

    RATING: Final = "rating"
    DEVIATION: Final = "deviation"

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(reason)
        self.field = field


@dataclass(frozen=True, slots=True)
class NewcomerStart:
    """What newcomers of a system begin with, in the units of its parameters."""

    rating: float
    deviation: float | None
    """None where the system has none."""
    shown: float
    """The number that people see of a newcomer."""
    is_anchor: bool = False
    """Whether who is given another rating keeps it: the player is an anchor."""

    @property
    def is_shown_as_it_is(self) -> bool:
        """Whether people see the rating itself, and not a value that it lies above."""
        return abs(self.shown - self.rating) <= _TOLERANCE * max(1.0, abs(self.rating))

    @property
    def least_deviation(self) -> float:
        """The smallest deviation that can be given; the greatest is a newcomer's."""
        return LEAST_PART * (self.deviation or 0.0)


def has_anchors(system: System) -> bool:
    """Whether who begins with a rating from elsewhere keeps it."""
    return _ANCHORED in system.columns


def is_anchor(system: System, state: State) -> bool:
    """Whether a state is that of a player whose rating never moves."""
    return has_anchors(system) and state[system.columns.index(_ANCHORED)] > 0.0


def are_anchors(system: System, states: Floats) -> NDArray[np.bool_]:
    """Do `is_anchor` for many states at once."""
    if not has_anchors(system):
        return np.zeros(len(states), dtype=np.bool_)
    marked: NDArray[np.bool_] = states[:, system.columns.index(_ANCHORED)] > 0.0
    return marked


def start_obstacle(system: System) -> StartObstacle | None:
    """Why a player cannot begin with a rating from elsewhere; None where that is possible."""
    if has_anchors(system):
        return None
    is_earned = "points" in system.columns
    return _OBSTACLES.get(system.columns[0]) or (StartObstacle.EARNED if is_earned else None)


def newcomer_start(system: System) -> NewcomerStart:
    """What newcomers begin with."""
    rating, deviation = _names(system)
    chosen: Any = system.parameters
    return NewcomerStart(
        float(chosen.effective(rating)),
        float(chosen.effective(deviation)) if deviation else None,
        float(_shown(system, system.new_player()).value[0]),
        has_anchors(system),
    )


def start_state(system: System, rating: float, deviation: float | None = None) -> State:
    """The state of a player who begins with a rating; without a deviation, with a newcomer's.

    Where there are anchors, the state of one. Raises StartError for what a system cannot hold.
    """
    newcomer = newcomer_start(system)
    values = _checked(system, newcomer, rating, deviation)
    chosen: Any = system.parameters
    try:
        parameters = replace(chosen, **values)
    except ParameterError as error:
        name, _value, reason = error.problems[0]
        is_deviation = name == _names(system)[1]
        field = StartError.DEVIATION if is_deviation else StartError.RATING
        raise StartError(field, reason) from None
    like_system: Any = type(system)
    begun = like_system(parameters)
    if has_anchors(system):
        anchored: State = begun.anchor(rating)
        return anchored
    state: State = begun.new_player()
    shown = _shown(system, state).center[0]
    if abs(shown - rating) > _TOLERANCE * max(1.0, abs(rating)):
        nearest = float(f"{shown:.6g}")
        raise StartError(
            StartError.RATING, f"is out of bounds; the nearest possible is {nearest:.10g}"
        )
    return state


def _shown(system: System, state: State) -> ShownMany:
    return system.display_many(np.array([state]))


def _names(system: System) -> tuple[str, str]:
    return next(names for names in _PARAMETERS if hasattr(system.parameters, names[0]))


def _checked(
    system: System, newcomer: NewcomerStart, rating: float, deviation: float | None
) -> dict[str, float]:
    """The parameters of a newcomer with these numbers."""
    name, other = _names(system)
    if not math.isfinite(rating):
        raise StartError(StartError.RATING, "must be a finite number")
    values = {name: rating}
    if deviation is None:
        return values
    if newcomer.deviation is None:
        raise StartError(StartError.DEVIATION, f"{system.title} has no deviation")
    if not newcomer.least_deviation <= deviation <= newcomer.deviation:
        raise StartError(
            StartError.DEVIATION,
            f"must be from {newcomer.least_deviation:.6g} to {newcomer.deviation:.6g}",
        )
    return {**values, other: deviation}
