"""Numbering: every commit of facts takes its numbers here, under the lock of its season."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from leagues.models import Revision, Season
from leagues.services.errors import Refused
from leagues.services.listing import list_players
from leagues.services.ratings import request_rating
from leagues.services.validation import reason_problem, season_problem
from leagues.store.hashes import RevisionContent, hash_revision, micros, plain_json

CHANGES = frozenset(
    (
        Revision.Kind.CORRECTION,
        Revision.Kind.VOID,
        Revision.Kind.RESTORE,
        Revision.Kind.REVERT,
    )
)
"""Revisions of what is there already; who may make them is for `leagues.access` to say."""


@dataclass(slots=True)
class Commit:
    """One revision being written; `season` is locked until the transaction ends."""

    season: Season
    revision: Revision
    modes: set[int] = field(default_factory=set)
    players: set[int] = field(default_factory=set)
    """Whose matches may have begun or ceased to count, beside those in the matches touched."""
    content: RevisionContent = field(default_factory=RevisionContent)
    """What it did to matches, for the digest of the revision."""

    @property
    def number(self) -> int:
        return self.season.last_revision

    def next_seqs(self, count: int) -> range:
        """Take `count` consecutive places in the season's order."""
        first = self.season.last_seq + 1
        self.season.last_seq += count
        return range(first, first + count)

    def touch(self, mode_id: int, matches: int = 1) -> None:
        """Count matches of a mode as touched by this revision."""
        self.modes.add(mode_id)
        summary = self.revision.summary
        summary["matches"] = int(summary.get("matches", 0)) + matches


def lock_season(season_id: int) -> Season:
    """Lock a season in the caller's transaction, and read it: of all locks the first one taken.

    Whoever makes players on the way to a result holds the season before, so that two who bring
    the same newcomer wait for each other and not crosswise.
    """
    return Season.objects.select_for_update(no_key=True).get(pk=season_id)


@contextmanager
def commit_to(
    season: Season,
    *,
    kind: str,
    author: User | None,
    source: str,
    reason: str = "",
    revision: Revision | None = None,
    late: bool = False,
    at: datetime | None = None,
) -> Iterator[Commit]:
    """Open a revision of `season`, number it, and let the boards it touches be rated.

    While a season is closing it takes changes of its results, and new ones that are `late`.

    The season row is locked first and only for the milliseconds of the numbering; whatever raises
    inside leaves neither numbers nor facts behind. `revision` is one that was staged before.
    `at` is its moment where that is not now: the demo's organizers enter on invented days.
    """
    with transaction.atomic():
        locked = (
            Season.objects.select_for_update(of=("self",), no_key=True)
            .select_related("league")
            .get(pk=season.pk)
        )
        late = late or kind in CHANGES
        refusal = season_problem(locked, late=late) or reason_problem(reason)
        if refusal:
            raise Refused([refusal])
        locked.last_revision += 1
        if revision is None:
            revision = Revision(
                league_id=locked.league_id, season=locked, kind=kind, source=source, reason=reason
            )
            revision.created_at = at or revision.created_at
            revision.author = author if author is not None and author.pk else None
        revision.number = locked.last_revision
        revision.author_key = revision.author_id
        revision.state = Revision.State.APPLIED
        revision.save()
        commit = Commit(season=locked, revision=revision)
        yield commit
        list_players(season=locked, number=commit.number, players=commit.players)
        revision.digest = hash_revision(locked.facts_digest, said_by(revision), commit.content)
        revision.save(update_fields=["summary", "digest"])
        locked.facts_digest = revision.digest
        locked.save(update_fields=["last_seq", "last_revision", "facts_digest"])
        for mode_id in sorted(commit.modes):
            request_rating(season=locked, mode_id=mode_id)


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
