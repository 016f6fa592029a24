"""Stored matches, and their versions, as the drafts that would say the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from leagues.models import Match, MatchEvent, Participant, Player
from leagues.services.drafts import (
    EventDraft,
    MatchDraft,
    MemberDraft,
    SideDraft,
    StartDraft,
    are_turned,
    events_of_content,
    leaving_of_content,
    start_of_content,
)
from leagues.services.players import players_by_key
from leagues.store.prepared import prepare
from leagues.store.stored_words import HANDICAP, PLAYING_SHARE, SAME_TIME_ORDER, SETS


def draft_of(match: Match) -> MatchDraft:
    """A stored match as the draft that would say the same."""
    return drafts_of([match])[0]


def drafts_of(matches: Sequence[Match]) -> list[MatchDraft]:
    """Stored matches as the drafts that would say the same, with two queries.

    With one where they were read with `has_events`, and none of them has any.
    """
    keys = [match.pk for match in matches]
    sides: dict[int, dict[int, list[Participant]]] = {key: {} for key in keys}
    players: dict[int, Player] = {}
    for row in _participants(matches=keys):
        sides[row.match_id].setdefault(row.side, []).append(row)
        players[row.player_id] = row.player
    events: dict[int, list[EventDraft]] = {key: [] for key in keys}
    for event in _events(matches=[one.pk for one in matches if getattr(one, "has_events", True)]):
        events[event.match_id].append(_event_draft(event, players))
    return [
        _draft_from_rows(match, sides[match.pk].values(), tuple(events[match.pk]))
        for match in matches
    ]


@prepare
def _participants(*, matches: list[int]) -> QuerySet[Participant, Participant]:
    rows = Participant.objects.filter(match__pk__in=matches)
    return rows.select_related("player").order_by("side", "player__key")


@prepare
def _events(*, matches: list[int]) -> QuerySet[MatchEvent, MatchEvent]:
    return MatchEvent.objects.filter(match__pk__in=matches).order_by("match", "position")


def _event_draft(row: MatchEvent, players: Mapping[int, Player]) -> EventDraft:
    return EventDraft(
        kind=row.kind,
        player=players[row.player_id],
        opponent=None if row.opponent_id is None else players[row.opponent_id],
        points=row.points,
        milliseconds=row.milliseconds,
    )


def _draft_from_rows(
    match: Match, sides: Iterable[Sequence[Participant]], events: tuple[EventDraft, ...]
) -> MatchDraft:
    return MatchDraft(
        played_at=match.played_at,
        sides=tuple(
            SideDraft(
                rank=rows[0].rank,
                score=rows[0].score,
                handicap=rows[0].handicap,
                members=tuple(
                    MemberDraft(row.player, row.own_score, row.playing_share, row.leaving)
                    for row in rows
                ),
            )
            for rows in sides
        ),
        date_only=match.date_only,
        same_time_order=match.same_time_order,
        kind=match.kind,
        weight=match.weight,
        detail=match.detail,
        external_id=match.external_id,
        events=events,
        sets=match.sets,
        start=_start_of(match),
    )


def _start_of(match: Match) -> StartDraft | None:
    """The start that a stored match tells of, if it does."""
    if match.started_at is None or match.deadline_at is None:
        return None
    return StartDraft(match.started_at, match.deadline_at, match.rungs_lost)


def draft_at(match: Match, version: int) -> MatchDraft | None:
    """What a match said at one of its versions; None of one that it never had."""
    if not 1 <= version <= match.version:
        return None
    # A version in which only whether it counts was changed has no sides: it said what the next did.
    contents = match.versions.filter(version__gte=version).values_list("content", flat=True)
    said = next((one for one in contents.order_by("version") if "sides" in one), None)
    return draft_of(match) if said is None else draft_from_content(match, said)


def draft_from_content(match: Match, content: dict[str, Any]) -> MatchDraft:
    """The draft that a stored version describes.

    A version knows no order of sides with one rank. Those of a start stay as they are: its result
    is told by their order.
    """
    draft = _draft_from_content(match, content)
    if draft.start is not None and are_turned(draft_of(match).sides, draft.sides):
        return replace(draft, sides=draft.sides[::-1])
    return draft


def _draft_from_content(match: Match, content: dict[str, Any]) -> MatchDraft:
    keys = [member["player"] for side in content["sides"] for member in side["members"]]
    players = players_by_key(match.season.league, keys)
    leaving = dict(leaving_of_content(content))
    return MatchDraft(
        played_at=datetime.fromisoformat(content["played_at"]),
        sides=tuple(
            SideDraft(
                rank=side["rank"],
                score=side["score"],
                handicap=side.get(HANDICAP, 0),
                members=tuple(
                    MemberDraft(
                        players[member["player"]],
                        own_score=member["own_score"],
                        playing_share=member[PLAYING_SHARE],
                        leaving=leaving.get(member["player"]),
                    )
                    for member in side["members"]
                ),
            )
            for side in content["sides"]
        ),
        date_only=content["date_only"],
        same_time_order=content[SAME_TIME_ORDER],
        kind=content["kind"],
        weight=content["weight"],
        detail=content["detail"],
        external_id=match.external_id,
        events=tuple(
            EventDraft(kind, players[one], None if other is None else players[other], points, at)
            for kind, one, other, points, at in events_of_content(content)
        ),
        sets=content.get(SETS, ""),
        start=start_of_content(content),
    )
