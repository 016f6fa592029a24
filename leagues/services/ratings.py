"""Asking for ratings: the job that lets the boards of a season and mode catch up."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import F, Max, QuerySet

from leagues.jobs.queue import enqueue, enqueue_each
from leagues.models import Board, Job, Season
from leagues.store.prepared import prepare

VERIFY_DELAY = timedelta(minutes=1)
VERIFY_REST = 50
"""So many times as long as a check takes there is none of the board: 2 % of a core at most."""


def request_rating(*, season: Season, mode_id: int) -> None:
    """Queue one job for each board of the season and mode, in the caller's transaction."""
    boards = [pk for (pk,) in _board_keys(season=season.pk, mode=mode_id)]
    enqueue_each("rate_board", map(_rating_of, boards), league_id=season.league_id)


def enqueue_rating(board: Board) -> None:
    """Queue the job that brings one board up to its season's last revision."""
    enqueue_each("rate_board", [_rating_of(board.pk)], league_id=board.league_id)


def _rating_of(board: int) -> tuple[str, dict[str, int]]:
    """The key of the job that rates a board, and what it is told."""
    return f"rate:{board}", {"board": board}


@prepare
def _board_keys(*, season: int, mode: int) -> QuerySet[Board, tuple[int]]:
    return Board.objects.filter(season=season, mode=mode).order_by("pk").values_list("pk")


def enqueue_verification(board: Board) -> int:
    """Queue the check that replaying a board gives what is stored, in proportion to its cost."""
    key = f"verify:{board.pk}"
    return enqueue(
        "verify_board",
        key=key,
        params={"board": board.pk},
        league_id=board.league_id,
        delay=lambda: max(VERIFY_DELAY, VERIFY_REST * _longest_run(key)),
    )


def _longest_run(key: str) -> timedelta:
    """How long the jobs of a key took at most, of those that are not tidied away yet."""
    done = Job.objects.filter(key=key, state=Job.State.DONE)
    longest = done.aggregate(longest=Max(F("finished_at") - F("started_at")))["longest"]
    return longest or timedelta()


def enqueue_record_check(league_id: int) -> int:
    """Queue the check that nothing in a league's record was changed behind its back."""
    return enqueue(
        "check_record",
        key=f"record:{league_id}",
        params={"league": league_id},
        league_id=league_id,
        delay=VERIFY_DELAY,
    )
