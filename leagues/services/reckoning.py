"""Moving boards forward while nobody plays: absence is reckoned with at the end of each period.

A board's `reckoned_until` is a fact like its results: what stands on the board is computed from
both. Moving it forward lets the board be rated again up to then, as a late result does, so a
sweep that was missed, came twice or died in the middle leaves nothing behind.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from leagues import bridge
from leagues.absence import civil_day, midnight
from leagues.faults import faultpoint
from leagues.jobs.queue import Claim
from leagues.models import Board, Season
from leagues.services.leagues import restart_board

MOST_PERIODS: Final = 366
"""After so many periods without any match a board rests until the next one."""


def sweep_job(claim: Claim) -> dict[str, int]:
    """Reckon with absence on all boards up to now."""
    return {"boards": sweep(timezone.now())}


def sweep(now: datetime, *, season: Season | None = None) -> int:
    """Move every board that takes results to its last period end; returns how many moved."""
    boards = Board.objects.filter(season__state=Season.State.OPEN, last_at__isnull=False)
    if season is not None:
        boards = boards.filter(season=season)
    moved = 0
    for board in boards.select_related("league", "season").order_by("pk"):
        until = last_period_end(board, now)
        if until is not None and (board.reckoned_until is None or board.reckoned_until < until):
            moved += _reckon(board, until)
    return moved


def last_period_end(board: Board, now: datetime) -> datetime | None:
    """Return the last end of a period on a board by a moment; None where it has no periods.

    Periods begin with civil days of the league's zone. None ends after the season does.
    """
    days = bridge.newest_system(board).period_days
    if days is None or board.last_at is None:
        return None
    ends_at = board.season.ends_at
    today = civil_day(board.league, min(now, ends_at) if ends_at else now)
    last_played = civil_day(board.league, board.last_at) // days
    return midnight(board.league, min(today // days, last_played + MOST_PERIODS) * days)


def reckon_back(season: Season, now: datetime) -> None:
    """Give back what absence took after a season's end, which has become an earlier one.

    The caller holds the season's lock.
    """
    for board in season.boards.select_related("league", "season").order_by("pk"):
        until = last_period_end(board, now)
        if until is not None and board.reckoned_until and board.reckoned_until > until:
            Board.objects.filter(pk=board.pk).update(reckoned_until=until)
            restart_board(board)


@transaction.atomic
def _reckon(board: Board, until: datetime) -> bool:
    # Under the season's lock, so that none is sealed meanwhile.
    season = Season.objects.select_for_update(no_key=True).get(pk=board.season_id)
    if not season.takes_results:
        return False
    behind = Q(reckoned_until__isnull=True) | Q(reckoned_until__lt=until)
    if not Board.objects.filter(behind, pk=board.pk).update(reckoned_until=until):
        return False
    faultpoint("after_reckoning")
    restart_board(board)
    return True
