"""The places of the same players on several boards, whatever the size of the league.

Ranked is whom the leaderboard ranks (`domain.ranking`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from django.core.cache import cache
from django.db.models import Q
from numpy.typing import NDArray

from leagues.domain.ranking import ranking_rule, ranks_among
from leagues.models import Board, Player, Standing
from leagues.models.board import is_current, is_ranked
from leagues.selectors.standings import Standings, present

MOST_WHOLE = 500
"""Modes of up to so many players are read whole; of larger ones whole boards are at hand."""

COLUMNS = (
    "board_id",
    "player_id",
    "player__key",
    "player__name",
    "place_value",
    "shown",
    "low",
    "high",
    "games",
    "won",
    "drawn",
    "lost",
    "form",
)


@dataclass(frozen=True, slots=True)
class BoardPlace:
    """Where one player stands on one board."""

    board_id: int
    player_id: int
    key: str
    name: str
    place_value: int
    shown_value: float
    low: float | None
    high: float | None
    games: int
    won: int
    drawn: int
    lost: int
    form: str


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """The place values of a board's ranked players, best first."""

    places: NDArray[np.int64]

    @property
    def players(self) -> int:
        return len(self.places)

    def rank(self, place_value: int) -> int:
        """One more than the number of players above a place value."""
        return int(ranks_among(np.array([place_value]), self.places)[0])

    def value_at(self, rank: int) -> int:
        """The place value of whoever has a rank, or of the last of all."""
        return int(self.places[min(rank, len(self.places)) - 1])


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Some players, in the order of one board, with their standings on all."""

    boards: tuple[Board, ...]
    chosen: Board
    rows: tuple[Mapping[int, BoardPlace], ...]
    """Each player's standings, by board."""
    rankings: Mapping[int, Ranking]
    total: int
    page: int
    pages: int
    is_whole: bool
    everyone: tuple[Mapping[int, BoardPlace], ...]
    """All players of a small mode; of a large one those on the page."""

    def rank(self, row: Mapping[int, BoardPlace], board: Board) -> int | None:
        """The rank of a player of `rows` or `everyone` on a board."""
        placed = row.get(board.pk)
        return None if placed is None else self.rankings[board.pk].rank(placed.place_value)

    @property
    def listed(self) -> Iterator[Mapping[int, BoardPlace]]:
        """Those of `everyone` whom the chosen board ranks: whom its table names."""
        return (row for row in self.everyone if self.chosen.pk in row)

    def placings(self, row: Mapping[int, BoardPlace]) -> list[tuple[int, Board]]:
        """The ranks of a player with their boards, the best first; equal ones as boards stand."""
        known = [
            (rank, board) for board in self.boards if (rank := self.rank(row, board)) is not None
        ]
        return sorted(known, key=lambda placing: placing[0])


def side_by_side(
    boards: Sequence[Board], chosen: Board, *, page: int, size: int, now: datetime
) -> SideBySide:
    """A page of the chosen board's players and where the other boards have them."""
    whole = _whole(boards, now)
    if whole is None:
        return _large(boards, chosen, page=page, size=size, now=now)
    places: dict[int, list[int]] = {board.pk: [] for board in boards}
    for placed in whole:
        places[placed.board_id].append(placed.place_value)
    everyone = _by_player(whole, chosen)
    listed = [row for row in everyone if chosen.pk in row]
    page, pages, where = _page_of(len(listed), page, size)
    return SideBySide(
        boards=tuple(boards),
        chosen=chosen,
        rows=tuple(listed[where]),
        rankings={
            pk: Ranking(np.array(sorted(values, reverse=True), dtype=np.int64))
            for pk, values in places.items()
        },
        total=len(listed),
        page=page,
        pages=pages,
        is_whole=True,
        everyone=tuple(everyone),
    )


def _large(
    boards: Sequence[Board], chosen: Board, *, page: int, size: int, now: datetime
) -> SideBySide:
    """Do the same from whole boards, of which only the players of the page are named."""
    standings = {board.pk: present(board, now) for board in boards}
    ranked = np.flatnonzero(standings[chosen.pk].is_ranked)
    page, pages, where = _page_of(len(ranked), page, size)
    ids = standings[chosen.pk].table.player_id[ranked[where]].tolist()
    named = {
        pk: (key, name)
        for pk, key, name in Player.objects.filter(pk__in=ids).values_list("pk", "key", "name")
    }
    places = [
        _board_place(board, whole, row, *named[player_id])
        for board in boards
        for whole in (standings[board.pk],)
        for player_id in ids
        if (row := whole.row_of(player_id)) is not None and whole.is_ranked[row]
    ]
    rows = tuple(_by_player(places, chosen))
    return SideBySide(
        boards=tuple(boards),
        chosen=chosen,
        rows=rows,
        rankings={
            pk: Ranking(whole.table.place[whole.is_ranked]) for pk, whole in standings.items()
        },
        total=len(ranked),
        page=page,
        pages=pages,
        is_whole=False,
        everyone=rows,
    )


def _page_of(total: int, page: int, size: int) -> tuple[int, int, slice]:
    """The page there is, how many there are, and where it lies."""
    pages = max(1, -(-total // size))
    page = min(page, pages)
    return page, pages, slice((page - 1) * size, page * size)


def _board_place(board: Board, whole: Standings, row: int, key: str, name: str) -> BoardPlace:
    table, value = whole.table, whole.value(row)
    return BoardPlace(
        board_id=board.pk,
        player_id=int(table.player_id[row]),
        key=key,
        name=name,
        place_value=int(table.place[row]),
        shown_value=value.value,
        low=value.low,
        high=value.high,
        games=int(table.games[row]),
        won=int(table.won[row]),
        drawn=int(table.drawn[row]),
        lost=int(table.lost[row]),
        form=table.form[row].decode(),
    )


def _whole(boards: Sequence[Board], now: datetime) -> list[BoardPlace] | None:
    """All ranked standings of all boards, or None where they are too many."""
    key = f"large:{boards[0].season_id}:{boards[0].mode_id}:{len(boards)}:{MOST_WHOLE}"
    if cache.get(key):
        return None
    wanted = Q()
    for board in boards:
        wanted |= is_current(board) & is_ranked(ranking_rule(board, now))
    rows = Standing.objects.filter(wanted).values_list(*COLUMNS)
    most = MOST_WHOLE * len(boards)
    places = [BoardPlace(*values) for values in rows[: most + 1]]
    if len(places) <= most:
        return places
    cache.set(key, True)
    return None


def _by_player(places: Iterable[BoardPlace], chosen: Board) -> list[Mapping[int, BoardPlace]]:
    """Put the standings of each player together, in the order of one board, equal ones by key."""
    players: dict[int, dict[int, BoardPlace]] = {}
    for placed in places:
        players.setdefault(placed.player_id, {})[placed.board_id] = placed

    def place(row: Mapping[int, BoardPlace]) -> tuple[bool, int, str]:
        own = row.get(chosen.pk)
        any_row = next(iter(row.values()))
        return own is None, -own.place_value if own else 0, any_row.key

    return sorted(players.values(), key=place)
