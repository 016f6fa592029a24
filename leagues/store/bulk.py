"""Many rows or bytes at once, past the ORM: an import is five times as fast; and finding them.

COPY on PostgreSQL, but for a few rows, statements of many rows on SQLite. The caller opens the
transaction and has checked the values; the database's own checks hold as ever.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain, islice
from operator import attrgetter
from sqlite3 import SQLITE_LIMIT_VARIABLE_NUMBER
from typing import Any

from django.db import connection, models, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from leagues.store.statements import (
    adapted_moment,
    change_rows,
    read_rows,
    this_connection,
)

MAX_KEYS_AHEAD = 20_000
"""To take keys is a transaction of its own, for which SQLite waits for other writers."""
ROWS_PER_INSERT = (256, 16)
"""How many rows a statement of SQLite inserts, or all of fewer: the driver keeps each statement."""
FEW = 8
"""To begin and to end a COPY takes as long as to insert so many rows."""


def insert_rows(
    model: type[models.Model], columns: Sequence[str], rows: Iterable[Sequence[Any]]
) -> None:
    """Insert rows of plain values, in the order of `columns` (attribute names of the model)."""
    here, into = this_connection(), insert_into(model, tuple(columns))
    if here.vendor == "sqlite":
        insert_many(here, into, list(adapt_rows(model, tuple(columns), rows)))
        return
    rows = iter(rows)
    few = list(islice(rows, FEW + 1))
    if len(few) <= FEW:
        _insert_few(here, into, few)
        return
    with (
        here.cursor() as cursor,
        here.wrap_database_errors,
        cursor.copy(f"COPY {into} FROM STDIN") as copy,
    ):
        for row in chain(few, rows):
            copy.write_row(row)


def _insert_few(here: BaseDatabaseWrapper, into: str, rows: Sequence[Sequence[Any]]) -> None:
    if rows:
        statement = _insert_statement(into, len(rows[0]), len(rows))
        change_rows(here, statement, list(chain.from_iterable(rows)))


def insert_many(here: BaseDatabaseWrapper, into: str, rows: Sequence[Sequence[Any]]) -> None:
    """Insert rows into SQLite, in the caller's transaction, many in a statement.

    Its driver releases the interpreter's lock while a statement runs, so that larger statements let
    another thread go on.
    """
    if not rows:
        return
    here.ensure_connection()
    width, first = len(rows[0]), 0
    most = max(1, here.connection.getlimit(SQLITE_LIMIT_VARIABLE_NUMBER) // width)
    while left := min(len(rows) - first, most):
        count = next((size for size in ROWS_PER_INSERT if size <= left), left)
        _insert_few(here, into, rows[first : first + count])
        first += count


@lru_cache(1000)
def _insert_statement(into: str, width: int, count: int) -> str:
    row = f"({', '.join(['%s'] * width)})"
    return f"INSERT INTO {into} VALUES {', '.join([row] * count)}"  # noqa: S608


def insert_models(model: type[models.Model], instances: Iterable[models.Model]) -> None:
    """Insert unsaved instances that nobody needs the primary keys of."""
    columns = [field.attname for field in model._meta.concrete_fields if not field.primary_key]
    insert_rows(
        model,
        columns,
        ([getattr(instance, column) for column in columns] for instance in instances),
    )


def insert_with_keys(model: type[models.Model], instances: Sequence[models.Model]) -> None:
    """Insert unsaved instances and give them their primary keys."""
    give_keys(instances, reserve_keys(model, len(instances)))
    insert_rows(model, *rows_of(model, instances))


def give_keys(instances: Sequence[models.Model], keys: Sequence[int]) -> None:
    """Give unsaved instances the primary keys that they are going to be inserted with."""
    for instance, key in zip(instances, keys, strict=True):
        instance.pk = key
        instance._state.adding, instance._state.db = False, this_connection().alias


def rows_of(
    model: type[models.Model], instances: Iterable[models.Model]
) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    """The columns of a model, and the values of some instances in their order."""
    columns = tuple(field.attname for field in model._meta.concrete_fields)
    return columns, [*map(attrgetter(*columns), instances)]


def reserve_keys(model: type[models.Model], count: int) -> range | list[int]:
    """Take `count` ascending primary keys, which nobody else gets.

    On SQLite inside the transaction that inserts them or moves the sequence past them; on
    PostgreSQL in any, or none.
    """
    here, table = this_connection(), model._meta.db_table
    if here.vendor == "sqlite":
        # The transaction holds the one write lock, and AUTOINCREMENT never goes back.
        rows = read_rows(here, "SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        first = (rows[0][0] if rows else 0) + 1
        return range(first, first + count)
    # The sequence is looked for once, and not for each key.
    sequence = (
        "SELECT nextval((SELECT pg_get_serial_sequence(%s, 'id')::regclass)) "
        "FROM generate_series(1, %s)"
    )
    return [key for (key,) in read_rows(here, sequence, [table, count])]


class KeyStock:
    """Primary keys of a model, ascending, taken from the database ahead and many at a time."""

    def __init__(self, model: type[models.Model]) -> None:
        self._model = model
        self._keys: Sequence[int] = ()
        self._taken = 0

    def take(self, count: int) -> list[int]:
        """Take `count` keys, which nobody else gets unless the caller's transaction, if any, fails.

        Some of a stock may never be used.
        """
        lacking = count - len(self._keys)
        if lacking > 0:
            # As many again as so far: a small file leaves few.
            self._keys = [*self._keys, *self._reserve(lacking + min(self._taken, MAX_KEYS_AHEAD))]
        taken, self._keys = list(self._keys[:count]), self._keys[count:]
        self._taken += count
        return taken

    def _reserve(self, count: int) -> range | list[int]:
        with transaction.atomic():
            keys = reserve_keys(self._model, count)
            if connection.vendor == "sqlite":
                # Others take theirs before these are inserted.
                self._move_sequence_to(keys[-1])
        return keys

    def _move_sequence_to(self, key: int) -> None:
        here, row = this_connection(), [key, self._model._meta.db_table]
        if not change_rows(here, "UPDATE sqlite_sequence SET seq = %s WHERE name = %s", row):
            change_rows(here, "INSERT INTO sqlite_sequence (seq, name) VALUES (%s, %s)", row)


def prepare_to_stage() -> None:
    """Let the connection of this thread write many rows that nobody sees yet.

    SQLite does not wait for the disk at these commits. The one that makes the rows count is on
    another connection, which does, for all that was written before. A power failure before that
    loses only what is thrown away after any kill.
    """
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA synchronous = NORMAL")
        unmap_file()


def unmap_file() -> None:
    """Let SQLite map nothing until this thread's connection is opened again.

    What is mapped counts as memory of the process.
    """
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA mmap_size = 0")


def read_large(rows: models.QuerySet[Any]) -> list[tuple[Any, ...]]:
    """Values, megabytes of them as they are: psycopg takes four times as long for digits."""
    if connection.vendor == "sqlite":
        return list(rows)
    return read_binary(*rows.query.sql_with_params())


def read_binary(sql: str, params: Sequence[Any]) -> list[tuple[Any, ...]]:
    """The rows of a query on PostgreSQL, whose values come as bytes and not as digits."""
    # psycopg is not there in every installation on SQLite.
    from django.db.backends.postgresql.base import ServerBindingCursor  # noqa: PLC0415
    from psycopg.pq import Format  # noqa: PLC0415

    connection.ensure_connection()
    # The stubs leave out that it is a cursor of psycopg too.
    raw: Any = ServerBindingCursor(connection.connection)  # type: ignore[call-arg]
    raw.format = Format.BINARY
    wrapped = connection.make_debug_cursor if connection.queries_logged else connection.make_cursor
    with wrapped(raw) as cursor:
        cursor.execute(sql, params)
        return list(cursor.fetchall())


def refresh_statistics() -> None:
    """Let the database see how many rows share a value, by which it chooses an index.

    SQLite never looks by itself. Samples of 10,000 rows take 50 milliseconds, however many there
    are; in one of 400, those of a busy player would seem to be all. PostgreSQL looks within a
    minute or more, in which the pages of a league that was just imported would be ten times slower.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA analysis_limit = 10000")
            cursor.execute("ANALYZE")
            return
        cursor.execute(
            "SELECT relname FROM pg_stat_user_tables WHERE schemaname = current_schema() "
            "AND n_mod_since_analyze > 1000 + n_live_tup / 10 ORDER BY relname"
        )
        for (table,) in cursor.fetchall():
            cursor.execute(f"ANALYZE (SKIP_LOCKED) {connection.ops.quote_name(table)}")


