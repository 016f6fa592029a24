"""Leagues by name, and what is played in them."""

from __future__ import annotations

from typing import TypeAlias

from django.db.models import QuerySet

from leagues.models import League, Mode
from leagues.store.prepared import prepare

Leagues: TypeAlias = QuerySet[League]


def named_leagues(leagues: Leagues, name: str) -> Leagues:
    """Those whose name has the letters, the demo first, then by name."""
    matching = leagues.filter(name__icontains=name) if name else leagues
    return matching.order_by("-is_demo", "name", "pk")


@prepare
def modes_of(*, league: int) -> QuerySet[Mode, Mode]:
    """What is played in a league."""
    return Mode.objects.filter(league=league)
