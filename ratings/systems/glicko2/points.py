"""Rank Points of INVERSUS, which rise after wins only and fall after losses only."""

from __future__ import annotations

from typing import Final

import numpy as np

from ratings.engine import Columns, body
from ratings.log import Floats
from ratings.systems.glicko2.scale import LEAST_DEVIATION, MEAN_LIMIT, MOST_DEVIATION

POINTS_LIMIT: Final = 10_000.0


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


def rank_points_many(x: Floats) -> Floats:
    """Do `rank_points` for many values, with the same bits."""
    kept = np.clip(x, -MEAN_LIMIT, MEAN_LIMIT)
    return POINTS_LIMIT * (kept + MEAN_LIMIT) / (2.0 * MEAN_LIMIT)
