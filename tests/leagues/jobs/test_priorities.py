"""Priorities: ratings first, nothing that a page asks for now before them, and none starve."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db.models import F

from leagues.jobs.priorities import LATE, PATIENCE, Priority
from leagues.jobs.queue import claim_job, enqueue, seconds_to_next
from leagues.jobs.registry import kinds_of
from leagues.jobs.runner import drain
from leagues.jobs.wake import Sleep, sleeping
from leagues.models import Job
from leagues.services.job_kinds import KINDS

pytestmark = pytest.mark.django_db(transaction=True)


def put(kind: str) -> None:
    """Queue a job about a board that is not there."""
    enqueue(kind, key=f"{kind}:0", params={"board": 0, "days": []})


def claimed() -> list[str]:
    """Claim all that is due, and list the kinds in that order."""
    kinds = []
    while (claim := claim_job()) is not None:
        kinds.append(claim.job.kind)
    return kinds


def age(kind: str, by: timedelta) -> None:
    """Let a job be due for some time already."""
    Job.objects.filter(kind=kind).update(run_after=F("run_after") - by)


def test_the_most_pressing_goes_first_whatever_came_first() -> None:
    kinds = ["verify_board", "prepare_board", "prepare_days", "rate_board"]
    for kind in kinds:
        put(kind)
    assert claimed() == kinds[::-1]


def test_what_is_equally_pressing_goes_as_it_came() -> None:
    for kind in ("trial", "tidy", "verify_board"):
        put(kind)
    assert claimed() == ["trial", "tidy", "verify_board"]


def test_a_check_that_has_waited_long_goes_before_what_readers_ask_for_now() -> None:
    put("verify_board")
    put("prepare_days")
    put("rate_board")
    age("verify_board", PATIENCE[Priority.CHECKING] + timedelta(seconds=1))
    assert claimed() == ["rate_board", "verify_board", "prepare_days"]


def test_what_is_late_goes_before_ratings_too() -> None:
    """Results that come faster than they are rated would keep a seal waiting for ever."""
    put("rate_board")
    put("prepare_days")
    put("verify_board")
    age("prepare_days", LATE - timedelta(seconds=1))
    age("verify_board", PATIENCE[Priority.CHECKING])
    assert claimed() == ["rate_board", "prepare_days", "verify_board"]
    Job.objects.all().delete()
    put("rate_board")
    put("prepare_days")
    age("prepare_days", LATE + timedelta(seconds=1))
    assert claim_job(only_ratings=True).job.kind == "rate_board"
    put("rate_board")
    assert claimed() == ["prepare_days"], "the next rating of a board waits for the first"


def test_what_a_dead_process_left_waits_for_its_turn_too() -> None:
    put("tidy")
    claim_job()
    Job.objects.update(lease_until=F("run_after") - timedelta(hours=1))
    put("rate_board")
    assert claimed() == ["rate_board", "tidy"]


def test_nothing_but_a_rating_goes_before_everything() -> None:
    assert kinds_of(Priority.RATING) == ["rate_board"]
    assert {priority for _work, priority in KINDS.values()} == set(Priority) - {Priority.RATING}


def test_a_kind_of_another_release_waits_like_a_check() -> None:
    put("polish")
    put("verify_board")
    put("prepare_board")
    assert claimed() == ["prepare_board", "polish", "verify_board"]


def test_a_runner_that_only_rates_does_so_while_other_work_goes_on_and_waits() -> None:
    put("tidy")
    put("check_record")
    long = claim_job()
    put("rate_board")
    assert long is not None
    assert drain(only_ratings=True) == 1
    states = dict(Job.objects.values_list("kind", "state"))
    assert states["rate_board"] == Job.State.DONE
    assert Job.State.RUNNING in states.values()
    assert Job.State.QUEUED in states.values()
    assert seconds_to_next(only_ratings=True, most=60) == 60


def wake_ups(pipe: Sleep) -> int:
    """Count the wake-ups since the last look."""
    try:
        return len(os.read(pipe._pipe, 4096))
    except BlockingIOError:
        return 0


def test_a_runner_that_only_rates_is_woken_for_ratings_alone(settings: Any, tmp_path: Path) -> None:
    settings.REDIS_URL = ""
    # Tests in other processes write to the pipe of the installation.
    settings.WAKE_PIPE = tmp_path / "wake"
    with sleeping() as every, sleeping(only_ratings=True) as ratings:
        put("tidy")
        assert (wake_ups(every), wake_ups(ratings)) == (1, 0)
        put("rate_board")
        assert (wake_ups(every), wake_ups(ratings)) == (1, 1)


def test_a_runner_that_only_rates_is_woken_beside_celery_workers_too(settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    with sleeping(only_ratings=True) as ratings:
        put("rate_board")
        assert wake_ups(ratings) > 0
