"""The history of players, packed: the only module that knows how.

A segment holds up to 256 consecutive points of one player on one board as columns of
little-endian 64-bit values: match seq (integers), instant in microseconds since 1970 (integers),
then each state column (floats). The state is exact, so a replay can start after any point. Beside
them stands what was expected of the player in each match (floats), which no arithmetic reads.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from django.db import connection
from django.db.models import Max
from numpy.typing import NDArray

from leagues.models import Board, RatingSegment
from leagues.store.bulk import read_large
from leagues.store.column_writes import Column, Ragged
from leagues.store.id_lists import Among

Integers = NDArray[np.int64]

SIZE = 256
POINTS_AT_ONCE, PLAYERS_AT_ONCE = 1 << 16, 1 << 12
"""What is packed and written together: some megabytes."""
NAMED_AT_ONCE = 500
"""Players in one query: SQLite takes only so many values."""

_NEWEST = {
    "postgresql": """SELECT s.player_id, s.number, s.count, s.data, s.expected
FROM unnest(%s::bigint[]) AS one (id) CROSS JOIN LATERAL (SELECT * FROM {table}
WHERE player_id = one.id AND board_id = %s AND generation = %s ORDER BY number DESC LIMIT 1) s""",
    "sqlite": """SELECT s.player_id, s.number, s.count, s.data, s.expected
FROM json_each(%s) one JOIN {table} s ON s.id = (SELECT n.id FROM {table} n
WHERE n.player_id = one.value AND n.board_id = %s AND n.generation = %s
ORDER BY n.number DESC LIMIT 1)""",
}
"""The last segment of each player, looked up one by one: of a join, a database that has no
statistics of the table yet makes a comparison of each with each."""

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

    def points(self) -> Points:
        """All points of the segment."""
        return unpack(self.data, self.count, self.expected)

    def instant_at(self, place: int) -> int:
        """When one of the points stands, in microseconds since 1970."""
        begin = 8 * (self.count + place)
        return int.from_bytes(self.data[begin : begin + 8], "little", signed=True)

    def state_at(self, place: int) -> bytes:
        """The state of one of the points, as a standing keeps it."""
        data, column = self.data, 8 * self.count
        begins = range(2 * column + 8 * place, len(data), column)
        return b"".join([data[begin : begin + 8] for begin in begins])


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

    def take(self, rows: Integers) -> Points:
        """Some of the points, in the order of `rows`."""
        return Points(self.seq[rows], self.at[rows], self.state[rows], self.expected[rows])

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


@dataclass(frozen=True, slots=True, eq=False)
class PlayerPoints:
    """The points of several players, each player's in their order."""

    player_id: Integers
    """n players who have points."""
    start: Integers
    points: Points
    """Of all players, in any order."""
    order: Integers | None = None
    """n + 1 starts: player i has the points order[start[i]:start[i + 1]]; None: as they stand."""

    @classmethod
    def join(cls, by_player: Mapping[int, Sequence[Points]], columns: int) -> PlayerPoints:
        """The points of players, whose parts are given one by one."""
        points = Points.join(chain.from_iterable(by_player.values()), columns)
        counts = np.array([sum(map(len, parts)) for parts in by_player.values()], np.int64)
        return cls(
            np.array(list(by_player), np.int64)[counts > 0],
            _starts_of(counts[counts > 0]),
            points,
        )

    def __len__(self) -> int:
        return len(self.player_id)

    def by_player(self) -> dict[int, Points]:
        """The points of each player."""
        points = self.ordered(0, len(self))
        ends = zip(self.start[:-1].tolist(), self.start[1:].tolist(), strict=True)
        return {
            player_id: points[first:end]
            for player_id, (first, end) in zip(self.player_id.tolist(), ends, strict=True)
        }

    def parts(self) -> Iterator[PlayerPoints]:
        """Yield the points of some players at a time, of one at least."""
        first = 0
        while first < len(self):
            most = self.start[first] + POINTS_AT_ONCE
            end = int(np.searchsorted(self.start, most, side="right")) - 1
            end = min(max(end, first + 1), first + PLAYERS_AT_ONCE)
            starts = self.start[first : end + 1] - self.start[first]
            yield PlayerPoints(self.player_id[first:end], starts, self.ordered(first, end))
            first = end

    def ordered(self, first: int, end: int) -> Points:
        """The points of some players, one player's after the other's."""
        rows = slice(int(self.start[first]), int(self.start[end]))
        return self.points[rows] if self.order is None else self.points.take(self.order[rows])


@dataclass(frozen=True, slots=True, eq=False)
class PackedSegments:
    """Segments in columns, those of a player one after the other."""

    player_id: Integers
    number: Integers
    count: Integers
    data: Ragged
    expected: Ragged

    def __len__(self) -> int:
        return len(self.player_id)

    def columns(self, board: Board, generation: int) -> dict[str, Column]:
        """Their columns by the names in the database."""
        same = {"league_id": board.league_id, "board_id": board.pk, "generation": generation}
        own = {name: getattr(self, name) for name in SegmentRow._fields if name not in same}
        return {**same, **own}

    def rows(self, board: Board, generation: int) -> Iterator[SegmentRow]:
        """Yield them one by one."""
        columns = (self.player_id.tolist(), self.number.tolist(), self.count.tolist())
        for values in zip(*columns, self.data, self.expected, strict=True):
            yield SegmentRow(board.league_id, board.pk, generation, *values)


