"""The rows of matches, their participants and events, as drafts say them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from operator import attrgetter
from typing import Any

from django.utils import timezone

from leagues.jobs.faults import faultpoint
from leagues.models import Match, MatchEvent, Mode, Participant, Revision, Season
from leagues.services.drafts import (
    MatchDraft,
    events_of,
    handicaps_of,
    leaving_of,
    payload_hash,
    sides_of,
)
from leagues.store.bulk import insert_rows, reserve_keys
from leagues.store.hashes import hash_match
from leagues.store.prepared import insert_row, new_row

MATCH_COLUMNS = tuple(field.attname for field in Match._meta.concrete_fields)
PARTICIPANT_COLUMNS = (
    "league_id",
    "match_id",
    "player_id",
    "side",
    "rank",
    "score",
    "handicap",
    "own_score",
    "playing_share",
    "leaving",
)
EVENT_COLUMNS = (
    *("league_id", "match_id", "position", "kind", "player_id", "opponent_id", "points"),
    "milliseconds",
)


def unsaved_match(
    draft: MatchDraft,
    *,
    season: Season,
    mode: Mode,
    source: str,
    revision: Revision,
) -> Match:
    """The row of a draft, without its numbers."""
    return new_row(
        Match,
        {
            **fields_of(draft),
            "league_id": season.league_id,
            "source": source,
            "payload_hash": payload_hash(draft),
        },
        {"season": season, "mode": mode, "revision": revision},
    )


def fields_of(draft: MatchDraft) -> dict[str, Any]:
    """The fields of a match that its draft says itself."""
    return {
        "played_at": draft.played_at,
        "date_only": draft.date_only,
        "same_time_order": draft.same_time_order,
        "kind": draft.kind,
        "weight": draft.weight,
        "detail": draft.detail,
        "sets": draft.sets,
        "external_id": draft.external_id,
        **start_columns(draft),
    }


def start_columns(draft: MatchDraft) -> dict[str, Any]:
    """What a match says of its start, by the names of its columns."""
    start = draft.start
    return {
        "started_at": start and start.at,
        "deadline_at": start and start.deadline,
        "rungs_lost": start.rungs if start else 0,
    }


def participant_rows(match: Match, draft: MatchDraft) -> Iterator[tuple[Any, ...]]:
    """Yield the values of a draft's players, in the order of `PARTICIPANT_COLUMNS`."""
    for number, side in enumerate(draft.sides):
        for member in side.members:
            yield (
                match.league_id,
                match.pk,
                member.player.pk,
                number,
                side.rank,
                side.score,
                side.handicap,
                member.own_score,
                member.playing_share,
                member.leaving,
            )


def event_rows(league_id: int, match_id: int, draft: MatchDraft) -> Iterator[tuple[Any, ...]]:
    """Yield the values of a draft's events, in the order of `EVENT_COLUMNS`."""
    for position, event in enumerate(draft.events):
        yield (
            league_id,
            match_id,
            position,
            event.kind,
            event.player.pk,
            None if event.opponent is None else event.opponent.pk,
            event.points,
            event.milliseconds,
        )


def store_rows(
    matches: Sequence[Match], drafts: Sequence[MatchDraft], *, status: str, author_id: int | None
) -> None:
    """Insert matches, their participants and events, in the caller's transaction."""
    now = timezone.now()
    for match, draft in zip(matches, drafts, strict=True):
        match.status = status
        match.entered_by_id = author_id
        match.recorded_at = now
        match.content_hash = hash_match(
            vars(match),
            sides_of(draft),
            events_of(draft),
            leaving_of(draft),
            handicaps_of(draft),
        )
    if len(matches) == 1:
        # By far the most common, and its key comes with it.
        insert_row(matches[0])
    else:
        for match, key in zip(matches, reserve_keys(Match, len(matches)), strict=True):
            match.pk = key
        insert_rows(Match, MATCH_COLUMNS, map(attrgetter(*MATCH_COLUMNS), matches))
    faultpoint("after_insert_match")
    _insert_parts(matches, drafts)


def rewrite_parts(
    matches: Sequence[Match], drafts: Sequence[MatchDraft], *, had_events: bool
) -> None:
    """Replace the participants and the events of stored matches, in the caller's transaction."""
    keys = [match.pk for match in matches]
    Participant.objects.filter(match__in=keys).delete()
    if had_events:
        MatchEvent.objects.filter(match__in=keys).delete()
    _insert_parts(matches, drafts)


def _insert_parts(matches: Sequence[Match], drafts: Sequence[MatchDraft]) -> None:
    """Insert the participants and the events of stored matches."""
    rows = map(participant_rows, matches, drafts)
    insert_rows(Participant, PARTICIPANT_COLUMNS, chain.from_iterable(rows))
    if any(draft.events for draft in drafts):
        happened = (
            event_rows(match.league_id, match.pk, draft)
            for match, draft in zip(matches, drafts, strict=True)
        )
        insert_rows(MatchEvent, EVENT_COLUMNS, chain.from_iterable(happened))
