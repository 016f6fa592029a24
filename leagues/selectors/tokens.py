"""The tokens by which programs reach a league."""

from __future__ import annotations

from django.db.models import QuerySet

from leagues.models import ApiToken, League


def tokens_of(league: League) -> QuerySet[ApiToken]:
    """A league's tokens, the newest first; nothing of them but the public part."""
    return league.tokens.all()
