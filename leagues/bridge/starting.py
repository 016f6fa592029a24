"""What players brought to a board from the season before."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from leagues.bridge.systems import system_of
from leagues.models import Board, StartingState
from ratings.boardwide import BoardWide
from ratings.resetting import refitted
from ratings.system import Reach, State

MOST_NAMED = 500
"""For more players than this all rows of a board are read."""


def starting_states(board: Board, players: Collection[int] | None = None) -> dict[int, State]:
    """Return with what each player began who did not begin anew; `players` are those wanted."""
    if board.pk is None:
        return {}
    rows = StartingState.objects.filter(board_id=board.pk)
    if players is not None and len(players) <= MOST_NAMED:
        rows = rows.filter(player_id__in=players)
    system = system_of(board)
    return {
        player_id: refitted(system, tuple(np.frombuffer(bytes(state), "<f8").tolist()))
        for player_id, state in rows.values_list("player_id", "state")
    }


def starting_board(board: Board) -> State | None:
    """Return what a board began with for nobody alone, if anything."""
    state = tuple(np.frombuffer(bytes(board.start_board_state), "<f8").tolist())
    system = system_of(board)
    if not state or not isinstance(system, BoardWide):
        return None
    fresh = system.new_board()
    return state[: len(fresh)] + fresh[len(state) :]


def is_shared(board: Board) -> bool:
    """Say whether who has not played yet takes part too: holds a rung, counts for a mean."""
    return system_of(board).reach is Reach.BOARD
