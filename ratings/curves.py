"""Win expectancies as functions of a difference, stable in both tails; bodies for both engines."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from ratings.engine import body
from ratings.log import Floats

LOGISTIC: Final = 0
GAUSSIAN: Final = 1
FIDE: Final = 2

_NATURAL: Final = math.log(10.0) / 400.0

# FIDE Handbook B.02, table 8.1.2: the difference from which on the higher rated player is
# expected to score 0.51, 0.52, ... 1.00.
# fmt: off
FIDE_STEPS: Final = (
    4, 11, 18, 26, 33, 40, 47, 54, 62, 69, 77, 84, 92, 99, 107, 114, 122, 130, 138, 146, 154,
    163, 171, 180, 189, 198, 207, 216, 226, 236, 246, 257, 268, 279, 291, 303, 316, 329, 345,
    358, 375, 392, 412, 433, 457, 485, 518, 560, 620, 736,
)
# fmt: on


@body
def logistic(z: float) -> float:
    """Return 1 / (1 + exp(-z)); the sign is chosen without a branch a processor could miss."""
    e = math.exp(-abs(z))
    return (1.0 if z >= 0.0 else e) / (1.0 + e)


@body
def normal(z: float) -> float:
    """Return the standard normal distribution function."""
    return 0.5 * math.erfc(-z / 1.4142135623730951)


@body
def elo_expected(difference: float, curve: int) -> float:
    """Return the expected score at a rating difference (own minus the other's).

    Logistic: 1 / (1 + 10^(-d/400)). Gaussian: the normal distribution at d/(200 sqrt 2).
    FIDE: table 8.1.2, by the difference in whole points.
    """
    if curve == LOGISTIC:
        # exp is eight times faster than 10 ** x, and replays live on it.
        return logistic(difference * _NATURAL)
    if curve == GAUSSIAN:
        return 0.5 * math.erfc(-difference / 400.0)
    points = abs(difference) + 0.5
    low = 0
    high = 50
    while low < high:
        middle = (low + high) // 2
        if points >= FIDE_STEPS[middle]:
            low = middle + 1
        else:
            high = middle
    return (50 + low) / 100.0 if difference >= 0.0 else (50 - low) / 100.0


@body
def elo_surprise(score: float, difference: float, curve: int) -> float:
    """Return score minus expectation, exact in the far tails and antisymmetric to the last bit."""
    if curve == LOGISTIC:
        # Both curves from one exponential, without a branch on the score: replays live on it.
        z = difference * _NATURAL
        e = math.exp(-abs(z))
        expected = (1.0 if z >= 0.0 else e) / (1.0 + e)
        missing = (e if z >= 0.0 else 1.0) / (1.0 + e)
    else:
        expected = elo_expected(difference, curve)
        missing = elo_expected(-difference, curve)
    return score * missing - (1.0 - score) * expected


def logistic_many(z: Floats) -> Floats:
    """Do `logistic` for many values."""
    e = np.exp(-np.abs(z))
    values: Floats = np.where(z >= 0.0, 1.0, e) / (1.0 + e)
    return values


def normal_many(z: Floats) -> Floats:
    """Do `normal` for many values, within a few units of the last place."""
    from scipy.special import ndtr

    values: Floats = ndtr(z)
    return values
