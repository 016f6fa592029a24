"""Where everyone stands on a board: the little of its standings that ranks follow from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

import numpy as np
from django.db import connection

from leagues.models import Board, Standing
from leagues.store.bulk import read_binary
from leagues.store.column_reads import instants_of_bytes, integers_of_bytes
from leagues.store.match_columns import Floats, Integers, instant_of, instants
from leagues.store.standing_rows import StandingColumns


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """Players of a board in any order; parallel columns."""

    player_id: Integers
    value: Floats
    place_value: Integers
    games: Integers
    last_at: Integers
    """Microseconds since 1970."""

    def __len__(self) -> int:
        return len(self.player_id)

    @classmethod
    def of_columns(cls, columns: StandingColumns) -> Placed:
        """The same players as whole standings have them."""
        return cls(
            columns.player_id,
            columns.shown,
            columns.place_value,
            columns.games,
            columns.last_played_at,
        )

    def replaced(self, players: Iterable[int], other: Placed) -> Placed:
        """The same, but for some players, who are as `other` has them."""
        some = np.fromiter(players, np.int64)
        stays, comes = ~np.isin(self.player_id, some), np.isin(other.player_id, some)
        return Placed(
            **{
                column.name: np.concatenate(
                    [getattr(self, column.name)[stays], getattr(other, column.name)[comes]]
                )
                for column in fields(self)
            }
        )


def read_placed(board: Board) -> Placed:
    """Where everyone stands on a board now."""
    source = f"{Standing._meta.db_table} s WHERE s.board_id = %s AND s.generation = %s"
    params = [board.pk, board.generation]
    if connection.vendor == "postgresql":
        return _read_bytes(source, params)
    columns = "s.player_id, s.shown, s.place_value, s.games, " + instant_of("s.last_played_at")
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {columns} FROM {source}", params)  # noqa: S608
        rows = list(zip(*cursor.fetchall(), strict=True)) or [()] * len(fields(Placed))
    player_id, value, place_value, games, last_at = rows
    return Placed(
        np.array(player_id, np.int64),
        np.array(value, np.float64),
        np.array(place_value, np.int64),
        np.array(games, np.int64),
        instants(last_at),
    )


def _read_bytes(source: str, params: Sequence[int]) -> Placed:
    """The same, each column as the bytes of its numbers, which takes a fifth of the time.

    SQLite writes floats only as digits, and too few of them.
    """
    columns = (
        "int8send(s.player_id)",
        "float8send(s.shown)",
        "int8send(s.place_value)",
        "int8send(s.games)",
        "timestamptz_send(s.last_played_at)",
    )
    wholes = ", ".join(f"string_agg({column}, '')" for column in columns)
    (parts,) = read_binary(f"SELECT {wholes} FROM {source}", params)  # noqa: S608
    player_id, value, place_value, games, last_at = (part or b"" for part in parts)
    return Placed(
        integers_of_bytes(player_id),
        np.frombuffer(value, ">f8").astype(np.float64),
        integers_of_bytes(place_value),
        integers_of_bytes(games),
        instants_of_bytes(last_at),
    )
