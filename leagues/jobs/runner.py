"""Running jobs: look up what a kind does, do it, write down how it ended."""

from __future__ import annotations

import logging
import time
import traceback
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.db import connection

from leagues.jobs.queue import (
    MOST_ATTEMPTS,
    Claim,
    LeaseLost,
    Postponed,
    claim_job,
    fail_job,
    postpone_job,
    renewing,
)

log = logging.getLogger(__name__)

POSTPONED = timedelta(seconds=1)

Work = Callable[[Claim], Any]


def work_of(kind: str) -> Work:
    """Return what a job of this kind does; the imports are late, as services enqueue jobs."""
    from leagues.jobs.kinds import KINDS

    return KINDS[kind]


def run_claim(claim: Claim) -> bool:
    """Do a claimed job. True: done; False: failed, put back, or taken over by another process."""
    job = claim.job
    if job.attempts > MOST_ATTEMPTS:
        _fail(claim, "Its process died at every attempt.")
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
        postpone_job(claim, POSTPONED)
        return False
    except Exception:
        log.exception("job %s (%s) failed at attempt %s", job.pk, job.key, job.attempts)
        if not connection.in_atomic_block:
            connection.close_if_unusable_or_obsolete()
        _fail(claim, traceback.format_exc(limit=-4))
        return False
    return True


def _fail(claim: Claim, error: str) -> None:
    from leagues.jobs.kinds import GIVEN_UP

    fail_job(claim, error)
    if claim.is_last_attempt and claim.job.kind in GIVEN_UP:
        GIVEN_UP[claim.job.kind](claim, error.strip().rpartition("\n")[2])


def run_job(job_id: int) -> bool:
    """Run one job by id, if it may be run now, and then what waited for it under its key."""
    claim = claim_job(only=job_id)
    if claim is None:
        return False
    is_done = run_claim(claim)
    while (successor := claim_job(key=claim.job.key)) is not None:
        run_claim(successor)
    return is_done


def drain(*, waited: timedelta = timedelta()) -> int:
    """Run what is due until nothing is; returns how many were tried."""
    tried = 0
    while (claim := claim_job(waited=waited)) is not None:
        run_claim(claim)
        tried += 1
    return tried


def run_forever(
    *,
    should_stop: Callable[[], bool],
    every: Callable[[], None],
    pause_seconds: float = 0.1,
    waited: timedelta = timedelta(),
) -> None:
    """Drain the queue until told to stop; `every` adds what the schedule wants."""
    while not should_stop():
        every()
        if not drain(waited=waited):
            time.sleep(pause_seconds)
