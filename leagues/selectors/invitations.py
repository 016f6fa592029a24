"""The invitations of a league."""

from __future__ import annotations

from datetime import datetime

from django.db.models import QuerySet

from leagues.models import Invitation, League


def open_invitations(league: League, now: datetime) -> QuerySet[Invitation]:
    """The invitations of a league that can still be accepted, the first to expire first."""
    return league.invitations.filter(used_at=None, expires_at__gt=now)
