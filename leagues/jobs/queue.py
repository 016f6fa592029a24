"""The queue itself: put in, claim, renew, finish. Nothing here knows what a job does."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import cache, partial
from typing import Any

from django.conf import settings
from django.db import Error, IntegrityError, connection, transaction
from django.db.models import (
    Case,
    DateTimeField,
    Exists,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    When,
)
from django.db.models.functions import Now
from django.db.models.lookups import IsNull, LessThanOrEqual
from django.utils import timezone

from leagues.jobs.priorities import LATE, PATIENCE, Priority
from leagues.jobs.registry import is_rating, kinds_of, known_kinds
from leagues.jobs.wake import wake_on_commit
from leagues.models import Job
from leagues.store.prepared import prepare, prepare_update
from leagues.store.statements import change_rows, this_connection

LEASE = timedelta(seconds=settings.LEASE_SECONDS)
RENEW_SECONDS = settings.LEASE_SECONDS / 3.0
TICK = timedelta(milliseconds=1)
"""SQLite knows no less, compares text, and writes the same moment in several ways."""
MOST_ATTEMPTS = 5
PROGRESS_SECONDS = 0.25
MOST_COLLISIONS = 10
REST = timedelta(seconds=0.5)
"""How long a board rests that was just rated: a player still looks at the page.

Each rating has costs that do not depend on how many results it adds. A game server that sends a
hundred results a second would have each of them rated alone, and these costs would take the
processor and the writers' turns from the next results. The first one after a rest is rated at once.
"""
_RUN_AFTER = Job._meta.get_field("run_after")
_GIVEN_FIELDS = [
    field
    for field in Job._meta.concrete_fields
    if not field.primary_key and field is not _RUN_AFTER
]
"""What is written of a new job beside the moment from which it may run, the database's own."""


class LeaseLost(Exception):
    """Another process took the job over; this one must not commit anything more."""


def enqueue(
    kind: str,
    *,
    key: str,
    params: dict[str, Any],
    league_id: int | None = None,
    author_id: int | None = None,
    delay: timedelta | Callable[[], timedelta] = timedelta(),
) -> int:
    """Write a job in the caller's transaction and return its id; equal waiting ones become one.

    A waiting job is touched, not merely found: the touch locks its row until the caller's facts
    are committed, so that no runner starts it without seeing them. A delay that must be worked
    out is asked for only where no job waits yet.
    """
    for _attempt in range(MOST_COLLISIONS):
        job_id = _touch(key)
        if job_id is not None:
            break
        pause = delay() if callable(delay) else delay
        try:
            with transaction.atomic():
                job_id = Job.objects.create(
                    kind=kind,
                    key=key,
                    params=params,
                    league_id=league_id,
                    author_id=author_id,
                    run_after=Now() + pause,
                ).pk
            break
        except IntegrityError as error:
            # Another one was written in between; it may be running by now.
            collision = error
    else:
        raise collision
    if not delay:
        wake_on_commit(for_ratings=is_rating(kind))
    return job_id


def enqueue_each(
    kind: str, jobs: Iterable[tuple[str, dict[str, Any]]], *, league_id: int | None
) -> None:
    """Write jobs, by key and parameters, as `enqueue` does: all of them in one statement."""
    here = this_connection()
    now = here.ops.adapt_datetimefield_value(timezone.now())
    new = {**_new_job(kind), "league_id": league_id, "created_at": now}
    rows = [
        {**new, "key": key, "params": here.ops.adapt_json_value(params, None)}
        for key, params in jobs
    ]
    if not rows:
        return
    values = [value for row in rows for value in row.values()]
    change_rows(here, _enqueuing(len(rows)), values)
    wake_on_commit(for_ratings=is_rating(kind))


@cache
def _new_job(kind: str) -> dict[str, Any]:
    """What the database is told of a job that has just been written, by the names of its fields."""
    row, here = Job(kind=kind), this_connection()
    return {
        field.attname: field.get_db_prep_save(getattr(row, field.attname), here)
        for field in _GIVEN_FIELDS
    }


