"""Leagues by name, and what is played in them."""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeAlias

from django.db.models import BooleanField, Case, QuerySet, When

from leagues.models import League, Mode
from leagues.store.prepared import prepare_with_plan

Leagues: TypeAlias = QuerySet[League]


def named_leagues(leagues: Leagues, name: str, own: Collection[int] = ()) -> Leagues:
    """Those whose name has the letters: one's own first, then the demo, then by name."""
    matching = leagues.filter(name__icontains=name) if name else leagues
    if not own:
        return matching.order_by("-is_demo", "name", "pk")
    is_own = Case(When(pk__in=own, then=True), default=False, output_field=BooleanField())
    return matching.order_by(is_own.desc(), "-is_demo", "name", "pk")


@prepare_with_plan
def modes_of(*, league: int) -> QuerySet[Mode, Mode]:
    """What is played in a league."""
    return Mode.objects.filter(league=league)
