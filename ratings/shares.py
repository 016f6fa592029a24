"""What two scores or two ranks are worth between two sides; bodies."""

from __future__ import annotations

from ratings.engine import body


@body
def result_of(own: int, other: int) -> float:
    """Return 1, 1/2 or 0 from two ranks."""
    if own == other:
        return 0.5
    return 1.0 if own < other else 0.0


@body
def score_share(own: float, other: float) -> float:
    """Return the part of the points that is one's own (T. Becker, "Rankings").

    What one side has below zero counts for the other: 6:-2 is 8:0, -3:-5 is 5:3. 0:0 is half.
    """
    below = min(own, 0.0) + min(other, 0.0)
    mine = own - below
    total = mine + (other - below)
    if not total > 0.0:
        return 0.5
    # Quartered: sum and difference of two finite scores may not be finite.
    if total == total + total:
        below = 0.25 * min(own, 0.0) + 0.25 * min(other, 0.0)
        mine = 0.25 * own - below
        total = mine + (0.25 * other - below)
    return mine / total
