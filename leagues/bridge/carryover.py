"""What the boards of a season hand on to those of the next, computed and not yet written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from leagues.bridge.starting import half_widths, starting_board, starting_states
from leagues.bridge.systems import board_state, newest_system, system_of
from leagues.models import Board, Standing
from leagues.store import segments
from leagues.store.match_columns import civil_days, micros
from ratings.boardwide import BoardWide
from ratings.resetting import Reset, carries, kept, kept_board, softened
from ratings.starts import are_anchors
from ratings.system import State

__all__ = ["Carryover", "Reset", "can_carry_over", "compute_carryover"]


@dataclass(frozen=True, slots=True, eq=False)
class Carryover:
    """The players of a former board, what they are shown with there, and what they bring."""

    player_id: NDArray[np.int64]
    before: NDArray[np.float64]
    after: NDArray[np.float64]
    halves_before: NDArray[np.float64] | None
    """Half of each one's range, where the system has ranges."""
    halves_after: NDArray[np.float64] | None
    decimals: int
    states: NDArray[np.float64]
    board: State | None

    def pack(self) -> list[tuple[int, bytes]]:
        """Each player's state as it is stored."""
        return [
            (player_id, segments.pack_state(state))
            for player_id, state in zip(self.player_id.tolist(), self.states, strict=True)
        ]

    def packed_board(self) -> bytes:
        """The board's shared state as it is stored."""
        return segments.pack_state(np.array(self.board or ()))


def can_carry_over(former: Board, board: Board) -> bool:
    """Whether a board can go on from a former one."""
    return former.system == board.system and carries(system_of(board))


def compute_carryover(former: Board, board: Board, reset: Reset | None, at: datetime) -> Carryover:
    """The states that `board`, which begins at `at`, takes over; without a reset all as it was.

    Anchors are left out: they are no part of what players take from each other.
    """
    old, new = system_of(former), newest_system(board)
    player_id, states = _last_states(former)
    moving = ~are_anchors(old, states)
    player_id, states = player_id[moving], states[moving]
    rows = kept(old, new, states)
    if reset is not None:
        day = int(civil_days(np.array([micros(at)]), board.league.zone)[0])
        rows = softened(new, rows, reset, micros(at), day)
    shared = None
    if isinstance(new, BoardWide) and isinstance(old, BoardWide):
        last = board_state(former) or starting_board(former)
        shared = new.new_board() if last is None else kept_board(old, new, last)
    values = old.display_many(states, board=board_state(former) or starting_board(former))
    shown_after = new.display_many(rows, board=shared)
    return Carryover(
        player_id=player_id,
        before=values.value,
        after=shown_after.value,
        halves_before=half_widths(values.low, values.high),
        halves_after=half_widths(shown_after.low, shown_after.high),
        decimals=shown_after.decimals,
        states=rows,
        board=shared,
    )


def _last_states(former: Board) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Everybody's last state on a board, by key; also of who was carried and never played.

    Of the latter what others' matches have changed, a rung or the mean, stands in the history.
    """
    system = system_of(former)
    standings = Standing.objects.filter(board=former, generation=former.generation)
    states: dict[int, State] = {}
    keys: dict[int, str] = {}
    for player_id, key, stored in standings.values_list("player_id", "player__key", "state"):
        keys[player_id] = key
        states[player_id] = tuple(np.frombuffer(bytes(stored), "<f8").tolist())
    away = {
        player_id: state
        for player_id, state in starting_states(former).items()
        if player_id not in states
    }
    if away:
        past = segments.read_points(former, list(away), len(system.columns))
        for player_id, state in away.items():
            points = past[player_id]
            states[player_id] = tuple(points.state[-1].tolist()) if len(points) else state
        keys |= dict(former.league.players.filter(pk__in=away).values_list("pk", "key"))
    order = sorted(states, key=keys.__getitem__)
    rows: Sequence[State] = [states[player_id] for player_id in order]
    return (
        np.array(order, dtype=np.int64),
        np.array(rows, dtype=np.float64).reshape(len(rows), len(system.columns)),
    )
