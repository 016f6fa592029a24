"""Read the cells of XLSX and ODS workbooks as text."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

from ratings.files.problems import FileProblem, shown

_WORKER = Path(__file__).with_name("sheet_worker.py")
_LONGEST_ROW = 1 << 20
_UNREADABLE = (
    "This spreadsheet cannot be read: it is damaged, protected or too large. Save the "
    "table as CSV and use that file."
)


@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet of a workbook; `rows` are numbered as the spreadsheet numbers them."""

    name: str
    names: tuple[str, ...]
    rows: Iterator[tuple[int, list[str]]]


ARCHIVE: Final = "a zip archive"
"""What a zip file is that is no document."""


def workbook_kind(stream: BinaryIO) -> str:
    """Say what a zip file is: "xlsx", "ods", or in words what it is instead."""
    try:
        with zipfile.ZipFile(stream) as archive:
            return _kind(archive)
    except (zipfile.BadZipFile, zlib.error, OSError, ValueError, RuntimeError, KeyError,
            NotImplementedError, EOFError):  # fmt: skip
        raise FileProblem("This is a damaged zip file.") from None


def _kind(archive: zipfile.ZipFile) -> str:
    names = set(archive.namelist())
    if "xl/workbook.xml" in names:
        return "xlsx"
    if "word/document.xml" in names:
        return "a Word document"
    if "xl/workbook.bin" in names:
        return "a binary Excel file (.xlsb)"
    if "mimetype" in names and archive.getinfo("mimetype").file_size < 200:
        kind = archive.read("mimetype").decode("ascii", "replace")
        if "opendocument.spreadsheet" in kind:
            return "ods"
        if "opendocument" in kind:
            return "an OpenDocument file that is not a spreadsheet"
    return ARCHIVE


def open_sheet(stream: BinaryIO, sheet: str | None) -> Sheet:
    """Open the named sheet, else the first that is not empty."""
    rows = _worker_lines(stream.read(), sheet)
    head = next(rows)
    names = tuple(str(name) for name in head["sheets"])
    if head["sheet"] is None:
        listed = ", ".join(shown(name, 30) for name in names)
        raise FileProblem(f"There is no sheet “{shown(sheet or '')}”. The file has: {listed}.")
    return Sheet(str(head["sheet"]), names, ((number, row) for number, row in rows))


def _worker_lines(workbook: bytes, sheet: str | None) -> Iterator[Any]:
    command = [sys.executable, "-I", str(_WORKER), *([] if sheet is None else [sheet])]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        try:
            yield from _lines_of(process, workbook)
        finally:
            process.kill()


def _lines_of(process: subprocess.Popen[bytes], workbook: bytes) -> Iterator[Any]:
    if process.stdin is None or process.stdout is None:
        raise FileProblem(_UNREADABLE)
    try:
        process.stdin.write(workbook)
        process.stdin.close()
    except BrokenPipeError:
        raise FileProblem(_UNREADABLE) from None
    while line := process.stdout.readline(_LONGEST_ROW + 1):
        if len(line) > _LONGEST_ROW:
            raise FileProblem("A row of the spreadsheet is too long.")
        item = json.loads(line)
        if item == {}:
            return
        yield item
    raise FileProblem(_UNREADABLE)
