"""The record of who changed which setting."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User

from leagues.models import AuditEntry, League, Player, Season


def record_audit(
    *,
    league: League | None,
    actor: User | None,
    action: str,
    subject: str = "",
    season: Season | None = None,
    player: Player | None = None,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> AuditEntry:
    """Append who did what, with the old and the new values; secrets never go in here.

    `season` and `player` are what it was about, so that the record can be asked for them.
    """
    return AuditEntry.objects.create(
        league=league,
        actor=actor if actor is not None and actor.pk else None,
        action=action,
        subject=subject[:200],
        season=season,
        player=player,
        before=before,
        after=after,
    )
