"""Standings in columns come back from their bytes as they were."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from leagues.store.packed_standings import INTEGERS, pack, unpack
from leagues.store.standing_columns import FORM_LENGTH, NEVER, StandingTable

EDGES = (
    0,
    127,
    128,
    -128,
    -129,
    32_767,
    32_768,
    -32_769,
    1 << 31,
    -(1 << 31),
    NEVER,
    (1 << 63) - 1,
)


def table_of(columns: list[list[int]], width: int) -> StandingTable:
    """Return a table with some whole numbers; `width` numbers in a state."""
    count = len(columns[0])
    numbers = {
        name: np.array(columns[index % len(columns)], np.int64)
        for index, name in enumerate(INTEGERS)
    }
    return StandingTable(
        **numbers,
        form=np.array([b"WDL"[: row % 4] for row in range(count)], f"S{FORM_LENGTH}"),
        state=np.linspace(-1e9, 1e-9, count * width).reshape(count, width),
    )


@pytest.mark.parametrize("width", [1, 3])
@pytest.mark.parametrize(
    "columns",
    [[[]], *([[edge, 0, -1]] for edge in EDGES), [[edge] * 2 for edge in EDGES], [[-1 << 63]]],
)
def test_packed_standings_come_back_as_they_were(columns: list[list[int]], width: int) -> None:
    table = table_of(columns, width)
    found = unpack(pack(table))
    assert found is not None
    for column in fields(StandingTable):
        there, here = getattr(found, column.name), getattr(table, column.name)
        assert there.dtype == here.dtype
        assert there.shape == here.shape
        assert there.tobytes() == here.tobytes()


def test_small_numbers_take_few_bytes_and_another_release_is_not_read() -> None:
    table = table_of([[1, 2, 3]], 1)
    data = pack(table)
    assert len(data) < len(pack(table_of([[1 << 40, 2, 3]], 1))) - 3 * 6 * len(INTEGERS)
    assert unpack(bytes([data[0] - 1]) + data[1:]) is None
