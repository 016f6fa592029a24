"""The ratings with which a player begins, as one cell: a list in JSON."""

from __future__ import annotations

import json
from typing import Any, Final

from ratings.files.matches import StartRow
from ratings.files.problems import CellProblem

COLUMN: Final = "starting_ratings"
MOST: Final = 1e15
"""No rating is so far from zero."""
_NEEDED: Final = frozenset(("board", "rating", "source"))
_NAMES: Final = _NEEDED | {"deviation", "season"}
_WANTED: Final = (
    "The starting ratings must be a list of objects with board, rating, deviation and source."
)


def read_starts(text: str) -> tuple[StartRow, ...]:
    """Read the starting ratings of a player; whether a board can take them is not judged here."""
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError):
        raise _problem(text) from None
    if not isinstance(rows, list) or not all(map(_is_start, rows)):
        raise _problem(text)
    starts = tuple(
        StartRow(
            board=row["board"],
            rating=float(row["rating"]),
            deviation=None if row.get("deviation") is None else float(row["deviation"]),
            source=row["source"],
            season=row.get("season", ""),
        )
        for row in rows
    )
    if len({(start.season, start.board) for start in starts}) < len(starts):
        raise CellProblem("A board has several starting ratings.", text[:100], code="starts")
    return starts


def _is_start(row: Any) -> bool:
    return (
        isinstance(row, dict)
        and row.keys() >= _NEEDED
        and not row.keys() - _NAMES
        and _is_text(row["board"])
        and _is_text(row["source"])
        and _is_text(row.get("season", ""))
        and _is_number(row["rating"])
        and (row.get("deviation") is None or _is_number(row["deviation"]))
    )


def _is_text(value: Any) -> bool:
    """Whether it is a text that can be shown; JSON can also say halves of characters, and NUL."""
    return isinstance(value, str) and value.isprintable()


def _is_number(value: Any) -> bool:
    # Comparing works for any whole number, also for one that is too large for a float; NaN fails.
    return type(value) in (int, float) and abs(value) < MOST


def _problem(text: str) -> CellProblem:
    return CellProblem(_WANTED, text[:100], code="starts")
