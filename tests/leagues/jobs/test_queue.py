"""The queue: one writer per key, nothing lost, nothing done twice."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.db.models.functions import Now

from leagues.jobs.queue import (
    Claim,
    LeaseLost,
    claim_job,
    enqueue,
    fail_job,
    postpone_job,
    seconds_to_next,
    start_now,
)
from leagues.jobs.runner import drain
from leagues.models import Job

pytestmark = pytest.mark.django_db(transaction=True)


def put(key: str = "tidy:1") -> int:
    return enqueue("tidy", key=key, params={})


def test_equal_waiting_jobs_become_one():
    assert put() == put()
    assert Job.objects.get().requests == 2


def test_a_job_asked_for_while_its_like_runs_waits_for_it():
    first = put()
    claim = claim_job()
    second = put()
    assert second != first
    assert claim_job() is None
    claim.finish()
    assert claim_job().job.pk == second


def test_a_job_is_run_once_however_often_its_message_comes():
    put()
    assert drain() == 1
    assert drain() == 0
    assert Job.objects.get().attempts == 1


def test_whoever_lost_the_lease_cannot_commit():
    put()
    slow = claim_job()
    Job.objects.update(lease_until=Now() - timedelta(seconds=1))
    quick = claim_job()
    assert quick.job.pk == slow.job.pk
    with pytest.raises(LeaseLost), transaction.atomic():
        slow.finish("late")
    quick.finish("in time")
    assert Job.objects.get().result == "in time"


def test_a_job_with_a_living_lease_is_left_alone():
    put()
    assert claim_job() is not None
    assert claim_job() is None


def test_a_failed_job_comes_back_later_and_is_given_up_after_five_attempts():
    put()
    for attempt in range(1, 6):
        Job.objects.update(run_after=Now())
        claim = claim_job()
        assert claim.job.attempts == attempt
        fail_job(claim, "broken")
        assert claim_job() is None
    job = Job.objects.get()
    assert (job.state, job.error) == ("failed", "broken")


def postpone(claim: Claim) -> None:
    postpone_job(claim, timedelta(seconds=1))


def fail(claim: Claim) -> None:
    fail_job(claim, "broken")


@pytest.mark.parametrize(("put_back", "attempts"), [(postpone, 0), (fail, 1)])
def test_where_another_of_its_key_waits_that_one_goes_on_for_a_job_that_is_put_back(
    put_back: Callable[[Claim], None], attempts: int
):
    first = put()
    claim = claim_job()
    second = put()
    put_back(claim)
    assert Job.objects.get(pk=first).state in ("done", "failed")
    waiting = Job.objects.get(pk=second)
    assert (waiting.state, waiting.attempts) == ("queued", attempts)
    assert claim_job() is None
    start_now(second)
    assert claim_job().job.pk == second


def test_a_job_that_is_put_back_waits_under_its_own_number():
    first = put()
    postpone(claim_job())
    assert put() == first
    assert Job.objects.get().attempts == 0


def test_who_lost_the_lease_puts_nothing_back():
    put()
    slow = claim_job()
    Job.objects.update(lease_until=Now() - timedelta(seconds=1))
    claim_job()
    postpone(slow)
    fail(slow)
    assert Job.objects.get().state == "running"


def test_a_runner_knows_when_the_next_job_is_due():
    assert seconds_to_next(most=7200) == 7200
    enqueue("tidy", key="tidy:1", params={}, delay=timedelta(hours=1))
    assert 3000 < seconds_to_next(most=7200) <= 3600
    put("tidy:2")
    claim_job()
    # The lease of a process that dies ends sooner.
    assert seconds_to_next(most=7200) <= 10
    put("tidy:2")
    # It waits for the one that runs, and there is nothing to look for at once.
    assert seconds_to_next(most=7200) > 0


def test_a_rolled_back_transaction_leaves_no_job():
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        put()
        raise ZeroDivisionError
    assert not Job.objects.exists()


def test_two_runners_at_once_share_the_work_without_doing_any_of_it_twice():
    for number in range(12):
        put(f"tidy:{number}")
    barrier = threading.Barrier(2)
    counts: list[int] = []

    def work() -> None:
        barrier.wait()
        try:
            counts.append(drain())
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(counts) == 12
    assert set(Job.objects.values_list("state", "attempts")) == {("done", 1)}
