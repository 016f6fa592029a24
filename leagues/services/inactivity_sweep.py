"""The inactivity sweep: boards move forward while nobody plays, period by period.

A board's `decayed_until` is a fact like its results: what stands on the board is computed from
both. Moving it forward lets the board be rated again up to then, as a late result does, so a
sweep that was missed, came twice or died in the middle leaves nothing behind.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import Max
from django.db.models.functions import Now

from leagues import bridge
from leagues.domain.civil_days import day_number, start_of_day_number
from leagues.jobs.faults import faultpoint
from leagues.jobs.queue import Claim
from leagues.models import Board, Job, Match, Season
from leagues.services.leagues import restart_board
from leagues.services.revisions import lock_season

MOST_PERIODS: Final = 366
"""After so many periods without any match a board rests until the next one."""


def sweep_job(claim: Claim) -> dict[str, int]:
    """Apply inactivity to all boards up to now."""
    # The database's clock: it is the same one for all machines, and never far off.
    now = Job.objects.filter(pk=claim.job.pk).values_list(Now(), flat=True).get()
    return {"boards": sweep(now)}


def sweep(now: datetime, *, season: Season | None = None) -> int:
    """Move every board that takes results to its last period end; returns how many moved.

    One that a wrong clock has moved beyond `now` comes back.
    """
    boards = Board.objects.filter(season__state=Season.State.OPEN)
    if season is not None:
        boards = boards.filter(season=season)
    moved = 0
    for board in boards.select_related("league", "season").order_by("pk"):
        until = last_period_end(board, last_match_at(board), now)
        if until is None or until == board.decayed_until:
            continue
        if board.decayed_until is None or not until < board.decayed_until <= now:
            moved += _decay(board, until)
    return moved


def last_match_at(board: Board) -> datetime | None:
    """The time of the last result that a board rates, or is going to rate.

    How far a board has got depends on how busy the workers are.
    """
    last: datetime | None = Match.objects.rated_on(board).aggregate(at=Max("played_at"))["at"]
    return last


def last_period_end(board: Board, last: datetime | None, now: datetime) -> datetime | None:
    """The last end of a period on a board by a moment; None where it has no periods.

    Periods begin with civil days of the league's zone. None ends after the season does, nor many
    after the `last` result.
    """
    days = bridge.newest_system(board).period_days
    if days is None or last is None:
        return None
    ends_at = board.season.ends_at
    today = day_number(min(now, ends_at) if ends_at else now, board.league.zone)
    most = day_number(last, board.league.zone) // days + MOST_PERIODS
    return start_of_day_number(min(today // days, most) * days, board.league.zone)


def sweep_again(season: Season, now: datetime) -> None:
    """Apply inactivity up to another end of a season that is not sealed.

    Up to `now`, or when it stopped taking results. The caller holds the season's lock.
    """
    until_now = season.stopped_at or now
    for board in season.boards.select_related("league", "season").order_by("pk"):
        until = last_period_end(board, last_match_at(board), until_now)
        if until is not None and until != board.decayed_until:
            _move(board, until)


@transaction.atomic
def decay_as_recorded(board: Board, until: datetime | None) -> None:
    """Apply inactivity up to a moment that was recorded elsewhere, in a season that is not open.

    An open one goes by the clock.
    """
    season = lock_season(board.season_id)
    if not season.is_sealed and not season.takes_results and until != board.decayed_until:
        _move(board, until)


@transaction.atomic
def _decay(board: Board, until: datetime) -> bool:
    # Under the season's lock, so that none is sealed meanwhile.
    season = Season.objects.select_for_update(no_key=True).get(pk=board.season_id)
    if not season.takes_results:
        return False
    if not Board.objects.filter(pk=board.pk, decayed_until=board.decayed_until).exists():
        return False
    _move(board, until)
    return True


def _move(board: Board, until: datetime | None) -> None:
    Board.objects.filter(pk=board.pk).update(decayed_until=until)
    faultpoint("after_decay")
    restart_board(board)
