"""The queue: work that takes time, written in the transaction that causes it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from leagues.models.checks import one_of
from leagues.models.league import League

WATCHED_FIRST: Final = timedelta(seconds=3)
"""Before this a job's speed says little."""


class JobState(models.TextChoices):
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class Job(models.Model):
    """One piece of work: progress bar, audit and dead-letter list in one row.

    At most one job of a `key` waits, and at most one runs: what is written under a key has one
    writer at a time. `token` counts the claims; whoever holds an older one can no longer commit.
    """

    State = JobState

    kind = models.CharField(max_length=24)
    key = models.CharField(max_length=128)
    params = models.JSONField(default=dict)
    league = models.ForeignKey(League, models.CASCADE, null=True, related_name="jobs")
    state = models.CharField(max_length=8, choices=State, default=State.QUEUED)
    run_after = models.DateTimeField()
    requests = models.PositiveIntegerField(default=1)
    attempts = models.PositiveIntegerField(default=0)
    token = models.PositiveIntegerField(default=0)
    lease_until = models.DateTimeField(null=True)
    done = models.BigIntegerField(default=0)
    total = models.BigIntegerField(default=0)
    stage = models.CharField(max_length=40, blank=True)
    error = models.TextField(blank=True)
    result = models.JSONField(null=True)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["key"], condition=Q(state="queued"), name="job_waits_once"
            ),
            models.UniqueConstraint(
                fields=["key"], condition=Q(state="running"), name="job_runs_once"
            ),
            one_of("job", "state", JobState),
        )
        indexes = (
            models.Index(
                fields=["run_after", "id"],
                condition=Q(state__in=["queued", "running"]),
                name="job_due",
            ),
            models.Index(fields=["key", "-id"], name="job_by_key"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.key}: {self.state}"

    def seconds_left(self, now: datetime) -> float | None:
        """About how long it will run on, at its speed so far; None where nothing can be told."""
        if self.state != JobState.RUNNING or self.started_at is None:
            return None
        if not 0 < self.done < self.total or now - self.started_at < WATCHED_FIRST:
            return None
        return (now - self.started_at).total_seconds() * (self.total - self.done) / self.done
