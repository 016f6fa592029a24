"""The least that importing a file can take: reading it, and copying its rows, indexes and all.

Code of the bench alone, on a connection of its own: no rule of the application is asked.
"""

from __future__ import annotations

import csv
import io
import itertools
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Self

TABLES: Final = ("leagues_player", "leagues_match", "leagues_participant")
ROWS_AT_ONCE: Final = 20_000
AT: Final = "2026-01-01 00:00:00+00:00"
HASH: Final = "0123456789abcdef" * 4
PLAYER: Final = (
    *("id", "league_id", "key", "name", "folded", "words", "identity", "is_listed"),
    *("created_at", "revision_id"),
)
MATCH: Final = (
    *("id", "league_id", "season_id", "mode_id", "seq", "played_at", "date_only"),
    *("same_time_order", "kind", "status", "weight", "detail", "sets", "source", "external_id"),
    *("payload_hash", "content_hash", "version", "revision_id", "touched_in_revision"),
    *("recorded_at", "rungs_lost"),
)
PARTICIPANT: Final = (
    *("id", "league_id", "match_id", "player_id", "side", "rank", "score", "handicap"),
    "playing_share",
)
COLUMNS: Final = dict(zip(TABLES, (PLAYER, MATCH, PARTICIPANT), strict=True))


class Floor:
    """Empty tables like those of the application, with their indexes, and a connection to them."""

    def __init__(self) -> None:
        from django.db import connection

        self._is_sqlite = connection.vendor == "sqlite"
        self._folder = tempfile.TemporaryDirectory()
        with connection.cursor() as cursor:
            self._connection = self._on_sqlite(cursor) if self._is_sqlite else self._on_postgres()
        connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if not self._is_sqlite:
            for table in TABLES:
                self._connection.execute(f"DROP TABLE floor_{table}")
            self._connection.commit()
        self._connection.close()
        self._folder.cleanup()

    def copy(self, file: bytes) -> None:
        """Read the file and copy its rows, in one transaction."""
        rows = _rows_of(file)
        if self._is_sqlite:
            for some in _batches(rows):
                for table, columns in COLUMNS.items():
                    marks = ", ".join("?" * len(columns))
                    self._connection.executemany(
                        f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})",  # noqa: S608
                        some[table],
                    )
        else:
            with self._connection.cursor() as cursor:
                for some in _batches(rows):
                    for table, columns in COLUMNS.items():
                        words = f"COPY floor_{table} ({', '.join(columns)}) FROM STDIN"
                        with cursor.copy(words) as copy:
                            copy.write("".join(f"{_line(row)}\n" for row in some[table]))
        self._connection.commit()

    def _on_postgres(self) -> Any:
        import psycopg
        from django.db import connection

        ours = psycopg.connect(**connection.get_connection_params() | {"cursor_factory": None})
        for table in TABLES:
            ours.execute(f"DROP TABLE IF EXISTS floor_{table}")
            ours.execute(f"CREATE TABLE floor_{table} (LIKE {table} INCLUDING INDEXES)")
        ours.commit()
        return ours

    def _on_sqlite(self, cursor: Any) -> Any:
        ours = sqlite3.connect(Path(self._folder.name) / "floor.sqlite3")
        ours.execute("PRAGMA journal_mode = WAL")
        ours.execute("PRAGMA synchronous = NORMAL")
        for table in TABLES:
            cursor.execute(
                "SELECT sql FROM sqlite_master WHERE tbl_name = %s AND type IN ('table', 'index') "
                "AND sql IS NOT NULL ORDER BY type DESC",
                [table],
            )
            for (sql,) in cursor.fetchall():
                ours.execute(sql)
        ours.commit()
        return ours


def _rows_of(file: bytes) -> Iterator[tuple[int, int, list[str]]]:
    """The rows of the file with the numbers of their two players."""
    players: dict[str, int] = {}
    reader = csv.reader(io.TextIOWrapper(io.BytesIO(file), encoding="utf-8", newline=""))
    next(reader)
    for row in reader:
        yield (
            players.setdefault(row[2], len(players) + 1),
            players.setdefault(row[3], len(players) + 1),
            row,
        )


def _batches(rows: Iterator[tuple[int, int, list[str]]]) -> Iterator[dict[str, list[Any]]]:
    """The rows of the three tables, some thousand matches at a time."""
    known = 0
    number = 0
    while some := list(itertools.islice(rows, ROWS_AT_ONCE)):
        tables: dict[str, list[Any]] = {table: [] for table in TABLES}
        players, matches, participants = tables.values()
        for winner, loser, (day, _event, one, other, won, lost, is_forfeit) in some:
            for player, name in ((winner, one), (loser, other)):
                if player > known:
                    known = player
                    players.append((player, 1, name, name, name, name, HASH, True, AT, 1))
            number += 1
            matches.append(
                (
                    *(number, 1, 1, 1, number, f"{day} 00:00:00+00:00", True, number),
                    *("walkover" if is_forfeit == "1" else "played", "live", 1.0, "", ""),
                    *("import.singles", f"row:{number:040x}:1", HASH, HASH[:32], 1, 1, 1, AT, 0),
                )
            )
            scores = (None, None) if is_forfeit == "1" else (won or None, lost or None)
            participants.append((2 * number, 1, number, winner, 0, 1, scores[0], 0, 1.0))
            participants.append((2 * number + 1, 1, number, loser, 1, 2, scores[1], 0, 1.0))
        yield tables


def _line(row: tuple[Any, ...]) -> str:
    return "\t".join(["\\N" if value is None else str(value) for value in row])
