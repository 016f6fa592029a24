"""When a match that has begun counts as lost."""

from __future__ import annotations

from datetime import datetime, timedelta

from leagues.models import Match

_TICK = timedelta(microseconds=1)


def deadline_of(match: Match) -> datetime:
    """The moment at which a started match counts as lost: within its season, by its mode's rule."""
    started_at = match.started_at or match.played_at
    deadline = started_at + timedelta(hours=match.mode.start_hours)
    ends_at = match.season.ends_at
    return deadline if ends_at is None else min(deadline, max(ends_at - _TICK, started_at))


def lost_at(match: Match, at: datetime) -> tuple[datetime, bool]:
    """When who leaves a started match at a moment loses it, and whether its time is over then."""
    deadline = deadline_of(match)
    return min(at, deadline), deadline <= at
