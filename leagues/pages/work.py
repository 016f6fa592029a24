"""Work that takes time, in words: what it is about, how far it is, whether it stopped."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from leagues import wording
from leagues.domain.civil_days import day_of
from leagues.models import Job
from leagues.selectors.work import SUBJECTS, subjects_of

SENTENCES = {
    "rate_board": gettext_lazy("Rating the board %(subject)s"),
    "verify_board": gettext_lazy("Checking the board %(subject)s by a replay"),
    "verify_changes": gettext_lazy("Checking what has changed on the board %(subject)s"),
    "recalculate_board": gettext_lazy("Recalculating the board %(subject)s"),
    "verify_boards": gettext_lazy("Scheduling the checks of the night"),
    "check_record": gettext_lazy("Checking the record of results and settings"),
    "prepare_board": gettext_lazy("Preparing the standings of the board %(subject)s"),
    "prepare_days": gettext_lazy(
        "Preparing the standings of earlier days of the board %(subject)s"
    ),
    "sweep": gettext_lazy("Checking for inactive players"),
    "time_limits": gettext_lazy("Checking for started matches without a result"),
    "mend_season": gettext_lazy("Repairing the season %(subject)s after an upgrade"),
    "check": gettext_lazy("Reading the file %(subject)s"),
    "import": gettext_lazy("Importing the file %(subject)s"),
    "preview": gettext_lazy("Previewing a change of results in %(subject)s"),
    "seal_season": gettext_lazy("Sealing the season %(subject)s"),
    "backtest": gettext_lazy("Comparing rating systems over %(subject)s"),
    "trial": gettext_lazy("Trying other parameters on the board %(subject)s"),
    "tidy": gettext_lazy("Cleaning up"),
}
_STATES = {
    Job.State.QUEUED: gettext_lazy("waiting"),
    Job.State.RUNNING: gettext_lazy("running"),
    Job.State.DONE: gettext_lazy("done"),
    Job.State.FAILED: gettext_lazy("stopped"),
}


@dataclass(frozen=True, slots=True)
class WorkRow:
    """One piece of work; `part` is how much of it is done, from 0 to 1, where that is known."""

    title: str
    state: str
    rest: str
    part: str
    when: str
    error: str
    is_under_way: bool
    is_failed: bool


def work_rows(jobs: Iterable[Job], *, zone: ZoneInfo, now: datetime) -> tuple[WorkRow, ...]:
    """Jobs as people read them, in the order given."""
    rows = list(jobs)
    names = subjects_of(rows)
    return tuple(_row(job, names, zone, now) for job in rows)


def job_title(job: Job) -> str:
    """The title of a job, in words."""
    return _title(job, subjects_of([job]))


def _row(job: Job, names: dict[tuple[str, int], str], zone: ZoneInfo, now: datetime) -> WorkRow:
    under_way = job.state in (Job.State.QUEUED, Job.State.RUNNING)
    counted = under_way and job.total > 0
    words = {"done": wording.count(job.done), "count": wording.count(job.total)}
    seconds = job.seconds_left(now)
    left = [] if seconds is None else [wording.time_left(seconds)]
    at = job.finished_at or job.started_at or job.created_at
    return WorkRow(
        title=_title(job, names),
        state=str(_STATES[Job.State(job.state)]),
        rest=", ".join([_("%(done)s of %(count)s") % words, *left]) if counted else "",
        part=f"{min(job.done / job.total, 1.0):.3f}" if counted else "",
        when=wording.moment(at, zone, day_of(now, zone)),
        error=job.error.strip().rpartition("\n")[2],
        is_under_way=under_way,
        is_failed=job.state == Job.State.FAILED,
    )


def _title(job: Job, names: dict[tuple[str, int], str]) -> str:
    subject = next(
        (
            names[word, job.params[word]]
            for word in SUBJECTS
            if (word, job.params.get(word)) in names
        ),
        "",
    )
    if job.kind not in SENTENCES:
        return " ".join(filter(None, (job.kind.replace("_", " "), subject)))
    return str(SENTENCES[job.kind]) % {"subject": f"“{subject}”" if subject else "…"}
