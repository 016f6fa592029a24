"""With which earlier day the standings of a board are compared."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from leagues.domain.civil_days import day_of
from leagues.models import League
from leagues.models.checks import FIRST_INSTANT
from leagues.store.standing_columns import day_began


def comparison(
    league: League,
    since: str,
    *,
    on: date,
    first_at: datetime | None,
    last_at: datetime | None,
    visited: date | None,
) -> datetime | None:
    """The moment before which the standings are compared with those of a day.

    By default that is the midnight before the newest day with results, which never moves while a
    night is being entered and leaves the changes of the last one to be seen on the days after.
    """
    if last_at is None:
        return None
    if since == "visit" and visited is not None and visited < on:
        at = league.midnight(visited + timedelta(days=1))
    elif since in ("7", "30"):
        at = league.midnight(on - timedelta(days=int(since) - 1))
    elif since == "season":
        first = first_at or last_at
        at = league.midnight(day_of(first, league.zone) + timedelta(days=1))
    else:
        at = day_began(league, last_at)
    # Nobody has played before it, and no earlier moment is kept.
    return max(at, FIRST_INSTANT)
