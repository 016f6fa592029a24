"""Stored matches, and their versions, as the drafts that would say the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from leagues.models import Match, Participant
from leagues.services.drafts import (
    MatchDraft,
    MemberDraft,
    SideDraft,
)
from leagues.services.players import players_by_key
from leagues.store.prepared import prepare
from leagues.store.stored_words import PLAYING_SHARE, SAME_TIME_ORDER


def draft_of(match: Match) -> MatchDraft:
    """A stored match as the draft that would say the same."""
    return drafts_of([match])[0]


def drafts_of(matches: Sequence[Match]) -> list[MatchDraft]:
    """Stored matches as the drafts that would say the same, with one query."""
    rows = _participants(matches=[match.pk for match in matches])
    sides: dict[int, dict[int, list[Participant]]] = {match.pk: {} for match in matches}
    for row in rows:
        sides[row.match_id].setdefault(row.side, []).append(row)
    return [_draft_from_rows(match, sides[match.pk].values()) for match in matches]


@prepare
def _participants(*, matches: list[int]) -> QuerySet[Participant, Participant]:
    rows = Participant.objects.filter(match__pk__in=matches)
    return rows.select_related("player").order_by("side", "player__key")


def _draft_from_rows(match: Match, sides: Iterable[Sequence[Participant]]) -> MatchDraft:
    return MatchDraft(
        played_at=match.played_at,
        sides=tuple(
            SideDraft(
                rank=rows[0].rank,
                score=rows[0].score,
                members=tuple(
                    MemberDraft(
                        row.player, own_score=row.own_score, playing_share=row.playing_share
                    )
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
    )


def draft_from_content(match: Match, content: dict[str, Any]) -> MatchDraft:
    """The draft that a stored version describes."""
    keys = [member["player"] for side in content["sides"] for member in side["members"]]
    players = players_by_key(match.season.league, keys)
    return MatchDraft(
        played_at=datetime.fromisoformat(content["played_at"]),
        sides=tuple(
            SideDraft(
                rank=side["rank"],
                score=side["score"],
                members=tuple(
                    MemberDraft(
                        players[member["player"]],
                        own_score=member["own_score"],
                        playing_share=member[PLAYING_SHARE],
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
    )
