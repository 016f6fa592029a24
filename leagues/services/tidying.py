"""Throwing away what nobody needs any more."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from leagues.jobs.queue import Claim
from leagues.limits.counting.database import forget_ended
from leagues.models import Invitation, Job, SetupLink, Upload
from leagues.services.imports import UNDER_WAY, abandon_imports

KEEP_DONE = timedelta(days=1)
KEEP_FAILED = timedelta(days=30)
KEEP_UPLOADS = timedelta(days=1)


def tidy_job(claim: Claim) -> None:
    """Delete old finished jobs, abandoned uploads, spent links and uses of limits."""
    now = timezone.now()
    Job.objects.filter(
        Q(state=Job.State.DONE, finished_at__lt=now - KEEP_DONE)
        | Q(state=Job.State.FAILED, finished_at__lt=now - KEEP_FAILED)
    ).delete()
    old = Upload.objects.filter(created_at__lt=now - KEEP_UPLOADS)
    abandon_imports(claim, old)
    running = Job.objects.filter(kind="import", state__in=UNDER_WAY).values_list("key", flat=True)
    old.exclude(pk__in=[int(key.rpartition(":")[2]) for key in running]).delete()
    SetupLink.objects.filter(expires_at__lt=now).delete()
    Invitation.objects.filter(expires_at__lt=now).delete()
    forget_ended(now.timestamp())
