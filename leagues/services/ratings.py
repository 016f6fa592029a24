"""Asking for ratings: the job that lets the boards of a season and mode catch up."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import F, Max

from leagues.jobs.queue import enqueue, enqueue_each
from leagues.models import Board, Job, Season
from leagues.services.rated_boards import RatedBoards, rated_boards

VERIFY_DELAY = timedelta(minutes=1)
VERIFY_REST = 50
"""So many times as long as a check takes there is none of the board: 2 % of a core at most."""


def request_rating(*, season: Season, mode_id: int, boards: RatedBoards | None = None) -> None:
    """Queue one job for each board of the season and mode, in the caller's transaction.

    `boards` are these, if they have been read under its lock.
    """
    boards = boards or rated_boards(season_id=season.pk, mode_id=mode_id)
    keys = boards.keys if boards else ()
    enqueue_each("rate_board", map(_rating_of, keys), league_id=season.league_id)


def enqueue_rating(board: Board) -> None:
    """Queue the job that brings one board up to its season's last revision."""
    enqueue_each("rate_board", [_rating_of(board.pk)], league_id=board.league_id)


def _rating_of(board: int) -> tuple[str, dict[str, int]]:
    """The key of the job that rates a board, and what it is told."""
    return f"rate:{board}", {"board": board}


def enqueue_verification(board: Board, *, delay: timedelta | None = None) -> int:
    """Queue the check that replaying a board gives what is stored.

    After this delay, or where there is none in proportion to its cost.
    """
    return _enqueue_check("verify_board", f"verify:{board.pk}", board, delay)


def enqueue_change_check(board: Board) -> int:
    """Queue the check of what has changed on a board, in proportion to its cost."""
    return _enqueue_check("verify_changes", change_check_key(board.pk), board)


def change_check_key(board_id: int) -> str:
    """The key under which a board has one check of its changes at a time."""
    return f"verify-changes:{board_id}"


def _enqueue_check(kind: str, key: str, board: Board, delay: timedelta | None = None) -> int:
    return enqueue(
        kind,
        key=key,
        params={"board": board.pk},
        league_id=board.league_id,
        delay=delay if delay is not None else lambda: _fair_delay(key),
    )


def _fair_delay(key: str) -> timedelta:
    return max(VERIFY_DELAY, VERIFY_REST * _longest_run(key))


def _longest_run(key: str) -> timedelta:
    """How long the jobs of a key took at most, of those that are not tidied away yet."""
    done = Job.objects.filter(key=key, state=Job.State.DONE)
    longest = done.aggregate(longest=Max(F("finished_at") - F("started_at")))["longest"]
    return longest or timedelta()


def enqueue_record_check(league_id: int, *, delay: timedelta = VERIFY_DELAY) -> int:
    """Queue the check that nothing in a league's record was changed behind its back."""
    return enqueue(
        "check_record",
        key=f"record:{league_id}",
        params={"league": league_id},
        league_id=league_id,
        delay=delay,
    )
