"""What those who look after a site do to many things at once: void, verify, try again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from leagues.jobs.queue import enqueue, start_now
from leagues.models import Board, Job, Match, Revision, Season
from leagues.services.audit import record_audit
from leagues.services.errors import Problem, Refused
from leagues.services.matches import flip_matches
from leagues.services.ratings import enqueue_record_check, enqueue_verification
from leagues.services.revisions import commit_to, lock_season

MOST_VOIDED = 1000


def void_matches(
    *,
    season: Season,
    matches: Sequence[int],
    author: User | None,
    reason: str,
    source: str = "browser",
) -> Revision | None:
    """Take matches of one season out of the ratings, as one revision; None: none of them counted.

    Refused without a reason, for matches of another season, and for more than a thousand.
    """
    if not reason.strip():
        raise Refused([Problem("reason", "reason_missing", _("Give a reason."))])
    if len(matches) > MOST_VOIDED:
        words = _("Select at most %(most)d results at once.") % {"most": MOST_VOIDED}
        raise Refused([Problem("matches", "too_many", words)])
    with transaction.atomic():
        held = lock_season(season.pk)
        chosen = Match.objects.filter(pk__in=matches, seq__isnull=False)
        if chosen.exclude(season=season).exists():
            words = _("Select results of one season only: one change can’t touch two seasons.")
            raise Refused([Problem("matches", "seasons", words)])
        counting = chosen.filter(status=Match.Status.LIVE)
        if not counting.exists():
            return None
        with commit_to(
            held, kind=Revision.Kind.VOID, author=author, source=source, reason=reason.strip()
        ) as commit:
            flip_matches(commit, counting, Match.Status.VOID)
        return commit.revision


@transaction.atomic
def verify_now(*, board: Board) -> int:
    """Queue the check that a replay gives what is stored, at once; returns the id of its job."""
    job_id = enqueue_verification(board)
    start_now(job_id)
    start_now(enqueue_record_check(board.league_id))
    return job_id


def retry_jobs(*, jobs: Iterable[Job], actor: User | None) -> int:
    """Queue failed jobs once more, and let the boards go on that stopped with them.

    The failed row stays as a record; returns how many were queued.
    """
    queued = 0
    for job in jobs:
        if job.state != Job.State.FAILED:
            continue
        with transaction.atomic():
            if job.kind == "rate_board":
                paused = Board.objects.filter(pk=job.params["board"], state=Board.State.PAUSED)
                paused.update(state=Board.State.READY, problem="")
            enqueue(
                job.kind,
                key=job.key,
                params=job.params,
                league_id=job.league_id,
                author_id=job.author_id,
            )
            record_audit(
                league=job.league,
                actor=actor,
                action="job.retry",
                subject=f"{job.kind} {job.key}",
                before={"error": job.error.strip().rpartition("\n")[2]} if job.error else None,
            )
        queued += 1
    return queued
