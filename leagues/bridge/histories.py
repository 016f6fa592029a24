"""How a player's rating came about, point by point."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import product
from zoneinfo import ZoneInfo

import numpy as np
from django.db.models import Exists, OuterRef, Q, Subquery
from numpy.typing import NDArray

from leagues.bridge.display import ShownValue, has_levels, or_none, shown_of
from leagues.bridge.starting import newcomers_board, starting_states, unpack_starting_states
from leagues.bridge.systems import board_state, system_of
from leagues.models import Board, RatingSegment, Standing, StartingState
from leagues.store import segments
from leagues.store.match_columns import DAY, civil_days, micros, moment
from ratings.system import ShownMany, State


@dataclass(frozen=True, slots=True)
class HistoryPoint:
    """The rating after one match, or after a change without one (seq 0)."""

    seq: int
    at: datetime
    value: ShownValue
    expected: float | None
    """The score that was expected of the player's side, 0 to 1."""


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """A player's whole history on one board, in columns; rows are made only of what is shown."""

    board: Board
    points: segments.Points
    began: State
    played_before: int = 0
    """Matches rated before the points, where these are not the whole history."""
    games: NDArray[np.int64] = field(init=False)
    """Matches rated up to each point."""
    shown_values: ShownMany = field(init=False)
    levels: list[str] = field(init=False)
    """How sure the rating was after each point."""

    def __post_init__(self) -> None:
        system = system_of(self.board)
        values = system.display_many(self.points.state, board=board_state(self.board))
        object.__setattr__(self, "shown_values", replace(values, value=values.value + 0.0))
        object.__setattr__(self, "games", self.played_before + np.cumsum(self.points.seq > 0))
        object.__setattr__(self, "levels", self._levels())

    def __len__(self) -> int:
        return len(self.points)

    @property
    def start(self) -> ShownValue:
        """The value that the player began with."""
        return shown_of(self.board, self.began, 0)

    def at(self, index: int) -> ShownValue:
        """The rating after a point."""
        low, high = float(self.shown_values.low[index]), float(self.shown_values.high[index])
        return ShownValue(
            value=float(self.shown_values.value[index]),
            low=None if math.isnan(low) else low + 0.0,
            high=None if math.isnan(high) else high + 0.0,
            decimals=self.shown_values.decimals,
            level=self.levels[index],
            provisional=bool(self.shown_values.provisional[index]),
        )

    def before(self, index: int) -> ShownValue:
        """The rating that a point changed, inactivity left out."""
        return self.at(index - 1) if index else self.start

    def of_matches(self, seqs: Sequence[int]) -> dict[int, int]:
        """The indices of the points of matches, by seq; those not rated are missing."""
        indices = np.flatnonzero(np.isin(self.points.seq, np.array(seqs, dtype=np.int64)))
        return {int(self.points.seq[index]): int(index) for index in indices}

    def expectations(self) -> dict[int, float | None]:
        """The score expected in each rated match, by its seq."""
        rated = self.points.seq > 0
        expected = or_none(self.points.expected[rated])
        return dict(zip(self.points.seq[rated].tolist(), expected, strict=True))

    def moment(self, index: int) -> datetime:
        """The moment of a point."""
        return moment(int(self.points.at[index]))

    def steps(self) -> NDArray[np.float64]:
        """The change of the shown value at each point; changes without a match count 0."""
        values = np.concatenate([[self.start.value], self.shown_values.value])
        changes: NDArray[np.float64] = np.where(self.points.seq > 0, np.diff(values), 0.0)
        return changes

    def now(self, at: datetime) -> ShownValue:
        """The value seen of the last state as of a moment not before it."""
        last = len(self) - 1
        instant = max(micros(at), int(self.points.at[last]))
        day = int(civil_days(np.array([instant]), self.board.league.zone)[0])
        state = system_of(self.board).idle(tuple(self.points.state[last].tolist()), instant, day)
        return shown_of(self.board, state, int(self.games[last]))

    def _levels(self) -> list[str]:
        system = system_of(self.board)
        if not has_levels(self.board):
            return [""] * len(self)
        until, until_sure = system.certain_until_many(self.points.state, self.games)
        at = self.points.at
        words = np.where(at <= until_sure, "sure", np.where(at <= until, "fairly_sure", "unsure"))
        levels: list[str] = words.tolist()
        return levels

    def days(self) -> NDArray[np.int64]:
        """The civil day of each point in the league."""
        return _days_of(self.points.at, self.board.league.zone)

    def ends_of_days(self) -> NDArray[np.int64]:
        """The index of the last point of each day on which something changed."""
        days = self.days()
        ends: NDArray[np.int64] = np.flatnonzero(np.append(days[1:] != days[:-1], True))
        return ends

    def values_later(self, index: NDArray[np.int64], at: NDArray[np.int64]) -> ShownMany:
        """The values seen of the states after some points at later moments."""
        system = system_of(self.board)
        days = civil_days(at, self.board.league.zone)
        return system.display_many(
            system.idle_many(self.points.state[index], at, days), board=board_state(self.board)
        )


