"""What the players of a board begin with together, computed and not yet written."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from leagues.bridge.rules import rated_spans
from leagues.bridge.starting import starting_board, unpack_starting_states
from leagues.bridge.systems import newest_system, system_with
from leagues.domain.openings import random_start
from leagues.models import Board, StartingState
from leagues.store import segments
from ratings.log import MatchLog
from ratings.system import State, System
from ratings.systems.ladder import Ladder
from ratings.systems.zerosum import ZeroSum

__all__ = [
    "Opening",
    "OpeningValue",
    "draw_ratings",
    "has_random_start",
    "has_rungs",
    "lots_that_differ",
    "opening_values",
    "place_on_rungs",
    "random_spread",
]

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class OpeningValue:
    """What a player begins with, what that is shown as, and what the mean of all is shown as."""

    rating: float
    value: float
    mean: float
    decimals: int


@dataclass(frozen=True, slots=True)
class Opening:
    """The starting states of a board, by the keys of players, in the columns of `parameters`."""

    parameters: dict[str, Any]
    states: Mapping[str, bytes]
    board_state: bytes
    values: Mapping[str, OpeningValue]


def has_random_start(board: Board) -> bool:
    """Whether starting ratings can be drawn for a board, whatever its rules are."""
    return isinstance(newest_system(board), ZeroSum)


def random_spread(board: Board) -> float:
    """How far from the mean drawn ratings may be by the newest rules; 0: there are none."""
    system = newest_system(board)
    return system.parameters.spread if isinstance(system, ZeroSum) else 0.0


def draw_ratings(board: Board, seed: int, keys: Sequence[str]) -> Opening:
    """The ratings that a seed draws for players of a zero-sum board, by its newest rules.

    What players of the board have brought already keeps its columns.
    """
    newest = newest_system(board)
    assert isinstance(newest, ZeroSum)  # noqa: S101
    chosen = newest.parameters
    parameters = {
        **(board.start_parameters or board.parameters),
        "start": chosen.start,
        "spread": chosen.spread,
        "seed": seed,
    }
    system = system_with(board.system, parameters)
    assert isinstance(system, ZeroSum)  # noqa: S101
    return _opening(system, parameters, system.lottery(keys))


def lots_that_differ(board: Board) -> list[tuple[str, State, State]]:
    """Drawn again by the stored seed: the players, by key, for whom another state is stored.

    Each with the stored one and the drawn one; nothing where nothing was drawn.
    """
    start = random_start(board)
    if start is None:
        return []
    system = system_with(board.system, board.start_parameters)
    assert isinstance(system, ZeroSum)  # noqa: S101
    rows = StartingState.objects.carried_over().filter(board_id=board.pk)
    stored = {
        key: tuple(np.frombuffer(bytes(carried or state), "<f8").tolist())
        for key, state, carried in rows.values_list("player__key", "state", "carried_state")
    }
    drawn = system.lottery(list(stored))
    return [(key, stored[key], drawn[key]) for key in sorted(stored) if stored[key] != drawn[key]]


def has_rungs(board: Board) -> bool:
    """Whether the players of a board can begin in an order: it is a ladder."""
    return isinstance(newest_system(board), Ladder)


def place_on_rungs(board: Board, keys: Sequence[str]) -> Opening:
    """The rungs of players of a ladder who begin in this order; others join below them."""
    system = newest_system(board)
    assert isinstance(system, Ladder)  # noqa: S101
    states: dict[str, State] = {key: (float(rung),) for rung, key in enumerate(keys, start=1)}
    shared = system.opened(np.array(list(states.values())))
    return _packed(system, dict(board.parameters), states, shared)


def _opening(system: ZeroSum, parameters: dict[str, Any], states: Mapping[str, State]) -> Opening:
    rows = np.array(list(states.values()), dtype=np.float64)
    log, _order = MatchLog.build(keys=list(states), at=[], match=[], side=[], rank=[], player=[])
    # Without a match a replay only measures the board, whose width may be a part of what is shown.
    measured = system.replay(log, rows, engine="plain").board
    # The mean is where it was, exactly: the last bit of a sum of ratings may not be.
    shared = (system.parameters.start, *(measured or system.new_board())[1:])
    return _packed(system, parameters, states, shared)


def _packed(
    system: System, parameters: dict[str, Any], states: Mapping[str, State], shared: State
) -> Opening:
    return Opening(
        parameters=parameters,
        states={key: segments.pack_state(np.array(state)) for key, state in states.items()},
        board_state=segments.pack_state(np.array(shared)),
        values=_values(system, states, shared),
    )


def opening_values(board: Board, players: Collection[int] | None = None) -> dict[int, OpeningValue]:
    """What players of a board began with, by their ids, who were given nothing else since."""
    rows = StartingState.objects.filter(board_id=board.pk, rating__isnull=True)
    if players is not None:
        rows = rows.filter(player_id__in=players)
    system = rated_spans(board)[0].system
    stored = dict(rows.values_list("player_id", "state"))
    return _values(system, unpack_starting_states(board, stored), starting_board(board))


def _values(
    system: System, states: Mapping[Key, State], shared: State | None
) -> dict[Key, OpeningValue]:
    """What people see of states at the start of a board."""
    if not states:
        return {}
    mean = system.new_player(shared)
    shown = system.display_many(np.array([mean, *states.values()]), board=shared)
    first, *others = (shown.value + 0.0).tolist()
    return {
        key: OpeningValue(state[0], value, first, shown.decimals)
        for (key, state), value in zip(states.items(), others, strict=True)
    }
