"""Results of files that are stored already, however they came: known by what they say.

A row is the stored result that says the same of the same moment. Of equal ones each row has its
own: the second equal row is new where one is stored. One that our own export numbers is known too
by what the result of its number said before it was corrected or made void.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from typing import Any, Final

from django.db.models import Q, QuerySet

from leagues.models import Match, MatchVersion, Mode, Season
from leagues.models.match import STARTED_KINDS
from leagues.services.batches import batches
from leagues.services.drafts import (
    MatchDraft,
    handicaps_of_content,
    sides_of_content,
    start_of_content,
)
from leagues.services.import_ids import CONTENT_ID, made_void, undoing_revisions
from leagues.services.result_contents import (
    GivenSide,
    ResultContent,
    content_of_draft,
    in_order,
    result_content,
    sides_by_match,
)
from leagues.services.rosters import Roster
from leagues.store.hashes import micros
from leagues.store.stored_words import SETS
from ratings.files.matches import Result

_AT_ONCE: Final = 1000
_DIGEST_BYTES: Final = 16
_LONGEST_NUMBER: Final = 15
_STARTED: Final = Match.Kind.STARTED.value
_COLUMNS: Final = (
    *("pk", "mode_id", "external_id", "played_at", "date_only", "kind", "weight", "detail", "sets"),
    "started_at",
)


@dataclass(frozen=True, slots=True)
class FileRow:
    """What is looked for: a result of a file, and the match that has its id, if any has."""

    result: Result
    match_id: int | None

    @property
    def moment(self) -> datetime:
        start = self.result.start
        return self.result.played if start is None else start.at

    @property
    def number(self) -> int | None:
        """The number that a result has in its season, where the row gives one."""
        text = self.result.number
        is_number = text.isascii() and text.isdecimal() and len(text) <= _LONGEST_NUMBER
        return int(text) if is_number else None


@dataclass(frozen=True, slots=True)
class _Stored:
    match_id: int
    mode_id: int
    own_id: str | None
    """The id at its source, where it has one."""


class StoredContents:
    """What is stored of the moments and numbers of some rows, as much as was read at a time.

    Nothing is read for a league without results, nor twice for a moment that goes on.
    """

    def __init__(self, season: Season, mode: Mode, roster: Roster) -> None:
        self._season, self._mode, self._roster = season, mode, roster
        matches = Match.objects.filter(league_id=season.league_id)
        self._stored = matches.exclude(status=Match.Status.STAGED)
        self._has_some = self._stored.exists()
        modes = Mode.objects.filter(league_id=season.league_id)
        self._modes = {one.name.casefold(): one.pk for one in modes} if self._has_some else {}
        self._undoing: frozenset[int] | None = None
        self._by_moment: dict[datetime, dict[bytes, list[_Stored]]] = {}
        self._said: dict[int, set[bytes]] = {}
        """What matches say and said before, by their ids."""
        self._by_number: dict[int, int] = {}
        self._taken: set[int] = set()
        """Matches that rows of the file are."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is stored in the league that a row could be."""
        return not self._has_some

    def read(self, rows: Sequence[FileRow]) -> None:
        """Read what may be some rows; what was read for others is forgotten, but for its moment."""
        if not self._has_some or not rows:
            return
        moments = {row.moment for row in rows}
        kept = {at: alike for at, alike in self._by_moment.items() if at in moments}
        self._by_moment = kept | {at: {} for at in moments - kept.keys()}
        for some in batches(moments - kept.keys(), _AT_ONCE):
            for stored, at, content in _contents(self._stored.live().filter(played_at__in=some)):
                self._by_moment[at].setdefault(content, []).append(stored)
        self._read_former(rows)

    def _read_former(self, rows: Sequence[FileRow]) -> None:
        """Read what the matches of some numbers said before, and all that those of some ids did."""
        numbers = {row.number for row in rows if row.number is not None}
        ids = {row.match_id for row in rows if row.match_id is not None}
        wanted = Q(pk__in=ids) | Q(season=self._season, seq__in=numbers)
        changed = self._stored.filter(wanted, version__gt=1)
        found = dict(changed.values_list("pk", "seq"))
        undone = self._undone(found)
        self._by_number = {seq: pk for pk, seq in found.items() if seq and pk not in undone}
        said: defaultdict[int, set[bytes]] = defaultdict(set)
        for stored, _at, content in _contents(self._stored.filter(pk__in=found.keys() | ids)):
            said[stored.match_id].add(content)
        versions = MatchVersion.objects.filter(match__in=found, content__has_key="sides")
        for match, former in versions.values_list("match_id", "content"):
            said[match].add(self._former_content(former))
        self._said = said

    def _undone(self, matches: Iterable[int]) -> set[int]:
        """Those that are void since the change was undone that had brought them."""
        void = list(
            self._stored.filter(pk__in=matches, status=Match.Status.VOID).values_list(
                "pk", flat=True
            )
        )
        if not void:
            return set()
        if self._undoing is None:
            self._undoing = undoing_revisions(self._season.league_id)
        last = dict(made_void(matches=void))
        return {match for match in void if last.get(match) in self._undoing}

    def take(self, match_id: int) -> None:
        """Let a match be a row of the file, and no other row."""
        self._taken.add(match_id)

    def find(self, draft: MatchDraft, row: FileRow) -> int | None:
        """The match that a row is, which is then no other row; None where it is new.

        Where the row has the id of a match it is that one or none.
        """
        if not self._has_some or any(
            member.player.pk is None for side in draft.sides for member in side.members
        ):
            return None
        content = _content_of(draft)
        match_id = row.match_id
        if match_id is not None:
            return match_id if self._has_said(match_id, content) else None
        found = self._numbered(row, content) or self._live(draft, row, content)
        if found is not None:
            self._taken.add(found)
        return found

    def _live(self, draft: MatchDraft, row: FileRow, content: bytes) -> int | None:
        mode = self._modes.get(row.result.mode.casefold(), self._mode.pk)
        own_id = row.result.external_id
        alike = self._by_moment.get(draft.played_at, {}).get(content, ())
        free = (
            stored.match_id
            for stored in alike
            if stored.mode_id == mode
            and stored.match_id not in self._taken
            # Two ids at one source are two results, however equal.
            and (own_id is None or stored.own_id is None or own_id == stored.own_id)
        )
        return next(free, None)

    def _numbered(self, row: FileRow, content: bytes) -> int | None:
        match_id = None if row.number is None else self._by_number.get(row.number)
        if match_id is None or match_id in self._taken or not self._has_said(match_id, content):
            return None
        return match_id

    def _has_said(self, match_id: int, content: bytes) -> bool:
        return content in self._said.get(match_id, ())

    def _former_content(self, content: dict[str, Any]) -> bytes:
        """What a version said, of whom its players are by now."""
        sides = []
        given = handicaps_of_content(content)
        for (rank, score, members), handicap in zip(sides_of_content(content), given, strict=True):
            named = [(self._key_of(key), own, share) for key, own, share in members]
            sides.append(((rank, score, named), handicap))
        start = start_of_content(content)
        return _digest(
            datetime.fromisoformat(content["played_at"]),
            content["date_only"],
            content["kind"],
            content["weight"],
            content["detail"],
            content.get(SETS, ""),
            sides,
            None if start is None else start.at,
        )

    def _key_of(self, key: str) -> str:
        player = self._roster.by_key.get(key)
        return key if player is None else player.key


