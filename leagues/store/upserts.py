"""Many rows that are inserted, or rewritten where their key is there already.

The caller opens the transaction and has checked the values; the database's own checks hold as ever.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper

from leagues.store.bulk import adapt_rows, insert_into, stored_names
from leagues.store.column_writes import NULL_INSTANT, Column, Ragged, copy_of
from leagues.store.hashes import micros
from leagues.store.statements import this_connection

MIN_COPIED = 500
"""Of more rows PostgreSQL is faster with a temporary table than with arrays."""


def upsert_rows(
    model: type[models.Model],
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
    *,
    key: Sequence[str],
) -> None:
    """Insert rows of plain values as `insert_rows` does; those whose `key` is there are rewritten.

    On PostgreSQL each column of a few rows goes as an array, so that no transaction of a single
    result pays for a temporary table; many rows are copied into one as bytes.
    """
    if not rows:
        return
    here, into = this_connection(), insert_into(model, tuple(columns))
    conflict = _on_conflict(model, columns, key)
    if here.vendor == "sqlite":
        marks = ", ".join(["%s"] * len(columns))
        sql = f"INSERT INTO {into} VALUES ({marks}) {conflict}"  # noqa: S608
        with here.cursor() as cursor:
            cursor.executemany(sql, list(adapt_rows(model, tuple(columns), rows)))
    elif len(rows) > MIN_COPIED:
        _copy_over(here, model, columns, rows, conflict)
    else:
        kinds = {field.attname: field.db_type(here) for field in model._meta.concrete_fields}
        arrays = ", ".join(f"%s::{kinds[column]}[]" for column in columns)
        sql = f"INSERT INTO {into} SELECT * FROM unnest({arrays}) {conflict}"  # noqa: S608
        with here.cursor() as cursor:
            cursor.execute(sql, [list(column) for column in zip(*rows, strict=True)])


def _on_conflict(model: type[models.Model], columns: Sequence[str], key: Sequence[str]) -> str:
    changes = ", ".join(
        f"{name} = excluded.{name}"
        for name, column in zip(stored_names(model, columns), columns, strict=True)
        if column not in key
    )
    return f"ON CONFLICT ({', '.join(stored_names(model, key))}) DO UPDATE SET {changes}"


def _copy_over(
    here: BaseDatabaseWrapper,
    model: type[models.Model],
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
    conflict: str,
) -> None:
    """Copy rows beside a table, and from there over those that it has."""
    table = model._meta.db_table
    beside, names = f"new_{table}", ", ".join(stored_names(model, columns))
    quoted = here.ops.quote_name(beside)
    fields = {field.attname: field for field in model._meta.concrete_fields}
    with here.cursor() as cursor:
        cursor.execute(
            f"CREATE TEMPORARY TABLE {quoted} ON COMMIT DROP AS "  # noqa: S608
            f"SELECT {names} FROM {here.ops.quote_name(table)} WITH NO DATA"
        )
        values = zip(columns, zip(*rows, strict=True), strict=True)
        laid_out = {name: _column_of(fields[name], column) for name, column in values}
        copy_of(model, laid_out, len(rows), into=beside).run()
        into = insert_into(model, tuple(columns))
        cursor.execute(f"INSERT INTO {into} SELECT {names} FROM {quoted} {conflict}")  # noqa: S608
        cursor.execute(f"DROP TABLE {quoted}")


def _column_of(field: models.Field[Any, Any], values: Sequence[Any]) -> Column:
    """Values of rows as a column."""
    if isinstance(field, models.DateTimeField):
        return np.array([NULL_INSTANT if value is None else micros(value) for value in values])
    if isinstance(field, models.BinaryField):
        lengths = np.array([len(value) for value in values], np.int64)
        whole = np.frombuffer(b"".join(values), np.uint8)
        return Ragged(whole, np.concatenate([[0], np.cumsum(lengths)]))
    if isinstance(field, models.FloatField):
        return np.array([np.nan if value is None else value for value in values])
    return list(values)
