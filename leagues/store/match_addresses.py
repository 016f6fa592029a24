"""The match of an address, read with what its pages ask first."""

from __future__ import annotations

from django.db.models import BigIntegerField, Exists, OuterRef, QuerySet, Subquery

from leagues.models import Match, MatchEvent, Membership
from leagues.store.prepared import prepare

_NO_USER = 0
"""No user has this key, so it has no role anywhere."""


def match_at(*, league: str, season: str, seq: int, user: int | None) -> Match | None:
    """The match of an address, with the role of a user in its league and whether it has events."""
    # A database refuses to look for a larger number instead of not finding it.
    if seq > BigIntegerField.MAX_BIGINT:
        return None
    rows = _matches_at(league=league, season=season, seq=seq, user=user or _NO_USER)
    return next(iter(rows), None)


@prepare
def _matches_at(*, league: str, season: str, seq: int, user: int) -> QuerySet[Match, Match]:
    roles = Membership.objects.filter(league=OuterRef("league"), user=user)
    return (
        Match.objects.select_related("league", "season", "mode", "revision", "entered_by")
        .annotate(
            role_here=Subquery(roles.values("role")[:1]),
            has_events=Exists(MatchEvent.objects.filter(match=OuterRef("pk"))),
        )
        .filter(league__slug=league, season__slug=season, seq=seq)
        .exclude(status=Match.Status.STAGED)
        .order_by()
    )
