"""The history of players, packed: the only module that knows how.

A segment holds up to 256 consecutive points of one player on one board as columns of
little-endian 64-bit values: match seq (integers), instant in microseconds since 1970 (integers),
then each state column (floats). The state is exact, so a replay can start after any point. Beside
them stands what was expected of the player in each match (floats), which no arithmetic reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from django.db.models import Max
from numpy.typing import NDArray

from leagues.models import Board, RatingSegment

SIZE = 256


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


def cut(
    board: Board, generation: int, player_id: int, points: Points, first: int = 0
) -> Iterator[RatingSegment]:
    """Yield the unsaved segments of a player's points, numbered from `first`."""
    for number, start in enumerate(range(0, len(points), SIZE), start=first):
        part = points[start : start + SIZE]
        yield RatingSegment(
            league_id=board.league_id,
            board_id=board.pk,
            generation=generation,
            player_id=player_id,
            number=number,
            count=len(part),
            data=pack(part),
            expected=pack_expected(part),
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


def extend(
    board: Board, player_points: dict[int, Points]
) -> tuple[list[RatingSegment], list[RatingSegment]]:
    """Append points to players' histories: the segments to update and those to create."""
    histories = RatingSegment.objects.filter(
        board=board, generation=board.generation, player_id__in=list(player_points)
    )
    counts = dict(
        histories.order_by().values_list("player_id").annotate(segments=Max("number") + 1)
    )
    open_ended = {segment.player_id: segment for segment in histories.filter(count__lt=SIZE)}
    changed: list[RatingSegment] = []
    created: list[RatingSegment] = []
    for player_id, points in player_points.items():
        segment, rest = open_ended.get(player_id), points
        if segment is not None:
            room = SIZE - segment.count
            stored = unpack(segment.data, segment.count, segment.expected)
            joined = Points.join([stored, points[:room]], points.state.shape[1])
            segment.count = len(joined)
            segment.data = pack(joined)
            segment.expected = pack_expected(joined)
            changed.append(segment)
            rest = points[room:]
        created.extend(cut(board, board.generation, player_id, rest, counts.get(player_id, 0)))
    return changed, created
