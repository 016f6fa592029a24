"""Standings as plain rows: what a board's computations read, compare and write.

A model instance takes a hundred times as long as the row it holds, and a board has one for each
player.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from leagues.models import Board, Standing
from leagues.store.bulk import read_large
from leagues.store.column_writes import NULL_INSTANT, Column
from leagues.store.id_lists import Among
from leagues.store.match_columns import Floats, Integers, moment

KEY = ("board_id", "generation", "player_id")
"""What tells a standing from all others."""


class StandingRow(NamedTuple):
    """A standing as the values of its columns."""

    league_id: int
    board_id: int
    generation: int
    player_id: int
    state: bytes
    shown: float
    place_value: int
    low: float | None
    high: float | None
    games: int
    won: int
    drawn: int
    lost: int
    form: str
    streak: int
    last_played_at: datetime
    fairly_sure_until: datetime | None
    sure_until: datetime | None


@dataclass(frozen=True, slots=True, eq=False)
class StandingColumns:
    """Standings of one generation of a board, each column of theirs as an array."""

    league_id: int
    board_id: int
    generation: int
    player_id: Integers
    state: NDArray[np.uint8]
    """The bytes of each in a row."""
    shown: Floats
    place_value: Integers
    low: Floats
    """NaN where there is none; `high` likewise."""
    high: Floats
    games: Integers
    won: Integers
    drawn: Integers
    lost: Integers
    form: NDArray[np.bytes_]
    streak: Integers
    last_played_at: Integers
    """Microseconds since 1970."""
    fairly_sure_until: Integers
    """`NULL_INSTANT` where they are not; `sure_until` likewise."""
    sure_until: Integers

    def __len__(self) -> int:
        return len(self.player_id)

    def part(self, first: int, end: int) -> dict[str, Column]:
        """The columns of some of them, by their names."""
        columns = {name: getattr(self, name) for name in StandingRow._fields}
        return {
            name: column if isinstance(column, int) else column[first:end]
            for name, column in columns.items()
        }

    def rows(self) -> list[StandingRow]:
        """All of them as rows."""
        whole, width = self.state.tobytes(), self.state.shape[1]
        same = (self.league_id, self.board_id, self.generation)
        columns = zip(
            self.player_id.tolist(),
            [whole[at : at + width] for at in range(0, len(whole), width)],
            self.shown.tolist(),
            self.place_value.tolist(),
            _or_none(self.low),
            _or_none(self.high),
            self.games.tolist(),
            self.won.tolist(),
            self.drawn.tolist(),
            self.lost.tolist(),
            self.form.astype(str).tolist(),
            self.streak.tolist(),
            map(moment, self.last_played_at.tolist()),
            map(_moment_or_none, self.fairly_sure_until.tolist()),
            map(_moment_or_none, self.sure_until.tolist()),
            strict=True,
        )
        return [StandingRow(*same, *row) for row in columns]


def _or_none(values: Floats) -> list[float | None]:
    return [None if math.isnan(value) else value for value in values.tolist()]


def _moment_or_none(value: int) -> datetime | None:
    return None if value == NULL_INSTANT else moment(value)


def read_standings(board: Board, player_ids: Sequence[int] | None = None) -> dict[int, StandingRow]:
    """The present standings of a board by player: of some players, or of everyone."""
    rows = Standing.objects.current(board).values_list(*StandingRow._fields)
    if player_ids is not None:
        rows = rows.filter(Among("player_id", player_ids))
    return {row.player_id: row for row in _plain(read_large(rows))}


def _plain(rows: Iterable[tuple[Any, ...]]) -> Iterator[StandingRow]:
    for row in rows:
        same, state, rest = row[:4], row[4], row[5:]
        yield StandingRow._make((*same, bytes(state), *rest))
