"""The standings of a moment as bytes: a whole table, or what tells it apart from another.

Eight megabytes for 100,000 players: to write them with every result would cost more than rating it.
So moments share a table that was packed once, and each adds the rows in which it differs.
"""

from __future__ import annotations

import struct
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from leagues.store.match_columns import Integers
from leagues.store.standing_columns import FORM_LENGTH, StandingTable, join

FORMAT = 2
"""Of packed tables; it rises with every change of the columns of `StandingTable`."""

MARK = struct.pack("<q", FORMAT)
"""What packed tables of this release begin with."""

_HEAD = struct.Struct("<qqq")
INTEGERS = tuple(
    column.name for column in fields(StandingTable) if column.name not in ("form", "state")
)


def pack(table: StandingTable) -> bytes:
    """A table as bytes: a head, then each column, whole numbers in as few as hold them all.

    Eight megabytes for 100,000 players instead of twelve, as a process has to read them again
    whenever the board has been computed.
    """
    head = _HEAD.pack(FORMAT, len(table), table.state.shape[1])
    state = table.state.astype("<f8").tobytes()
    form = table.form.astype(f"S{FORM_LENGTH}").tobytes()
    columns = [_narrow(getattr(table, name)) for name in INTEGERS]
    widths = bytes(column.itemsize for column in columns)
    return b"".join((head, state, form, widths, *(column.tobytes() for column in columns)))


def _narrow(column: Integers) -> NDArray[np.signedinteger[Any]]:
    low, high = int(column.min(initial=0)), int(column.max(initial=0))
    width = next(width for width in (1, 2, 4, 8) if max(high, ~low) < 1 << (8 * width - 1))
    return column.astype(f"<i{width}")


def unpack(data: bytes | memoryview[int]) -> StandingTable | None:
    """The table in some bytes; None where another release wrote them."""
    raw = bytes(data)
    form, count, width = _HEAD.unpack_from(raw)
    if form != FORMAT:
        return None
    at = _HEAD.size
    columns: dict[str, Any] = {}
    columns["state"] = np.frombuffer(raw, "<f8", count * width, at).reshape(count, width)
    at += 8 * count * width
    columns["form"] = np.frombuffer(raw, f"S{FORM_LENGTH}", count, at)
    at += FORM_LENGTH * count
    widths = raw[at : at + len(INTEGERS)]
    at += len(INTEGERS)
    for name, each in zip(INTEGERS, widths, strict=True):
        columns[name] = np.frombuffer(raw, f"<i{each}", count, at).astype(np.int64)
        at += each * count
    return StandingTable(**columns)


def pack_changes(table: StandingTable, player_ids: Integers) -> bytes:
    """Some players of a table with their rows, and these, as bytes; none for no players."""
    if not len(player_ids):
        return b""
    at = np.flatnonzero(np.isin(table.player_id, player_ids))
    return pack(table.take(at)) + at.astype("<i8").tobytes()


def unpack_day(
    data: bytes | memoryview[int], changes: bytes | memoryview[int]
) -> StandingTable | None:
    """A packed table with some players in other rows; None where another release wrote them."""
    table = unpack(data)
    if table is None or not changes:
        return table
    changed = unpack(changes)
    if changed is None:
        return None
    count = len(changed)
    at = np.frombuffer(changes, "<i8", count, len(changes) - 8 * count)
    stays = np.flatnonzero(~np.isin(table.player_id, changed.player_id))
    order = np.empty(len(stays) + count, np.int64)
    is_other = np.ones(len(order), np.bool_)
    is_other[at] = False
    order[at] = len(table) + np.arange(count)
    order[is_other] = stays
    return join(table, changed, order)


def changed_players(changes: bytes | memoryview[int]) -> Integers:
    """Whose rows some changes are."""
    changed = unpack(changes) if changes else None
    return np.zeros(0, np.int64) if changed is None else changed.player_id
