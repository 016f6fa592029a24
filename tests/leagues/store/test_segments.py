"""Many histories packed at once have the bytes of each packed alone."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from leagues.store.segments import SIZE, PlayerPoints, Points, pack, unpack

COUNTS = st.lists(
    st.sampled_from([1, 2, 3, SIZE - 1, SIZE, SIZE + 1, 3 * SIZE]), min_size=1, max_size=6
)


def points_of(count: int, columns: int, seed: int) -> Points:
    random = np.random.default_rng(seed)
    state = random.choice([0.0, -0.0, np.nan, 1e-300, 1500.25], (count, columns))
    expected = random.choice([np.nan, 0.0, 0.25, 1.0], count)
    return Points(
        random.integers(0, 1 << 40, count), random.integers(-5, 5, count), state, expected
    )


def bytes_of(points: Points) -> tuple[bytes, bytes]:
    """The bytes of a segment as its module describes them."""
    columns = [points.seq.tobytes(), points.at.tobytes()]
    columns += [(column + 0.0).tobytes() for column in points.state.T]
    return b"".join(columns), points.expected.tobytes()


def in_parts(by_player: dict[int, Points]) -> dict[int, list[Points]]:
    """The points of players in two parts each, of which either may be empty."""
    return {
        player_id: [points[: player_id // 10], points[player_id // 10 :]] if len(points) else []
        for player_id, points in by_player.items()
    }


@given(COUNTS, st.integers(1, 5), st.integers(0, 99), st.booleans())
def test_histories_in_any_order_are_cut_and_packed_player_by_player(counts, columns, seed, mixed):
    by_player = {
        10 * (number + 1): points_of(count, columns, seed + number)
        for number, count in enumerate(counts)
    }
    history = PlayerPoints.join(in_parts(by_player), columns)
    if mixed:
        order = np.random.default_rng(seed).permutation(sum(counts))
        history = PlayerPoints(
            history.player_id, history.start, history.points.take(np.argsort(order)), order
        )
    first = {10: 4, 30: 1}
    packed = pack(history, first)
    rows = zip(
        packed.player_id.tolist(),
        packed.number.tolist(),
        packed.count.tolist(),
        packed.data,
        packed.expected,
        strict=True,
    )
    assert list(rows) == [
        (player_id, first.get(player_id, 0) + number, len(part), *bytes_of(part))
        for player_id, points in by_player.items()
        for number in range(-(-len(points) // SIZE))
        if len(part := points[number * SIZE : (number + 1) * SIZE])
    ]
    for player_id, points in history.by_player().items():
        assert bytes_of(points) == bytes_of(by_player[player_id])


@given(st.lists(st.integers(1, 40_000), min_size=1, max_size=8))
def test_parts_are_all_players_once(counts):
    history = PlayerPoints.join(
        {
            number + 1: [
                Points(
                    np.full(count, number),
                    np.zeros(count, int),
                    np.zeros((count, 1)),
                    np.zeros(count),
                )
            ]
            for number, count in enumerate(counts)
        },
        columns=1,
    )
    parts = list(history.parts())
    joined = {player_id: len(own) for part in parts for player_id, own in part.by_player().items()}
    assert joined == {number + 1: count for number, count in enumerate(counts)}
    for part in parts:
        for player_id, own in part.by_player().items():
            assert (own.seq == player_id - 1).all()


def test_a_segment_is_read_as_it_was_packed():
    points = points_of(5, 2, 1)
    packed = pack(PlayerPoints.join({1: [points]}, 2))
    (data,), (expected,) = packed.data, packed.expected
    assert bytes_of(unpack(data, 5, expected)) == bytes_of(points)
