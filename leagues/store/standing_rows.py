"""Standings as plain rows: what a board's computations read, compare and write.

A model instance takes a hundred times as long as the row it holds, and a board has one for each
player.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from leagues.models import Board, Standing

NAMED_AT_ONCE = 500
"""Players in one query: SQLite takes only so many values."""

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


def read_standings(board: Board, player_ids: Sequence[int] | None = None) -> dict[int, StandingRow]:
    """The present standings of a board by player: of some players, or of everyone."""
    rows = Standing.objects.current(board).values_list(*StandingRow._fields)
    parts: Iterable[Iterable[tuple[object, ...]]] = [rows]
    if player_ids is not None:
        parts = (
            rows.filter(player_id__in=player_ids[first : first + NAMED_AT_ONCE])
            for first in range(0, len(player_ids), NAMED_AT_ONCE)
        )
    return {row.player_id: row for part in parts for row in _plain(part)}


def _plain(rows: Iterable[tuple[object, ...]]) -> Iterator[StandingRow]:
    for row in rows:
        standing = StandingRow(*row)  # type: ignore[arg-type]
        yield standing._replace(state=bytes(standing.state))
