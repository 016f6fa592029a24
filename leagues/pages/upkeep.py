"""What was done to a board by hand, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import wording
from leagues.models import Board, Job
from leagues.pages.work import ROUTINE, WorkRow, work_rows
from leagues.services.recalculation import recalculation_key
from leagues.services.trials import trial_key


@dataclass(frozen=True, slots=True)
class Move:
    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Difference:
    """What a replay gave that was not there before."""

    title: str
    said: str
    moves: tuple[Move, ...]


def board_work(board: Board, *, now: datetime) -> tuple[WorkRow, ...]:
    """Return the newest work of each kind on a board that goes on, waits or has stopped."""
    keys = [
        f"rate:{board.pk}",
        f"verify:{board.pk}",
        recalculation_key(board.pk),
        *(trial_key(trial.pk) for trial in board.trials.filter(finished_at=None)),
    ]
    newest = [Job.objects.filter(key=key).order_by("-pk").first() for key in keys]
    # A check that comes by itself, a minute after the last rating, is no news.
    pressing = [
        job
        for job in newest
        if job is not None
        and job.state != Job.State.DONE
        and not (job.state == Job.State.QUEUED and job.kind in ROUTINE and job.run_after > now)
    ]
    return work_rows(pressing, zone=board.league.zone, now=now)


def recalculated(board: Board) -> Difference | None:
    """Return what the last recalculation changed; None where there was none lately."""
    job = (
        Job.objects.filter(key=recalculation_key(board.pk), state=Job.State.DONE)
        .order_by("-pk")
        .first()
    )
    if job is None or not job.result:
        return None
    report, zone = job.result, board.league.zone
    moved = report["moved"]
    if moved:
        said = ngettext(
            "%(count)s of %(players)s has another rank.",
            "%(count)s of %(players)s have another rank.",
            moved,
        ) % {"count": wording.count(moved), "players": wording.players(report["players"])}
    elif report["other_values"]:
        said = _("No rank is another one; %(count)s ratings are.") % {
            "count": wording.count(report["other_values"])
        }
    else:
        said = _("Nothing is different: every rating is what it was.")
    return Difference(
        title=_("Recalculated %(moment)s") % {"moment": wording.moment(job.finished_at, zone)}
        if job.finished_at
        else "",
        said=said,
        moves=tuple(
            Move(row["name"], wording.ordinal(row["before"]), wording.ordinal(row["after"]))
            for row in report["movers"]
        ),
    )
