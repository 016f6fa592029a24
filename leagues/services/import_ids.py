"""By what results of files are known: their ids there, or their content where they have none."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import QuerySet

from leagues.models import Match, MatchVersion, Mode, Revision, Season
from leagues.services.batches import batches
from leagues.store.prepared import prepare
from ratings.files.number_map import NumberMap, key_of

CONTENT_ID: Final = "row:"
"""How the id of a match begins that has none at its source, and is known by its content."""
IDS_AT_ONCE: Final = 1000
_BRINGING: Final = (
    *(Revision.Kind.IMPORT, Revision.Kind.ENTRY, Revision.Kind.API, Revision.Kind.DEMO),
    Revision.Kind.START,
)
"""The revisions that bring results; where one is undone, these count as never stored."""
_DIGITS: Final = 40
"""Of the hash of a content, so many stand in an id."""
_DIGITS_OF_START: Final = 16
_MADE_ID: Final = re.compile(
    rf"{CONTENT_ID}(?P<content>[0-9a-f]{{{_DIGITS}}}):(?P<ordinal>[1-9][0-9]{{0,9}})", re.ASCII
)


@dataclass(frozen=True, slots=True)
class Known:
    """A match of this source that is stored already."""

    match_id: int
    payload_hash: str
    was_undone: bool
    """Void since its import was undone; importing it again lets it count again."""
    is_elsewhere: bool
    """In another season, where it is void for that reason: here it is new."""


def source_of(mode: Mode) -> str:
    """The name under which a mode's imported matches keep their ids apart."""
    return f"import.{mode.slug}"


def source_within(season: Season, source: str) -> str:
    """The name for those whose ids are held by results of another season that were undone there."""
    return f"{source}.{season.pk}"


class SeenRows:
    """What the rows of one file have been so far, by the beginnings of hashes."""

    def __init__(self) -> None:
        self._counts = NumberMap()
        """How many rows without an id had a content."""
        self._contents = NumberMap()
        """The content of the row that was the first to have an id, or from which it was made."""

    def id_of(self, content: str) -> str:
        """The id of the next row without one: its content and its ordinal among equal rows."""
        start = _start(content)
        ordinal = (self._counts.setdefault(start, 1) or 0) + 1
        if ordinal > 1:
            self._counts[start] = ordinal
        return f"{CONTENT_ID}{content[:_DIGITS]}:{ordinal}"

    def is_repeat(self, external_id: str, content: str, *, is_given: bool) -> bool | None:
        """Whether a row says what an earlier one of its id says; None where there is no such row.

        An id that is given may look as if it were made from a content.
        """
        if not is_given:
            # Mostly no row of the file has an id.
            earlier = self._contents.get(key_of(external_id)) if len(self._contents) else None
            return None if earlier is None else earlier == _start(content)
        start, made = _start(content), self._as_made(external_id)
        earlier = self._contents.setdefault(key_of(external_id), start if made is None else made)
        if earlier is None:
            earlier = made
        return None if earlier is None else earlier == start

    def _as_made(self, external_id: str) -> int | None:
        """What an earlier row without an id says to which this id was given, if there is one."""
        made = _MADE_ID.fullmatch(external_id)
        if made is None:
            return None
        start = _start(made["content"])
        return start if int(made["ordinal"]) <= (self._counts.get(start) or 0) else None


def _start(content: str) -> int:
    return int(content[:_DIGITS_OF_START], 16)


class StoredIds:
    """What a source has brought so far, looked up by the ids that matches have there.

    One that was moved to another season has its id no more: that stays with the void one.
    """

    def __init__(self, season: Season, source: str) -> None:
        self._season = season
        matches = Match.objects.filter(league_id=season.league_id)
        brought = matches.exclude(status=Match.Status.STAGED)
        seasons = Season.objects.filter(league_id=season.league_id).order_by("pk")
        sources = (source, *(source_within(one, source) for one in seasons))
        self._sources = [one for one in sources if brought.filter(source=one).exists()]
        self._undoing = undoing_revisions(season.league_id)

    def read(self, ids: Iterable[str]) -> dict[str, Known]:
        """Those of some ids that are there."""
        if not self._sources:
            return {}
        return {
            external_id: known
            for some in batches(ids, IDS_AT_ONCE)
            for external_id, known in self._known(some).items()
        }

    def _known(self, ids: list[str]) -> dict[str, Known]:
        rows = _stored(league=self._season.league_id, sources=self._sources, ids=ids)
        void = [pk for _id, pk, _hash, status, _season in rows if status == Match.Status.VOID]
        # Of several times that a match became void, the last one holds.
        last = dict(made_void(matches=void)) if self._undoing else {}
        known: dict[str, Known] = {}
        for external_id, pk, payload_hash, _status, season_id in rows:
            is_undone, is_here = last.get(pk) in self._undoing, season_id == self._season.pk
            one = Known(pk, payload_hash, is_undone and is_here, is_undone and not is_here)
            other = known.get(external_id)
            # One that was not undone holds, be it in another season, and then that of this one.
            if other is None or not is_undone or (other.is_elsewhere and is_here):
                known[external_id] = one
        return known


def undoing_revisions(league_id: int) -> frozenset[int]:
    """The revisions of a league that undid what had brought results, or did so once more, by id."""
    revisions = Revision.objects.filter(league=league_id)
    undoing = revisions.filter(kind=Revision.Kind.REVERT).values_list("pk", "reverts")
    reverts: dict[int, int | None] = dict(undoing)
    if not reverts:
        return frozenset()
    bringing = revisions.filter(kind__in=_BRINGING)
    brought: frozenset[int | None] = frozenset(bringing.values_list("pk", flat=True))

    def change_of(revision: int | None) -> int | None:
        while revision in reverts:
            revision = reverts[revision]
        return revision

    return frozenset(pk for pk in reverts if change_of(pk) in brought)


@prepare
def made_void(*, matches: list[int]) -> QuerySet[MatchVersion, tuple[int, int]]:
    """By which revisions matches ceased to count, the last one last."""
    rows = MatchVersion.objects.filter(
        match__pk__in=matches, content__status=Match.Status.LIVE.value
    )
    return rows.order_by("version").values_list("match_id", "revision_id")


@prepare
def _stored(*, league: int, sources: list[str], ids: list[str]) -> QuerySet[Match, tuple[Any, ...]]:
    rows = Match.objects.filter(league=league, source__in=sources, external_id__in=ids)
    return rows.exclude(status=Match.Status.STAGED).values_list(
        "external_id", "pk", "payload_hash", "status", "season_id"
    )
