"""Inserting many rows that are given as columns: no object for a row or a number on the way.

PostgreSQL takes the bytes of whole rows, which are laid out here; SQLite takes lists of values.
The caller opens the transaction and has checked the values; the database's own checks hold as ever.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from numpy.typing import NDArray

from leagues.store.bulk import insert_into, insert_many, stored_names
from leagues.store.column_reads import POSTGRES_EPOCH
from leagues.store.statements import this_connection

Integers = NDArray[np.int64]
Bytes = NDArray[np.uint8]

NULL_INSTANT = -(1 << 62)
"""Stands for null among instants; among floating numbers NaN does."""

ROWS_AT_ONCE = 4096
_COPY_HEADER = b"PGCOPY\n\xff\r\n\0" + bytes(8)
_COPY_END = b"\xff\xff"
_NUMBERS = {
    **{"bigint": ">i8", "integer": ">i4", "smallint": ">i2"},
    **{"double precision": ">f8", "boolean": "?"},
}
"""How PostgreSQL takes the numbers of its types."""
_NULL = np.frombuffer(b"\xff\xff\xff\xff", np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Ragged:
    """Bytes of different lengths, one after the other."""

    data: Bytes
    start: Integers
    """n + 1: value i is data[start[i]:start[i + 1]]."""

    def __iter__(self) -> Iterator[bytes]:
        whole = self.data.tobytes()
        ends = self.start.tolist()
        return (whole[first:end] for first, end in pairwise(ends))


Constant = int | float | str | None
Column = Constant | NDArray[Any] | Ragged | Sequence[str | None] | Sequence[int | None]
"""The same value in all rows; numbers, instants in microseconds, texts in ASCII, or rows of bytes
of one length; bytes of different lengths; or texts or whole numbers, some of which may be null.
Instants are microseconds also where they are constant."""


@dataclass(frozen=True, slots=True, eq=False)
class Insertion:
    """Rows on their way into a table."""

    target: str
    """The table and its columns."""
    parts: Iterable[Any]
    """Bytes of some rows each, on SQLite the values of a row: laid out when they are needed."""

    def laid_out(self) -> Insertion:
        """The same with nothing left to do but to send it, as another thread may."""
        return Insertion(self.target, list(self.parts))

    def run(self) -> None:
        """Insert the rows, on the connection of the thread that runs this."""
        here = this_connection()
        if here.vendor == "sqlite":
            insert_many(here, self.target, list(self.parts))
            return
        with (
            here.cursor() as cursor,
            here.wrap_database_errors,
            cursor.copy(f"COPY {self.target} FROM STDIN (FORMAT BINARY)") as copy,
        ):
            for part in self.parts:
                copy.write(part)


def insert_columns(model: type[models.Model], columns: Mapping[str, Column], count: int) -> None:
    """Insert `count` rows, by the attribute names of the model."""
    insertion_of(model, columns, count).run()


def insertion_of(model: type[models.Model], columns: Mapping[str, Column], count: int) -> Insertion:
    """How to insert `count` rows, by the attribute names of the model."""
    here = this_connection()
    if here.vendor != "sqlite":
        return copy_of(model, columns, count, into=model._meta.db_table)
    fields = {field.attname: field for field in model._meta.concrete_fields}
    values = [_values_of(fields[name], column, count) for name, column in columns.items()]
    return Insertion(insert_into(model, tuple(columns)), zip(*values, strict=True))


def copy_of(
    model: type[models.Model], columns: Mapping[str, Column], count: int, *, into: str
) -> Insertion:
    """How to copy rows into a table of PostgreSQL that has these columns of a model."""
    here = this_connection()
    fields = {field.attname: field for field in model._meta.concrete_fields}
    # Those of different lengths stand behind the others, whose bytes are laid out at once.
    names = sorted(columns, key=lambda name: isinstance(columns[name], Ragged))
    ragged = [column for column in columns.values() if isinstance(column, Ragged)]
    fixed = [
        _cells_of(fields[name], column, count, here)
        for name in names
        if not isinstance(column := columns[name], Ragged)
    ]
    target = f"{here.ops.quote_name(into)} ({', '.join(stored_names(model, names))})"
    return Insertion(target, _copied(count, fixed, ragged))


def _copied(count: int, fixed: list[_Cells], ragged: list[Ragged]) -> Iterator[bytes]:
    yield _COPY_HEADER
    for first in range(0, count, ROWS_AT_ONCE):
        rows = slice(first, min(first + ROWS_AT_ONCE, count))
        yield _lines_of(rows, fixed, ragged)
    yield _COPY_END


@dataclass(frozen=True, slots=True, eq=False)
class _Cells:
    """A column of values with their lengths before them, as rows of bytes."""

    content: Bytes
    is_used: NDArray[np.bool_] | None
    """Which bytes are written; None: all."""


def _lines_of(rows: slice, fixed: list[_Cells], ragged: list[Ragged]) -> bytes:
    """The bytes of some rows."""
    count = rows.stop - rows.start
    head = np.frombuffer((len(fixed) + len(ragged)).to_bytes(2, "big"), np.uint8)
    lines = np.hstack([np.broadcast_to(head, (count, 2)), *(each.content[rows] for each in fixed)])
    widths = np.full(count, lines.shape[1])
    content = lines.ravel()
    if any(each.is_used is not None for each in fixed):
        masks = (
            np.broadcast_to(True, each.content[rows].shape)
            if each.is_used is None
            else each.is_used[rows]
            for each in fixed
        )
        is_used = np.hstack([np.broadcast_to(True, (count, 2)), *masks])
        widths, content = is_used.sum(axis=1), lines[is_used]
    if not ragged:
        return content.tobytes()
    parts: list[Iterable[bytes]] = [Ragged(content, _starts_of(widths))]
    for column in ragged:
        ends = column.start[rows.start : rows.stop + 1]
        lengths = np.diff(ends).astype(">i4").view(np.uint8)
        parts.append(Ragged(lengths, np.arange(0, len(lengths) + 1, 4)))
        parts.append(Ragged(column.data[ends[0] : ends[-1]], ends - ends[0]))
    return b"".join(piece for pieces in zip(*parts, strict=True) for piece in pieces)


def _starts_of(widths: Integers) -> Integers:
    return np.concatenate([[0], np.cumsum(widths)])


def _cells_of(
    field: models.Field[Any, Any],
    column: Constant | NDArray[Any] | Sequence[Any],
    count: int,
    here: BaseDatabaseWrapper,
) -> _Cells:
    """A column as PostgreSQL takes it in a binary COPY."""
    if isinstance(column, list | tuple):
        return _cells_of_list(field, column, count, here)
    if column is None:
        return _Cells(np.broadcast_to(_NULL, (count, 4)), None)
    if isinstance(column, str):
        content = np.array([*column.encode()], np.uint8)
        return _Cells(_with_length(np.broadcast_to(content, (count, len(content)))), None)
    is_array = isinstance(column, np.ndarray)
    values = np.asarray(column) if is_array else np.broadcast_to(np.asarray(column), count)
    if values.dtype.kind == "S":
        return _texts(values)
    if values.dtype == np.uint8:
        return _Cells(_with_length(values), None)
    if isinstance(field, models.DateTimeField):
        is_null = values == NULL_INSTANT
        numbers = (values - POSTGRES_EPOCH).astype(">i8")
    else:
        is_null = np.isnan(values) if values.dtype.kind == "f" else np.zeros(count, bool)
        numbers = _fitted(field, values, here)
    cells = _Cells(_with_length(numbers.view(np.uint8).reshape(count, -1)), None)
    return _nullable(cells, is_null)


def _cells_of_list(
    field: models.Field[Any, Any], column: Sequence[Any], count: int, here: BaseDatabaseWrapper
) -> _Cells:
    """Texts or whole numbers, some of which may be null."""
    first = column[0]
    if (first is None or isinstance(first, str)) and column.count(first) == count:
        return _cells_of(field, first, count, here)
    is_null = np.array([value is None for value in column])
    if any(isinstance(value, str) for value in column):
        cells = _texts(np.array([b"" if value is None else value.encode() for value in column]))
    else:
        numbers = _fitted(field, np.array([value or 0 for value in column]), here)
        cells = _Cells(_with_length(numbers.view(np.uint8).reshape(len(column), -1)), None)
    return _nullable(cells, is_null)


def _fitted(
    field: models.Field[Any, Any], values: NDArray[Any], here: BaseDatabaseWrapper
) -> NDArray[Any]:
    """Numbers in the type of their column; none is cut."""
    numbers = values.astype(_NUMBERS[str(field.db_type(here))])
    if values.dtype.kind != "f" and (numbers != values).any():
        raise OverflowError(f"{field.name}: a number is too large for its column")
    return numbers


def _nullable(cells: _Cells, is_null: NDArray[np.bool_]) -> _Cells:
    """The same column with some of its values null."""
    if not is_null.any():
        return cells
    content = cells.content
    is_used = np.ones(content.shape, bool) if cells.is_used is None else cells.is_used
    content[is_null, :4] = _NULL
    is_used[is_null, 4:] = False
    return _Cells(content, is_used)


def _texts(values: NDArray[np.bytes_]) -> _Cells:
    width = values.dtype.itemsize
    lengths = np.char.str_len(values)
    content = _with_length(np.ascontiguousarray(values).view(np.uint8).reshape(-1, width))
    content[:, :4] = lengths.astype(">i4").view(np.uint8).reshape(-1, 4)
    is_used = np.arange(-4, width) < lengths[:, None]
    return _Cells(content, is_used)


def _with_length(content: Bytes) -> Bytes:
    """Rows of bytes with their number before them."""
    count, width = content.shape
    lengths = np.frombuffer(width.to_bytes(4, "big"), np.uint8)
    return np.hstack([np.broadcast_to(lengths, (count, 4)), content])


def _values_of(field: models.Field[Any, Any], column: Column, count: int) -> list[Any]:
    """A column as SQLite takes it."""
    if column is None or isinstance(column, int | float | str):
        if isinstance(field, models.DateTimeField) and isinstance(column, int):
            return _written_instants(np.array([column])) * count
        return [column] * count
    if not isinstance(column, np.ndarray):
        return list(column)
    if column.dtype.kind == "S":
        return list(column.astype(str).tolist())
    if column.dtype == np.uint8:
        whole, width = column.tobytes(), column.shape[1]
        return [whole[at : at + width] for at in range(0, len(whole), width)]
    if isinstance(field, models.DateTimeField):
        return _written_instants(column)
    values = list(column.tolist())
    if column.dtype.kind == "f":
        for row in np.flatnonzero(np.isnan(column)).tolist():
            values[row] = None
    return values


def _written_instants(column: Integers) -> list[str | None]:
    """Instants as Django writes them into SQLite: without a fraction where there is none."""
    is_null = column == NULL_INSTANT
    written = np.datetime_as_string(np.where(is_null, 0, column).astype("datetime64[us]"))
    characters = written.astype("S26").view(np.uint8).reshape(-1, 26)
    characters[:, 10] = ord(" ")
    characters[column % 1_000_000 == 0, 19:] = 0
    values: list[str | None] = characters.view("S26").ravel().astype(str).tolist()
    for row in np.flatnonzero(is_null).tolist():
        values[row] = None
    return values
