"""Celery tasks: adaptors from a message to the queue in the database."""

from __future__ import annotations

from celery import shared_task

from leagues.jobs import runner, schedule


@shared_task(ignore_result=True, expires=300)
def run_job(job_id: int) -> None:
    """Run one job; a message that comes twice finds nothing to claim."""
    runner.run_job(job_id)


@shared_task(ignore_result=True, expires=60)
def sweep() -> None:
    """Run what messages did not reach: lost ones, and jobs of dead processes."""
    runner.drain()


@shared_task(ignore_result=True, expires=60)
def enqueue_scheduled(kind: str) -> None:
    """Queue one periodic job."""
    schedule.enqueue_periodic(kind)
