"""Turn a workbook on standard input into rows of text, a JSON line each, in a process of its own.

The workbook reader allocates the whole rectangle that the outermost cells span, and a failed
allocation ends the process. A file of a few bytes can ask for that, so this runs apart from
whoever opens the file, with little memory and time. It is started by its path and imports nothing
of ours.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from datetime import date, datetime, time
from typing import Any

MEMORY_BYTES = 1 << 30
CPU_SECONDS = 60


def limit_self() -> None:
    """Bound this process where the system can; elsewhere it runs without bounds."""
    try:
        import resource
    except ImportError:
        return
    for kind, most in (
        (resource.RLIMIT_AS, MEMORY_BYTES),
        (resource.RLIMIT_CPU, CPU_SECONDS),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (most, most))


def text_of(cell: object) -> str:
    """Return a cell as a CSV file would have it: ISO dates, whole numbers without a fraction."""
    if isinstance(cell, bool):
        return "1" if cell else "0"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    if isinstance(cell, datetime):
        is_day = cell.time() == time()
        return cell.date().isoformat() if is_day else cell.isoformat(" ", "seconds")
    if isinstance(cell, date | time):
        return cell.isoformat()
    return str(cell)


def lines(workbook: bytes, wanted: str | None) -> Iterator[Any]:
    """Yield the sheets' names, then (number, cells) of every row that is not blank."""
    from python_calamine import CalamineWorkbook

    book = CalamineWorkbook.from_filelike(io.BytesIO(workbook))
    names = list(book.sheet_names)
    if wanted is not None and wanted not in names:
        yield {"sheets": names, "sheet": None}
        return
    for name in names if wanted is None else [wanted]:
        sheet = book.get_sheet_by_name(name)
        if sheet.total_height == 0 and wanted is None:
            continue
        yield {"sheets": names, "sheet": name}
        top = sheet.start[0] if sheet.start else 0
        for number, row in enumerate(sheet.iter_rows(), start=top + 1):
            cells = [text_of(cell) for cell in row]
            while cells and not cells[-1].strip():
                cells.pop()
            if cells:
                yield [number, cells]
        return
    yield {"sheets": names, "sheet": names[0] if names else ""}


def main() -> None:
    """Write the rows, then a last line that says they are complete."""
    limit_self()
    wanted = sys.argv[1] if len(sys.argv) > 1 else None
    for item in lines(sys.stdin.buffer.read(), wanted):
        sys.stdout.write(json.dumps(item) + "\n")
    sys.stdout.write("{}\n")


if __name__ == "__main__":
    main()
