"""What stood on a whole board before some moment, read from the histories of everyone on it.

Where a match moves others than its players, or counts for something that all share, whatever comes
after a change is rated again, from the last point of each player before it. What the board shared
then follows from these points, for systems that keep no sums over all matches.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from leagues import bridge
from leagues.domain.civil_days import day_number
from leagues.models import Board, Standing, StartingState
from leagues.store import segments
from leagues.store.match_columns import Facts, micros, read_facts
from leagues.store.standing_rows import StandingRow, read_standings
from ratings.boardwide import BoardWide
from ratings.system import State


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """How a player's history goes on after a moment, and how it stands before it."""

    count: int
    """How many points stand before the moment."""
    stored: int
    """How many segments are stored."""
    rows: Mapping[int, segments.SegmentRow]
    """Those from the one on in which the moment lies."""

    @property
    def number(self) -> int:
        """The segment in which the history goes on."""
        return self.count // segments.SIZE

    @property
    def is_over(self) -> bool:
        """Whether no point stands after the moment."""
        last = self.rows[self.stored - 1]
        return self.count == last.number * segments.SIZE + last.count

    def points(self) -> segments.Points | None:
        """The points before the moment in the segment in which the history goes on."""
        room = self.count % segments.SIZE
        return self.rows[self.number].points()[:room] if room else None

    def state(self) -> bytes:
        """The state at the moment, of a history that has begun."""
        number, place = divmod(self.count - 1, segments.SIZE)
        return self.rows[number].state_at(place)


@dataclass(frozen=True, slots=True, eq=False)
class BoardBefore:
    """A board before a moment: its histories, and where its players stood."""

    histories: Mapping[int, History]
    """Of everyone on it."""
    stored: Mapping[int, StandingRow]
    """Their present standings."""
    before: bridge.Before


def has_derivable_state(board: Board) -> bool:
    """Whether what a board shared at any moment follows from who had played, and when.

    Not where players brought something: of those who have not played it is nowhere.
    """
    return _state_after(board, 0, 0) is not None and not (
        board.start_board_state or StartingState.objects.filter(board_id=board.pk).exists()
    )


def moves_everyone(board: Board) -> bool:
    """Whether others than its players move with a match, or with the time, on such a board."""
    system = bridge.newest_system(board)
    if not isinstance(system, BoardWide) or not has_derivable_state(board):
        return False
    return system.period_days is not None or system.moves_bystanders(0, system.new_board())


@dataclass(frozen=True, slots=True)
class Newcomers:
    """Who joins a board after some moment, and how many there were before."""

    board: Board
    newcomers: frozenset[int]
    """In matches that have not changed."""
    others: int
    """Who had joined, without the players of matches that have changed."""

    def state_with(self, players: Collection[int]) -> State | None:
        """What the board shared at the moment, where some of those players had joined too."""
        return _state_after(self.board, self.others + len(players), 0)


def newcomers_of(board: Board, later: Facts, own: Collection[int]) -> Newcomers:
    """Who has no match before `later`, beside the players whose matches have changed.

    Where each of them stands depends on who has joined before.
    """
    counts = Counter(later.player_id.tolist())
    games = dict(Standing.objects.current(board).values_list("player_id", "games"))
    newcomers = frozenset(
        player_id
        for player_id, count in games.items()
        if counts[player_id] == count and player_id not in own
    )
    return Newcomers(board, newcomers, len(games.keys() - newcomers - set(own)))


def _state_after(board: Board, newcomers: int, day: int) -> State | None:
    system = bridge.newest_system(board)
    return system.board_after(newcomers, day) if isinstance(system, BoardWide) else None


def read_board_before(
    board: Board, since: datetime, last_at: datetime, later: Facts, own: Collection[int]
) -> BoardBefore | None:
    """Where everyone on a board stood before the first match that is played at `since` or later.

    `last_at` is when the last match before was played, and `own` are those whose matches from then
    on have changed. None where the histories do not say what the matches do.
    """
    histories = _read_histories(board, micros(last_at))
    begun = {player_id: one for player_id, one in histories.items() if one.count}
    stored = read_standings(board)
    counts = Counter(later.player_id.tolist())
    before = bridge.count_results(board, read_facts(board, before=since, players=sorted(own)))
    before = {player_id: row for player_id, row in before.items() if player_id in own}
    for player_id, row in stored.items():
        if player_id in own:
            continue
        games = row.games - counts[player_id]
        if games < 0:
            return None
        if games:
            before[player_id] = row._replace(games=games)
    if before.keys() != begun.keys():
        return None
    standings = {
        player_id: row._replace(state=begun[player_id].state()) for player_id, row in before.items()
    }
    state = _state_after(board, len(begun), day_number(last_at, board.league.zone))
    return BoardBefore(histories, stored, bridge.Before(standings, is_everyone=True, board=state))


def _read_histories(board: Board, last_at: int) -> dict[int, History]:
    """The histories of everyone, from the segment on in which a moment lies.

    Of most it is the last one, which is read of everyone; before it only what is needed.
    """
    found: dict[int, dict[int, segments.SegmentRow]] = {}
    counts: dict[int, int] = {}
    rows: Iterable[segments.SegmentRow] = segments.read_last(board)
    while True:
        earlier: list[tuple[int, int]] = []
        for row in rows:
            found.setdefault(row.player_id, {})[row.number] = row
            at = np.frombuffer(row.data, "<i8", row.count, offset=8 * row.count)
            earlier_points = int(np.searchsorted(at, last_at, side="right"))
            counts[row.player_id] = row.number * segments.SIZE + earlier_points
            if row.number and not earlier_points:
                earlier.append((row.player_id, row.number - 1))
        if not earlier:
            break
        rows = segments.read_rows(board, dict(earlier))
    return {
        player_id: History(counts[player_id], max(own) + 1, own) for player_id, own in found.items()
    }
