"""The queue: one writer per key, nothing lost, nothing done twice."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.db.models.functions import Now

from leagues.jobs.queue import LeaseLost, claim_job, enqueue, fail_job
from leagues.jobs.runner import drain, run_job
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
    job_id = put()
    assert run_job(job_id)
    assert not run_job(job_id)
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
