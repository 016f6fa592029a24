"""Running jobs: look up what a kind does, do it, write down how it ended."""

from __future__ import annotations

import logging
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial

from django.db import Error, connection

from leagues.jobs.memory import settle_memory
from leagues.jobs.outages import is_outage
from leagues.jobs.queue import (
    LEASE,
    MOST_ATTEMPTS,
    Claim,
    LeaseLost,
    Postponed,
    claim_job,
    fail_job,
    is_any_due,
    postpone_job,
    renewing,
    seconds_to_next,
)
from leagues.jobs.rare_log import RareLog
from leagues.jobs.registry import abandon, work_of
from leagues.jobs.wake import wake_runners

log = logging.getLogger(__name__)
outages = RareLog(log)

POSTPONE_FOR = timedelta(seconds=1)
OUTAGE_PAUSES = (0.1, 0.2, 0.5, 1.0, 2.0)
"""Seconds between looks at a database that is away; the last one again and again."""

SHORTEST_SLEEP = 0.05
"""A job that is due and cannot be claimed rests, or is held by whoever is just writing it."""


def run_claim(claim: Claim) -> bool:
    """Do a claimed job. True: done; False: failed, put back, or taken over by another process."""
    job = claim.job
    if job.attempts > MOST_ATTEMPTS:
        _fail(claim, "The process that ran it died at every attempt.")
        return False
    try:
        with renewing(claim):
            result = work_of(job.kind)(claim)
            if not claim.is_finished:
                claim.finish(result)
    except LeaseLost:
        log.warning("job %s was taken over", job.pk)
        return False
    except Postponed:
        postpone_job(claim, POSTPONE_FOR)
        return False
    except Exception as error:
        if is_outage(error) and not connection.in_atomic_block:
            outages.warn("a job is waiting for the database", error)
            _give_back(claim)
            return False
        log.exception("job %s (%s) failed at attempt %s", job.pk, job.key, job.attempts)
        if not connection.in_atomic_block:
            connection.close_if_unusable_or_obsolete()
        _fail(claim, traceback.format_exc(limit=-4))
        return False
    return True


def _give_back(claim: Claim) -> None:
    """Put a job back that lost its database, as soon as that answers; the job has not failed.

    After the lease whoever comes first takes it over anyway.
    """
    deadline = time.monotonic() + LEASE.total_seconds()
    for pause in _pauses():
        connection.close()
        try:
            postpone_job(claim, POSTPONE_FOR)
            return
        except Error as error:
            if not is_outage(error) or time.monotonic() + pause > deadline:
                raise
        time.sleep(pause)


def _pauses() -> Iterator[float]:
    yield from OUTAGE_PAUSES
    while True:
        yield OUTAGE_PAUSES[-1]


def _fail(claim: Claim, error: str) -> None:
    fail_job(claim, error)
    if claim.is_last_attempt:
        abandon(claim, error.strip().rpartition("\n")[2])


def drain(
    *,
    waited: timedelta = timedelta(),
    only_ratings: bool = False,
    seconds: float | None = None,
    with_rests: bool = False,
    should_stop: Callable[[], bool] = lambda: False,
) -> int:
    """Run what is due until nothing is, or for so long; returns how many were tried.

    Where more than one is due, another runner is woken, which wakes the next. What rests is left
    `with_rests`.
    """
    deadline = None if seconds is None else time.monotonic() + seconds
    tried = 0
    while not should_stop():
        claim = claim_job(waited=waited, only_ratings=only_ratings, with_rests=with_rests)
        if claim is None:
            break
        is_over = deadline is not None and time.monotonic() >= deadline
        if (tried == 0 or is_over) and is_any_due(
            waited=waited, only_ratings=only_ratings, with_rests=with_rests
        ):
            wake_runners(for_ratings=True)
        run_claim(claim)
        tried += 1
        if is_over:
            break
    return tried


@contextmanager
def surviving_outages() -> Iterator[None]:
    """Let the database be away: a line a minute says so, and the next try has a new connection."""
    try:
        yield
    except Error as error:
        if connection.in_atomic_block:
            raise
        outages.warn("jobs are waiting for the database", error, trace=not is_outage(error))
        connection.close()


def run_forever(
    *,
    should_stop: Callable[[], bool],
    every: Callable[[], None],
    sleep: Callable[[float], None],
    most_seconds: Callable[[], float],
    waited: timedelta = timedelta(),
    only_ratings: bool = False,
) -> None:
    """Drain the queue until told to stop; `every` adds what the schedule wants.

    `sleep` ends early when there are new jobs; without that, it is
    `most_seconds` at most. While a board rests, each of its results would end it for nothing.
    """
    settle_memory()
    pauses = _pauses()
    drain_rested = partial(drain, waited=waited, only_ratings=only_ratings, with_rests=True)
    while not should_stop():
        seconds: float | None = None
        with surviving_outages():
            every()
            drain_rested(should_stop=should_stop)
            pauses = _pauses()
            seconds = seconds_to_next(waited=waited, only_ratings=only_ratings, most=most_seconds())
            if seconds < SHORTEST_SLEEP:
                time.sleep(SHORTEST_SLEEP)
                continue
        sleep(next(pauses) if seconds is None else seconds)
