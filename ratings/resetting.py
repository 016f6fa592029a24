"""What one season leaves for the next: states kept as they were, or drawn together and less sure.

A soft reset draws what players are ordered by a part of the way to a common value, and raises
what is not known of them. What that means depends on what a system keeps:

- Mean and deviation (Glicko, Glicko-2, TrueSkill, Weng-Lin): absence is reckoned up to the first
  instant of the new season and ends there. Means move to a newcomer's mean, deviations rise to a
  part of a newcomer's deviation at least; a volatility is kept.
- A rating alone (Elo): it moves to a newcomer's rating; the number of games is kept.
- What players take from each other (zero-sum, Becker): it moves to the mean of all, so that the
  sum stays; anchors do not move.
- An order (ladder): it is kept.
- A fit (static strengths): nothing is carried over, it is found anew from the season's matches.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from ratings.boardwide import BoardWide, P
from ratings.log import Floats
from ratings.system import NEVER, State, System, Unanswerable


@dataclass(frozen=True, slots=True)
class Reset:
    """How softly: `share` of the way to the common value, `deviation` of a newcomer's at least."""

    share: float = 0.0
    deviation: float = 0.0

    def __post_init__(self) -> None:
        if not (0.0 <= self.share <= 1.0 and 0.0 <= self.deviation <= 1.0):
            raise ValueError("share and deviation of a reset must be from 0 to 1")


def carries(system: System) -> bool:
    """Say whether a system's states mean anything in another season."""
    return system.columns[0] in _RESETS


def kept(former: System, system: System, states: Floats) -> Floats:
    """Return states of `former` as rows of `system`, whose parameters may be other ones.

    What the new parameters ask for in addition is a newcomer's; so is a growth that is itself a
    parameter.
    """
    if not carries(system) or former.columns[0] != system.columns[0]:
        raise Unanswerable(
            f"{system.title} starts fresh in every season, so no ratings can be carried over"
        )
    if "information" in former.columns and "information" not in system.columns:
        # The results of periods that still run would be lost with their sums.
        running = states[:, former.columns.index("period")]
        # Who brought a rating and has not played is in no period.
        running = np.where(running > float(NEVER), running, -1.0)
        days = (running.astype(np.int64) + 1) * _period_days(former)
        states = former.idle_many(states, 0, days)
    rows = np.tile(np.array(system.new_player()), (len(states), 1))
    for place, column in enumerate(system.columns):
        if column in former.columns and column != "growth":
            rows[:, place] = states[:, former.columns.index(column)]
            if column == "period":
                rows[:, place] = _renumbered(former, system, rows[:, place])
    return rows


def kept_board(former: BoardWide[P], system: BoardWide[P], board: State) -> State:
    """Return a board state of `former` as one of `system`, as `kept` does it for players."""
    known = dict(zip(former.board_columns, board, strict=True))
    if "period" in known:
        known["period"] = float(_renumbered(former, system, np.array([known["period"]]))[0])
    fresh = zip(system.board_columns, system.new_board(), strict=True)
    return tuple(known.get(column, value) for column, value in fresh)


def _renumbered(former: System, system: System, periods: Floats) -> Floats:
    """Return numbers of periods as those of the periods, of another length, they began in.

    So nothing that has ended once ends again in full, and who played in the running period did.
    """
    old, new = _period_days(former), _period_days(system)
    if old == new:
        return periods
    return np.where(periods > float(NEVER), periods * old // new, periods)


def _period_days(system: System) -> int:
    days: int = system.parameters.period_days  # type: ignore[attr-defined]
    return days


def softened(system: System, states: Floats, reset: Reset, at: int, day: int) -> Floats:
    """Return states after a soft reset at the moment `at`, the first of a new season."""
    rows = states.copy()
    _RESETS[system.columns[0]](system, rows, reset, at, day)
    return rows


def _known(system: System, rows: Floats, reset: Reset, at: int, day: int) -> None:
    """Draw means to a newcomer's, raise deviations to a part of a newcomer's."""
    rows[:] = system.idle_many(rows, at, day)
    newcomer = dict(zip(system.columns, system.new_player(), strict=True))
    for column in ("mean", "points"):
        _draw(system, rows, column, newcomer.get(column, math.nan), reset.share)
    place = system.columns.index("deviation")
    np.maximum(rows[:, place], reset.deviation * newcomer["deviation"], out=rows[:, place])
    if "tightest" in system.columns:
        # The tightest deviation is the one that counts from here on.
        rows[:, system.columns.index("tightest")] = rows[:, place]
    if "last_at" in system.columns:
        rows[:, system.columns.index("last_at")] = float(at)


def _rated(system: System, rows: Floats, reset: Reset, at: int, day: int) -> None:
    """Draw ratings to a newcomer's."""
    _draw(system, rows, "rating", system.new_player()[0], reset.share)


def _exchanged(system: System, rows: Floats, reset: Reset, at: int, day: int) -> None:
    """Draw everybody to the mean of all, so that the sum stays; anchors are no part of either."""
    rows[:] = system.idle_many(rows, at, day)
    moving = ~np.isnan(rows[:, 0])
    if "anchored" in system.columns:
        moving &= rows[:, system.columns.index("anchored")] <= 0.0
    if moving.any():
        values = rows[moving, 0]
        mean = math.fsum(values.tolist()) / len(values)
        rows[moving, 0] = values + reset.share * (mean - values)


def _ordered(system: System, rows: Floats, reset: Reset, at: int, day: int) -> None:
    """Keep the order: a rung is no distance."""


def _draw(system: System, rows: Floats, column: str, goal: float, share: float) -> None:
    if column in system.columns:
        place = system.columns.index(column)
        rows[:, place] += share * (goal - rows[:, place])


_RESETS: Final[dict[str, Callable[[System, Floats, Reset, int, int], None]]] = {
    "mean": _known,
    "rating": _rated,
    "pq": _exchanged,
    "points": _exchanged,
    "rung": _ordered,
}
"""By what a system's first column holds."""
