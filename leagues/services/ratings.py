"""Asking for ratings: the job that lets the boards of a season and mode catch up."""

from __future__ import annotations

from datetime import timedelta

from leagues.jobs.queue import enqueue
from leagues.models import Board, Season

VERIFY_DELAY = timedelta(minutes=1)


def request_rating(*, season: Season, mode_id: int) -> None:
    """Queue one job for each board of the season and mode, in the caller's transaction."""
    for board in Board.objects.filter(season=season, mode_id=mode_id).order_by("pk"):
        enqueue_rating(board)


def enqueue_rating(board: Board) -> None:
    """Queue the job that brings one board up to its season's last revision."""
    enqueue(
        "rate_board",
        key=f"rate:{board.pk}",
        params={"board": board.pk},
        league_id=board.league_id,
    )


def enqueue_verification(board: Board) -> int:
    """Queue the check that replaying a board gives what is stored; after a while, not at once."""
    return enqueue(
        "verify_board",
        key=f"verify:{board.pk}",
        params={"board": board.pk},
        league_id=board.league_id,
        delay=VERIFY_DELAY,
    )


def enqueue_record_check(league_id: int) -> int:
    """Queue the check that nothing in a league's record was changed behind its back."""
    return enqueue(
        "check_record",
        key=f"record:{league_id}",
        params={"league": league_id},
        league_id=league_id,
        delay=VERIFY_DELAY,
    )
