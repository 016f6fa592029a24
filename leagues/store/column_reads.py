"""Reading many rows as columns: the database writes each column into one value.

A driver makes an object of every number of every row, which takes five times as long as asking for
a column as a whole: on PostgreSQL as the bytes of its numbers, on SQLite as their digits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from leagues.store.bulk import read_binary

Integers = NDArray[np.int64]

POSTGRES_EPOCH = 946_684_800_000_000
"""Microseconds from 1970 to 2000, from which PostgreSQL counts instants."""
INSTANT_LENGTH = 26
"""Characters of an instant that SQLite holds with microseconds; without them they are left out."""


@dataclass(frozen=True, slots=True)
class Kind:
    """How a column comes from each database; rows in which it is null are left out of it."""

    on_postgres: str
    on_sqlite: str
    from_postgres: Callable[[Any], Any]
    from_sqlite: Callable[[str], Any]


def read_columns(
    columns: Sequence[tuple[str, Kind]], source: str, params: Sequence[Any]
) -> list[Any]:
    """Read SQL expressions of the rows of a source, each into one array, all in the same order.

    `source` is what follows FROM, without an order or groups.
    """
    is_sqlite = connection.vendor == "sqlite"
    wholes = ", ".join(
        (kind.on_sqlite if is_sqlite else kind.on_postgres).format(expression)
        for expression, kind in columns
    )
    sql = f"SELECT {wholes} FROM {source}"  # noqa: S608
    if is_sqlite:
        with connection.cursor() as cursor:
            cursor.execute(sql, params)
            parts = cursor.fetchone()
        return [
            kind.from_sqlite(part or "") for (_, kind), part in zip(columns, parts, strict=True)
        ]
    (parts,) = read_binary(sql, params)
    return [kind.from_postgres(part or b"") for (_, kind), part in zip(columns, parts, strict=True)]


def split_text(whole: str, lengths: Integers) -> list[str]:
    """The texts that a column of them is joined from."""
    return [whole[first:end] for first, end in pairwise([0, *np.cumsum(lengths).tolist()])]


def integers_of_bytes(whole: bytes) -> Integers:
    """The numbers of a column of `int8send`."""
    return np.frombuffer(whole, ">i8").astype(np.int64)


def _integers_of_text(text: str) -> Integers:
    return np.fromstring(text, np.int64, sep=",")


def instants_of_bytes(whole: bytes) -> Integers:
    """The microseconds since 1970 of a column of `timestamptz_send`."""
    return integers_of_bytes(whole) + POSTGRES_EPOCH


def _instants_of_text(text: str) -> Integers:
    written = np.frombuffer(text.encode("ascii"), f"S{INSTANT_LENGTH}")
    return written.astype("datetime64[us]").astype(np.int64)


INTEGER = Kind(
    "string_agg(int8send({}), '')", "group_concat({})", integers_of_bytes, _integers_of_text
)
INSTANT = Kind(
    "string_agg(timestamptz_send({}), '')",
    f"group_concat(substr({{}} || '.000000', 1, {INSTANT_LENGTH}), '')",
    instants_of_bytes,
    _instants_of_text,
)
"""Microseconds since 1970."""

TEXT = Kind("string_agg({}, '')", "group_concat({}, '')", lambda whole: whole or "", str)
"""All of them joined into one text, which `split_text` takes apart by their lengths."""
