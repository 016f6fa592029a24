"""Open a results file as a table of text cells, whatever it is packed and encoded in.

Memory does not grow with the file: text is read line by line, and every line, cell and total is
bounded before anything is kept.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import itertools
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, BinaryIO

from ratings.files.click_tt import CLICK_TT, click_tt_rows, is_click_tt
from ratings.files.content import HEAD_LENGTH, encoding_and_lines, refuse_other_content
from ratings.files.cross_tables import name_columns
from ratings.files.dates import is_date
from ratings.files.event_cells import MAX_CELL
from ratings.files.exported import EXPORTED, exported_rows, is_exported
from ratings.files.problems import BadRow, FileProblem
from ratings.files.scores import is_integer, is_score_text
from ratings.files.sheets import ARCHIVE, open_sheet, workbook_kind
from ratings.files.startgg import STARTGG, is_startgg, startgg_rows
from ratings.files.unpacking import GZIP, PACKED_TWICE, UNPACK_ARCHIVE, ZIP, Bounded
from ratings.files.vocabulary import header_words, suggested_meaning
from ratings.files.written_text import WRITTEN, is_written, written_rows

Row = tuple[int, list[str]]

_DELIMITERS = ",;\t|"
_PREAMBLE = 20
_HEADER_HITS = 2
_TITLE_CELLS = 2
_COLUMNS = 500
_TOLD_SEPARATOR = re.compile(r'"?sep=([,;\t|])"?\s*')
LINES_PER_ROW = 3


@dataclass(frozen=True, slots=True)
class Limits:
    """What a file may be; the command line allows more than an upload (S-13).

    A file may have `LINES_PER_ROW` times as many lines as rows: cells can go over several, and
    blank lines are no rows.
    """

    unpacked_bytes: int = 1_000_000_000
    rows: int = 5_000_000
    cell: int = 4096
    line: int = 8192
    allow_sheets: bool = True


UPLOAD_LIMITS = Limits(unpacked_bytes=50_000_000, rows=500_000)


class Table:
    """The header and the rows of one file; `rows` can be walked once.

    `bad_lines` are those that are no rows at all, and are reported with the rows.
    `preamble` counts the lines skipped above the header. `has_header` is False where the first
    line is already data; the columns are then numbered.
    """

    def __init__(
        self,
        rows: Iterator[Row],
        *,
        name: str,
        delimiter: str,
        encoding: str,
        compression: str,
        sheets: tuple[str, ...] = (),
        sheet: str = "",
        bad_lines: tuple[BadRow, ...] = (),
        line_feeds: int = 0,
    ) -> None:
        self.name = name
        self.delimiter = delimiter
        self.encoding = encoding
        self.compression = compression
        self.sheets = sheets
        self.sheet = sheet
        self.bad_lines = bad_lines
        opening = list(itertools.islice(rows, _PREAMBLE))
        if not opening:
            raise FileProblem("The file is empty.")
        self.preamble, self.has_header = _header_at([row for _, row in opening])
        line, names = opening[self.preamble]
        if len(names) > _COLUMNS:
            raise FileProblem(f"The table has more than {_COLUMNS} columns.", line=line)
        if self.has_header:
            opening = opening[self.preamble + 1 :]
        self.header = tuple(
            (self.has_header and text.strip()) or f"Column {number}"
            for number, text in enumerate(names, start=1)
        )
        self.expected_rows = max(0, line_feeds - self.preamble - self.has_header)
        """About how many rows there are, as far as the lines tell; 0 where nothing does."""
        self.rows: Iterator[Row] = itertools.chain(opening, rows)

    def sample(self, count: int = 1000) -> list[list[str]]:
        """Return the cells of the first rows without taking them from `rows`."""
        head = list(itertools.islice(self.rows, count))
        self.rows = itertools.chain(head, self.rows)
        return [row for _, row in head]


def open_table(
    data: bytes | BinaryIO,
    *,
    name: str = "",
    limits: Limits,
    sheet: str | None = None,
    today: date | None = None,
) -> Table:
    """Open the bytes or the stream; raise FileProblem where it is no table we can read.

    `today` completes dates without a year, which only written results may have.
    The stream is read twice where it can seek, else copied to a temporary file.
    """
    stream: Any = io.BytesIO(data) if isinstance(data, bytes) else _seekable(data, limits)
    start = stream.tell()
    head = stream.read(HEAD_LENGTH)
    stream.seek(start)
    if head.startswith(ZIP):
        return _open_sheet(stream, start, name=name, limits=limits, sheet=sheet)
    packed = head.startswith(GZIP)

    def unpacked() -> io.BufferedReader:
        stream.seek(start)
        source = gzip.GzipFile(fileobj=stream) if packed else stream
        return io.BufferedReader(Bounded(source.read, limits.unpacked_bytes))

    if is_click_tt(unpacked().peek(HEAD_LENGTH)[:HEAD_LENGTH]):
        return Table(
            _counted(click_tt_rows(unpacked()), limits),
            name=name,
            delimiter="",
            encoding="",
            compression=CLICK_TT,
        )
    head_of_text = _without_mark(unpacked())
    if is_startgg(head_of_text):
        return Table(
            _counted(startgg_rows(unpacked()), limits),
            name=name,
            delimiter="",
            encoding="",
            compression=STARTGG,
        )
    if is_exported(head_of_text):
        return Table(
            _counted(exported_rows(unpacked(), limits.cell), replace(limits, cell=MAX_CELL)),
            name=name,
            delimiter="",
            encoding="",
            compression=EXPORTED,
        )
    return _open_text(
        unpacked, name=name, compression="gzip" if packed else "", limits=limits, today=today
    )


def _open_text(
    unpacked: Callable[[], io.BufferedReader],
    *,
    name: str,
    compression: str,
    limits: Limits,
    today: date | None,
) -> Table:
    first = unpacked()
    refuse_other_content(_first_bytes(first))
    encoding, line_feeds = encoding_and_lines(first)
    shown_encoding = {"utf-8-sig": "utf-8"}.get(encoding, encoding)
    text = io.TextIOWrapper(unpacked(), encoding=encoding, newline="")
    lines = iter(lambda: text.readline(limits.line + 1), "")
    opening = list(itertools.islice(lines, _PREAMBLE))
    told = _TOLD_SEPARATOR.fullmatch(opening[0]) if opening else None
    if not told and not _names_columns(opening) and is_written(opening, today):
        rows, bad_lines = written_rows(itertools.chain(opening, lines), today=today)
        return Table(
            _counted(rows, limits),
            name=name,
            delimiter="",
            encoding=shown_encoding,
            compression=WRITTEN,
            bad_lines=bad_lines,
        )
    delimiter = told[1] if told else _delimiter(opening)
    if told:
        opening[0] = "\n"
    return Table(
        _records(itertools.chain(opening, lines), delimiter, limits),
        name=name,
        delimiter=delimiter,
        encoding=shown_encoding,
        compression=compression,
        line_feeds=line_feeds,
    )


def _without_mark(stream: io.BufferedReader) -> bytes:
    return stream.peek(HEAD_LENGTH)[:HEAD_LENGTH].removeprefix(codecs.BOM_UTF8)


def _seekable(stream: BinaryIO, limits: Limits) -> Any:
    if stream.seekable():
        return stream
    copy = tempfile.SpooledTemporaryFile(max_size=1 << 22)  # noqa: SIM115
    shutil.copyfileobj(io.BufferedReader(Bounded(stream.read, limits.unpacked_bytes)), copy)
    copy.seek(0)
    return copy


def _first_bytes(stream: io.BufferedReader) -> bytes:
    head = stream.peek(HEAD_LENGTH)[:HEAD_LENGTH]
    if not head:
        raise FileProblem("The file is empty.")
    if head.startswith(GZIP) or head.startswith(ZIP):
        raise FileProblem(PACKED_TWICE)
    return head


def _open_sheet(
    stream: BinaryIO, start: int, *, name: str, limits: Limits, sheet: str | None
) -> Table:
    kind = workbook_kind(stream)
    if kind == ARCHIVE:
        raise FileProblem(UNPACK_ARCHIVE)
    if kind not in ("xlsx", "ods"):
        raise FileProblem(f"This is {kind}; save the table as CSV and use that file.")
    if not limits.allow_sheets:
        raise FileProblem("This is a spreadsheet; save it as CSV and use that file.")
    stream.seek(start)
    opened = open_sheet(stream, sheet)
    return Table(
        _counted(opened.rows, limits),
        name=name,
        delimiter="",
        encoding="",
        compression=kind,
        sheets=opened.names,
        sheet=opened.name,
    )


def _counted(rows: Iterator[Row], limits: Limits) -> Iterator[Row]:
    for count, (line, row) in enumerate(rows):
        if count > limits.rows:
            raise FileProblem(f"The file has more than {limits.rows} rows.", line=line)
        _check_cells(line, row, limits)
        yield line, row


def _check_cells(line: int, row: list[str], limits: Limits) -> None:
    for cell in row:
        if len(cell) > limits.cell:
            raise FileProblem(
                f"A cell is longer than {limits.cell} characters.", line=line, value=cell[:100]
            )


def _delimiter(lines: list[str]) -> str:
    """Return the separator that makes the best header of one of these lines.

    Where none does, it is the one that divides most lines into the same number of cells.
    """

    def score(delimiter: str) -> tuple[int, int, int]:
        try:
            rows = [row for row in csv.reader(lines, delimiter=delimiter) if len(row) > 1]
        except csv.Error:
            return 0, 0, 0
        widths = [len(row) for row in rows]
        common = max(sorted(set(widths)), key=widths.count, default=0)
        return max(map(_header_hits, rows), default=0), widths.count(common), common

    return max(_DELIMITERS, key=score)


def _names_columns(lines: list[str]) -> bool:
    """Whether one of these lines has names of columns, whatever separates them."""
    return any(
        _header_hits(line.split(delimiter)) >= _HEADER_HITS
        for line in lines
        for delimiter in _DELIMITERS
    )


def _header_hits(row: list[str]) -> int:
    return sum(suggested_meaning(header_words(cell)) is not None for cell in row)


def _records(lines: Iterator[str], delimiter: str, limits: Limits) -> Iterator[Row]:
    """Split lines into records, each numbered by the line it begins on; blank ones left out."""
    number = 0
    pending = 0

    def counted() -> Iterator[str]:
        nonlocal number, pending
        for line in _few_enough(lines, LINES_PER_ROW * limits.rows):
            number += 1
            pending += len(line)
            if pending > limits.line:
                if len(line) > limits.line:
                    raise FileProblem(
                        f"The line is longer than {limits.line} characters.", line=number
                    )
                raise FileProblem(
                    "A quotation mark is opened here but never closed.", line=begins + 1
                )
            if "\0" in line:
                raise FileProblem("The line has a null character.", line=number)
            yield line

    begins = count = 0
    reader = csv.reader(counted(), delimiter=delimiter, strict=True)
    while True:
        begins, pending = number, 0
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise FileProblem(_csv_words(error), line=begins + 1) from None
        if pending > limits.cell:
            _check_cells(begins + 1, row, limits)
        if not row or not any(row) or not any(map(str.strip, row)):
            continue
        count += 1
        if count > limits.rows + 1:
            raise FileProblem(f"The file has more than {limits.rows} rows.", line=begins + 1)
        yield begins + 1, row


def _few_enough(lines: Iterator[str], most: int) -> Iterator[str]:
    for number, line in enumerate(lines, start=1):
        if number > most:
            raise FileProblem(f"The file has more than {most} lines.", line=number)
        yield line


def _csv_words(error: csv.Error) -> str:
    if "unexpected end of data" in str(error):
        return "A quotation mark is opened here but never closed."
    return "A quotation mark is not allowed at this place in the line."


def _header_at(rows: list[list[str]]) -> tuple[int, bool]:
    """Return where the header is among the first rows, and whether there is one at all.

    Only titles may stand above it: lines with a cell or two.
    """
    for index, row in enumerate(rows):
        filled = sum(1 for cell in row if cell.strip())
        if _header_hits(row) >= _HEADER_HITS or _is_of_cross_table(row, rows[index + 1 :]):
            return index, True
        if filled > _TITLE_CELLS:
            break
    return 0, not _looks_like_data(rows[0])


def _looks_like_data(row: list[str]) -> bool:
    return any(is_integer(cell) or is_date(cell) or is_score_text(cell) for cell in row)


def _is_of_cross_table(row: list[str], rows: list[list[str]]) -> bool:
    """Whether a line names the players of the rows below it."""
    return not _looks_like_data(row) and bool(name_columns(row, rows))
