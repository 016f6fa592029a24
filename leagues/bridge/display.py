"""What people see of a state: the value, its range, how sure it is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from leagues.bridge.systems import board_state, system_info, system_of
from leagues.domain.absence import resting_since
from leagues.domain.civil_days import day_of
from leagues.models import Board, Standing
from leagues.models.board import SHOWN_LIMIT
from leagues.models.checks import LAST_INSTANT
from leagues.store import segments
from leagues.store.match_columns import civil_days, micros
from ratings.system import State


class ShownValue(NamedTuple):
    """What people see of a rating: the value, its range where the system has one, its certainty.

    A tuple, as a page makes some hundreds of them.
    """

    value: float
    low: float | None
    high: float | None
    decimals: int
    level: str
    """Empty where a system knows no doubt."""
    provisional: bool = False

    @property
    def half(self) -> float | None:
        """Half the width of the range."""
        if self.low is None or self.high is None:
            return None
        return (self.high - self.low) / 2.0


def display_moment(board: Board, now: datetime) -> datetime:
    """The moment as of which uncertainty is shown on a board, by its newest match."""
    return display_moment_of_day(board, board.last_at, now)


def display_moment_of_day(board: Board, last_at: datetime | None, now: datetime) -> datetime:
    """The moment as of which uncertainty is shown by which the last match was played at `last_at`.

    That is the league's last midnight; while the board rests, the one that ended its last day with
    results. Where absence moves the ranking too, that has been applied for some time after it.
    """
    league = board.league
    day = day_of(now, league.zone)
    last_day = resting_since(board, last_at, now)
    if last_day is not None:
        end = last_day + timedelta(days=1)
        if system_of(board).period_days is not None and board.decayed_until is not None:
            end = max(end, day_of(board.decayed_until, league.zone))
        day = min(day, end)
    return league.midnight(day)


def uncertainty_day(board: Board, last_at: datetime | None, now: datetime) -> date | None:
    """The last day with results, where uncertainty is shown as of it; None where it still grows."""
    system = system_of(board)
    if "deviation" not in system.columns or system.period_days is not None:
        return None
    return resting_since(board, last_at, now)


def match_moment(board: Board, now: datetime, *standings: Standing | None) -> datetime:
    """The moment at which an imagined match is played: not before everyone's last.

    That is now; while the board rests, the moment as of which uncertainty is shown.
    """
    is_resting = resting_since(board, board.last_at, now) is not None
    at = display_moment(board, now) if is_resting else now
    return max([at, *(row.last_played_at for row in standings if row is not None)])


def shown_now(board: Board, standings: Sequence[Standing], at: datetime) -> list[ShownValue]:
    """The values that people see of standings as of a moment; never before their last match."""
    if not standings:
        return []
    system = system_of(board)
    states = segments.unpack_states((standing.state for standing in standings), len(system.columns))
    day = int(civil_days(np.array([micros(at)]), board.league.zone)[0])
    values = system.display_many(states, at=micros(at), board=board_state(board), day=day)
    rows = zip(
        standings,
        (values.value + 0.0).tolist(),
        or_none(values.low),
        or_none(values.high),
        values.provisional.tolist(),
        strict=True,
    )
    return [
        ShownValue(
            value,
            low,
            high,
            values.decimals,
            level_at(standing, at) if has_levels(board) else "",
            provisional,
        )
        for standing, value, low, high, provisional in rows
    ]


def has_levels(board: Board) -> bool:
    """Whether a board can be more or less sure of a player; a ladder knows the order alone."""
    return not system_info(board.system).orders_only


def level_at(standing: Standing, at: datetime) -> str:
    """How sure a standing is at a moment: sure, fairly_sure or unsure."""
    if standing.sure_until is not None and at <= standing.sure_until:
        return "sure"
    if standing.fairly_sure_until is not None and at <= standing.fairly_sure_until:
        return "fairly_sure"
    return "unsure"


def shown_of(board: Board, state: State, games: int) -> ShownValue:
    system = system_of(board)
    value = system.display(state, board_state(board))
    level = system.confidence(state, games).level.value if has_levels(board) else ""
    return ShownValue(
        value.value + 0.0, value.low, value.high, value.decimals, level, value.provisional
    )


def or_none(values: NDArray[np.float64]) -> list[float | None]:
    return [None if math.isnan(value) else value + 0.0 for value in values.tolist()]


def storable(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Numbers that people see, within what a standing can hold; a board can drift beyond it."""
    return np.clip(values, -SHOWN_LIMIT, SHOWN_LIMIT) + 0.0


def storable_ends(instants: NDArray[np.int64]) -> NDArray[np.int64]:
    """Ends of certainty as standings keep them."""
    return np.minimum(instants, micros(LAST_INSTANT))
