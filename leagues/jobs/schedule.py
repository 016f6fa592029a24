"""Queueing what the clock asks for; two schedulers at once queue it once."""

from __future__ import annotations

import time

from leagues.jobs.periodic import PERIODIC
from leagues.jobs.queue import enqueue
from leagues.models import Job


def enqueue_periodic(kind: str) -> None:
    """Queue a periodic job for the present span of time, unless somebody has."""
    (every,) = (entry.every_seconds for entry in PERIODIC if entry.kind == kind)
    key = f"{kind}:{int(time.time()) // every}"
    if not Job.objects.filter(key=key).exists():
        enqueue(kind, key=key, params={})


class Clock:
    """A runner's clock: called whenever the runner wakes, it asks the database once a span."""

    def __init__(self) -> None:
        self._next = 0.0

    def __call__(self) -> None:
        """Queue what is due by now; what was missed while down is not made up."""
        now = time.time()
        if now < self._next:
            return
        until_next = seconds_to_next_period()
        for entry in PERIODIC:
            enqueue_periodic(entry.kind)
        self._next = now + until_next


def seconds_to_next_period() -> float:
    """How long no periodic job will become due."""
    now = time.time()
    return min(entry.every_seconds - now % entry.every_seconds for entry in PERIODIC)
