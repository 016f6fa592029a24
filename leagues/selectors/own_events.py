"""The words that the events of a league's own kinds have."""

from __future__ import annotations

from django.db.models import Count

from leagues.domain.event_kinds import own_word
from leagues.models import League, Match, MatchEvent
from leagues.models.match import OWN_EVENT


def own_event_counts(league: League) -> list[tuple[str, int]]:
    """Each word of the stored events, with how many have it, the most frequent first."""
    events = MatchEvent.objects.filter(
        league=league, kind__startswith=OWN_EVENT, match__status=Match.Status.LIVE
    )
    rows = events.order_by().values_list("kind").annotate(count=Count("pk"))
    return [(own_word(kind), count) for kind, count in rows.order_by("-count", "kind")]
