"""The database backend: every write waits in the queue first and leaves it when it is over.

A transaction takes its turn before BEGIN and gives it back after COMMIT or ROLLBACK, a single
statement in autocommit before and after itself. What only reads never waits.

A connection is kept from one request to the next, for SQLite reads the whole schema when one is
opened. Each request makes sure that it still leads to the file that has the database's name.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, Final

from django.db.backends.sqlite3 import base
from django.db.utils import OperationalError

from config.sqlite.write_queue import WriteQueue, write_queue

WRITING: Final = (
    *("INSERT", "UPDATE", "DELETE", "REPLACE", "CREATE", "DROP", "ALTER"),
    *("ANALYZE", "REINDEX", "VACUUM"),
)
LONGEST_WORD: Final = 8
USUAL_SECONDS: Final = 20.0


class Cursor(base.SQLiteCursorWrapper):
    """A cursor whose single writes take a turn of their own."""

    def __init__(self, connection: Any, wrapper: DatabaseWrapper) -> None:
        super().__init__(connection)
        self._wrapper = wrapper

    def execute(self, query: str, params: Any = None) -> Any:
        """Run a statement."""
        if not self._writes_alone(query):
            return super().execute(query, params)
        self._wrapper.begin_turn()
        try:
            return super().execute(query, params)
        finally:
            self._wrapper.end_turn()

    def executemany(self, query: str, param_list: Iterable[Any]) -> Any:
        """Run a statement for each of many rows."""
        if not self._writes_alone(query):
            return super().executemany(query, param_list)
        self._wrapper.begin_turn()
        try:
            return super().executemany(query, param_list)
        finally:
            self._wrapper.end_turn()

    def _writes_alone(self, query: str) -> bool:
        """Tell whether a statement writes outside of a transaction."""
        if self._wrapper.has_turn or self.connection.in_transaction:
            return False
        return query.lstrip()[:LONGEST_WORD].upper().startswith(WRITING)


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's wrapper; OPTIONS may say for how many `queue_seconds` a writer waits."""

    queue_seconds = USUAL_SECONDS
    _turn: tuple[WriteQueue, int] | None = None
    _file: tuple[int, int] | None = None
    """Which file was opened."""

    @property
    def has_turn(self) -> bool:
        """Tell whether this connection may write now."""
        return self._turn is not None

    def begin_turn(self) -> None:
        """Wait until it is this connection's turn to write."""
        if self._turn is not None:
            return
        try:
            queue = write_queue(self._queue_file())
            self._turn = queue, queue.enter(self.queue_seconds)
        except OSError as error:
            raise OperationalError(f"database is locked: {error}") from error

    def end_turn(self) -> None:
        """Let the next one write."""
        if self._turn is not None:
            queue, number = self._turn
            self._turn = None
            queue.leave(number)

    def get_connection_params(self) -> dict[str, Any]:
        """Take out what SQLite does not know."""
        params: dict[str, Any] = super().get_connection_params()
        self.queue_seconds = params.pop("queue_seconds", USUAL_SECONDS)
        return params

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Open the file, and remember which one it was."""
        connection = super().get_new_connection(conn_params)
        self._file = self._named_file()
        return connection

    def is_usable(self) -> bool:
        """Tell whether the open file is the one of that name, and no transaction was left open."""
        return not self.connection.in_transaction and self._named_file() == self._file

    def create_cursor(self, name: str | None = None) -> Any:
        """Make a cursor that knows its wrapper."""
        return self.connection.cursor(factory=lambda connection: Cursor(connection, self))

    def commit(self) -> None:
        """Commit, and let the next one write."""
        try:
            super().commit()
        finally:
            self._end_turn_after_transaction()

    def rollback(self) -> None:
        """Roll back, and let the next one write."""
        try:
            super().rollback()
        finally:
            self._end_turn_after_transaction()

    def close(self) -> None:
        """Close; SQLite rolls back what was begun."""
        try:
            super().close()
        finally:
            self._end_turn_after_transaction()

    def _start_transaction_under_autocommit(self) -> None:
        self.begin_turn()
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
        except BaseException:
            self.end_turn()
            raise

    def _end_turn_after_transaction(self) -> None:
        """Keep the turn where COMMIT has failed and ROLLBACK is still to come."""
        is_open = self.connection is not None and not self.closed_in_transaction
        if not (is_open and self.connection.in_transaction):
            self.end_turn()

    def _named_file(self) -> tuple[int, int] | None:
        """Which file has the database's name now; None for databases in memory."""
        try:
            status = os.stat(self.settings_dict["NAME"])
        except OSError:
            return None
        return status.st_dev, status.st_ino

    def _queue_file(self) -> str | None:
        name = str(self.settings_dict["NAME"])
        return None if self.is_in_memory_db() or name.startswith("file:") else f"{name}-queue"
