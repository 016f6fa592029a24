"""The queue itself: put in, claim, renew, finish. Nothing here knows what a job does."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError, OperationalError, connection, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from leagues.models import Job

LEASE = timedelta(seconds=settings.LEASE_SECONDS)
RENEW_SECONDS = settings.LEASE_SECONDS / 3.0
MOST_ATTEMPTS = 5
PROGRESS_SECONDS = 0.25


class LeaseLost(Exception):
    """Another process took the job over; this one must not commit anything more."""


def enqueue(
    kind: str,
    *,
    key: str,
    params: dict[str, Any],
    league_id: int | None = None,
    author_id: int | None = None,
    delay: timedelta = timedelta(),
) -> int:
    """Write a job in the caller's transaction and return its id; equal waiting ones become one.

    A waiting job is touched, not merely found: the touch locks its row until the caller's facts
    are committed, so that no runner starts it without seeing them.
    """
    waiting = Job.objects.filter(key=key, state=Job.State.QUEUED)
    job_id = _touch(waiting)
    if job_id is None:
        try:
            with transaction.atomic():
                job_id = Job.objects.create(
                    kind=kind,
                    key=key,
                    params=params,
                    league_id=league_id,
                    author_id=author_id,
                    run_after=Now() + delay,
                ).pk
        except IntegrityError:
            job_id = _touch(waiting)
            if job_id is None:
                raise
    transaction.on_commit(lambda: _announce(job_id), robust=True)
    return job_id


def _touch(waiting: QuerySet[Job]) -> int | None:
    if not waiting.update(requests=F("requests") + 1):
        return None
    return waiting.values_list("pk", flat=True).first()


def _announce(job_id: int) -> None:
    if settings.REDIS_URL:
        from leagues.tasks import run_job

        run_job.delay(job_id)


def due_jobs(*, waited: timedelta = timedelta()) -> QuerySet[Job]:
    """Return the jobs that may be claimed: waiting and due, or left behind by a dead process.

    A job waits while another of its key runs.
    """
    running = Job.objects.filter(key=OuterRef("key"), state=Job.State.RUNNING)
    return Job.objects.filter(
        Q(state=Job.State.RUNNING, lease_until__lt=Now())
        | Q(state=Job.State.QUEUED, run_after__lte=Now() - waited) & ~Exists(running)
    ).order_by("-state", "run_after", "pk")


class Postponed(Exception):
    """The job cannot run now, through no fault of its own."""


class Claim:
    """A job this process holds; every write for it goes through `fence`."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.is_finished = False
        self._reported_at = 0.0

    @property
    def params(self) -> dict[str, Any]:
        params: dict[str, Any] = self.job.params
        return params

    @property
    def is_last_attempt(self) -> bool:
        return self.job.attempts >= MOST_ATTEMPTS

    def fence(self) -> None:
        """Lock the job row and make sure it is still ours; call it first in each transaction."""
        held = Job.objects.select_for_update().filter(
            pk=self.job.pk, token=self.job.token, state=Job.State.RUNNING
        )
        if not held.exists():
            raise LeaseLost(str(self.job))

    def progress(self, done: int, total: int, stage: str) -> None:
        """Say how far the work is; written at most four times a second."""
        now = time.monotonic()
        if done < total and now - self._reported_at < PROGRESS_SECONDS:
            return
        self._reported_at = now
        held = Job.objects.filter(pk=self.job.pk, token=self.job.token, state=Job.State.RUNNING)
        if not held.update(done=done, total=total, stage=stage[:40], lease_until=Now() + LEASE):
            raise LeaseLost(str(self.job))

    def finish(self, result: Any = None) -> None:
        """Mark the job done, in the transaction of its effects where there is one."""
        with transaction.atomic():
            self.fence()
            Job.objects.filter(pk=self.job.pk).update(
                state=Job.State.DONE,
                result=result,
                error="",
                done=F("total"),
                lease_until=None,
                finished_at=Now(),
            )
        self.is_finished = True


def claim_job(
    *, only: int | None = None, key: str | None = None, waited: timedelta = timedelta()
) -> Claim | None:
    """Take the next due job, or the one asked for; None where there is nothing to take."""
    due = due_jobs(waited=waited)
    if only is not None:
        due = due.filter(pk=only)
    if key is not None:
        due = due.filter(key=key)
    if not due.exists():
        return None
    with transaction.atomic():
        job = due.select_for_update(skip_locked=True, of=("self",)).first()
        if job is None:
            return None
        job.state = Job.State.RUNNING
        job.token += 1
        job.attempts += 1
        Job.objects.filter(pk=job.pk).update(
            state=job.state,
            token=job.token,
            attempts=job.attempts,
            lease_until=Now() + LEASE,
            started_at=Now(),
        )
    return Claim(job)


def fail_job(claim: Claim, error: str) -> None:
    """Put a failed job back with a growing pause, or give it up after the last attempt.

    Where another job of the key waits already, that one goes on in its place, as late and with as
    many attempts behind it.
    """
    job = claim.job
    held = Job.objects.filter(pk=job.pk, token=job.token, state=Job.State.RUNNING)
    failed = {"state": Job.State.FAILED, "error": error, "finished_at": Now()}
    pause = timedelta(seconds=2 ** min(job.attempts, MOST_ATTEMPTS) - 1)
    with transaction.atomic():
        if not held.update(lease_until=None):
            return
        if claim.is_last_attempt:
            held.update(**failed)
            return
        waiting = Job.objects.filter(key=job.key, state=Job.State.QUEUED)
        if waiting.update(attempts=job.attempts, run_after=Now() + pause):
            held.update(**failed)
            return
        try:
            with transaction.atomic():
                held.update(state=Job.State.QUEUED, error=error, run_after=Now() + pause)
        except IntegrityError:
            held.update(**failed)


def postpone_job(claim: Claim, pause: timedelta) -> None:
    """Put a job back that found its way taken; this does not count as an attempt."""
    Job.objects.filter(pk=claim.job.pk, token=claim.job.token, state=Job.State.RUNNING).update(
        state=Job.State.QUEUED,
        attempts=F("attempts") - 1,
        lease_until=None,
        run_after=Now() + pause,
    )


@contextmanager
def renewing(claim: Claim) -> Iterator[None]:
    """Keep the lease alive from a thread while the work runs, however long one step takes.

    Inside a caller's transaction nobody else sees the job, and the thread could only wait.
    """
    if connection.in_atomic_block:
        yield
        return
    stop = threading.Event()

    def renew() -> None:
        try:
            while not stop.wait(RENEW_SECONDS):
                try:
                    Job.objects.filter(
                        pk=claim.job.pk, token=claim.job.token, state=Job.State.RUNNING
                    ).update(lease_until=Now() + LEASE)
                except OperationalError:
                    # A database that was away is asked again on a new connection.
                    connection.close()
        finally:
            connection.close()

    thread = threading.Thread(target=renew, name=f"lease-{claim.job.pk}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
