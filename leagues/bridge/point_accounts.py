"""Where the points of a board come from and where they went, for systems that keep accounts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from leagues.bridge.explanations import in_units, rounded_to
from leagues.bridge.systems import board_state, system_of
from leagues.bridge.trials import shown_decimals
from leagues.models import Board

GIVEN: Final = ("clamped", "unopposed")
"""What the board gave, by the names of a system's accounts."""
TAKEN: Final = ("suicides", "team_kills", "decayed")
START: Final = "start"


@dataclass(frozen=True, slots=True)
class PointAccount:
    """One account; `units` counts the last digit shown, and is negative where points were taken."""

    name: str
    units: int


@dataclass(frozen=True, slots=True)
class PointAccounts:
    """The accounts of a board, and what the players hold: their sum, also as it is shown."""

    accounts: tuple[PointAccount, ...]
    total: int
    decimals: int


def has_point_accounts(board: Board) -> bool:
    """Whether the system of a board keeps accounts of points, and has rated something."""
    return bool(board.board_state) and set(GIVEN + TAKEN) <= set(_accounts_of(board))


def _accounts_of(board: Board) -> tuple[str, ...]:
    """What the shared state of a board holds, by name."""
    names: tuple[str, ...] = getattr(system_of(board), "board_columns", ())
    return names


def point_accounts(board: Board, shown: Sequence[float], states: Sequence[bytes]) -> PointAccounts:
    """The accounts of a board whose players have these points, and these states.

    Points that a pause has cost since the last match of their player are in no account yet, only
    in what is shown. What no account explains is what the players began with.
    """
    amounts = dict(zip(_accounts_of(board), board_state(board) or (), strict=True))
    held = math.fsum(shown)
    stored = np.frombuffer(b"".join(states), "<f8").reshape(len(states), -1)[:, 0]
    amounts["decayed"] += math.fsum(stored.tolist()) - held
    signed = {name: amounts[name] for name in GIVEN} | {name: -amounts[name] for name in TAKEN}
    decimals = shown_decimals(board)
    total = in_units(held, decimals)
    start = held - math.fsum(signed.values())
    if in_units(start, decimals):
        signed[START] = start
    units = rounded_to(list(signed.values()), total, decimals)
    accounts = (PointAccount(*row) for row in zip(signed, units, strict=True))
    return PointAccounts(tuple(accounts), total, decimals)
