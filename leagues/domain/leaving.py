"""Who no longer plays in a league: whom organizers said it of, until a later result says otherwise.

Whoever left is proposed nowhere, but meant by the own name as before. No rating, rank or record
depends on it.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet

from leagues.models import Match, Participant, Player


def players_who_left(league_id: int) -> QuerySet[Player]:
    """The players of a league who left, and for whom no match counts that was played since.

    A match without a time stands at the first instant of its day. One of the day of leaving was
    played since if it was entered since. Of a started match it counts when that began: its time
    limit passes without anyone playing.
    """
    left_at = OuterRef("left_at")
    later_that_day = Q(
        match__date_only=True,
        match__played_at__gt=left_at - timedelta(days=1),
        match__recorded_at__gt=left_at,
    )
    since = Participant.objects.filter(
        Q(match__played_at__gt=left_at) | later_that_day,
        Q(match__started_at__isnull=True) | Q(match__started_at__gt=left_at),
        player=OuterRef("pk"),
        match__status=Match.Status.LIVE,
    )
    return Player.objects.filter(~Exists(since), league=league_id, left_at__isnull=False)


def left_among(players: Collection[Player]) -> frozenset[int]:
    """Those of some players of a league who left, by id; no query where none was said to."""
    candidates = [player for player in players if player.left_at is not None]
    if not candidates:
        return frozenset()
    left = players_who_left(candidates[0].league_id).filter(
        pk__in=[player.pk for player in candidates]
    )
    return frozenset(left.values_list("pk", flat=True))


def has_left(player: Player) -> bool:
    """Whether a player no longer plays here."""
    return bool(left_among([player]))
