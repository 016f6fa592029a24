"""Why a board ranks nobody although players have enough results: all of them are inactive."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from urllib.parse import urlencode

import numpy as np
from django.utils.translation import ngettext

from leagues import wording
from leagues.domain.civil_days import day_of
from leagues.domain.ranking import least_games
from leagues.models import Board
from leagues.pages.boards import board_address
from leagues.selectors.standings import Standings
from leagues.store.match_columns import moment


@dataclass(frozen=True, slots=True)
class Absence:
    """Why nobody is ranked, and where those are who were."""

    sentence: str
    inactive_url: str
    last_day: str
    """The last day with a match of someone who was ranked then."""
    last_day_url: str
    is_changeable: bool
    """Whether the league's days until players become inactive still hold for the season."""


def absence_of_all(board: Board, standings: Standings, on: date | None = None) -> Absence | None:
    """The absence of all who have enough results; None where someone is ranked, or nobody was.

    `on` is the day that the standings are of, where it is not today.
    """
    absent = standings.is_inactive & (standings.table.games >= least_games(board))
    count = int(np.count_nonzero(absent))
    if standings.is_ranked.any() or not count:
        return None
    last = int(standings.table.last_at[absent].max())
    last_day = day_of(moment(last), board.league.zone)
    address = board_address(board)
    return Absence(
        sentence=_sentence(count, standings.active_days, standings.uncertainty_day or on),
        inactive_url=f"{address}&{urlencode({'list': 'inactive'})}",
        last_day=wording.day(last_day),
        last_day_url=f"{address}&{urlencode({'on': last_day.isoformat()})}",
        is_changeable=not board.season.is_sealed,
    )


def _sentence(count: int, days: int, counted_from: date | None) -> str:
    words = {"count": wording.count(count), "days": days}
    if counted_from is None:
        return (
            ngettext(
                "%(count)s player has enough results, but the last match was more than %(days)d "
                "days ago.",
                "%(count)s players have enough results, but their last match was more than "
                "%(days)d days ago.",
                count,
            )
            % words
        )
    words["day"] = wording.day(counted_from)
    return (
        ngettext(
            "%(count)s player has enough results, but the last match was more than %(days)d days "
            "before %(day)s.",
            "%(count)s players have enough results, but their last match was more than %(days)d "
            "days before %(day)s.",
            count,
        )
        % words
    )