def show_generation(*tables: type[models.Model]) -> None:
    """Let PostgreSQL see a large generation of a board that was written a moment ago.

    Until it does, it takes the rows of a generation for none, reads all of a board where few of its
    players are asked for, and takes ten times as long. Of few rows, because this is a part of a
    replay: until the server looks for itself, it knows only the ten largest boards one by one.
    """
    if connection.vendor == "sqlite":
        return
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL default_statistics_target = 10")
        for table in tables:
            name = connection.ops.quote_name(table._meta.db_table)
            cursor.execute(f"ANALYZE (SKIP_LOCKED) {name} (board_id, generation)")


@cache
def insert_into(model: type[models.Model], columns: tuple[str, ...]) -> str:
    """The table and its columns, as they stand in INSERT and COPY."""
    table = connection.ops.quote_name(model._meta.db_table)
    return f"{table} ({', '.join(stored_names(model, columns))})"


def stored_names(model: type[models.Model], columns: Sequence[str]) -> list[str]:
    """The quoted names in the database of columns named as attributes."""
    stored_as = {field.attname: str(field.column) for field in model._meta.concrete_fields}
    return [connection.ops.quote_name(stored_as[column]) for column in columns]


def adapt_rows(
    model: type[models.Model], columns: tuple[str, ...], rows: Iterable[Sequence[Any]]
) -> Iterator[Sequence[Any]]:
    """Yield rows with their instants in SQLite's form."""
    instants, here = _instants(model, columns), this_connection()
    for row in rows:
        if not instants:
            yield row
            continue
        values = list(row)
        for place in instants:
            if values[place] is not None:
                values[place] = adapted_moment(here, values[place])
        yield values


@cache
def _instants(model: type[models.Model], columns: tuple[str, ...]) -> tuple[int, ...]:
    """The places of the columns that are moments."""
    return tuple(
        columns.index(field.attname)
        for field in model._meta.concrete_fields
        if isinstance(field, models.DateTimeField) and field.attname in columns
    )
