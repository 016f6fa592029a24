"""Where everyone stands on a board: the little of its standings that ranks follow from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

import numpy as np
from django.db import connection

from leagues.models import Board, Standing
from leagues.store.bulk import read_binary
from leagues.store.hashes import micros
from leagues.store.match_columns import Floats, Integers, instant_of, instants
from leagues.store.standing_rows import StandingColumns, StandingRow


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

    @classmethod
    def of_rows(cls, rows: Sequence[StandingRow]) -> Placed:
        """The same players as whole standings have them, a row each."""
        return cls(
            np.array([row.player_id for row in rows], np.int64),
            np.array([row.shown for row in rows], np.float64),
            np.array([row.place_value for row in rows], np.int64),
            np.array([row.games for row in rows], np.int64),
            np.array([micros(row.last_played_at) for row in rows], np.int64),
        )

    def replaced(self, players: Iterable[int], rows: Sequence[StandingRow]) -> Placed:
        """All but some players, with rows in the place of theirs."""
        stays = ~np.isin(self.player_id, np.fromiter(players, np.int64))
        other = Placed.of_rows(rows)
        return Placed(
            **{
                column.name: np.concatenate(
                    [getattr(self, column.name)[stays], getattr(other, column.name)]
                )
                for column in fields(self)
            }
        )


def read_placed(board: Board) -> Placed:
    """Where everyone stands on a board now."""
    names = ("player_id", "shown", "place_value", "games")
    columns = [*(f"s.{name}" for name in names), instant_of("s.last_played_at")]
    source = f"{Standing._meta.db_table} s WHERE s.board_id = %s AND s.generation = %s"
    params = [board.pk, board.generation]
    if connection.vendor == "postgresql":
        return _read_bytes(columns, source, params)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(columns)} FROM {source}", params)  # noqa: S608
        rows = list(zip(*cursor.fetchall(), strict=True)) or [()] * len(columns)
    player_id, value, place_value, games, last_at = rows
    return Placed(
        np.array(player_id, np.int64),
        np.array(value, np.float64),
        np.array(place_value, np.int64),
        np.array(games, np.int64),
        instants(last_at),
    )


def _read_bytes(columns: Sequence[str], source: str, params: Sequence[int]) -> Placed:
    """The same, each column as the bytes of its numbers, which takes a fifth of the time.

    SQLite writes floats only as digits, and too few of them.
    """
    sends = ("int8send", "float8send", "int8send", "int8send", "int8send")
    wholes = ", ".join(
        f"string_agg({send}({column}), '')" for send, column in zip(sends, columns, strict=True)
    )
    ((player_id, value, *rest),) = read_binary(f"SELECT {wholes} FROM {source}", params)  # noqa: S608
    place_value, games, last_at = (_integers(part) for part in rest)
    values = np.frombuffer(value or b"", ">f8").astype(np.float64)
    return Placed(_integers(player_id), values, place_value, games, last_at)


def _integers(part: bytes | None) -> Integers:
    return np.frombuffer(part or b"", ">i8").astype(np.int64)