def _contents(matches: QuerySet[Match]) -> Iterator[tuple[_Stored, datetime, bytes]]:
    """Yield stored matches with their moments and what they say."""
    for rows in batches(matches.order_by("seq").values_list(*_COLUMNS).iterator(), _AT_ONCE):
        sides = sides_by_match([row[0] for row in rows])
        for pk, mode, own_id, at, date_only, kind, weight, detail, sets, started_at in rows:
            is_made = own_id is None or own_id.startswith(CONTENT_ID)
            placed = in_order(sides.get(pk, {}))
            content = _digest(at, date_only, kind, weight, detail, sets, placed, started_at)
            yield _Stored(pk, mode, None if is_made else own_id), at, content


def _content_of(draft: MatchDraft) -> bytes:
    start = None if draft.start is None else draft.start.at
    return _hashed(draft.played_at, draft.date_only, content_of_draft(draft), start)


def _digest(
    at: datetime,
    date_only: bool,
    kind: str,
    weight: float,
    detail: str,
    sets: str,
    sides: Iterable[GivenSide],
    started_at: datetime | None,
) -> bytes:
    # What has become of a start follows from other results.
    kind = _STARTED if kind in STARTED_KINDS else kind
    return _hashed(at, date_only, result_content(kind, weight, detail, sets, sides), started_at)


def _hashed(at: datetime, date_only: bool, content: ResultContent, start: datetime | None) -> bytes:
    moments = micros(at), None if start is None else micros(start)
    text = repr((moments, date_only, content))
    return blake2b(text.encode(errors="surrogatepass"), digest_size=_DIGEST_BYTES).digest()
