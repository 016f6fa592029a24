"""The handicap with which a match would be even, as a board's system has it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache

from leagues.bridge.prospects import imagined_side, moment_of
from leagues.bridge.stakes import Entrant, settled_board
from leagues.bridge.systems import system_of
from leagues.models import Board
from leagues.models.match import MAX_HANDICAP
from ratings.sequential import ODDS_OF_A_POINT
from ratings.system import Reach, System, Unanswerable

EVEN = 0.5


def largest_handicap(system: System) -> int:
    """How many points of Elo's scale a system accepts; 0 where handicaps change nothing."""
    unit = system.handicap_unit
    if not unit:
        return 0
    return min(MAX_HANDICAP, math.floor(system.max_handicap / unit + 1e-9))


def even_handicap(
    board: Board, one: Sequence[Entrant], other: Sequence[Entrant], at: datetime
) -> int | None:
    """The points that make a match of two sides even if the first is given them.

    Negative: the other one is given as many. None where no handicap does, or none counts.
    """
    system = system_of(board)
    most = largest_handicap(system)
    if not most or system.orders_only or system.reach is Reach.BATCH:
        return None
    instant, day = moment_of(board, at)
    shared_state = settled_board(system, board, at)
    own, theirs = (imagined_side(system, side, shared_state) for side in (one, other))

    @cache
    def expected(points: int) -> float:
        given = replace(own, handicap=points * system.handicap_unit)
        return system.predict([given, theirs], instant, day).expected[0]

    try:
        return _where_even(expected, most)
    except Unanswerable:
        return None


def _where_even(expected: Callable[[int], float], most: int) -> int | None:
    """The number of points within ±`most` at which a rising expectation is nearest to even."""
    level = expected(0)
    if level == EVEN:
        return 0
    # Exact on Elo's own scale, near elsewhere: from here the two ends move apart.
    odds = math.log(max(level, 1e-12) / max(1.0 - level, 1e-12))
    guess = max(-most, min(most, round(-odds / ODDS_OF_A_POINT)))
    low, high, step = guess, guess, 1
    while low > -most and expected(low) >= EVEN:
        low, step = max(-most, low - step), 2 * step
    step = 1
    while high < most and expected(high) < EVEN:
        high, step = min(most, high + step), 2 * step
    if expected(low) > EVEN or expected(high) < EVEN:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if expected(middle) >= EVEN else (middle, high)
    return low if EVEN - expected(low) < expected(high) - EVEN else high
