"""Who counts as inactive, and when a board rests: moments and days, and nothing else."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from leagues.domain.civil_days import day_of
from leagues.models import Board, League

_INSTANT = timedelta(microseconds=1)


def inactive_before(board: Board, now: datetime) -> datetime:
    """The moment before which a player's last match makes an inactive player.

    A player is inactive once the league's days without a match are over, from the midnight after
    the last of them on; one match makes the player active again. Counted in the league's own
    days, so that nobody becomes inactive in the middle of a day.
    """
    return _midnight_before(board.league, board.active_days, now)


def inactive_in_league(league: League, last_at: datetime, now: datetime) -> datetime:
    """The same of a whole league, by its rules of now.

    Counted back from its last match, at `last_at`, once that lies as far back as makes everybody
    inactive.
    """
    since = _midnight_before(league, league.active_days, now)
    return since if last_at >= since else _midnight_before(league, league.active_days, last_at)


def _midnight_before(league: League, days: int, now: datetime) -> datetime:
    return league.midnight(day_of(now, league.zone) - timedelta(days=days))


def absent_before(board: Board, last_at: datetime | None, now: datetime) -> datetime:
    """The moment before which a player's last match puts the player on the list of absence.

    Counted back from `last_at`, the board's last match, while the board rests.
    """
    if last_at is not None and resting_since(board, last_at, now) is not None:
        return inactive_before(board, last_at)
    return inactive_before(board, now)


def resting_since(board: Board, last_at: datetime | None, now: datetime) -> date | None:
    """The last day with results of a board that rests; None while it is played, or never was.

    It rests once its season is over, and once its last match, at `last_at`, lies as far back as
    makes everybody inactive. Absence and uncertainty count up to that day from then on.
    """
    if last_at is None:
        return None
    is_over = not board.season.takes_late_results
    if not is_over and last_at >= inactive_before(board, now):
        return None
    return day_of(last_at, board.league.zone)


def last_instant(midnight: datetime) -> datetime:
    """The last instant of the day that a midnight ends, when nobody is away since then."""
    return midnight - _INSTANT
