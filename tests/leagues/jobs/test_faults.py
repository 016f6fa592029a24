"""Faults of workers and of what they work on: nothing is done twice, mixed or lost."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.db.models.functions import Now

from leagues import tasks
from leagues.jobs.queue import MOST_ATTEMPTS, Claim, LeaseLost, claim_job
from leagues.jobs.runner import drain, run_claim
from leagues.models import Board, Job, League, Match, RatingSegment, Standing
from leagues.services.boards import rate_board_job
from leagues.services.integrity import check_board, league_digest
from leagues.services.leagues import restart_board
from leagues.services.matches import correct_match, record_matches
from tests.leagues.play import START, mode_of, new_club, record, result, rounds, season_of

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = ("Ana", "Bo", "Cy")


@pytest.fixture
def club() -> League:
    league = new_club()
    record(league, *rounds(league, NAMES, 3))
    return league


def submit(club: League, day: int) -> None:
    draft = result(club, "Cy", "Ana", at=START + timedelta(days=day))
    record_matches(season=season_of(club), mode=mode_of(club), drafts=[draft])


def restart(board: Board) -> None:
    """Let a board be computed from nothing, as a caller does who has locked its season."""
    with transaction.atomic():
        restart_board(board)


def claim_rating(board: Board) -> Claim:
    claim = claim_job(key=f"rate:{board.pk}")
    assert claim is not None
    return claim


def assert_as_replayed(club: League) -> None:
    for board in club.boards.all():
        report = check_board(board)
        assert (report.is_behind, report.differences) == (False, ())


@pytest.mark.parametrize("task", [tasks.work, tasks.sweep])
def test_f15_a_message_that_two_processes_get_at_once_is_done_once(
    club: League, task: Callable[[], None]
) -> None:
    submit(club, 5)
    ready = threading.Barrier(2)

    def work() -> None:
        ready.wait()
        try:
            task()
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    task()
    assert not Job.objects.filter(kind="rate_board").exclude(state="done", attempts=1).exists()
    assert_as_replayed(club)


def test_f16_while_one_worker_rates_a_board_another_finds_nothing_of_it(club: League) -> None:
    board = club.boards.get(system="elo")
    submit(club, 5)
    claim = claim_rating(board)
    submit(club, 6)
    assert claim_job(key=f"rate:{board.pk}") is None
    assert run_claim(claim)
    drain()
    assert_as_replayed(club)


@pytest.mark.parametrize("is_full", [False, True])
def test_f17_a_worker_that_was_paused_beyond_its_lease_writes_nothing(
    club: League, is_full: bool
) -> None:
    board = club.boards.get(system="elo")
    submit(club, 5)
    if is_full:
        restart(board)
    slow = claim_rating(board)
    Job.objects.filter(pk=slow.job.pk).update(lease_until=Now() - timedelta(seconds=1))
    quick = claim_rating(board)
    with pytest.raises(LeaseLost):
        rate_board_job(slow)
    assert run_claim(quick)
    drain()
    digest = league_digest(club)
    with pytest.raises(LeaseLost):
        rate_board_job(slow)
    assert league_digest(club) == digest
    assert_as_replayed(club)


def during_the_replay(board: Board, change: Callable[[], object]) -> None:
    """Replay a board from nothing, and do something in the middle of it, once."""
    restart(board)
    claim = claim_rating(board)
    report, is_changed = claim.progress, False

    def progress(done: int, total: int, stage: str) -> None:
        nonlocal is_changed
        report(done, total, stage)
        if stage == "write" and not is_changed:
            is_changed = True
            change()

    claim.progress = progress  # type: ignore[method-assign]
    assert run_claim(claim)
    assert is_changed


def test_f24_results_that_come_during_a_replay_wait_for_it_and_readers_see_one_generation(
    club: League,
) -> None:
    board = club.boards.get(system="elo")
    before = set(Standing.objects.current(board).values_list("pk", "shown"))

    def change() -> None:
        submit(club, 5)
        now = Board.objects.get(pk=board.pk)
        assert set(Standing.objects.current(now).values_list("pk", "shown")) == before
        written = RatingSegment.objects.filter(board=board).values("generation").distinct()
        assert written.count() == 2

    during_the_replay(board, change)
    drain()
    assert set(Standing.objects.filter(board=board).values_list("generation")) == {
        (Board.objects.get(pk=board.pk).generation,)
    }
    assert_as_replayed(club)


def test_f25_a_correction_during_a_replay_of_the_same_board_is_not_lost(club: League) -> None:
    board = club.boards.get(system="elo")
    match = Match.objects.earliest("seq")

    def change() -> None:
        draft = result(club, "Bo", "Ana", at=match.played_at)
        correct_match(match=match, draft=draft, expected_version=1, author=None)

    during_the_replay(board, change)
    drain()
    assert_as_replayed(club)


def test_f26_a_board_that_cannot_be_rated_stops_alone_after_growing_pauses(club: League) -> None:
    other = new_club("other")
    board = club.boards.get(system="elo")
    parameters = board.parameters
    Board.objects.filter(pk=board.pk).update(parameters={"k": "poison"})
    submit(club, 5)
    restart(board)
    pauses = []
    for _attempt in range(MOST_ATTEMPTS):
        drain()
        job = Job.objects.get(key=f"rate:{board.pk}", state__in=["queued", "failed"])
        pauses.append((job.run_after - (job.started_at or job.run_after)).total_seconds())
        Job.objects.filter(pk=job.pk, state="queued").update(run_after=Now())
    assert pauses[:-1] == sorted(pauses[:-1]) and pauses[3] > 10
    assert job.state == Job.State.FAILED
    board.refresh_from_db()
    assert board.state == Board.State.PAUSED and board.problem
    # The others go on, of this league and of all others.
    record(other, result(other, "Ana", "Bo"))
    assert_as_replayed(other)
    for sound in club.boards.exclude(pk=board.pk):
        assert check_board(sound).differences == ()
    Board.objects.filter(pk=board.pk).update(parameters=parameters)
    restart(board)
    drain()
    assert_as_replayed(club)
