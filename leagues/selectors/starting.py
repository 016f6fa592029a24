"""Who begins a season with which rating: carried over from the one before, or given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from leagues import bridge
from leagues.bridge import StartingRating
from leagues.models import Board
from leagues.selectors.people import players_by_id
from leagues.selectors.starts import given_starts

MAX_NAMED = 100
"""Players of a board who are listed by name."""
MAX_READ = 5000
"""Starting ratings that a page reads; of larger leagues the downloads of the former season tell."""


@dataclass(frozen=True, slots=True)
class StartingList:
    """The best starting ratings of a board with the names of their players, and how many more.

    `sources` says of those that were given where they come from, by player.
    """

    board: Board
    rows: tuple[tuple[str, StartingRating], ...]
    sources: Mapping[int, str]
    more: int


def starting_lists(boards: Iterable[Board]) -> list[StartingList]:
    """The starting ratings of boards, of those that players brought anything to."""
    lists = []
    for board in boards:
        if not 0 < board.starting_states.count() <= MAX_READ:
            continue
        ratings = bridge.starting_ratings(board)
        if ratings:
            named = ratings[:MAX_NAMED]
            people = players_by_id({rating.player_id for rating in named})
            rows = tuple((people[rating.player_id].name, rating) for rating in named)
            sources = {player.pk: start.source for player, start in given_starts(board)}
            lists.append(StartingList(board, rows, sources, len(ratings) - len(named)))
    return lists
