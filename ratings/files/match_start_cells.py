"""The start of a match without a result, as one cell of the first row of the match, in JSON."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any, Final

from ratings.files.matches import MatchStart
from ratings.files.problems import CellProblem

COLUMN: Final = "match_start"
MAX_RUNGS: Final = 1000
_NAMES: Final = frozenset(("at", "deadline", "rungs", "released"))
_WANTED: Final = (
    "A start must be a list with one object that has at, deadline, rungs and released; at and "
    "deadline are times with a UTC offset."
)


def read_match_start(text: str) -> MatchStart:
    """Read the start of a match; whether it makes sense is not judged here."""
    try:
        rows = json.loads(text)
        if not isinstance(rows, list) or len(rows) != 1 or not _is_start(rows[0]):
            raise _problem(text)
        at, deadline = (datetime.fromisoformat(rows[0][name]) for name in ("at", "deadline"))
    except (ValueError, RecursionError):
        raise _problem(text) from None
    if at.tzinfo is None or deadline.tzinfo is None or deadline < at:
        raise _problem(text)
    return MatchStart(at, deadline, rows[0]["rungs"], tuple(rows[0]["released"]))


def _is_start(row: Any) -> bool:
    return (
        isinstance(row, dict)
        and row.keys() == _NAMES
        and isinstance(row["at"], str)
        and isinstance(row["deadline"], str)
        and type(row["rungs"]) is int
        and 0 <= row["rungs"] <= MAX_RUNGS
        and isinstance(row["released"], list)
        and all(isinstance(key, str) for key in row["released"])
    )


def _problem(text: str) -> CellProblem:
    return CellProblem(_WANTED, text[:100], code="match_start")
