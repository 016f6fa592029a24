"""Names and scores in cells, as a table is pasted: a line with tabs as one with spaces."""

from __future__ import annotations

from ratings.files.problems import LineProblem
from ratings.files.written_endings import ENDINGS, has_marks, plain
from ratings.files.written_sides import stands_between


def without_tabs(line: str) -> str:
    """A line with a dash between two names that stand in cells, and spaces for other tabs.

    Nothing tells what more cells of names are: pairs, or first and last names. Two numbers alone
    behind two names are their score; numbers before names that have a result count the rows.
    """
    cells = [cell.strip() for cell in line.split("\t") if cell.strip()]
    begin = next((at for at, cell in enumerate(cells) if _may_be_name(cell)), len(cells))
    end = next((at for at in range(begin, len(cells)) if not _may_be_name(cells[at])), len(cells))
    names, behind = cells[begin:end], cells[end:]
    if len(names) < 2 or any(has_marks(name) or stands_between(name) for name in names):
        return " ".join(cells)
    if len(names) > 2:
        raise LineProblem(
            "cells",
            "More than two cells have names; put > between the sides, and + between the players "
            "of one. A table with headings is read as a file.",
        )
    if len(behind) == 2 and all(map(str.isdecimal, behind)):
        behind = ["-".join(behind)]
    is_complete = bool(behind) and not behind[0].isdecimal()
    before = [cell for cell in cells[:begin] if not (is_complete and cell.isdecimal())]
    return " ".join([*before, " - ".join(names), *behind])


def _may_be_name(cell: str) -> bool:
    return plain(cell) not in ENDINGS and any(char.isalpha() for char in cell)
