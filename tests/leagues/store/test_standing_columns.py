"""Standings in columns come back from their bytes as they were, and are carried forward."""

from __future__ import annotations

import random
from dataclasses import fields
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from leagues.store.packed_standings import INTEGERS, pack, unpack
from leagues.store.standing_columns import (
    FORM_LENGTH,
    NEVER,
    StandingTable,
    _table_of,
    carry_forward,
)
from leagues.store.standing_rows import StandingRow

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


def standing(player: int, place: int) -> StandingRow:
    """Return a standing of which only who it is and the place matter."""
    return StandingRow(
        league_id=1,
        board_id=1,
        generation=1,
        player_id=player,
        state=np.zeros(1, "<f8").tobytes(),
        shown=float(place),
        place_value=place,
        low=None,
        high=None,
        games=1,
        won=1,
        drawn=0,
        lost=0,
        form="W",
        streak=1,
        last_played_at=datetime(2026, 11, 29, tzinfo=UTC),
        fairly_sure_until=None,
        sure_until=None,
    )


@given(
    st.lists(st.integers(0, 3), min_size=1, max_size=40),
    st.dictionaries(st.integers(0, 45), st.integers(-1, 4), max_size=12),
    st.booleans(),
    st.randoms(use_true_random=False),
)
def test_who_changed_comes_where_sorting_everyone_would_put_them(
    places: list[int], changed: dict[int, int], are_all_read: bool, source: random.Random
) -> None:
    keys = [f"{number:02d}" for number in range(46)]
    source.shuffle(keys)
    table = _table_of([standing(number, place) for number, place in enumerate(places)])
    table = table.sort_by_place([keys[number] for number in range(len(places))])
    rows = [standing(number, place) for number, place in changed.items()]

    def read_keys(ids: list[int]) -> dict[int, str]:
        return {each: keys[each] for each in (range(46) if are_all_read else ids)}

    carried = carry_forward(table, rows, read_keys)

    expected = {**dict(enumerate(places)), **changed}
    order = sorted(expected, key=lambda number: (-expected[number], keys[number]))
    assert carried.player_id.tolist() == order
    assert carried.place.tolist() == [expected[number] for number in order]


def test_of_a_thousand_who_stand_level_a_few_keys_are_read() -> None:
    table = _table_of([standing(number, 5) for number in range(1_000)])
    asked: list[int] = []

    def read_keys(ids: list[int]) -> dict[int, str]:
        asked.extend(ids)
        return {each: f"{each:04d}" for each in ids}

    carried = carry_forward(table, [standing(700, 5), standing(3, 5)], read_keys)
    assert carried.player_id.tolist() == list(range(1_000))
    assert len(asked) == len(set(asked)) <= 2 + 2 * 10
