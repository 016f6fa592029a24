"""Wins, draws and losses, independent of any rating system.

Two sides: by rank. More: first alone is a win, first shared a draw, the rest are losses.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ratings.arranging import stable_order
from ratings.log import Integers, MatchLog

WIN: Final = 1
DRAW: Final = 0
LOSS: Final = -1

FORM: Final = 10
"""How many of the latest outcomes `Tally.form` keeps."""

NEVER_PLAYED: Final = -(1 << 62)

_LETTERS: Final = np.frombuffer(b"LDW", dtype=np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """Each player's record, by player index."""

    games: Integers
    won: Integers
    drawn: Integers
    lost: Integers
    form: tuple[str, ...]
    """The last ten outcomes as W, D, L; the newest stands last."""
    streak: Integers
    """+3 after three wins in a row, -2 after two losses; a draw ends it at 0."""
    last_at: Integers
    """The moment of the last match, `NEVER_PLAYED` before the first."""


def outcomes(log: MatchLog) -> NDArray[np.int8]:
    """Return `WIN`, `DRAW` or `LOSS` for each participant of the log; who left has lost."""
    first = log.side_start[:-1]
    shared = log.rank[first] == log.rank[np.minimum(first + 1, len(log.rank) - 1)]
    match = log.match_of_side()
    leads = log.rank == log.rank[first][match]
    side = np.where(leads, np.where(shared[match], DRAW, WIN), LOSS).astype(np.int8)
    side[log.side_start[log.lost()]] = LOSS
    return np.repeat(side, np.diff(log.member_start))


def tally(log: MatchLog, before: Tally | None = None) -> Tally:
    """Count the log's outcomes per player, going on from `before` (of the same keys) if given."""
    q = len(log.keys)
    result = outcomes(log)
    order = stable_order(log.player)
    result = result[order]
    games = np.bincount(log.player, minlength=q)
    end = np.cumsum(games)
    begin = end - games
    won = _count(result == WIN, begin, end)
    drawn = _count(result == DRAW, begin, end)
    form = _form(result, begin, end)
    streak, unbroken = _streak(result, games, begin, end)
    last_at = np.full(q, NEVER_PLAYED, dtype=np.int64)
    played = games > 0
    last_at[played] = log.at[log.match_of()[order[end[played] - 1]]]
    if before is not None:
        former = before.streak
        goes_on = unbroken & (former != 0) & ((np.sign(former) == np.sign(streak)) | ~played)
        streak = np.where(goes_on, streak + former, streak)
        form = tuple((old + new)[-FORM:] for old, new in zip(before.form, form, strict=True))
        last_at = np.where(played, last_at, before.last_at)
        games, won, drawn = games + before.games, won + before.won, drawn + before.drawn
    return Tally(
        games=games,
        won=won,
        drawn=drawn,
        lost=games - won - drawn,
        form=form,
        streak=streak,
        last_at=last_at,
    )


def _count(is_one: NDArray[np.bool_], begin: Integers, end: Integers) -> Integers:
    """Return how many there are in each range."""
    until = np.zeros(len(is_one) + 1, dtype=np.int64)
    np.cumsum(is_one, out=until[1:])
    return until[end] - until[begin]


def _form(result: NDArray[np.int8], begin: Integers, end: Integers) -> tuple[str, ...]:
    count = np.minimum(end - begin, FORM)
    table = np.zeros((len(begin), FORM), dtype=np.uint8)
    for back in range(1, FORM + 1):
        has = count >= back
        table[has, count[has] - back] = _LETTERS[result[end[has] - back] + 1]
    return tuple(row.decode("ascii") for row in table.view(f"S{FORM}").ravel().tolist())


def _streak(
    result: NDArray[np.int8], games: Integers, begin: Integers, end: Integers
) -> tuple[Integers, NDArray[np.bool_]]:
    """Return the running streak, and whether it reaches back to the player's first outcome."""
    length = np.zeros(len(games), dtype=np.int64)
    played = np.flatnonzero(games)
    if len(result):
        turn = np.flatnonzero(np.append(True, result[1:] != result[:-1]))
        last = end[played] - 1
        run_begin = turn[np.searchsorted(turn, last, side="right") - 1]
        length[played] = last - np.maximum(run_begin, begin[played]) + 1
    sign = np.zeros(len(games), dtype=np.int64)
    sign[played] = result[end[played] - 1]
    return length * sign, length == games
