"""Rows that are arranged in one pass stand as `arrange_columns` puts them, or are left to it."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings import create
from ratings.arranging import Arrangement, Rows, arrange_columns
from ratings.engine import compiled, has_compiled, numba_is_installed
from ratings.log import MatchLog
from ratings.one_pass import LEAST_ROWS, MOST_RANK, MOST_TOGETHER, arrange_neighbours, duels_body
from ratings.reading import MAX_WHOLE
from tests.ratings.logs import duel_log, same_bits

needs_numba = pytest.mark.skipif(not numba_is_installed(), reason="Numba is not installed")

Columns = dict[str, list[int]]


def rows_of(columns: Columns, *, n: int, q: int, is_shuffled: bool = False) -> Rows:
    position = np.array(random.Random(q).sample(range(q), q)) if is_shuffled else None
    keys = tuple(f"{number:03d}" for number in range(q))
    return Rows(n, keys, position, *(np.array(column, np.int64) for column in columns.values()))


def same_arrangement(one: Arrangement, other: Arrangement) -> bool:
    return all(
        same_bits(getattr(one, name), getattr(other, name)) for name in Arrangement.__slots__
    )


@st.composite
def clean_rows(draw):
    """Draw matches whose rows are neighbours, those of each side too, in any order beyond that."""
    is_duels = draw(st.booleans())
    q = draw(st.integers(10, 13))
    columns: Columns = {"match": [], "side": [], "rank": [], "player": []}
    n = draw(st.integers(0, 8))
    for match in range(n):
        size = 1 if is_duels else draw(st.integers(1, 5))
        sides = 2 if is_duels else draw(st.integers(1, 4 if size < 3 else 2))
        labels = draw(st.permutations([-MAX_WHOLE, 3, 0, MAX_WHOLE]))
        players = iter(draw(st.permutations(range(q))))
        for label in labels[:sides]:
            rank = draw(st.sampled_from([0, 0, 1, 2, MOST_RANK]))
            for _ in range(size):
                columns["match"].append(match)
                columns["side"].append(label)
                columns["rank"].append(rank)
                columns["player"].append(next(players))
    return columns, n, q


@given(drawn=clean_rows(), is_shuffled=st.booleans())
def test_rows_that_are_neighbours_are_arranged_as_by_columns(drawn, is_shuffled):
    columns, n, q = drawn
    rows = rows_of(columns, n=n, q=q, is_shuffled=is_shuffled)
    made = arrange_neighbours(rows, is_compiled=False)
    assert made is not None
    assert same_arrangement(made, arrange_columns(rows))


ODD = [-1, 0, 1, 2, 7, 12, MOST_RANK, MOST_RANK + 1, MAX_WHOLE, -MAX_WHOLE, MAX_WHOLE + 1, -(2**63)]


@given(drawn=clean_rows(), data=st.data())
def test_other_rows_are_arranged_alike_or_left_to_the_columns(drawn, data):
    columns, n, q = drawn
    for _ in range(data.draw(st.integers(1, 3)) if columns["match"] else 0):
        column = columns[data.draw(st.sampled_from(sorted(columns)))]
        place = data.draw(st.integers(0, len(column) - 1))
        column[place] = data.draw(st.sampled_from([*ODD, *column]))
    rows = rows_of(columns, n=n + data.draw(st.integers(0, 1)), q=q)
    made = arrange_neighbours(rows, is_compiled=False)
    try:
        expected = arrange_columns(rows)
    except ValueError:
        assert made is None
    else:
        assert made is None or same_arrangement(made, expected)


@needs_numba
@given(drawn=clean_rows(), data=st.data())
def test_the_compiled_pass_arranges_what_the_plain_one_does(drawn, data):
    columns, n, q = drawn
    if columns["match"] and data.draw(st.booleans()):
        column = columns[data.draw(st.sampled_from(sorted(columns)))]
        column[data.draw(st.integers(0, len(column) - 1))] = data.draw(st.sampled_from(ODD))
    rows = rows_of(columns, n=n, q=q)
    plain, made = arrange_neighbours(rows, is_compiled=False), arrange_neighbours(rows)
    assert (plain is None) == (made is None)
    assert plain is None or made is None or same_arrangement(plain, made)


@pytest.mark.parametrize("members", [1, MOST_TOGETHER // 2, MOST_TOGETHER // 2 + 1])
def test_matches_of_more_than_the_most_rows_are_left_to_the_columns(members: int):
    width = 2 * members
    rows = rows_of(
        {
            "match": [0] * width,
            "side": [0] * members + [1] * members,
            "rank": [0] * width,
            "player": list(range(width))[::-1],
        },
        n=1,
        q=width,
    )
    made = arrange_neighbours(rows, is_compiled=False)
    assert (made is None) == (width > MOST_TOGETHER)
    assert made is None or same_arrangement(made, arrange_columns(rows))


@pytest.mark.parametrize("is_compiled", [False, pytest.param(True, marks=needs_numba)])
def test_twice_as_many_rows_as_matches_need_not_be_duels(is_compiled: bool):
    rows = rows_of(
        {"match": [0, 1, 1, 1], "side": [0, 0, 1, 2], "rank": [0, 2, 1, 0], "player": [3, 2, 1, 0]},
        n=2,
        q=4,
    )
    made = arrange_neighbours(rows, is_compiled=is_compiled)
    assert made is not None
    assert same_arrangement(made, arrange_columns(rows))


@pytest.mark.parametrize(
    "odd", [[0.0, 1.0], [[0], [1]], [0], ["a", "b"], [2**63, 0], [[0], [1, 2]], [True, False]]
)
@pytest.mark.parametrize("name", ["match", "side", "rank", "player"])
def test_columns_that_are_no_whole_numbers_are_left_to_the_columns(name, odd):
    columns = {"match": [0, 0], "side": [0, 1], "rank": [0, 1], "player": [0, 1]}
    assert arrange_neighbours(Rows(1, ("a", "b"), None, **columns), is_compiled=False)
    rows = Rows(1, ("a", "b"), None, **columns | {name: odd})
    assert arrange_neighbours(rows, is_compiled=False) is None


def long_columns() -> dict[str, np.ndarray]:
    """As many rows as make a log long: duels, with a match of four in the middle."""
    n, q = LEAST_ROWS // 2, 1_000
    source = np.random.default_rng(3)
    sizes = np.full(n, 2)
    sizes[n // 2] = 4
    match = np.repeat(np.arange(n), sizes)
    one = source.integers(0, q, n)
    player = np.repeat(one, sizes)
    starts = np.cumsum(sizes) - sizes
    inside = np.arange(len(match)) - starts[match]
    return {
        "at": np.arange(n),
        "match": match,
        "side": inside,
        "rank": source.integers(0, 3, len(match)),
        "player": (player + inside * 7) % q,
    }


KEYS = [f"{number:04d}" for number in range(1_000)]


@needs_numba
def test_long_logs_are_the_same_whether_built_in_one_pass_or_not():
    columns = long_columns()
    compiled(duels_body)
    assert has_compiled()
    log, order = MatchLog.build(keys=KEYS, **columns)
    rows = {name: columns[name] for name in ("match", "side", "rank", "player")}
    expected = arrange_columns(Rows(len(log), tuple(KEYS), None, **rows))
    assert arrange_neighbours(Rows(len(log), tuple(KEYS), None, **rows)) is not None
    assert same_bits(order, expected.order) and same_bits(log.player, expected.player)
    assert same_bits(log.side_start, expected.side_start) and same_bits(log.rank, expected.rank)
    assert same_bits(log.member_start, expected.member_start)


@needs_numba
@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("player", 1_000, "who does not exist"),
        ("player", None, "match 49999 of the log: '.*' takes part twice"),
        ("match", -1, "a match that does not exist"),
        ("rank", MAX_WHOLE + 1, "rank, row 100001: .* is not a whole number"),
        ("side", MAX_WHOLE + 1, "side, row 100001: .* is not a whole number"),
        ("side", 0, "every match needs at least two sides"),
    ],
)
def test_bad_rows_of_long_logs_are_refused_in_the_same_words(name, value, words):
    columns = long_columns()
    compiled(duels_body)
    columns[name][-1] = columns[name][-2] if value is None else value
    with pytest.raises(ValueError, match=words):
        MatchLog.build(keys=KEYS, **columns)


@needs_numba
def test_a_column_that_cannot_be_written_needs_no_kernel_of_its_own():
    """Those of data frames are such, and compiling takes seconds."""
    log = duel_log([("a", "b", 1.0)] * 20)
    system = create("elo")
    kernel = compiled(system.body)
    system.replay(log, engine="compiled")
    known = len(kernel.signatures)
    at = log.at.copy()
    at.flags.writeable = False
    frozen, _ = MatchLog.build(
        keys=log.keys,
        at=at,
        match=log.match_of(),
        side=log.side_of(),
        rank=log.rank,
        player=log.player,
    )
    replay = system.replay(frozen, engine="compiled")
    assert len(kernel.signatures) == known
    assert same_bits(replay.after, system.replay(log, engine="plain").after)


def test_what_a_log_was_not_given_takes_no_memory_and_cannot_be_changed():
    log, _ = MatchLog.build(
        keys=["a", "b"], at=[0], match=[0, 0], side=[0, 1], rank=[0, 1], player=[0, 1]
    )
    for column in (log.weight, log.score, log.handicap, log.share, log.event_start):
        assert column.strides == (0,)
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 1
