"""What players brought to a board: from the season before, or from elsewhere.

It is stored once, in the columns that the board's parameters asked for then. Whoever reads it
names the system that goes on from it, whose parameters may be other ones.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db.models import Q, QuerySet
from numpy.typing import NDArray

from leagues.bridge.rules import rated_spans
from leagues.bridge.systems import (
    board_state,
    newest_system,
    system_has_anchors,
    system_of,
    system_with,
)
from leagues.models import Board, StartingState
from leagues.store import segments
from leagues.store.prepared import prepare
from ratings import starts
from ratings.boardwide import BoardWide
from ratings.resetting import carries, kept, kept_board
from ratings.starts import NewcomerStart, StartError, StartObstacle, is_anchor
from ratings.system import Reach, State, System

__all__ = [
    "MOST_NAMED",
    "NewcomerStart",
    "StartError",
    "StartObstacle",
    "StartingRating",
    "add_anchor_column",
    "are_starts_unmarked",
    "given_rating_shown",
    "half_widths",
    "has_anchors",
    "is_anchor",
    "is_shared",
    "newcomer_start",
    "newcomers_board",
    "pack_start",
    "start_obstacle",
    "starting_board",
    "starting_ratings",
    "starting_states",
    "starting_widths",
    "unpack_starting_states",
]

MOST_NAMED = 500
"""For more players than this all rows of a board are read."""


def starting_states(
    board: Board,
    players: Collection[int] | None = None,
    *,
    system: System | None = None,
    changes: Mapping[int, bytes] | None = None,
) -> dict[int, State]:
    """The states of players who did not begin as newcomers; `players` are those wanted.

    As `unpack_starting_states` has it: by the rules of what the board shows, or those of `system`.
    `changes` stand in for what is stored, as it would be; empty: a newcomer.
    """
    if not board.pk:
        return {}
    are_few = players is not None and len(players) <= MOST_NAMED
    rows = (
        _starts_of(board=board.pk, players=sorted(players or ()))
        if are_few
        else _starts_on(board=board.pk)
    )
    stored = {**dict(rows), **(changes or {})}
    return unpack_starting_states(
        board, {player_id: state for player_id, state in stored.items() if state}, system=system
    )


@prepare
def _starts_on(*, board: int) -> QuerySet[StartingState, tuple[int, bytes | memoryview[int]]]:
    return StartingState.objects.filter(board=board).order_by().values_list("player_id", "state")


@prepare
def _starts_of(
    *, board: int, players: list[int]
) -> QuerySet[StartingState, tuple[int, bytes | memoryview[int]]]:
    starts = StartingState.objects.filter(board=board, player__pk__in=players).order_by()
    return starts.values_list("player_id", "state")


def unpack_starting_states(
    board: Board, stored: Mapping[int, bytes | memoryview[int]], *, system: System | None = None
) -> dict[int, State]:
    """Unpack starting states, by player, as a board's first match found them.

    Under the first rules of what the board shows, or under those of `system`.
    """
    if not stored:
        return {}
    former, first = _carried_by(board), system or rated_spans(board)[0].system
    rows = np.frombuffer(b"".join(bytes(state) for state in stored.values()), "<f8")
    states = kept(former, first, rows.reshape(len(stored), len(former.columns)))
    return {player_id: tuple(row) for player_id, row in zip(stored, states.tolist(), strict=True)}


@dataclass(frozen=True, slots=True)
class StartingRating:
    """What one player is shown with before the first match, by what the player brought."""

    player_id: int
    value: float
    half: float | None
    decimals: int


def starting_ratings(board: Board) -> list[StartingRating]:
    """The ratings of everybody who brought one, the best first."""
    states = starting_states(board)
    if not states:
        return []
    system = rated_spans(board)[0].system
    rows = np.array(list(states.values()), dtype=np.float64)
    shown = system.display_many(rows, board=starting_board(board))
    sign = 1.0 if system.lower_is_better else -1.0
    halves = half_widths(shown.low, shown.high)
    players = list(states)
    return [
        StartingRating(
            players[row],
            float(shown.value[row]),
            None if halves is None else float(halves[row]),
            shown.decimals,
        )
        for row in np.argsort(sign * shown.value, kind="stable").tolist()
    ]


def start_obstacle(board: Board) -> StartObstacle | None:
    """Why nobody can begin on a board with a rating from elsewhere; None where that is possible."""
    return starts.start_obstacle(newest_system(board))


def newcomer_start(board: Board) -> NewcomerStart:
    """What newcomers begin with, on a board where others can begin with something else."""
    return starts.newcomer_start(newest_system(board))


def has_anchors(board: Board) -> bool:
    """Whether players who are given a rating keep it, by the newest rules of a board."""
    return system_has_anchors(board.system, board.parameters)


def given_rating_shown(board: Board, rating: float) -> float:
    """What a given rating is shown as on a board that has anchors, as the board stands."""
    system = newest_system(board)
    # Until the newest rules have rated the board, what it shares may be without what they show.
    shared = board_state(board) if _is_alike(system, system_of(board)) else None
    return system.display(starts.start_state(system, rating), shared).value + 0.0


def are_starts_unmarked(board: Board) -> bool:
    """Whether starting states on a board have no column for the mark that its rules now have."""
    return has_anchors(board) and not starts.has_anchors(_carried_by(board))


def add_anchor_column(board: Board, states: Sequence[bytes]) -> tuple[dict[str, Any], list[bytes]]:
    """Starting states with a column for the mark of anchors, and the parameters they then have.

    They lose none of the columns that they have.
    """
    former = _carried_by(board)
    parameters = {**(board.start_parameters or board.parameters), "anchors": True}
    rows = np.frombuffer(b"".join(states), "<f8").reshape(len(states), len(former.columns))
    marked = kept(former, system_with(board.system, parameters), rows)
    return parameters, [segments.pack_state(row) for row in marked]


def pack_start(board: Board, rating: float, deviation: float | None) -> bytes:
    """A given rating as the starting state that a board stores; raises StartError."""
    newest = newest_system(board)
    state = starts.start_state(newest, rating, deviation)
    return segments.pack_state(kept(newest, _carried_by(board), np.array([state]))[0])


def half_widths(low: NDArray[np.float64], high: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Half of each range; None where a system has no ranges."""
    halves = (high - low) / 2.0
    return None if np.isnan(halves).any() else halves