@cache
def _enqueuing(count: int) -> str:
    quote = connection.ops.quote_name
    names = ", ".join(quote(str(field.column)) for field in (*_GIVEN_FIELDS, _RUN_AFTER))
    now, _ = Job.objects.all().query.get_compiler(connection=connection).compile(Now())
    row = f"({', '.join(['%s'] * len(_GIVEN_FIELDS))}, {now})"
    table = quote(Job._meta.db_table)
    return (
        f"INSERT INTO {table} ({names}) VALUES {', '.join([row] * count)} "  # noqa: S608
        f"ON CONFLICT (key) WHERE state = '{Job.State.QUEUED}' "
        f"DO UPDATE SET requests = {table}.requests + 1"
    )


def start_now(job_id: int) -> None:
    """Let a job that waits for its time start now, in the caller's transaction."""
    if Job.objects.filter(pk=job_id, state=Job.State.QUEUED).update(run_after=Now()):
        wake_on_commit(for_ratings=True)


def _touch(key: str) -> int | None:
    waiting = Job.objects.filter(key=key, state=Job.State.QUEUED)
    if not waiting.update(requests=F("requests") + 1):
        return None
    return waiting.values_list("pk", flat=True).first()


def due_jobs(
    *,
    waited: timedelta = timedelta(),
    only_ratings: bool = False,
    with_rests: bool = False,
) -> QuerySet[Job]:
    """The jobs that may be claimed, the most pressing first: due, or left by a dead process.

    A job waits while another of its key runs, `with_rests` while its board rests. Ratings go first.
    The
    others go by the time that they are due, each later by the patience of its priority, and before
    ratings once they are late: so none waits for ever.
    """
    turn = Case(
        *(
            When(kind__in=kinds_of(priority), then=F("run_after") + patience)
            for priority, patience in PATIENCE.items()
        ),
        default=F("run_after") + max(PATIENCE.values()),
        output_field=DateTimeField(),
    )
    rates = Q(kind__in=kinds_of(Priority.RATING))
    due = _open_jobs(only_ratings).filter(
        Q(state=Job.State.RUNNING, lease_until__lt=Now())
        | Q(state=Job.State.QUEUED, run_after__lte=Now() + (TICK - waited)) & ~_is_running(),
    )
    if with_rests:
        due = due.filter(~rates | _has_rested())
    first = Case(When(rates, then=1), When(turn__lt=Now() - LATE, then=0), default=2)
    return due.alias(turn=turn).order_by(first, "turn", "pk")


def is_any_due(
    *,
    waited: timedelta = timedelta(),
    only_ratings: bool = False,
    with_rests: bool = False,
) -> bool:
    """Whether any job may be claimed."""
    look, _take = _reads_of_due(waited, only_ratings, with_rests, known_kinds())
    return bool(look())


@cache
def _reads_of_due(
    waited: timedelta, only_ratings: bool, with_rests: bool, _kinds: Hashable
) -> tuple[Callable[[], list[tuple[int]]], Callable[[], list[Job]]]:
    """What looks whether a job is due, and what locks the first one.

    A runner asks all the time; to make the SQL takes twenty times as long as to run it.
    """

    due = partial(due_jobs, waited=waited, only_ratings=only_ratings, with_rests=with_rests)

    @prepare
    def look() -> QuerySet[Job, tuple[int]]:
        return due().order_by().values_list("pk")[:1]

    @prepare
    def take() -> QuerySet[Job, Job]:
        return due().select_for_update(skip_locked=True, of=("self",))[:1]

    return look, take


def seconds_to_next(
    *, waited: timedelta = timedelta(), only_ratings: bool = False, most: float
) -> float:
    """How long there will be nothing to claim, unless a job is written or ends before; at `most`.

    By the database's clock, which all machines share.
    """
    next_start, next_end = _reads_of_next(only_ratings, known_kinds())
    seconds = most
    for start, now in next_start():
        seconds = min(seconds, (start + waited - now).total_seconds())
    for end, now in next_end():
        seconds = min(seconds, (end - now).total_seconds())
    return seconds


