"""Read the results of a season, or the players of a league, as our own export writes them in JSON.

The rows are decoded one by one, so that memory does not grow with the file.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from typing import Any, BinaryIO, Final

from ratings.files.event_cells import COLUMN as EVENTS
from ratings.files.event_cells import MAX_CELL
from ratings.files.match_start_cells import COLUMN as MATCH_START
from ratings.files.names import with_formula_guard
from ratings.files.problems import FileProblem
from ratings.files.start_cells import COLUMN as STARTS

EXPORTED: Final = "exported as JSON"
_RESULTS = re.compile(rb'\s*\{[^{}\[\]]*"results"\s*:\s*\[\s*(?:\]|\{[^{}\[\]]*"played_at")')
_PLAYERS = re.compile(
    rb'\s*\{[^{}\[\]]*"players"\s*:\s*\[\s*'
    # The name comes first, and can have brackets, such as those of a clan.
    rb'(?:\]|\{(?:[^{}\[\]]*|\s*"player"\s*:\s*"(?:[^"\\]|\\.)*"\s*,\s*)"player_key")'
)
_STANDINGS = re.compile(rb'\s*\{\s*"league"\s*:.*?"board"\s*:', re.DOTALL)
_LISTS: Final = (EVENTS, MATCH_START, STARTS)
_BLOCK = 1 << 16
_DAMAGED = "This JSON file is damaged or cut off."
_decode = json.JSONDecoder().raw_decode


def is_exported(head: bytes) -> bool:
    """Whether a file begins like the results of a season, or the players of a league, in JSON."""
    return _RESULTS.match(head) is not None or _PLAYERS.match(head) is not None


def refuse_exported_standings(head: bytes) -> None:
    """Raise FileProblem where a file has the standings of a season in JSON."""
    if _STANDINGS.match(head):
        raise FileProblem("These are standings, not results; use the file with the results.")


def exported_rows(stream: BinaryIO, longest: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the names of the first row as the header, then every row, numbered from 2.

    Only the events of a match may be longer than `longest` characters.
    """
    header: list[str] = []
    for number, row in enumerate(_objects(stream), start=2):
        if not header:
            header = list(row)
            yield 1, header
        if row.keys() - set(header):
            raise FileProblem("This row has other names than the first one.", line=number)
        cells = [
            _list(row.get(name), number, name) if name in _LISTS else _text(row.get(name), number)
            for name in header
        ]
        for name, text in zip(header, cells, strict=True):
            if name != EVENTS and len(text) > longest:
                words = f"A cell is longer than {longest} characters."
                raise FileProblem(words, line=number, value=text[:100])
        yield number, cells


def _objects(stream: BinaryIO) -> Iterator[dict[str, Any]]:
    """Decode the objects of the list of results one after the other."""
    text = codecs.getreader("utf-8-sig")(stream)
    try:
        waiting = text.read(_BLOCK)
        begin = re.match(r'[^\[]*"(?:results|players)"\s*:\s*\[', waiting)
        at = begin.end() if begin else len(waiting)
        while True:
            if len(waiting) - at < _BLOCK:
                more = text.read(_BLOCK)
                waiting, at = waiting[at:] + more, 0
            at = _after_separators(waiting, at)
            if waiting[at : at + 1] == "]":
                return
            row, at, waiting = _row(text, waiting, at)
            if not isinstance(row, dict):
                raise FileProblem("One of the rows is not an object.")
            yield row
    except (ValueError, RecursionError):
        raise FileProblem(_DAMAGED) from None


def _row(text: codecs.StreamReader, waiting: str, at: int) -> tuple[Any, int, str]:
    """Decode the row that begins at a place; one with many events goes on in further blocks."""
    while True:
        try:
            row, end = _decode(waiting, at)
        except ValueError:
            length = len(waiting) - at
            # Twice as much each time, so that a long row is not decoded again and again.
            more = text.read(length) if length < MAX_CELL else ""
            if not more:
                raise
            waiting, at = waiting[at:] + more, 0
        else:
            return row, end, waiting


def _after_separators(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r\n,":
        at += 1
    return at


def _list(value: Any, line: int, name: str) -> str:
    """Return the events of a match, or the starts of a player, as a cell has them."""
    if value is None:
        return ""
    if isinstance(value, list):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    raise FileProblem(f"What stands in {name} must be a list.", line=line)


def _text(value: Any, line: int) -> str:
    """Return a value as a cell of a CSV file has it."""
    if value is None:
        return ""
    if isinstance(value, str):
        return with_formula_guard(value)
    if isinstance(value, int | float):
        return str(value)
    raise FileProblem("A value is neither text nor a number.", line=line)
