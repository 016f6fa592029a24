"""Cross tables, whose rows and columns are the same players: told from lists of matches.

They are not read, because what their cells mean differs from club to club.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ratings.files.names import fold_name

CROSS_TABLE: Final = (
    "This looks like a cross table: its rows and its columns are the same players. Write a list "
    "with one row for each match instead, with column names such as date, player1, player2, "
    "score1, score2."
)
_NAMES_WITHIN = 3
"""The first columns, in which a cross table names or numbers its rows."""
_MIN_SHARED = 2


def repeats_header(header: Sequence[str], rows: Sequence[Sequence[str]], at: int) -> bool:
    """Whether the cells of one of the first columns are the names of other columns.

    At least half of them are. Of numbers all are, since rounds are counted, too.
    """
    if at >= _NAMES_WITHIN:
        return False
    names = {fold_name(text) for index, text in enumerate(header) if index != at}
    cells = {fold_name(row[at]) for row in rows if at < len(row)} - {""}
    shared = cells & names
    if len(shared) < _MIN_SHARED:
        return False
    are_numbers = all(text.rstrip(".").isdigit() for text in shared)
    return shared == cells if are_numbers else 2 * len(shared) >= len(cells)
