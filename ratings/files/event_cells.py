"""What happened in a match, as one cell of the first row of the match: a list in JSON."""

from __future__ import annotations

import json
from typing import Any, Final

from ratings.files.matches import EventRow
from ratings.files.problems import CellProblem

COLUMN: Final = "match_events"
MAX_CELL: Final = 8 * 1024 * 1024
"""Characters of a cell: ten thousand events of players with long keys."""
_NAMES: Final = ("kind", "player", "opponent", "points", "milliseconds")
_NEEDED: Final = frozenset(("kind", "player"))
_WANTED: Final = (
    "The events must be a list of objects with kind, player, opponent, points and milliseconds."
)


def read_events(text: str) -> tuple[EventRow, ...]:
    """Read the events of a match; whether they make sense is not judged here."""
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError):
        raise _problem(text) from None
    if not isinstance(rows, list) or not all(map(_is_event, rows)):
        raise _problem(text)
    return tuple(
        EventRow(
            kind=row["kind"],
            player=row["player"],
            opponent=row.get("opponent"),
            points=float(row.get("points", 1.0)),
            milliseconds=row.get("milliseconds"),
        )
        for row in rows
    )


def _is_event(row: Any) -> bool:
    return (
        isinstance(row, dict)
        and row.keys() >= _NEEDED
        and not row.keys() - set(_NAMES)
        and isinstance(row["kind"], str)
        and isinstance(row["player"], str)
        and isinstance(row.get("opponent"), str | None)
        and type(row.get("points", 1.0)) in (int, float)
        and abs(row.get("points", 1.0)) < 1e15
        and (row.get("milliseconds") is None or type(row["milliseconds"]) is int)
    )


def _problem(text: str) -> CellProblem:
    return CellProblem(_WANTED, text[:100], code="events")