def _days_of(at: NDArray[np.int64], zone: ZoneInfo) -> NDArray[np.int64]:
    """Do `civil_days` with two looks at the clock per day, and more where it was changed."""
    whole, which = np.unique(at // DAY, return_inverse=True)
    edges = np.stack([whole * DAY, whole * DAY + (DAY - 1)])
    offsets = np.array([_offset(edge, zone) for edge in edges.ravel().tolist()]).reshape(2, -1)
    steady = (offsets[0] == offsets[1])[which]
    days: NDArray[np.int64] = (at + offsets[0][which]) // DAY
    if not steady.all():
        days[~steady] = civil_days(at[~steady], zone)
    return days


def _offset(at: int, zone: ZoneInfo) -> int:
    offset = moment(at).astimezone(zone).utcoffset() or timedelta()
    return offset // timedelta(microseconds=1)


def read_series(
    boards: Sequence[Board], player_id: int, *, ends: Sequence[Board] = ()
) -> dict[int, Series]:
    """A player's history on each of some boards where there is one, in one query.

    Of the boards in `ends` only the last part of it. Who has played too little for a system that
    rates all results at once has none.
    """
    if not boards and not ends:
        return {}
    following = RatingSegment.objects.filter(
        board=OuterRef("board"),
        generation=OuterRef("generation"),
        player=OuterRef("player"),
        number=OuterRef("number") + 1,
    )
    wanted = _in_current_generations(boards)
    if ends:
        wanted |= Q(_in_current_generations(ends), ~Exists(following))
    histories = _read(boards, [player_id], wanted, ends=ends)
    return {board_id: series for (board_id, _player_id), series in histories}


def read_series_of(board: Board, player_ids: Sequence[int]) -> dict[int, Series]:
    """The histories of several players on one board, as `read_series` does."""
    histories = _read([board], player_ids, _in_current_generations([board])) if player_ids else ()
    return {player_id: series for (_board_id, player_id), series in histories}


def _read(
    boards: Sequence[Board], player_ids: Sequence[int], condition: Q, *, ends: Sequence[Board] = ()
) -> Iterator[tuple[tuple[int, int], Series]]:
    """Yield histories with their board and player, in the order of both."""
    began = StartingState.objects.filter(board=OuterRef("board"), player=OuterRef("player"))
    standings = Standing.objects.filter(
        board=OuterRef("board"), generation=OuterRef("generation"), player=OuterRef("player")
    )
    rows = (
        RatingSegment.objects.filter(condition, player__in=player_ids)
        .annotate(
            began=Subquery(began.values("state")[:1]),
            played=Subquery(standings.values("games")[:1]),
        )
        .order_by("number")
        .values_list("board_id", "player_id", "began", "played", "data", "count", "expected")
    )
    parts: dict[tuple[int, int], list[segments.Points]] = {}
    starts: dict[tuple[int, int], bytes] = {}
    games: dict[tuple[int, int], int] = {}
    for board_id, player_id, state, played, data, count, expected in rows:
        points = segments.unpack(data, count, expected)
        parts.setdefault((board_id, player_id), []).append(points)
        games[board_id, player_id] = played or 0
        if state is not None:
            starts[board_id, player_id] = state
    for board, player_id in product((*boards, *ends), player_ids):
        key = board.pk, player_id
        if key in parts:
            system = system_of(board)
            points = segments.Points.join(parts[key], len(system.columns))
            last = system.display_many(points.state[-1:], board=board_state(board))
            if math.isnan(last.value[0]):
                continue
            begun = {player_id: starts[key]} if key in starts else {}
            first = unpack_starting_states(board, begun).get(player_id)
            if first is None and not points.seq[0]:
                # Who comes to a ladder joins it below whoever was there, before the first match;
                # where anchors move the mean, at the mean of then.
                first = tuple(points.state[0].tolist())
            first = first or system.new_player(newcomers_board(board, system))
            before = games[key] - int(np.count_nonzero(points.seq)) if board in ends else 0
            yield key, Series(board, points, first, before)


def start_of(board: Board, player_id: int) -> ShownValue:
    """The state with which a player begins on a board: carried over, else a newcomer's."""
    began = starting_states(board, [player_id]).get(player_id)
    return shown_of(board, began or system_of(board).new_player(board_state(board)), 0)


def _in_current_generations(boards: Sequence[Board]) -> Q:
    condition = Q()
    for board in boards:
        condition |= Q(board=board.pk, generation=board.generation)
    return condition


def rows_of(series: Series) -> Iterator[HistoryPoint]:
    """Every point of a history as a row."""
    columns = zip(
        series.points.seq.tolist(),
        series.points.at.tolist(),
        or_none(series.points.expected),
        series.shown_values.value.tolist(),
        or_none(series.shown_values.low),
        or_none(series.shown_values.high),
        series.shown_values.provisional.tolist(),
        series.levels,
        strict=True,
    )
    for seq, at, expected, value, low, high, provisional, level in columns:
        value_then = ShownValue(value, low, high, series.shown_values.decimals, level, provisional)
        yield HistoryPoint(seq, moment(at), value_then, expected)


def changes_for_player(
    board: Board, player_id: int, seqs: Iterable[int]
) -> dict[int, tuple[ShownValue, ShownValue]]:
    """A player's rating before and after each of the given matches that is rated."""
    series = read_series([board], player_id).get(board.pk)
    if series is None:
        return {}
    where = series.of_matches(list(seqs))
    return {seq: (series.before(index), series.at(index)) for seq, index in where.items()}
