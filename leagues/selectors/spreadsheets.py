"""CSV that people open in a spreadsheet program."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from typing import Any

from ratings.files.names import with_formula_guard

_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"


Value = int | float | str | None


def csv_lines(head: Iterable[str], rows: Iterable[Iterable[Value]]) -> Iterator[str]:
    """Yield the lines of a file; no cell of it is a formula, and the import reads it back (S-14).

    It begins with the mark by which spreadsheet programs know UTF-8.
    """
    writer = csv.writer(_Lines(), quoting=csv.QUOTE_NONNUMERIC)
    yield _MARK + writer.writerow(head)
    for row in rows:
        yield writer.writerow([guard_cell(cell) for cell in row])


def guard_cell(cell: Value) -> int | float | str:
    """A cell; text that a spreadsheet would compute gets an apostrophe in front."""
    if cell is None:
        return ""
    return with_formula_guard(cell) if isinstance(cell, str) else cell


class _Lines:
    """What csv needs to hand each line back instead of writing it."""

    def write(self, line: str) -> Any:
        return line
