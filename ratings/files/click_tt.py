"""Read the tournament files of click-TT and nuLiga (XML) as a table with a match a row.

Nothing outside the file is ever loaded: neither its DTD nor entities.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO
from xml.parsers import expat

from ratings.files.problems import FileProblem

HEADER = [
    "date",
    *("team1 player1", "team1 player2", "team2 player1", "team2 player2"),
    *("score1", "score2", "details"),
]
CLICK_TT = "click-TT"
SIDES = ("a", "b")
MAX_SETS = 7
BLOCK = 1 << 16
LONGEST_TAG = 8 * BLOCK
_MARK = b"<tournament"


def is_click_tt(head: bytes) -> bool:
    """Whether a file begins like a tournament of click-TT."""
    return _MARK in head


def click_tt_rows(stream: BinaryIO) -> Iterator[tuple[int, list[str]]]:
    """Yield the header and the played matches of all competitions, with their lines."""
    reader = _Reader()
    yield 1, HEADER
    while block := stream.read(BLOCK):
        yield from reader.feed(block)
    yield from reader.feed(b"", is_last=True)


class _Reader:
    """Takes a file in blocks and gives the matches that each of them completes."""

    def __init__(self) -> None:
        self._rows: list[tuple[int, list[str]]] = []
        self._date = ""
        self._player = ""
        self._names: dict[str, list[str]] = {}
        self._unended = 0
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._start
        self._parser.EntityDeclHandler = self._refuse

    def feed(self, block: bytes, *, is_last: bool = False) -> list[tuple[int, list[str]]]:
        end = block.rfind(b">")
        self._unended = self._unended + len(block) if end < 0 else len(block) - end
        if self._unended > LONGEST_TAG:
            # Expat begins such a tag anew with every block.
            raise FileProblem("A tag of this XML file never ends.")
        try:
            self._parser.Parse(block, is_last)
        except expat.ExpatError as error:
            raise FileProblem("This XML file is damaged or cut off.", line=error.lineno) from None
        rows, self._rows = self._rows, []
        return rows

    def _refuse(self, *_declaration: object) -> None:
        raise FileProblem("XML files that define their own entities cannot be read.")

    def _start(self, name: str, found: dict[str, str]) -> None:
        match name:
            case "competition":
                self._date = found.get("start-date", "").strip()[:10]
                self._names = {}
            case "player":
                self._player = found.get("id", "")
            case "person":
                words = (found.get("firstname", ""), found.get("lastname", ""))
                full = " ".join(word.strip() for word in words).strip()
                self._names.setdefault(self._player, []).append(full)
            case "match":
                self._match(found)

    def _match(self, found: dict[str, str]) -> None:
        sides = [self._names.get(found.get(f"player-{side}", ""), []) for side in SIDES]
        scores = [found.get(f"sets-{side}", "").strip() for side in SIDES]
        # A bye has one side only, and 0:0 is a match that was not played.
        if not all(sides) or all(score in ("", "0") for score in scores):
            return
        pairs = [
            tuple(found.get(f"set-{side}-{number}", "").strip() for side in SIDES)
            for number in range(1, MAX_SETS + 1)
        ]
        details = " ".join(":".join(pair) for pair in pairs if set(pair) - {"", "0"})
        members = [name for side in sides for name in (*side, "")[:2]]
        self._rows.append(
            (self._parser.CurrentLineNumber, [self._date, *members, *scores, details])
        )
