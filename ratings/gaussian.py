"""Moments of truncated normal distributions, accurate far out in both tails; bodies.

v and w of a win and a draw after Herbrich, Minka and Graepel (2006), figure 2. Beyond five
deviations erfc loses its digits against the density; there Mills' ratio is a continued fraction.
"""

from __future__ import annotations

import math
from typing import Final

from ratings.engine import body

_ROOT_2: Final = math.sqrt(2.0)
_DENSITY: Final = 1.0 / math.sqrt(2.0 * math.pi)
_TAIL: Final = 5.0
_TERMS: Final = 24
_NARROW: Final = 1e-4
_SMALL: Final = 1e-3
_FAR: Final = 1e6


@body
def excess(x: float) -> float:
    """Return E[X - x | X > x] of a standard normal X for x >= 5 by 1/(x + 2/(x + 3/(x + ...)))."""
    fraction = x
    for term in range(_TERMS, 1, -1):
        fraction = x + term / fraction
    return 1.0 / fraction


@body
def win_moments(t: float) -> tuple[float, float]:
    """Return v and w of a win, t being the difference less the draw margin.

    v is how far the mean moves, w how much of the variance is taken, both in deviations.
    """
    if t < -_TAIL:
        k = excess(-t)
        v = k - t
        return v, min(v * k, 1.0)
    v = _DENSITY * math.exp(-0.5 * (t * t)) / (0.5 * math.erfc(-t / _ROOT_2))
    return v, v * (v + t)


@body
def draw_moments(t: float, margin: float) -> tuple[float, float]:
    """Return v and w of a draw; a margin of nothing gives the limits -t and 1."""
    size = abs(t)
    if margin < _NARROW or size > _FAR:
        # Within the margin the density is as good as exponential: Langevin's function.
        a = size * margin
        lean = a / 3.0
        spread = 1.0 / 3.0
        if a > _SMALL:
            gap = -math.expm1(-2.0 * a)
            lean = (2.0 - gap) / gap - 1.0 / a
            spread = 1.0 - lean * lean - 2.0 * lean / a
        v = size - margin * lean
        w = 1.0 - margin * margin * spread
    elif size - margin >= _TAIL:
        near = size - margin
        far = size + margin
        ratio = math.exp(-2.0 * size * margin)
        span = 1.0 / (near + excess(near)) - ratio / (far + excess(far))
        v = -math.expm1(-2.0 * size * margin) / span
        w = v * v - (near - far * ratio) / span
    else:
        near = size - margin
        far = size + margin
        span = 0.5 * (math.erfc(near / _ROOT_2) - math.erfc(far / _ROOT_2))
        at_near = _DENSITY * math.exp(-0.5 * (near * near))
        at_far = _DENSITY * math.exp(-0.5 * (far * far))
        v = at_near * -math.expm1(-2.0 * size * margin) / span
        w = v * v - (near * at_near - far * at_far) / span
    return -v if t >= 0.0 else v, min(max(w, 0.0), 1.0)
