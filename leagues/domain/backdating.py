"""Which dates of results only those may enter who have the right to backdate."""

from __future__ import annotations

from datetime import datetime, timedelta

from leagues.domain.civil_days import day_of
from leagues.models import League

BACKDATE_LIMIT = timedelta(days=1)


def is_backdated(league: League, played_at: datetime, now: datetime) -> bool:
    """Whether a result is dated more than a day back.

    A match known by its date only stands at midnight of that day, so yesterday's is in time.
    """
    yesterday = league.midnight(day_of(now, league.zone) - BACKDATE_LIMIT)
    return played_at < min(yesterday, now - BACKDATE_LIMIT)
