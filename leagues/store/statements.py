"""Running a statement of our own on the thread's connection, past Django's cursor.

Django's cursor takes twice as long as SQLite does for what is asked with each result, and a third
of what PostgreSQL takes. It is used where it is needed: by a connection that is not open yet, by a
write outside a transaction, which takes its turn there, by whoever listens to statements, and for
many rows on PostgreSQL.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.sqlite3.base import FORMAT_QMARK_REGEX

Values = Sequence[Any]
MAX_STATEMENTS = 1000
"""There are fewer, but for those with a mark for each of many values."""


def this_connection() -> BaseDatabaseWrapper:
    """The connection itself: Django's `connection` looks for it with each attribute."""
    return connections[DEFAULT_DB_ALIAS]


def read_rows(here: BaseDatabaseWrapper, sql: str, values: Values) -> list[tuple[Any, ...]]:
    """The rows of a query."""
    if needs_cursor(here):
        with here.cursor() as cursor:
            cursor.execute(sql, values)
            return list(cursor.fetchall())
    here.validate_no_broken_transaction()
    with here.wrap_database_errors:
        return list(here.connection.execute(_plain(here, sql), values).fetchall())


def change_rows(here: BaseDatabaseWrapper, sql: str, values: Values) -> int:
    """Run a statement that writes, and tell how many rows it changed."""
    if needs_cursor(here) or not here.in_atomic_block:
        with here.cursor() as cursor:
            cursor.execute(sql, values)
            return int(cursor.rowcount)
    here.validate_no_broken_transaction()
    with here.wrap_database_errors:
        return int(here.connection.execute(_plain(here, sql), values).rowcount)


def insert_returning(here: BaseDatabaseWrapper, sql: str, values: Values) -> int:
    """Insert a row, and tell its key; SQLite knows RETURNING since 2021 only."""
    if needs_cursor(here) or not here.in_atomic_block:
        with here.cursor() as cursor:
            cursor.execute(sql, values)
            return _key_of(here, cursor)
    here.validate_no_broken_transaction()
    with here.wrap_database_errors:
        return _key_of(here, here.connection.execute(_plain(here, sql), values))


def _key_of(here: BaseDatabaseWrapper, cursor: Any) -> int:
    return int(cursor.lastrowid if here.vendor == "sqlite" else cursor.fetchone()[0])


def run_alone(here: BaseDatabaseWrapper, sql: str) -> None:
    """Run a statement without values that answers nothing."""
    if needs_cursor(here):
        with here.cursor() as cursor:
            cursor.execute(sql)
        return
    with here.wrap_database_errors:
        here.connection.execute(sql)


def adapted_moment(here: BaseDatabaseWrapper, value: datetime) -> Any:
    """A moment as the database stores it; Django takes ten calls for this of SQLite."""
    if here.vendor != "sqlite":
        return value
    return value.astimezone(UTC).replace(tzinfo=None).isoformat(" ")


def needs_cursor(here: BaseDatabaseWrapper) -> bool:
    """Whether a statement has to go through Django's cursor."""
    # As a cursor does first: the file may be another one since the last request.
    here.close_if_health_check_failed()
    return here.connection is None or bool(here.execute_wrappers) or here.queries_logged


def _plain(here: BaseDatabaseWrapper, sql: str) -> str:
    """A statement with the marks that the database's own driver takes."""
    return _with_question_marks(sql) if here.vendor == "sqlite" else sql


@lru_cache(MAX_STATEMENTS)
def _with_question_marks(sql: str) -> str:
    return FORMAT_QMARK_REGEX.sub("?", sql).replace("%%", "%")