def pack(history: PlayerPoints, first: Mapping[int, int] | None = None) -> PackedSegments:
    """The segments of players' points, numbered from 0, or as `first` says of a player.

    Column j of a segment that begins with point a and has c of them is at a(2 + k) + jc, where a
    state has k columns. −0.0 becomes 0.0, as databases would make it.
    """
    sizes = np.diff(history.start)
    segments = -(-sizes // SIZE)
    row = np.repeat(np.arange(len(history)), segments)
    number = np.arange(len(row)) - np.repeat(_starts_of(segments)[:-1], segments)
    begin = history.start[row] + SIZE * number
    count = np.minimum(history.start[row + 1] - begin, SIZE)
    points = history.ordered(0, len(history))
    width = 2 + points.state.shape[1]
    own, place = np.repeat(count, count), np.arange(len(points))
    place += np.repeat(begin * (width - 1), count)
    words = np.empty(len(points) * width, "<i8")
    floats = words.view("<f8")
    words[place] = points.seq
    place += own
    words[place] = points.at
    for column in range(width - 2):
        place += own
        floats[place] = points.state[:, column] + 0.0
    ends = np.append(begin, len(points))
    player_id = history.player_id[row]
    if first:
        number += np.array([first.get(each, 0) for each in player_id.tolist()], np.int64)
    return PackedSegments(
        player_id,
        number,
        count,
        Ragged(words.view(np.uint8), ends * width * 8),
        Ragged(points.expected.astype("<f8").view(np.uint8), ends * 8),
    )


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


def packed_states(states: NDArray[np.float64]) -> NDArray[np.uint8]:
    """The bytes of states, one state a row."""
    columns = states.shape[1]
    return (states + 0.0).astype("<f8").view(np.uint8).reshape(len(states), 8 * columns)


def unpack_states(states: Iterable[bytes | memoryview[int]], columns: int) -> NDArray[np.float64]:
    """The states of standings as rows."""
    raw = b"".join(bytes(state) for state in states)
    return np.frombuffer(raw, "<f8").reshape(-1, columns).copy()


def count_of(points: int) -> int:
    """How many segments so many points take."""
    return -(-points // SIZE)


def _starts_of(counts: Integers) -> Integers:
    return np.concatenate([[0], np.cumsum(counts)])


def rows_of(
    board: Board, by_player: Mapping[int, Sequence[Points]], columns: int, first: Mapping[int, int]
) -> list[SegmentRow]:
    """The segments of players' points on the present generation, numbered from those of `first`."""
    history = PlayerPoints.join(by_player, columns)
    return list(pack(history, first).rows(board, board.generation))


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


def read_rows(board: Board, numbers: Mapping[int, int]) -> Iterator[SegmentRow]:
    """Yield one segment of each player's history, that of the given number."""
    by_number: dict[int, list[int]] = defaultdict(list)
    for player_id, number in numbers.items():
        by_number[number].append(player_id)
    stored = RatingSegment.objects.filter(board=board, generation=board.generation)
    for number, player_ids in by_number.items():
        rows = stored.filter(Among("player_id", player_ids), number=number)
        yield from _plain(read_large(rows.values_list(*SegmentRow._fields)))


def read_last(board: Board) -> Iterator[SegmentRow]:
    """Yield the last segment of everyone's history."""
    stored = RatingSegment.objects.filter(board=board, generation=board.generation)
    last = stored.order_by().values("player_id").annotate(last=Max("number"))
    newest = dict(last.values_list("player_id", "last"))
    # One segment is all that most have.
    single = stored.filter(number=0).order_by()
    for row in _plain(read_large(single.values_list(*SegmentRow._fields))):
        if newest[row.player_id] == 0:
            yield row
    yield from read_rows(board, {player: number for player, number in newest.items() if number})


def _plain(rows: Iterable[tuple[Any, ...]]) -> Iterator[SegmentRow]:
    for *values, data, expected in rows:
        yield SegmentRow._make((*values, bytes(data), bytes(expected)))


def extend(board: Board, player_points: Mapping[int, Points], columns: int) -> list[SegmentRow]:
    """Append points to players' histories: the rows to insert, or to rewrite by their `KEY`.

    Of each history only the last segment is read.
    """
    last = {row[0]: row[1:] for row in _last_segments(board, list(player_points))}
    parts: dict[int, list[Points]] = {}
    numbers: dict[int, int] = {}
    for player_id, points in player_points.items():
        number, count, data, expected = last.get(player_id, (-1, SIZE, b"", b""))
        before = [] if count == SIZE else [unpack(data, count, expected)]
        parts[player_id] = [*before, points]
        numbers[player_id] = number + (count == SIZE)
    return rows_of(board, parts, columns, numbers)


def last_states(board: Board, player_ids: Sequence[int]) -> dict[int, tuple[float, ...]]:
    """The states at the end of players' histories, of those who have one."""
    return {
        player_id: tuple(unpack(data, count).state[-1].tolist())
        for player_id, _number, count, data, _expected in _last_segments(board, player_ids)
    }


def last_points(board: Board, player_ids: Sequence[int]) -> dict[int, tuple[int, Points]]:
    """The last segment of each player's history, and its number."""
    return {
        player_id: (number, unpack(data, count, expected))
        for player_id, number, count, data, expected in _last_segments(board, player_ids)
    }


def _last_segments(
    board: Board, player_ids: Sequence[int]
) -> Iterator[tuple[int, int, int, bytes, bytes]]:
    """Yield the last segment of each player's history: player, number, count and bytes."""
    table = RatingSegment._meta.db_table
    for first in range(0, len(player_ids), NAMED_AT_ONCE):
        some = list(player_ids[first : first + NAMED_AT_ONCE])
        ids = json.dumps(some) if connection.vendor == "sqlite" else some
        with connection.cursor() as cursor:
            cursor.execute(
                _NEWEST[connection.vendor].format(table=table), [ids, board.pk, board.generation]
            )
            yield from cursor.fetchall()
