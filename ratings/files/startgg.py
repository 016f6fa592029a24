"""Read the matches of a start.gg event, as JSON collections of events keep them, as a table.

A file has the ids of players and no names, scores in games, and −1 for a disqualification.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO, Final

from ratings.files.problems import FileProblem

STARTGG: Final = "start.gg JSON"
HEADER: Final = ["winner_id", "loser_id", "winner_score", "loser_score", "flag"]
MAX_BYTES: Final = 16_000_000
"""JSON is read as a whole, into ten times as much memory."""
_PLAYED: Final = 3
_MATCHES = re.compile(rb'\s*\{\s*"data"\s*:\s*\[\s*\{[^{}\[\]]*"(?:winner|loser)_id"')
_PLACINGS = re.compile(rb'\s*\{\s*"data"\s*:\s*\[\s*\{[^{}\[\]]*"placement"')
_SEEDS = re.compile(rb'\s*\{\s*"data"\s*:\s*\[\s*\{[^{}\[\]]*"seed_num"')
_EVENT = re.compile(rb'\s*\{\s*"event_id"')
_USE_MATCHES: Final = "use the file with the matches."


def is_startgg(head: bytes) -> bool:
    """Whether a file begins like the matches of a start.gg event."""
    return _MATCHES.match(head) is not None


def refuse_other_startgg(head: bytes) -> None:
    """Raise FileProblem where a file is one of the others that come with the matches."""
    if _PLACINGS.match(head):
        raise FileProblem(
            f"These are the final placings of an event, not its matches; {_USE_MATCHES}"
        )
    if _SEEDS.match(head):
        raise FileProblem(f"This is the seeding of an event, not its matches; {_USE_MATCHES}")
    if _EVENT.match(head):
        raise FileProblem(f"This describes an event and has no matches; {_USE_MATCHES}")


def startgg_rows(stream: BinaryIO) -> Iterator[tuple[int, list[str]]]:
    """Yield the header and the matches, numbered as they stand in the file from 2."""
    text = stream.read(MAX_BYTES + 1)
    if len(text) > MAX_BYTES:
        raise FileProblem(f"This JSON file is larger than {MAX_BYTES // 1_000_000} MB; split it.")
    try:
        matches = json.loads(text)["data"]
    except (ValueError, RecursionError, KeyError):
        raise FileProblem("This JSON file is damaged or cut off.") from None
    if not isinstance(matches, list):
        raise FileProblem("This JSON file has no list of matches.")
    yield 1, HEADER
    for number, match in enumerate(matches, start=2):
        if not isinstance(match, dict):
            raise FileProblem("This is not a match.", line=number)
        yield number, _row(match)


def _row(match: Mapping[str, Any]) -> list[str]:
    scores = [match.get("winner_score"), match.get("loser_score")]
    is_walkover = match.get("dq") is True or -1 in scores
    is_cancelled = match.get("cancel") is True or match.get("state", _PLAYED) != _PLAYED
    flag = "cancelled" if is_cancelled else "dq" if is_walkover else ""
    shown_scores = [None, None] if is_walkover else scores
    cells = [match.get("winner_id"), match.get("loser_id"), *shown_scores]
    return [*("" if cell is None else str(cell) for cell in cells), flag]
