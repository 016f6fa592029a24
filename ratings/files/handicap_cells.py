"""Handicaps in the cells of results files: whole points of Elo's scale, one for each side."""

from __future__ import annotations

import re
from typing import Final

from ratings.files.problems import CellProblem

COLUMN: Final = "handicap_points"
"""What our own files call the column. A “handicap” in others is of strokes or of stones."""
MAX_HANDICAP: Final = 4000
_HANDICAP: Final = re.compile(r"([+\-\u2212]?)0*(\d{1,4})(?:\.0+)?", re.ASCII)


def read_handicap(text: str) -> int:
    """Read a whole number of points, which may have a sign; an empty cell gives none."""
    text = text.strip()
    if not text:
        return 0
    match = _HANDICAP.fullmatch(text)
    points = int(match[2]) if match else MAX_HANDICAP + 1
    if match is None or points > MAX_HANDICAP:
        raise CellProblem(
            "A handicap must be a whole number of points from "
            f"\u2212{MAX_HANDICAP} to {MAX_HANDICAP}.",
            text,
            code="handicap",
        )
    return -points if match[1] in ("-", "\u2212") else points
