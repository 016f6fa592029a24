"""By what results of files are known: their ids there, or their content where they have none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import QuerySet

from leagues.models import Match, MatchVersion, Mode, Revision, Season
from leagues.services.batches import batches
from leagues.store.prepared import prepare

CONTENT_ID: Final = "row:"
"""How the id of a match begins that has none at its source, and is known by its content."""
IDS_AT_ONCE: Final = 1000
_DIGITS: Final = 40
"""Of the hash of a content, so many stand in an id."""


@dataclass(frozen=True, slots=True)
class Known:
    """A match of this source that is stored already."""

    match_id: int
    payload_hash: str
    was_undone: bool
    """Void since its import was undone; importing it again lets it count again."""


def source_of(mode: Mode) -> str:
    """The name under which a mode's imported matches keep their ids apart."""
    return f"import.{mode.slug}"


class SeenRows:
    """What the rows of one file have been so far: a hundred bytes for each of a million."""

    def __init__(self) -> None:
        self._counts: dict[bytes, int] = {}
        """How many rows without an id had a content, by the beginning of its hash."""
        self._contents: dict[str, bytes] = {}
        """The beginning of the hash of rows with an id."""

    def id_of(self, content: str) -> str:
        """The id of the next row without one: its content and its ordinal among equal rows."""
        start = _start(content)
        ordinal = self._counts[start] = self._counts.get(start, 0) + 1
        return f"{CONTENT_ID}{content[:_DIGITS]}:{ordinal}"

    def is_repeat(self, external_id: str, content: str, *, is_given: bool) -> bool | None:
        """Whether a row says what an earlier one of its id says; None where there is no such row.

        An id that is given may look as if it were made from a content.
        """
        start = _start(content)
        if not is_given:
            earlier = self._contents.get(external_id)
        else:
            earlier = self._contents.setdefault(external_id, start)
            if earlier is start:
                earlier = self._as_made(external_id)
        return None if earlier is None else earlier == start

    def _as_made(self, external_id: str) -> bytes | None:
        """What an earlier row without an id says to which this id was given, if there is one."""
        digits, _, ordinal = external_id.removeprefix(CONTENT_ID).partition(":")
        if not external_id.startswith(CONTENT_ID) or not ordinal.isdecimal():
            return None
        try:
            start = bytes.fromhex(digits)
        except ValueError:
            return None
        is_there = f"{CONTENT_ID}{start.hex()}:{int(ordinal)}" == external_id
        return start if is_there and 0 < int(ordinal) <= self._counts.get(start, 0) else None


def _start(content: str) -> bytes:
    return bytes.fromhex(content[:_DIGITS])


class StoredIds:
    """What a source has brought so far, looked up by the ids that matches have there.

    One that was moved to another season has its id no more: that stays with the void one.
    """

    def __init__(self, season: Season, source: str) -> None:
        self._season, self._source = season, source
        stored = Match.objects.filter(league_id=season.league_id, source=source)
        self._has_any = stored.exclude(status=Match.Status.STAGED).exists()
        self._undoing = _undoing_imports(season)

    def read(self, ids: Iterable[str]) -> dict[str, Known]:
        """Those of some ids that are there."""
        if not self._has_any:
            return {}
        return {
            external_id: known
            for some in batches(ids, IDS_AT_ONCE)
            for external_id, known in self._known(some)
        }

    def _known(self, ids: list[str]) -> Iterator[tuple[str, Known]]:
        rows = _stored(league=self._season.league_id, source=self._source, ids=ids)
        void = [
            pk
            for _id, pk, _hash, status, season_id in rows
            if status == Match.Status.VOID and season_id == self._season.pk
        ]
        # Of several times that a match became void, the last one holds.
        last = dict(_made_void(matches=void)) if self._undoing else {}
        for external_id, pk, payload_hash, _status, _season in rows:
            yield str(external_id), Known(pk, payload_hash, last.get(pk) in self._undoing)


def _undoing_imports(season: Season) -> frozenset[int]:
    """The revisions that undid an import, or brought an undoing of one back, by id."""
    reverts = dict(
        Revision.objects.filter(season=season, kind=Revision.Kind.REVERT).values_list(
            "pk", "reverts"
        )
    )
    imports = frozenset(
        Revision.objects.filter(season=season, kind=Revision.Kind.IMPORT).values_list(
            "pk", flat=True
        )
    )

    def change_of(revision: int | None) -> int | None:
        while revision in reverts:
            revision = reverts[revision]
        return revision

    return frozenset(pk for pk in reverts if change_of(pk) in imports)


@prepare
def _made_void(*, matches: list[int]) -> QuerySet[MatchVersion, tuple[int, int]]:
    """By which revisions matches ceased to count, the last one last."""
    rows = MatchVersion.objects.filter(
        match__pk__in=matches, content__status=Match.Status.LIVE.value
    )
    return rows.order_by("version").values_list("match_id", "revision_id")


@prepare
def _stored(*, league: int, source: str, ids: list[str]) -> QuerySet[Match, tuple[Any, ...]]:
    rows = Match.objects.filter(league=league, source=source, external_id__in=ids)
    return rows.exclude(status=Match.Status.STAGED).values_list(
        "external_id", "pk", "payload_hash", "status", "season_id"
    )
