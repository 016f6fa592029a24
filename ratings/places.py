"""The probability of every place in a match of several sides, draws left out.

Each side performs by itself: its location plus noise of its scale. With Gumbel noise the order is
that of Plackett and Luce. P(i at place r) is the integral of i's density times the probability
that exactly r of the others do better (Poisson binomial).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, Literal

import numpy as np

from ratings.log import Floats

Noise = Literal["gumbel", "normal"]

_STEP: Final = 0.125
_NARROWEST: Final = 0.25
_LEAST_STEP: Final = 2.0**-12
_RANGES: Final[dict[Noise, tuple[float, float]]] = {
    "gumbel": (-5.0, 40.0 + _STEP / 2),
    "normal": (-8.5, 8.5 + _STEP / 2),
}
_FAR: Final = 9.0
_EXPONENT_LIMIT: Final = 700.0


def place_probabilities(
    locations: Sequence[float], scales: Sequence[float], noise: Noise
) -> tuple[tuple[float, ...], ...]:
    """Return for each side the probability of each place, within 1e-12 up to 16 sides.

    `scales` are positive; of noise a thousand times narrower than another's the steps are cut off.
    """
    k = len(locations)
    table = []
    for i in range(k):
        # Steps as fine as the own noise asks for, and the narrowest of the others'.
        step = min(_STEP, max(_NARROWEST * min(scales) / scales[i], _LEAST_STEP))
        grid = np.arange(*_RANGES[noise], step)
        density = _gumbel_density(grid) if noise == "gumbel" else _normal_density(grid)
        points = locations[i] + scales[i] * grid
        better = np.zeros((k, len(grid)))
        better[0] = 1.0
        for j in range(k):
            if j == i:
                continue
            distance = (points - locations[j]) / scales[j]
            above = _gumbel_above(distance) if noise == "gumbel" else _normal_above(distance)
            better[1:] = better[1:] * (1.0 - above) + better[:-1] * above
            better[0] *= 1.0 - above
        table.append(tuple(math.fsum((density * row).tolist()) * step for row in better))
    return tuple(table)


def _gumbel_density(x: Floats) -> Floats:
    density: Floats = np.exp(-x - np.exp(-x))
    return density


def _gumbel_above(x: Floats) -> Floats:
    above: Floats = -np.expm1(-np.exp(np.clip(-x, -_EXPONENT_LIMIT, _EXPONENT_LIMIT)))
    return above


def _normal_density(x: Floats) -> Floats:
    density: Floats = np.exp(-0.5 * x * x) / math.sqrt(2.0 * math.pi)
    return density


def _normal_above(x: Floats) -> Floats:
    above = np.where(x < 0.0, 1.0, 0.0)
    near = np.abs(x) < _FAR
    root = math.sqrt(2.0)
    above[near] = [0.5 * math.erfc(value / root) for value in x[near].tolist()]
    return above
