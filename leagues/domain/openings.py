"""What the players of a board begin with together, written before its first match.

It is stored as what a carry-over writes: the starting states of the players and the shared state of
the board. A season that carries ratings over has no other opening, so what such a board begins
with otherwise is one. The parameters by which the states are read say the seed.
"""

from __future__ import annotations

from dataclasses import dataclass

from leagues.models import Board, Season


@dataclass(frozen=True, slots=True)
class RandomStart:
    """By which numbers the ratings of a board were drawn, on the scale of its parameters."""

    seed: int
    spread: float


def has_opening(board: Board) -> bool:
    """Whether the players of a board begin with anything that was not carried over."""
    return bool(board.start_board_state) and board.season.carryover == Season.Carryover.FRESH


def has_session_rungs(board: Board) -> bool:
    """Whether the players of a ladder begin in the order of a game session."""
    return has_opening(board) and random_start(board) is None


def random_start(board: Board) -> RandomStart | None:
    """The numbers by which the ratings of a board were drawn, where they were."""
    stored = board.start_parameters
    if "seed" not in stored or not has_opening(board):
        return None
    return RandomStart(stored["seed"], stored["spread"])
