"""What players brought to a board: from the season before, or from elsewhere.

It is stored once, in the columns that the board's parameters asked for then. Whoever reads it
names the system that goes on from it, whose parameters may be other ones.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from leagues.bridge.rules import rated_spans
from leagues.bridge.systems import newest_system, system_with
from leagues.models import Board, StartingState
from leagues.store import segments
from ratings import starts
from ratings.boardwide import BoardWide
from ratings.resetting import carries, kept, kept_board
from ratings.starts import NewcomerStart, StartError, StartObstacle
from ratings.system import Reach, State, System

__all__ = [
    "MOST_NAMED",
    "NewcomerStart",
    "StartError",
    "StartObstacle",
    "StartingRating",
    "half_widths",
    "is_shared",
    "newcomer_start",
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
    rows = StartingState.objects.filter(board_id=board.pk)
    if players is not None and len(players) <= MOST_NAMED:
        rows = rows.filter(player_id__in=players)
    stored = {**dict(rows.values_list("player_id", "state")), **(changes or {})}
    return unpack_starting_states(
        board, {player_id: state for player_id, state in stored.items() if state}, system=system
    )


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


def pack_start(board: Board, rating: float, deviation: float | None) -> bytes:
    """A given rating as the starting state that a board stores; raises StartError."""
    newest = newest_system(board)
    state = starts.start_state(newest, rating, deviation)
    return segments.pack_state(kept(newest, _carried_by(board), np.array([state]))[0])


def half_widths(low: NDArray[np.float64], high: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Half of each range; None where a system has no ranges."""
    halves = (high - low) / 2.0
    return None if np.isnan(halves).any() else halves


def starting_board(board: Board, *, system: System | None = None) -> State | None:
    """The shared state that a board began with, if any; `system` as in `starting_states`."""
    state = tuple(np.frombuffer(bytes(board.start_board_state), "<f8").tolist())
    former, first = _carried_by(board), system or rated_spans(board)[0].system
    if not (state and isinstance(former, BoardWide) and isinstance(first, BoardWide)):
        return None
    return kept_board(former, first, state)


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
