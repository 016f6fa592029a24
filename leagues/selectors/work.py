"""Work that takes time: what presses, what stopped, and what each piece is about."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db.models import Exists, Model, OuterRef, Q, QuerySet

from leagues.models import Board, Job, League, Mode, Season, Trial, Upload
from leagues.services.ratings import change_check_key
from leagues.services.recalculation import recalculation_key
from leagues.services.trials import trial_key

SUBJECTS: dict[str, type[Model]] = {
    "board": Board,
    "upload": Upload,
    "trial": Trial,
    "mode": Mode,
    "season": Season,
}
"""What a piece of work can be about, by the parameter that names it, most telling first."""
ROUTINE = (
    *("check_record", "sweep", "tidy", "time_limits"),
    *("verify_board", "verify_boards", "verify_changes"),
)
"""Work that comes by the clock: while it waits it is no news."""


def pressing_jobs(jobs: QuerySet[Job]) -> QuerySet[Job]:
    """Work that goes on or waits for its turn, and work that stopped for good."""
    return jobs.filter(
        Q(state=Job.State.RUNNING)
        | Q(state=Job.State.QUEUED) & ~Q(kind__in=ROUTINE)
        | Q(pk__in=stopped_jobs(jobs).values("pk"))
    )


def stopped_jobs(jobs: QuerySet[Job]) -> QuerySet[Job]:
    """Failed work that nothing later of the same key has taken up."""
    later = Job.objects.filter(key=OuterRef("key"), pk__gt=OuterRef("pk"))
    return jobs.filter(~Exists(later), state=Job.State.FAILED)


def pressing_jobs_of(league: League, at_most: int) -> QuerySet[Job]:
    """A league's work that goes on, waits or has stopped: what runs first, then the newest."""
    return pressing_jobs(league.jobs.all()).order_by("-state", "-pk")[:at_most]


def all_stopped_jobs(at_most: int) -> list[Job]:
    """The newest work of all leagues that has stopped for good."""
    return list(stopped_jobs(Job.objects.select_related("league")).order_by("-pk")[:at_most])


def board_jobs(board: Board, now: datetime) -> list[Job]:
    """The newest work of each kind on a board that goes on, waits or has stopped."""
    keys = [
        f"rate:{board.pk}",
        f"verify:{board.pk}",
        change_check_key(board.pk),
        recalculation_key(board.pk),
        *(trial_key(trial.pk) for trial in board.trials.filter(finished_at=None)),
    ]
    newest = [Job.objects.filter(key=key).order_by("-pk").first() for key in keys]
    # A check that comes by itself, a minute after the last rating, is no news.
    return [
        job
        for job in newest
        if job is not None
        and job.state != Job.State.DONE
        and not (job.state == Job.State.QUEUED and job.kind in ROUTINE and job.run_after > now)
    ]


def rating_job(board: Board) -> Job | None:
    """The newest work that rates a board's results, while it is kept."""
    return Job.objects.filter(key=f"rate:{board.pk}").order_by("-pk").first()


def last_recalculation(board: Board) -> Job | None:
    """The last recalculation of a board that has ended, while it is kept."""
    done = Job.objects.filter(key=recalculation_key(board.pk), state=Job.State.DONE)
    return done.order_by("-pk").first()


def subjects_of(jobs: Sequence[Job]) -> dict[tuple[str, int], str]:
    """The names of what jobs are about, by parameter and key; a query for each kind of thing."""
    names: dict[tuple[str, int], str] = {}
    for word, model in SUBJECTS.items():
        wanted = {job.params[word] for job in jobs if isinstance(job.params.get(word), int)}
        if not wanted:
            continue
        rows: Any = model._default_manager.filter(pk__in=wanted)
        column = "board__name" if word == "trial" else "name"
        for pk, name in rows.values_list("pk", column):
            names[word, pk] = name or ""
    return names
