"""CSV that people open in a spreadsheet program."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from typing import Any

_FORMULA = tuple("=+-@\t\r\n\0＝＋－＠")
_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"


def csv_lines(head: Iterable[str], rows: Iterable[Iterable[int | str]]) -> Iterator[str]:
    """Yield the lines of a file; no cell of it is a formula, and the import reads it back (S-14).

    It begins with the mark by which spreadsheet programs know UTF-8.
    """
    writer = csv.writer(_Lines(), quoting=csv.QUOTE_NONNUMERIC)
    yield _MARK + writer.writerow(head)
    for row in rows:
        yield writer.writerow([guard_cell(cell) for cell in row])


def guard_cell(cell: int | str) -> int | str:
    """A cell; text that a spreadsheet would compute gets an apostrophe in front."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell


class _Lines:
    """What csv needs to hand each line back instead of writing it."""

    def write(self, line: str) -> Any:
        return line