def newcomers_board(board: Board, system: System) -> State | None:
    """The shared state by which readers know a newcomer without a point of joining."""
    if not starts.has_anchors(system):
        return board_state(board)
    # Where anchors move the mean, whoever joined at another one than the first has such a point.
    first = rated_spans(board)[0].system
    return first.new_board() if isinstance(first, BoardWide) else None


def starting_board(
    board: Board, *, system: System | None = None, changes: Mapping[int, bytes] | None = None
) -> State | None:
    """The shared state that a board began with, if any.

    `system` and `changes` as in `starting_states`.
    """
    state = tuple(np.frombuffer(bytes(board.start_board_state), "<f8").tolist())
    former, first = _carried_by(board), system or rated_spans(board)[0].system
    if not (state and isinstance(former, BoardWide) and isinstance(first, BoardWide)):
        return None
    shared = kept_board(former, first, state)
    if not starts.has_anchors(first):
        return shared
    return _without_anchors(first, shared, _ratings_of_anchors(board, former, changes or {}))


def _ratings_of_anchors(board: Board, former: System, changes: Mapping[int, bytes]) -> list[float]:
    """The ratings that players brought who have become anchors, and are no part of the sum."""
    rows = StartingState.objects.filter(board_id=board.pk).carried_over()
    stored = rows.filter(Q(rating__isnull=False) | Q(player_id__in=[*changes]))
    ratings = []
    for player_id, state, carried_state in stored.values_list(
        "player_id", "state", "carried_state"
    ):
        begun = np.frombuffer(changes.get(player_id) or bytes(state), "<f8")
        if is_anchor(former, tuple(begun.tolist())):
            ratings.append(float(np.frombuffer(bytes(carried_state or state), "<f8")[0]))
    return ratings


def _without_anchors(system: BoardWide[Any], shared: State, ratings: list[float]) -> State:
    """A shared state as if some players had never been part of the mean.

    The sum is rounded once, so that it is the same in whatever order the rows are read.
    """
    named = dict(zip(system.board_columns, shared, strict=True))
    others = named["others"] - len(ratings)
    if ratings:
        rest = math.fsum([named["mean"] * named["others"], *(-rating for rating in ratings)])
        named["mean"] = rest / others if others > 0 else system.new_board()[0]
        named["others"] = max(others, 0.0)
    return tuple(named.values())


def _is_alike(one: System, other: System) -> bool:
    """Whether a board keeps the same numbers of everybody, and of all together, by both."""
    shared = [getattr(system, "board_columns", ()) for system in (one, other)]
    return one.columns == other.columns and shared[0] == shared[1]


def starting_widths(board: Board) -> tuple[int, int]:
    """How many numbers a player's starting state has on a board, and the board's own.

    0 where nothing is carried over.
    """
    former = _carried_by(board)
    if not carries(former):
        return 0, 0
    return len(former.columns), len(getattr(former, "board_columns", ()))


def is_shared(system: System) -> bool:
    """Whether who has not played yet takes part too: holds a rung, counts for a mean."""
    return system.reach is Reach.BOARD


def _carried_by(board: Board) -> System:
    """The system whose columns starting states have."""
    return system_with(board.system, board.start_parameters or board.parameters)
