"""The greatest single steps of players on a ladder, where one match can be worth many rungs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from leagues.bridge.systems import system_of
from leagues.models import Board
from leagues.store import segments
from leagues.store.match_columns import moment


@dataclass(frozen=True, slots=True)
class Steps:
    """How many rungs a player's best win was worth and the worst defeat cost, and when."""

    up: int
    up_at: datetime
    down: int
    down_at: datetime


def greatest_steps(board: Board, player_ids: Sequence[int]) -> dict[int, Steps]:
    """The greatest steps of players in matches of their own, with one query."""
    points = segments.read_points(board, player_ids, len(system_of(board).columns))
    steps = {}
    for player_id, past in points.items():
        # What others did to somebody is no match of one's own, and the first point no step.
        moved = np.diff(past.state[:, 0])[past.seq[1:] > 0]
        at = past.at[1:][past.seq[1:] > 0]
        if len(moved):
            best, worst = int(np.argmin(moved)), int(np.argmax(moved))
            steps[player_id] = Steps(
                up=max(0, -int(moved[best])),
                up_at=moment(int(at[best])),
                down=max(0, int(moved[worst])),
                down_at=moment(int(at[worst])),
            )
    return steps
