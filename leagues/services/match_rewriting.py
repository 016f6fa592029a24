"""Rewriting stored matches inside a revision; what they said before is kept as versions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from leagues.models import Match, MatchVersion
from leagues.services.drafts import (
    MatchDraft,
    content_of,
    events_of,
    handicaps_of,
    leaving_of,
    players_of,
    sides_of,
)
from leagues.services.match_rows import rewrite_parts, start_columns
from leagues.services.stored_drafts import drafts_of
from leagues.store.hashes import hash_match

if TYPE_CHECKING:
    from leagues.services.revisions import Commit

REWRITTEN_COLUMNS = (
    *("played_at", "date_only", "same_time_order", "kind", "weight", "detail", "sets", "status"),
    *("version", "touched_in_revision", "content_hash"),
    *("started_at", "deadline_at", "rungs_lost"),
)


def rewrite_rows(
    commit: Commit,
    matches: Sequence[Match],
    drafts: Sequence[MatchDraft],
    statuses: Sequence[str],
    *,
    before: Sequence[MatchDraft] | None = None,
    are_counted: bool = True,
) -> None:
    """Let matches say what drafts say, with these statuses.

    `before` is what they say, if it has been read under the lock of their season. Those that only
    follow from other changes are not counted among the matches of the revision.
    """
    before = drafts_of(matches) if before is None else before
    MatchVersion.objects.bulk_create(
        MatchVersion(
            league_id=match.league_id,
            match=match,
            version=match.version,
            content={"status": match.status, **content_of(said)},
            revision=commit.revision,
        )
        for match, said in zip(matches, before, strict=True)
    )
    for match, draft, status in zip(matches, drafts, statuses, strict=True):
        match.played_at = draft.played_at
        match.date_only = draft.date_only
        match.same_time_order = draft.same_time_order
        match.kind = draft.kind
        match.weight = draft.weight
        match.detail = draft.detail
        match.sets = draft.sets
        for column, value in start_columns(draft).items():
            setattr(match, column, value)
        match.status = status
        match.version += 1
        match.touched_in_revision = commit.number
        match.content_hash = content_hash = hash_match(
            vars(match),
            sides_of(draft),
            events_of(draft),
            leaving_of(draft),
            handicaps_of(draft),
        )
        commit.content.add_change(match.seq, match.version, match.status, content_hash)
        match.save(update_fields=REWRITTEN_COLUMNS)
        commit.touch(match.mode_id, int(are_counted))
    commit.players.update(player.pk for said in before for player in players_of(said))
    commit.former_moments.extend(said.played_at for said in before)
    rewrite_parts(matches, drafts, had_events=any(draft.events for draft in before))
