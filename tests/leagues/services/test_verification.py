"""The pace of checks: soon after a change where they are cheap, seldom where they are not."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models import F

from leagues.models import Board, Job
from leagues.services.ratings import VERIFY_DELAY, VERIFY_REST, enqueue_verification
from leagues.services.upkeep import verify_now
from tests.leagues.play import new_club, record, result
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def built_board(shared_rows: None) -> Board:
    club = new_club()
    record(club, result(club, "Ana", "Bo"))
    return club.boards.get(system="elo")


board = read_anew("built_board")


def checks(board: Board, **states: str) -> list[Job]:
    return list(Job.objects.filter(key=f"verify:{board.pk}", **states).order_by("pk"))


def let_a_check_have_taken(board: Board, seconds: float) -> None:
    """Let the check that waits be over, after so many seconds."""
    Job.objects.filter(key=f"verify:{board.pk}", state="queued").update(
        state="done",
        started_at=F("run_after"),
        finished_at=F("run_after") + timedelta(seconds=seconds),
    )


def wait_of_the_next(board: Board) -> timedelta:
    enqueue_verification(board)
    (job,) = checks(board, state="queued")
    return job.run_after - job.created_at


def test_a_change_is_checked_after_a_minute_where_that_is_cheap(board: Board) -> None:
    let_a_check_have_taken(board, 0.1)
    wait = wait_of_the_next(board)
    assert abs(wait - VERIFY_DELAY) < timedelta(seconds=5)


def test_a_check_that_takes_long_comes_seldom(board: Board) -> None:
    let_a_check_have_taken(board, 45)
    wait = wait_of_the_next(board)
    assert abs(wait - timedelta(seconds=45 * VERIFY_REST)) < timedelta(seconds=5)


def test_the_longest_of_the_last_checks_counts_not_one_that_found_the_board_behind(
    board: Board,
) -> None:
    let_a_check_have_taken(board, 45)
    enqueue_verification(board)
    let_a_check_have_taken(board, 0.01)
    assert wait_of_the_next(board) > timedelta(minutes=30)


def test_more_changes_do_not_put_a_check_off(board: Board) -> None:
    (first,) = checks(board, state="queued")
    record(board.league, result(board.league, "Bo", "Ana"))
    (same,) = checks(board, state="queued")
    assert (same.pk, same.run_after) == (first.pk, first.run_after)


def test_whoever_asks_for_a_check_does_not_wait(board: Board) -> None:
    let_a_check_have_taken(board, 45)
    enqueue_verification(board)
    verify_now(board=board)
    (job,) = checks(board, state="queued")
    assert job.run_after - job.created_at < timedelta(seconds=5)
