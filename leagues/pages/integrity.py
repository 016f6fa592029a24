"""What the last checks of a board, its season and its league found, in words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import wording
from leagues.domain.civil_days import day_of
from leagues.models import Board, Season
from leagues.selectors.boards import results_since

MAX_COUNTED = 10_000


@dataclass(frozen=True, slots=True)
class IntegrityLine:
    """What stands on a page of the last check; `text` is empty before the first one."""

    text: str
    is_broken: bool


def integrity_line(board: Board, now: datetime) -> IntegrityLine:
    """When all was rated again from nothing and agreed, and how much has come since."""
    if count := board.differences + board.season.differences + board.league.differences:
        return IntegrityLine(_difference_count(count), True)
    if board.verified_at is None:
        return IntegrityLine("", False)
    zone = board.league.zone
    moment = wording.moment(board.verified_at, zone, day_of(now, zone))
    if board.verified_matches is None:
        words = _("Checked %(moment)s: all results rated again, same ratings")
        return IntegrityLine(words % {"moment": moment}, False)
    count = _changed_since(board)
    if not count:
        words = _("Checked %(moment)s: %(results)s rated again, same ratings")
    elif count > MAX_COUNTED:
        count = MAX_COUNTED
        words = _(
            "Checked %(moment)s: %(results)s rated again, same ratings; "
            "more than %(count)s changes to check"
        )
    else:
        words = ngettext(
            "Checked %(moment)s: %(results)s rated again, same ratings; %(count)s change to check",
            "Checked %(moment)s: %(results)s rated again, same ratings; %(count)s changes to check",
            count,
        )
    words %= {
        "moment": moment,
        "results": wording.results(board.verified_matches),
        "count": wording.count(count),
    }
    return IntegrityLine(words, False)


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


def _changed_since(board: Board) -> int:
    """How many results have changed since the last check; at most one more than are counted."""
    checked = board.verified_through_revision or 0
    if board.season.last_revision <= checked:
        return 0
    return results_since(board, checked, at_most=MAX_COUNTED + 1)
