"""Running jobs: look up what a kind does, do it, write down how it ended."""

from __future__ import annotations

import logging
import time
import traceback
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.db import connection

from leagues.jobs.queue import Claim, LeaseLost, claim_job, fail_job, renewing

log = logging.getLogger(__name__)

Work = Callable[[Claim], Any]


def work_of(kind: str) -> Work:
    """Return what a job of this kind does; the imports are late, as services enqueue jobs."""
    from leagues.jobs.kinds import KINDS

    return KINDS[kind]


def run_claim(claim: Claim) -> bool:
    """Do a claimed job. True: done; False: failed, put back, or taken over by another process."""
    job = claim.job
    try:
        with renewing(claim):
            result = work_of(job.kind)(claim)
            if not claim.is_finished:
                claim.finish(result)
    except LeaseLost:
        log.warning("job %s was taken over", job.pk)
        return False
    except Exception:
        log.exception("job %s (%s) failed at attempt %s", job.pk, job.key, job.attempts)
        if not connection.in_atomic_block:
            connection.close_if_unusable_or_obsolete()
        fail_job(claim, traceback.format_exc(limit=-4))
        return False
    return True


def run_job(job_id: int) -> bool:
    """Run one job by id, if it may be run now."""
    claim = claim_job(only=job_id)
    return claim is not None and run_claim(claim)


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
