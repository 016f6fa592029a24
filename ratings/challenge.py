"""S4's challenge: two systems judged on the matches that the other thought tightest.

Both are to have rated the same matches. TrueSkill orders matches by their quality, every other
system by the difference of the sides' strengths.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ratings.evaluation import predictions_of, table_before
from ratings.system import DrawingSystem, Replay, System

_PART: Final = 0.2

Chosen = NDArray[np.bool_]
"""By match: whether it was chosen."""


def challenge_sets(
    one: tuple[System, Replay], other: tuple[System, Replay]
) -> tuple[Chosen, Chosen]:
    """Return for each of two systems the 20 % of matches that the other thought tightest.

    Of equally tight ones the earlier are chosen; drawn ones can be chosen too.
    """
    return tightest(*other), tightest(*one)


def tightest(system: System, replay: Replay) -> Chosen:
    """Choose the matches of highest quality, or of the smallest difference in strength.

    Of more than two sides the least even pair decides.
    """
    log, made = replay.log, predictions_of(system, replay)
    gap = np.abs(made.strength_lead)
    if isinstance(system, DrawingSystem):
        gap = -system.qualities(table_before(system, replay), made.one, made.other)
    widest = np.full(len(log), -np.inf)
    np.maximum.at(widest, made.match, gap)
    chosen = np.zeros(len(log), dtype=bool)
    chosen[np.argsort(widest, kind="stable")[: round(_PART * len(log))]] = True
    return chosen
