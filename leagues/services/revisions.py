"""Numbering: every commit of facts takes its numbers here, under the lock of its season."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NewType

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.utils import timezone

from leagues.models import Player, Revision, Season
from leagues.services.errors import Refused
from leagues.services.listing import list_players
from leagues.services.rated_boards import RatedBoards
from leagues.services.ratings import request_rating
from leagues.services.start_verdicts import settle_starts
from leagues.services.validation import reason_problem, season_problem
from leagues.store.hashes import RevisionContent, hash_revision, micros, plain_json
from leagues.store.prepared import insert_row, new_row, prepare, prepare_update

CHANGES = frozenset(
    (
        Revision.Kind.CORRECTION,
        Revision.Kind.VOID,
        Revision.Kind.RESTORE,
        Revision.Kind.REVERT,
        Revision.Kind.MERGE,
        Revision.Kind.LEFT,
        Revision.Kind.RELEASE,
    )
)
"""Revisions of what is there already; who may make them is for `leagues.access` to say."""

LockedSeason = NewType("LockedSeason", Season)
"""A season as it was read under the lock that the caller's transaction holds on it."""


@dataclass(slots=True)
class Commit:
    """One revision being written; `season` is locked until the transaction ends."""

    season: LockedSeason
    revision: Revision
    modes: set[int] = field(default_factory=set)
    players: set[int] = field(default_factory=set)
    """Whose matches may have begun or ceased to count, beside those in the matches touched."""
    former_moments: list[datetime] = field(default_factory=list)
    """When matches that are rewritten were played before."""
    may_correct: bool = True
    """Whether its author may change what is stored already, and so a loss of who left a match."""
    now: datetime = field(default_factory=timezone.now)
    """The moment by which time limits are over or not."""
    knows_players: bool = True
    """Whether `players` are all of them: others are read when it is over."""
    counting: set[int] = field(default_factory=set)
    """Those among them of whom a match counts for sure."""
    content: RevisionContent = field(default_factory=RevisionContent)
    """What it did to matches, for the digest of the revision."""
    boards: Mapping[int, RatedBoards] = field(default_factory=dict)
    """The boards of modes, as far as they were read under the lock of the season."""
    brings_starts: bool = True
    """Whether starts of matches may be among what it changes."""

    @property
    def number(self) -> int:
        return self.season.last_revision

    @property
    def has_no_starts(self) -> bool:
        """Whether it is known that no match of the season was ever started."""
        known = self.boards.values()
        return (
            bool(known)
            and not self.brings_starts
            and not any(one.season_has_starts for one in known)
        )

    def next_seqs(self, count: int) -> range:
        """Take `count` consecutive places in the season's order."""
        first = self.season.last_seq + 1
        self.season.last_seq += count
        return range(first, first + count)

    def touch(
        self, mode_id: int, matches: int = 1, *, players: Iterable[Player] | None = None
    ) -> None:
        """Count matches of a mode as touched by this revision, with their players if known."""
        self.modes.add(mode_id)
        self.knows_players &= players is not None
        # Whoever came with no revision is always listed.
        self.players.update(one.pk for one in players or () if one.revision_id is not None)
        summary = self.revision.summary
        summary["matches"] = int(summary.get("matches", 0)) + matches

    def touch_many(self, mode_id: int, matches: int, *, counting: Collection[int]) -> None:
        """Count new matches as `touch` does; `counting` are all their players, who count now."""
        self.touch(mode_id, matches, players=())
        self.players.update(counting)
        self.counting.update(counting)


def lock_season(season_id: int) -> LockedSeason:
    """Lock a season in the caller's transaction, and read it: of all locks the first one taken.

    Whoever makes players on the way to a result holds the season before, so that two who bring
    the same newcomer wait for each other and not crosswise.
    """
    for season in _season_for_update(season=season_id):
        return LockedSeason(season)
    raise Season.DoesNotExist


def lock_seasons(league_id: int) -> None:
    """Lock all seasons of a league in the caller's transaction, before anything else, in order."""
    seasons = Season.objects.select_for_update(no_key=True).filter(league=league_id)
    list(seasons.order_by("pk").values_list("pk"))


@prepare
def _season_for_update(*, season: int) -> QuerySet[Season, Season]:
    return Season.objects.select_for_update(no_key=True).filter(pk=season).order_by()


@prepare_update
def _save_revision(
    *, revision: int, summary: Any, digest: str
) -> tuple[QuerySet[Revision], dict[str, Any]]:
    changes = {"summary": summary, "digest": digest}
    return Revision.objects.filter(pk=revision), changes


@prepare_update
def _save_season(
    *, season: int, last_seq: int, last_revision: int, digest: str
) -> tuple[QuerySet[Season], dict[str, Any]]:
    numbers = {"last_seq": last_seq, "last_revision": last_revision}
    return Season.objects.filter(pk=season), {**numbers, "facts_digest": digest}


@contextmanager
def commit_to(
    season: LockedSeason,
    *,
    kind: str,
    author: User | None,
    source: str,
    reason: str = "",
    revision: Revision | None = None,
    late: bool = False,
    at: datetime | None = None,
    now: datetime | None = None,
) -> Iterator[Commit]:
    """Open a revision of `season`, number it, and let the boards it touches be rated.

    While a season is closing it takes changes of its results, and new ones that are `late`; so the
    same right is needed for a new result that takes back a loss. What becomes of the season's
    started matches by the changes, and by `now`, belongs to the revision.

    What raises inside is to end the caller's transaction, so that it leaves neither numbers nor
    facts behind. `revision` is one that was staged before. `at` is its moment where that is not
    now: the demo's organizers enter on invented days.
    """
    refusal = season_problem(season, late=late or kind in CHANGES) or reason_problem(reason)
    if refusal:
        raise Refused([refusal])
    season.last_revision += 1
    if revision is None:
        words = {"kind": kind, "source": source, "reason": reason}
        revision = new_row(Revision, {"league_id": season.league_id, **words}, {"season": season})
        revision.created_at = at or revision.created_at
        revision.author = author if author is not None and author.pk else None
    revision.number = season.last_revision
    revision.author_key = revision.author_id
    revision.state = Revision.State.APPLIED
    if revision._state.adding:
        insert_row(revision)
    else:
        revision.save()
    commit = Commit(season=season, revision=revision, may_correct=late or kind in CHANGES)
    commit.now = now or commit.now
    yield commit
    settle_starts(commit)
    number = None if commit.knows_players else commit.number
    list_players(season=season, touched_in=number, players=commit.players, counting=commit.counting)
    revision.digest = hash_revision(season.facts_digest, said_by(revision), commit.content)
    _save_revision(revision=revision.pk, summary=revision.summary, digest=revision.digest)
    season.facts_digest = revision.digest
    _save_season(
        season=season.pk,
        last_seq=season.last_seq,
        last_revision=season.last_revision,
        digest=revision.digest,
    )
    for mode_id in sorted(commit.modes):
        request_rating(season=season, mode_id=mode_id, boards=commit.boards.get(mode_id))


def said_by(revision: Revision) -> list[Any]:
    """What a revision says of itself, for its digest."""
    return [
        revision.number,
        revision.kind,
        revision.reason,
        revision.source,
        micros(revision.created_at),
        revision.author_key,
        revision.reverts.number if revision.reverts else None,
        plain_json(revision.summary),
    ]
