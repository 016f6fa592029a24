"""The history of players, packed: the only module that knows how.

A segment holds up to 256 consecutive points of one player on one board as columns of
little-endian 64-bit values: match seq (integers), instant in microseconds since 1970 (integers),
then each state column (floats). The state is exact, so a replay can start after any point. Beside
them stands what was expected of the player in each match (floats), which no arithmetic reads.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from leagues.models import Board, RatingSegment

SIZE = 256
NAMED_AT_ONCE = 500
"""Players in one query: SQLite takes only so many values."""

KEY = ("board_id", "generation", "player_id", "number")
"""What tells a segment from all others."""


class SegmentRow(NamedTuple):
    """A segment as the values of its columns."""

    league_id: int
    board_id: int
    generation: int
    player_id: int
    number: int
    count: int  # type: ignore[assignment] # as the column is called; nobody counts values here
    data: bytes
    expected: bytes


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """Consecutive points of one player: n match seqs, n instants, n × k states.

    A change without a match of one's own (decay, a rung lost to others, joining a ladder) is a
    point with seq 0.
    """

    seq: NDArray[np.int64]
    at: NDArray[np.int64]
    state: NDArray[np.float64]
    expected: NDArray[np.float64]
    """The score expected of the player's side, 0 to 1; NaN where nothing was."""

    def __len__(self) -> int:
        return len(self.seq)

    def __getitem__(self, where: slice) -> Points:
        return Points(self.seq[where], self.at[where], self.state[where], self.expected[where])

    @classmethod
    def join(cls, parts: Iterable[Points], columns: int) -> Points:
        """Join parts that follow each other."""
        parts = list(parts)
        if not parts:
            nothing = np.empty(0, np.int64)
            return cls(nothing, nothing, np.empty((0, columns)), np.empty(0))
        return cls(
            np.concatenate([part.seq for part in parts]),
            np.concatenate([part.at for part in parts]),
            np.concatenate([part.state for part in parts]),
            np.concatenate([part.expected for part in parts]),
        )


def pack(points: Points) -> bytes:
    """The bytes of at most 256 points; −0.0 becomes 0.0, as databases would make it."""
    return (
        points.seq.astype("<i8").tobytes()
        + points.at.astype("<i8").tobytes()
        + (points.state.T + 0.0).astype("<f8").tobytes()
    )


def pack_expected(points: Points) -> bytes:
    """The bytes of what was expected."""
    return points.expected.astype("<f8").tobytes()


def unpack(
    data: bytes | memoryview[int], count: int, expected: bytes | memoryview[int] = b""
) -> Points:
    """The points in the bytes of a segment."""
    raw = bytes(data)
    seq = np.frombuffer(raw, "<i8", count)
    at = np.frombuffer(raw, "<i8", count, offset=8 * count)
    state = np.frombuffer(raw, "<f8", offset=16 * count).reshape(-1, count).T
    beside = np.frombuffer(bytes(expected), "<f8")
    return Points(seq, at, state, beside if len(beside) else np.full(count, np.nan))


def pack_state(state: NDArray[np.float64]) -> bytes:
    """The bytes of one state, as a standing keeps it."""
    return (state + 0.0).astype("<f8").tobytes()


def unpack_states(states: Iterable[bytes | memoryview[int]], columns: int) -> NDArray[np.float64]:
    """The states of standings as rows."""
    raw = b"".join(bytes(state) for state in states)
    return np.frombuffer(raw, "<f8").reshape(-1, columns).copy()