@cache
def _reads_of_next(
    only_ratings: bool, _kinds: Hashable
) -> tuple[Callable[[], list[tuple[datetime, datetime]]], ...]:
    """What reads when the next job may start and when the next lease ends, each with the time."""

    @prepare
    def next_start() -> QuerySet[Job, tuple[datetime, datetime]]:
        waiting = _open_jobs(only_ratings).filter(~_is_running(), state=Job.State.QUEUED)
        return waiting.order_by("run_after").values_list("run_after", Now())[:1]

    @prepare
    def next_end() -> QuerySet[Job, tuple[datetime, datetime]]:
        leased = _open_jobs(only_ratings).filter(state=Job.State.RUNNING, lease_until__isnull=False)
        return leased.order_by("lease_until").values_list("lease_until", Now())[:1]

    return next_start, next_end


def _open_jobs(only_ratings: bool) -> QuerySet[Job]:
    jobs = Job.objects.all()
    return jobs.filter(kind__in=kinds_of(Priority.RATING)) if only_ratings else jobs


def _is_running() -> Exists:
    return Exists(Job.objects.filter(key=OuterRef("key"), state=Job.State.RUNNING))


def _has_rested() -> Q:
    """Whether the last job of a key that was done, if any, is over for long enough."""
    done = Job.objects.filter(key=OuterRef("key"), state=Job.State.DONE).order_by("-pk")
    last = Subquery(done.values("finished_at")[:1])
    return Q(IsNull(last, True)) | Q(LessThanOrEqual(last, Now() - REST))


class Postponed(Exception):
    """The job cannot run now, through no fault of its own."""


