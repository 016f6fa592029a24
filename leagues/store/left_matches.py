"""Matches that somebody left by starting another one."""

from __future__ import annotations

from leagues.models import Match, Participant


def has_cost_another(start: Match) -> bool:
    """Whether somebody left another match by this start: at its moment, and to play in it."""
    leavers = Participant.objects.filter(
        player__in=start.participants.values("player"), leaving=Participant.Leaving.LEFT
    )
    lost = Match.objects.live().filter(
        kind=Match.Kind.LEFT, played_at=start.started_at or start.played_at
    )
    return lost.filter(mode=start.mode_id, participants__in=leavers).exists()
