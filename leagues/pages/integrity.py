"""What the last checks of a board, its season and its league found, in words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import wording
from leagues.domain.civil_days import day_of
from leagues.models import Board, Season
from leagues.store.match_columns import has_results_since


@dataclass(frozen=True, slots=True)
class IntegrityLine:
    """What stands on a page of the last check; `text` is empty before the first one."""

    text: str
    is_broken: bool
    is_stale: bool = False
    """Results have come since: it says nothing of what a page shows."""
    short: str = ""
    """When it was checked or sealed, for a line of facts, where no difference was found."""


def integrity_line(board: Board, now: datetime) -> IntegrityLine:
    """What the last check found; of a sealed season in short that it is final."""
    line, season = _checked(board, now), board.season
    if line.is_broken or not season.is_sealed or season.sealed_at is None:
        return line
    zone = board.league.zone
    day = wording.day(day_of(season.sealed_at, zone), day_of(now, zone))
    return replace(line, short=_("final, sealed on %(day)s") % {"day": day})


def _checked(board: Board, now: datetime) -> IntegrityLine:
    """When all was rated again from nothing and agreed, and what was checked of changes since."""
    if count := board.differences + board.season.differences + board.league.differences:
        return IntegrityLine(_difference_count(count), True)
    if board.verified_at is None:
        return IntegrityLine("", False)
    zone = board.league.zone
    today = day_of(now, zone)
    whole = wording.moment(board.verified_at, zone, today)
    moment = wording.moment(board.changes_verified_at or board.verified_at, zone, today)
    if board.verified_matches == 0:
        return IntegrityLine("", False)
    short = _("checked %(moment)s") % {"moment": moment}
    if board.verified_matches is None:
        words = _("Ratings checked %(moment)s: computed again from all results, no difference")
        return IntegrityLine(words % {"moment": moment}, False, short=short)
    if _has_changed_since(board):
        return IntegrityLine(
            _("Ratings checked %(moment)s, before the newest changes") % {"moment": moment},
            is_broken=False,
            is_stale=True,
        )
    words = _("Ratings checked %(moment)s: computed again from %(results)s, no difference")
    if board.changes_verified_at is not None:
        words = _(
            "Ratings checked %(moment)s: newest changes computed again, no difference; "
            "all %(results)s on %(whole)s"
        )
    results = wording.results(board.verified_matches)
    text = words % {"moment": moment, "results": results, "whole": whole}
    return IntegrityLine(text, False, short=short)


def seal_problem(season: Season, board: Board | None) -> str:
    """The problem of a season that is not what was sealed; empty where no check found that."""
    count = season.differences + season.league.differences + (board.differences if board else 0)
    return _difference_count(count) if count else ""


def _difference_count(count: int) -> str:
    return ngettext(
        "A check found %(count)s difference from what was recorded",
        "A check found %(count)s differences from what was recorded",
        count,
    ) % {"count": wording.count(count)}


def _has_changed_since(board: Board) -> bool:
    """Whether results have changed since the last check."""
    checked = board.verified_through_revision or 0
    return board.season.last_revision > checked and has_results_since(board, checked)