class Claim:
    """A job this process holds; every write for it goes through `fence`."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.is_finished = False
        self._reported_at = 0.0
        self._stage, self._total = "", 0

    @property
    def params(self) -> dict[str, Any]:
        params: dict[str, Any] = self.job.params
        return params

    @property
    def is_last_attempt(self) -> bool:
        return self.job.attempts >= MOST_ATTEMPTS

    def fence(self) -> None:
        """Lock the job row and make sure it is still ours; call it first in each transaction."""
        if not _hold_job(job=self.job.pk, token=self.job.token):
            raise LeaseLost(str(self.job))

    def count(self, total: int) -> None:
        """Note how much work it is, for when it is done: a report is a commit of its own."""
        self._total = total

    def progress(self, done: int, total: int, stage: str) -> None:
        """Report how far the work is; of one stage written at most four times a second."""
        self._total = total
        now = time.monotonic()
        if stage == self._stage and now - self._reported_at < PROGRESS_SECONDS:
            return
        self._stage, self._reported_at = stage, now
        job, token = self.job.pk, self.job.token
        if not _report_progress(job=job, token=token, done=done, total=total, stage=stage[:40]):
            raise LeaseLost(str(self.job))

    def finish(self, result: Any = None) -> None:
        """Mark the job done, in the transaction of its effects where there is one."""
        content = None if result is None else connection.ops.adapt_json_value(result, None)
        job, token = self.job.pk, self.job.token
        if not _finish_job(job=job, token=token, total=self._total, result=content):
            raise LeaseLost(str(self.job))
        self.is_finished = True


def claim_job(
    *,
    only: int | None = None,
    key: str | None = None,
    waited: timedelta = timedelta(),
    only_ratings: bool = False,
    with_rests: bool = False,
) -> Claim | None:
    """Take the next due job, or the one asked for; None where there is nothing to take."""
    look, take = _looking_for(only, key, waited, only_ratings, with_rests)
    if not look():
        return None
    with transaction.atomic():
        job = next(iter(take()), None)
        if job is None:
            return None
        job.state = Job.State.RUNNING
        job.token += 1
        job.attempts += 1
        _mark_running(job=job.pk, token=job.token, attempts=job.attempts)
    return Claim(job)


def _looking_for(
    only: int | None, key: str | None, waited: timedelta, only_ratings: bool, with_rests: bool
) -> tuple[Callable[[], Any], Callable[[], Iterable[Job]]]:
    """What looks whether the job is due that is asked for, and what locks it."""
    if only is None and key is None:
        return _reads_of_due(waited, only_ratings, with_rests, known_kinds())
    due = due_jobs(waited=waited, only_ratings=only_ratings, with_rests=with_rests)
    if only is not None:
        due = due.filter(pk=only)
    if key is not None:
        due = due.filter(key=key)
    return due.exists, due.select_for_update(skip_locked=True, of=("self",))[:1].all


@prepare_update
def _mark_running(*, job: int, token: int, attempts: int) -> tuple[QuerySet[Job], dict[str, Any]]:
    # What an earlier attempt had begun is begun no more.
    claimed = {"state": Job.State.RUNNING, "token": token, "attempts": attempts, "stage": ""}
    times = {"lease_until": Now() + LEASE, "started_at": Now()}
    return Job.objects.filter(pk=job), claimed | times


def fail_job(claim: Claim, error: str) -> None:
    """Put a failed job back with a growing pause, or give it up after the last attempt."""
    attempts = claim.job.attempts
    failed = {"state": Job.State.FAILED, "error": error, "finished_at": Now()}
    if claim.is_last_attempt:
        _held_job(claim).update(lease_until=None, **failed)
        return
    pause = timedelta(seconds=2 ** min(attempts, MOST_ATTEMPTS) - 1)
    _put_back(claim, attempts=attempts, pause=pause, error=error, replaced=failed)


def postpone_job(claim: Claim, pause: timedelta) -> None:
    """Put a job back that found its way taken; this does not count as an attempt."""
    replaced = {"state": Job.State.DONE, "finished_at": Now()}
    _put_back(claim, attempts=claim.job.attempts - 1, pause=pause, replaced=replaced)


def _put_back(
    claim: Claim,
    *,
    attempts: int,
    pause: timedelta,
    replaced: dict[str, Any],
    error: str = "",
) -> None:
    """Let a claimed job wait again: the one place where a job goes from running to queued.

    Only one of a key may wait. Where another one does already, that one goes on in its place, as
    late and with as many attempts behind it, and this one ends as `replaced` says.
    """
    again = {"run_after": Now() + pause, "attempts": attempts}
    held = _held_job(claim)
    with transaction.atomic():
        if not held.update(lease_until=None):
            return
        waiting = Job.objects.filter(key=claim.job.key, state=Job.State.QUEUED)
        if waiting.update(**again):
            held.update(**replaced)
            return
        try:
            with transaction.atomic():
                held.update(state=Job.State.QUEUED, error=error, **again)
        except IntegrityError:
            # Written this moment; it is as good as this one.
            held.update(**replaced)


def _held_job(claim: Claim) -> QuerySet[Job]:
    """The job of a claim, unless another process has taken it over."""
    return _running_job(claim.job.pk, claim.job.token)


def _running_job(job: int, token: int) -> QuerySet[Job]:
    return Job.objects.filter(pk=job, token=token, state=Job.State.RUNNING)


@prepare
def _hold_job(*, job: int, token: int) -> QuerySet[Job, tuple[int]]:
    return _running_job(job, token).select_for_update().values_list("pk")


@prepare_update
def _report_progress(
    *, job: int, token: int, done: int, total: int, stage: str
) -> tuple[QuerySet[Job], dict[str, Any]]:
    values = {"done": done, "total": total, "stage": stage, "lease_until": Now() + LEASE}
    return _running_job(job, token), values


@prepare_update
def _finish_job(
    *, job: int, token: int, total: int, result: Any
) -> tuple[QuerySet[Job], dict[str, Any]]:
    done = {"state": Job.State.DONE, "result": result, "error": "", "done": total, "total": total}
    return _running_job(job, token), done | {"lease_until": None, "finished_at": Now()}


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
                    _held_job(claim).update(lease_until=Now() + LEASE)
                except Error:
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
