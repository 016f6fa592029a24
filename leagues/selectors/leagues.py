"""Leagues by name."""

from __future__ import annotations

from django.db.models import QuerySet

from leagues.models import League


def named_leagues(leagues: QuerySet[League], name: str) -> QuerySet[League]:
    """Those whose name has the letters, the demo first, then by name."""
    found = leagues.filter(name__icontains=name) if name else leagues
    return found.order_by("-is_demo", "name", "pk")
