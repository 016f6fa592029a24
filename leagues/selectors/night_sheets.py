"""Night sheets: whose lines they are, and what completes them."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.models import User

from leagues.models import League, NightSheet, Participant, RequestKey
from leagues.selectors.names import known_names

MAX_RECENT = 200
"""The newest places in matches whose players are offered first."""


def sheet_of(league: League, author: User) -> NightSheet | None:
    """The sheet that somebody is typing in a league."""
    return NightSheet.objects.select_related("mode").filter(league=league, author=author).first()


def request_of_sheet(league: League, source: str, key: UUID | None) -> RequestKey | None:
    """The request by which a sheet was entered, with its revision, if it was."""
    if key is None:
        return None
    known = RequestKey.objects.filter(league=league, source=source, key=str(key))
    return known.select_related("revision__season").first()


def names_to_complete(league: League) -> list[str]:
    """Names of a league to complete, those first who played last."""
    recent = Participant.objects.filter(match__league=league, player__is_listed=True)
    newest = recent.order_by("-match__played_at", "-match__pk")
    names = newest.values_list("player__name", flat=True)[:MAX_RECENT]
    return list(dict.fromkeys([*names, *known_names(league)]))
