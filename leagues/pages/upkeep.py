"""What was done to a board by hand, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import wording
from leagues.models import Board
from leagues.pages.work import WorkRow, work_rows
from leagues.selectors.work import board_jobs, last_recalculation


@dataclass(frozen=True, slots=True)
class Move:
    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Difference:
    """What a replay gave that was not there before."""

    title: str
    summary: str
    moves: tuple[Move, ...]


def board_work(board: Board, *, now: datetime) -> tuple[WorkRow, ...]:
    """The newest work of each kind on a board that goes on, waits or has stopped."""
    return work_rows(board_jobs(board, now), zone=board.league.zone, now=now)


def describe_recalculation(board: Board) -> Difference | None:
    """The changes of the last recalculation; None where there was none lately."""
    job = last_recalculation(board)
    if job is None or not job.result:
        return None
    report, zone = job.result, board.league.zone
    moved = report["moved"]
    if moved:
        summary = ngettext(
            "The rank of %(count)s of %(players)s changed.",
            "The ranks of %(count)s of %(players)s changed.",
            moved,
        ) % {"count": wording.count(moved), "players": wording.players(report["players"])}
    elif report["other_values"]:
        summary = ngettext(
            "No rank changed, but %(count)s rating did.",
            "No rank changed, but %(count)s ratings did.",
            report["other_values"],
        ) % {"count": wording.count(report["other_values"])}
    else:
        summary = _("Nothing changed: every rating is the same.")
    return Difference(
        title=_("Recalculated %(moment)s") % {"moment": wording.moment(job.finished_at, zone)}
        if job.finished_at
        else "",
        summary=summary,
        moves=tuple(
            Move(row["name"], wording.ordinal(row["before"]), wording.ordinal(row["after"]))
            for row in report["movers"]
        ),
    )
