"""Celery tasks: adaptors from a message to the queue in the database."""

from __future__ import annotations

from celery import shared_task

from leagues.jobs import broker, runner, schedule

DRAIN_SECONDS = 60
"""After so long a task wakes another one and ends; its last job may take the rest of its time."""


@shared_task(name=broker.WORK, ignore_result=True, expires=broker.EXPIRES_SECONDS)
def work() -> None:
    """Run what is due; a message that comes twice or late finds nothing to claim."""
    with runner.surviving_outages():
        runner.drain(seconds=DRAIN_SECONDS)


@shared_task(ignore_result=True, expires=60)
def sweep() -> None:
    """Run what messages did not reach: lost ones, and jobs of dead processes."""
    with runner.surviving_outages():
        runner.drain(seconds=DRAIN_SECONDS)


@shared_task(ignore_result=True, expires=60)
def enqueue_scheduled(kind: str) -> None:
    """Queue one periodic job."""
    with runner.surviving_outages():
        schedule.enqueue_periodic(kind)