def count_of(points: int) -> int:
    """How many segments so many points take."""
    return -(-points // SIZE)


def cut(board: Board, generation: int, player_id: int, points: Points) -> Iterator[RatingSegment]:
    """Yield the unsaved segments of a player's points."""
    for row in cut_rows(board, generation, player_id, points):
        yield RatingSegment(**row._asdict())


def cut_rows(
    board: Board, generation: int, player_id: int, points: Points, first: int = 0
) -> Iterator[SegmentRow]:
    """Yield the segments of a player's points as rows, numbered from `first`."""
    for number, start in enumerate(range(0, len(points), SIZE), start=first):
        part = points[start : start + SIZE]
        yield SegmentRow(
            board.league_id,
            board.pk,
            generation,
            player_id,
            number,
            len(part),
            pack(part),
            pack_expected(part),
        )


def read_points(board: Board, player_ids: Sequence[int], columns: int) -> dict[int, Points]:
    """The whole history of players on the board's present generation, by player id."""
    parts: dict[int, list[Points]] = {player_id: [] for player_id in player_ids}
    segments = RatingSegment.objects.filter(
        board=board, generation=board.generation, player_id__in=player_ids
    ).order_by("number")
    rows = segments.values_list("player_id", "data", "count", "expected")
    for player_id, data, count, expected in rows:
        parts[player_id].append(unpack(data, count, expected))
    return {player_id: Points.join(own_parts, columns) for player_id, own_parts in parts.items()}


def read_numbered(board: Board, numbers: Mapping[int, int]) -> dict[int, Points]:
    """One segment of each player's history, that of the given number, by player id."""
    by_number: dict[int, list[int]] = defaultdict(list)
    for player_id, number in numbers.items():
        by_number[number].append(player_id)
    found: dict[int, Points] = {}
    for number, player_ids in by_number.items():
        for first in range(0, len(player_ids), NAMED_AT_ONCE):
            rows = RatingSegment.objects.filter(
                board=board,
                generation=board.generation,
                number=number,
                player_id__in=player_ids[first : first + NAMED_AT_ONCE],
            )
            for player_id, data, count, expected in rows.values_list(
                "player_id", "data", "count", "expected"
            ):
                found[player_id] = unpack(data, count, expected)
    return found


def extend(board: Board, player_points: Mapping[int, Points]) -> list[SegmentRow]:
    """Append points to players' histories: the rows to insert, or to rewrite by their `KEY`.

    Of each history only the last segment is read.
    """
    last = {row[0]: row[1:] for row in _last_segments(board, list(player_points))}
    rows: list[SegmentRow] = []
    for player_id, points in player_points.items():
        number, count, data, expected = last.get(player_id, (-1, SIZE, b"", b""))
        parts = [] if count == SIZE else [unpack(data, count, expected)]
        joined = Points.join([*parts, points], points.state.shape[1])
        first = number + (count == SIZE)
        rows.extend(cut_rows(board, board.generation, player_id, joined, first))
    return rows


def last_states(board: Board, player_ids: Sequence[int]) -> dict[int, tuple[float, ...]]:
    """The states at the end of players' histories, of those who have one."""
    return {
        player_id: tuple(unpack(data, count).state[-1].tolist())
        for player_id, _number, count, data, _expected in _last_segments(board, player_ids)
    }


def _last_segments(
    board: Board, player_ids: Sequence[int]
) -> Iterator[tuple[int, int, int, bytes, bytes]]:
    """Yield the last segment of each player's history: player, number, count and bytes."""
    table = RatingSegment._meta.db_table
    for first in range(0, len(player_ids), NAMED_AT_ONCE):
        part = player_ids[first : first + NAMED_AT_ONCE]
        marks = ", ".join(["%s"] * len(part))
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT s.player_id, s.number, s.count, s.data, s.expected "  # noqa: S608
                f"FROM {table} s JOIN (SELECT player_id, MAX(number) AS number FROM {table} "
                f"WHERE board_id = %s AND generation = %s AND player_id IN ({marks}) "
                "GROUP BY player_id) newest "
                "ON newest.player_id = s.player_id AND newest.number = s.number "
                "WHERE s.board_id = %s AND s.generation = %s",
                [board.pk, board.generation, *part, board.pk, board.generation],
            )
            yield from cursor.fetchall()
