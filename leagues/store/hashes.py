"""Hashes of what was said, by which a change behind the application's back is noticed.

What has a name of its own is hashed in one fixed encoding, the same on every database. No hash
covers anybody's name: people stand in them by their keys and numbers, so that a name can be erased.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from json.encoder import encode_basestring_ascii as quote
from math import isfinite
from typing import Any, Final

from leagues.domain.set_scores import sets_in_order

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
TICK: Final = timedelta(microseconds=1)
MATCH_FIELDS: Final = (
    *("league_id", "mode_id", "played_at", "date_only", "same_time_order", "kind", "weight"),
    *("detail", "source", "external_id", "payload_hash", "recorded_at", "sets"),
    *("started_at", "deadline_at", "rungs_lost"),
)
"""Attributes of a match that its hash covers; its sides, and events if any, come after them.

Its place, its status and its version are covered by the digests of its revisions.
"""
_SPAN: Final = 2**256
_encode = json.JSONEncoder(separators=(",", ":"), sort_keys=True, allow_nan=False).encode

Member = tuple[str, int | None, float]
"""A player's key, own score and share of the match."""
Side = tuple[int, int | None, Sequence[Member]]
"""The rank and the score of a side, and its members."""
Leaving = tuple[str, int]
"""A player's key, and what became of the player in a match that was started."""
Event = tuple[str, str, str | None, float, int | None]
"""A kind, the keys of player and opponent, points and milliseconds."""


def micros(moment: datetime) -> int:
    """Whole microseconds since 1970."""
    # In other zones two moments are equal in the hour that comes twice in autumn.
    return _micros_of_utc(moment) if moment.tzinfo is UTC else (moment - EPOCH) // TICK


@lru_cache(1024)
def _micros_of_utc(moment: datetime) -> int:
    """The same of a moment in UTC; matches of one moment follow each other."""
    return (moment - EPOCH) // TICK


def hash_match(
    fields: Mapping[str, Any],
    sides: Iterable[Side],
    events: Iterable[Event] = (),
    leaving: Collection[Leaving] = (),
    handicaps: Sequence[int] = (),
) -> bytes:
    """The SHA-256 of what a match says; neither the order of its sides nor of members counts.

    `handicaps` are in the order of the sides; like sets, they are hashed in the order of the sorted
    ones. Without events, sets, a start and handicaps it is what it was before there were any.
    """
    given = [(rank, score, _sorted_members(members)) for rank, score, members in sides]
    ordered = sorted(given, key=_place_of_side)
    # JSON, written by hand: of a million matches an encoder alone would take ten seconds.
    parts = [
        f"{_written(fields['league_id'])},{_written(fields['mode_id'])},"
        f"{micros(fields['played_at'])},{'true' if fields['date_only'] else 'false'},"
        f"{_written(fields['same_time_order'])},{_written(fields['kind'])},"
        f"{_written_float(fields['weight'])},{_written(fields['detail'])},"
        f"{_written(fields['source'])},{_written(fields['external_id'])},"
        f"{_written(fields['payload_hash'])},{micros(fields['recorded_at'])},"
        f"[{','.join([_written_side(*side) for side in ordered])}]"
    ]
    happened = [
        (kind, player, opponent, float(points), milliseconds)
        for kind, player, opponent, points, milliseconds in events
    ]
    if happened:
        parts.append(_encode(happened))
    if fields["sets"]:
        is_turned = ordered[0] is not given[0]
        parts.append(_written(sets_in_order(fields["sets"], is_turned=is_turned)))
    if leaving or fields["started_at"] or fields["deadline_at"] or fields["rungs_lost"]:
        start = (fields["started_at"], fields["deadline_at"])
        said = {
            "started": [None if at is None else micros(at) for at in start],
            "rungs": fields["rungs_lost"],
            "leaving": sorted(leaving),
        }
        parts.append(_encode(said))
    if any(handicaps):
        by_place = sorted(zip(map(_place_of_side, given), handicaps, strict=True))
        parts.append(_encode({"handicaps": [handicap for _place, handicap in by_place]}))
    return hashlib.sha256(f"[{','.join(parts)}]".encode()).digest()


def _sorted_members(members: Sequence[Member]) -> Sequence[Member]:
    if len(members) == 1:
        return members
    return sorted([(key, own, float(share)) for key, own, share in members])


def _place_of_side(side: Side) -> tuple[int, str]:
    return side[0], side[2][0][0]


def _written_side(rank: int, score: int | None, members: Sequence[Member]) -> str:
    said = [
        f"[{_written(key)},{_written(own)},{_written_float(share)}]" for key, own, share in members
    ]
    return f"[{_written(rank)},{_written(score)},[{','.join(said)}]]"


def _written(value: Any) -> str:
    """A value as JSON; what was forged may be of any type."""
    kind = type(value)
    if kind is str:
        return quote(value)
    if value is None:
        return "null"
    return str(value) if kind is int else _encode(value)


def _written_float(value: float) -> str:
    if value == 1.0:
        # Nearly all are.
        return "1.0"
    number = float(value)
    return repr(number) if isfinite(number) else _encode(number)


def hash_player(league_id: int, key: str, birth_year: int | None) -> str:
    """The SHA-256 of what results know a player by."""
    said = f"[{_written(league_id)},{_written(key)},{_written(birth_year)}]"
    return hashlib.sha256(said.encode()).hexdigest()


class RevisionContent:
    """What one revision did to matches, added up while they are written or read."""

    def __init__(self) -> None:
        self._brought = hashlib.sha256()
        self._count = 0
        self._changed = 0

    def add_match(self, content_hash: bytes) -> None:
        """Count a match that it brought; they come in the order of their places."""
        self._brought.update(content_hash)
        self._count += 1

    def add_change(
        self, seq: int | None, version: int, status: str, content_hash: bytes | None
    ) -> None:
        """Count a match that it changed, in any order; no hash where the content stayed."""
        content = [seq, version, status, content_hash.hex() if content_hash else None]
        digest = hashlib.sha256(_encode(content).encode()).digest()
        self._changed = (self._changed + int.from_bytes(digest, "big")) % _SPAN

    def as_list(self) -> list[Any]:
        return [self._count, self._brought.hexdigest(), f"{self._changed:x}"]


def hash_revision(before: str, values: Sequence[Any], content: RevisionContent) -> str:
    """The digest of a revision: of the one before, what it says of itself, and what it did."""
    return _hex([before, list(values), content.as_list()])


def hash_entry(before: str, content: Sequence[Any]) -> str:
    """The digest of a log entry: of the one before, and what it says."""
    return _hex([before, list(content)])


def plain_json(value: Any) -> Any:
    """A JSON value as every database gives it back: whole numbers as integers."""
    if isinstance(value, dict):
        return {str(key): plain_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain_json(item) for item in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _hex(content: Any) -> str:
    return hashlib.sha256(_encode(content).encode()).hexdigest()
