"""The standings that a process showed last, which stand in while newer ones are worked out.

To read and rank a large board anew takes several times as long as to write a page of it. So the
first page after a change, or after midnight, shows the standings before it and says so, where the
server can work out the new ones as soon as that page is sent.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from leagues.domain.ranking import least_games
from leagues.models import Board
from leagues.store.memory import Memory

if TYPE_CHECKING:
    from leagues.selectors.standings import Standings

LEAST_PLAYERS = 500
"""A smaller board is read and ranked while its page is written."""
MAX_BYTES = 32 * 1024 * 1024
"""For the most part those that `selectors/tables.py` keeps anyway."""


@dataclass(frozen=True, slots=True)
class HeldStandings:
    """The present standings of a board as a page has shown them."""

    standings: Standings
    last_at: datetime | None
    computed_at: datetime | None
    day: date

    def is_of_earlier_day(self, board: Board) -> bool:
        """Whether nothing but the day is another since then."""
        return self.computed_at == board.computed_at


_held: Memory[HeldStandings] = Memory(MAX_BYTES)


def held_standings(board: Board, today: date) -> HeldStandings | None:
    """What may stand in for a board's standings of today; None where they are at hand.

    Not after a correction, nor where numbers are shown in another way: nothing of that may be
    seen as it was.
    """
    held = _held.get(_key(board))
    if held is None or (held.is_of_earlier_day(board) and held.day == today):
        return None
    return held


def hold_standings(
    board: Board, standings: Standings, *, last_at: datetime | None, today: date
) -> None:
    """Let what a page shows stand in for the next standings."""
    if len(standings) < LEAST_PLAYERS:
        return
    key, held = _key(board), HeldStandings(standings, last_at, board.computed_at, today)
    if _held.get(key) != held:
        _held.put(key, held, standings.size)


def _key(board: Board) -> Any:
    shown_by = (
        board.shown_json,
        least_games(board),
        board.active_days,
        board.season.state,
        board.league.time_zone,
    )
    # A correction counts on the last generation, also where it leaves the generation as it is.
    return board.pk, board.created_at, board.generation, board.last_generation, shown_by
