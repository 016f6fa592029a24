"""Who counts as inactive: moments, and nothing else."""

from __future__ import annotations

from datetime import datetime, timedelta

from leagues.domain.civil_days import day_of
from leagues.models import Board

_INSTANT = timedelta(microseconds=1)


def inactive_before(board: Board, now: datetime) -> datetime:
    """The moment before which a player's last match makes an inactive player.

    A player is inactive once the league's days without a match are over, from the midnight after
    the last of them on; one match makes the player active again. Counted in the league's own
    days, so that nobody becomes inactive in the middle of a day.
    """
    league = board.league
    today = day_of(now, league.zone)
    return league.midnight(today - timedelta(days=board.active_days))


def absent_before(board: Board, last_at: datetime | None, now: datetime) -> datetime:
    """The moment before which a player's last match puts the player on the list of absence.

    Counted back from `last_at`, the board's last match, once its season is over or everybody rests.
    """
    if last_at is None:
        return inactive_before(board, now)
    is_over = not board.season.takes_late_results
    is_at_rest = last_at < inactive_before(board, now)
    return inactive_before(board, last_at if is_over or is_at_rest else now)


def last_instant(midnight: datetime) -> datetime:
    """The last instant of the day that a midnight ends, when nobody is away since then."""
    return midnight - _INSTANT
