"""Names and scores in cells, as a table is pasted: a line with tabs as one with spaces."""

from __future__ import annotations

import re
from typing import Final

from ratings.files.problems import LineProblem, shown
from ratings.files.written_endings import ENDINGS, has_marks, plain
from ratings.files.written_leads import is_moment
from ratings.files.written_sides import stands_between

_ROW_NUMBER: Final = re.compile(r"#?\d{1,3}", re.ASCII)
_BETWEEN: Final = frozenset(("-", "\u2013", "\u2014", ":"))


def without_tabs(line: str) -> str:
    """A line with a dash between two names that stand in cells, and spaces for other tabs.

    Nothing tells what more cells of names are: pairs, or first and last names. Two numbers alone
    behind two names are their score; a number before names that have a result counts the rows.
    """
    if "\t" not in line:
        return line
    cells = [cell.strip() for cell in line.split("\t") if cell.strip()]
    remark = next((at for at, cell in enumerate(cells) if at and cell.startswith("# ")), len(cells))
    cells = _without_dash(cells[:remark])
    begin = next((at for at, cell in enumerate(cells) if _may_be_name(cell)), len(cells))
    end = next((at for at in range(begin, len(cells)) if not _may_be_name(cells[at])), len(cells))
    before, names, behind = cells[:begin], cells[begin:end], _with_score(cells[end:])
    if behind and not behind[0].isdecimal():
        before = [cell for cell in before if not _ROW_NUMBER.fullmatch(cell)]
    _refuse_numbers_beside_names(names, behind)
    if len(names) < 2 or any(has_marks(name) or stands_between(name) for name in names):
        return " ".join([*before, *names, *behind])
    if len(names) > 2:
        raise LineProblem(
            "cells",
            "More than two cells have names; put > between the sides, and + between the players "
            "of one. A table with headings is read as a file.",
        )
    return " ".join([*before, " - ".join(names), *behind])


def _without_dash(cells: list[str]) -> list[str]:
    """Cells without one that only divides the names beside it."""
    return [
        cell
        for at, cell in enumerate(cells)
        if cell not in _BETWEEN or not (0 < at < len(cells) - 1 and _may_be_name(cells[at - 1]))
    ]


def _with_score(behind: list[str]) -> list[str]:
    """Cells behind names, of which two numbers at first are one score."""
    numbers = [cell.isdecimal() for cell in behind]
    if numbers[:2] == [True, True] and True not in numbers[2:]:
        return ["-".join(behind[:2]), *behind[2:]]
    return behind


def _refuse_numbers_beside_names(names: list[str], behind: list[str]) -> None:
    """Raise LineProblem for a number that the next cells would make a part of a name."""
    if names and len(behind) > 1 and behind[0].isdecimal() and not behind[1].isdecimal():
        raise LineProblem(
            "cells",
            f"It is not clear what “{shown(behind[0], 30)}” beside a name is; leave this cell "
            "out, or write a score as one, like 3-1.",
        )


def _may_be_name(cell: str) -> bool:
    return plain(cell) not in ENDINGS and any(map(str.isalpha, cell)) and not is_moment(cell)
