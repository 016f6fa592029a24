"""What a page says of its ratings as a whole: of what day their ranges are, and who is held."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import bridge, wording
from leagues.models import Board
from leagues.selectors.standings import Standings


def board_notes(
    board: Board, standings: Standings, *, has_stakes: bool = False, lists_unranked: bool = False
) -> tuple[str, ...]:
    """The sentences that belong beside the standings of a board."""
    day = _day_sentence(board, standings.uncertainty_day, has_stakes=has_stakes)
    rungs = "" if lists_unranked else _rungs_sentence(board, standings)
    return tuple(filter(None, (day, rungs, *_bound_sentences(board, standings))))


def range_sentence(board: Board, now: datetime, *, has_stakes: bool) -> str:
    """Of what day the ranges on a page are, while its board rests; else empty."""
    day = bridge.uncertainty_day(board, board.last_at, now)
    return _day_sentence(board, day, has_stakes=has_stakes)


def _day_sentence(board: Board, day: date | None, *, has_stakes: bool) -> str:
    if day is None:
        return ""
    words = {"day": wording.day(day)}
    if not has_stakes:
        return _("Uncertainty is shown as of %(day)s, the last day with results.") % words
    if not board.season.takes_late_results:
        return (
            _("Uncertainty and stakes are shown as of %(day)s, the last day with results.") % words
        )
    return (
        _(
            "Uncertainty and stakes are shown as of %(day)s, the last day with results; a "
            "match played today can move ratings more."
        )
        % words
    )


def _rungs_sentence(board: Board, standings: Standings) -> str:
    """Why rungs and ranks differ, where players without a rank stand on rungs between."""
    if not bridge.system_info(board.system).orders_only:
        return ""
    ranked = standings.is_ranked
    if not (standings.shown_values.value[ranked] > standings.rank[ranked]).any():
        return ""
    return _("The rungs missing between these players belong to players who are not ranked.")


def _bound_sentences(board: Board, standings: Standings) -> Iterator[str]:
    """How many players the bounds of a board hold; nothing where nobody stands at one."""
    lowest, highest = bridge.system_of(board).shown_bounds
    at_lowest, at_highest = standings.held_at(lowest, highest)
    decimals = standings.shown_values.decimals
    if at_highest:
        yield ngettext(
            "%(count)s player is at %(bound)s, the highest rating that this board allows, "
            "and cannot gain any more points.",
            "%(count)s players are at %(bound)s, the highest rating that this board "
            "allows, and cannot gain any more points.",
            at_highest,
        ) % {"count": wording.count(at_highest), "bound": wording.number(highest, decimals)}
    if at_lowest:
        yield ngettext(
            "%(count)s player is at %(bound)s, the lowest rating that this board allows, "
            "and cannot lose any more points.",
            "%(count)s players are at %(bound)s, the lowest rating that this board allows, "
            "and cannot lose any more points.",
            at_lowest,
        ) % {"count": wording.count(at_lowest), "bound": wording.number(lowest, decimals)}


def has_ranges(standings: Standings) -> bool:
    """Whether ratings have a range, those of a board that ranks nobody yet too."""
    if standings.is_ranked.any():
        return bool(len(standings.lows))
    return len(standings) > 0 and not bool(np.isnan(standings.shown_values.low).any())
