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


def name_columns(header: Sequence[str], rows: Sequence[Sequence[str]]) -> frozenset[int]:
    """The first columns whose cells are the names of other columns, each player once."""
    names = [fold_name(text) for text in header]
    return frozenset(
        at
        for at in range(min(_NAMES_WITHIN, len(names)))
        if _repeats_names(
            [text for row in rows if at < len(row) and (text := fold_name(row[at]))],
            [text if index != at else "" for index, text in enumerate(names)],
        )
    )


def _repeats_names(cells: Sequence[str], names: Sequence[str]) -> bool:
    """Whether at least half of the cells are names, which stand side by side in the header.

    Of numbers all are, since rounds are counted, too. A group or a team has several players, and
    its cells repeat.
    """
    distinct = set(cells)
    shared = distinct.intersection(names)
    if len(shared) < _MIN_SHARED or len(distinct) < len(cells):
        return False
    hits = [index for index, text in enumerate(names) if text in shared]
    if 2 * len(shared) < hits[-1] - hits[0] + 1:
        return False
    are_numbers = all(text.rstrip(".").isdigit() for text in shared)
    return shared == distinct if are_numbers else 2 * len(shared) >= len(cells)
