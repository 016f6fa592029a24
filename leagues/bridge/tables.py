"""Whole boards at a moment: the order of earlier days, and what people see of everybody."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from leagues.bridge.display import has_levels
from leagues.bridge.systems import board_state, system_of
from leagues.domain.civil_days import day_number, start_of_day_number
from leagues.models import Board
from leagues.store.match_columns import Floats, civil_days, micros
from leagues.store.standing_columns import Histories, StandingTable, Tallies, read_tallies

LEVELS = ("unsure", "fairly_sure", "sure")


@dataclass(frozen=True, slots=True, eq=False)
class ShownTable:
    """What people see of the players of a table at a moment; NaN where there is no range."""

    value: Floats
    low: Floats
    high: Floats
    level: NDArray[np.int8]
    """Position in `LEVELS`."""
    provisional: NDArray[np.bool_]
    decimals: int
    has_levels: bool
    """Whether the system can be more or less sure; where it cannot, all are as sure as can be."""

    @property
    def half(self) -> Floats:
        """Half the width of each range."""
        half: Floats = (self.high - self.low) / 2.0
        return half


def table_before(
    board: Board, histories: Histories, at: datetime, *, with_results: bool = True
) -> StandingTable:
    """The standings before a moment: of whoever had been placed by then.

    Without results, nothing is read any more, and won, drawn and lost matches are not told.
    """
    past = histories.before(micros(at))
    nothing = Tallies.nothing(len(past.player_id))
    tallies = read_tallies(board, past) if with_results else nothing
    system = system_of(board)
    state = past.state.reshape(-1, len(system.columns))
    as_of = {}
    if system.period_days is not None:
        # Absence has moved players by then too.
        day = day_number(at - timedelta(microseconds=1), board.league.zone)
        as_of = {"at": micros(start_of_day_number(day, board.league.zone)), "day": day}
    values = system.display_many(state, board=board_state(board), **as_of)
    fairly_sure, sure = system.certain_until_many(state, past.games)
    # Who was only pushed down a ladder has not played yet and stands nowhere.
    placed = ~np.isnan(values.value) & (past.games > 0)
    places = np.rint(np.where(placed, values.value, 0.0) * 10.0**values.decimals).astype(np.int64)
    table = StandingTable(
        player_id=past.player_id[placed],
        place=(-places if system.lower_is_better else places)[placed],
        games=past.games[placed],
        won=tallies.won[placed],
        drawn=tallies.drawn[placed],
        lost=tallies.lost[placed],
        streak=tallies.streak[placed],
        last_at=past.last_at[placed],
        fairly_sure_until=fairly_sure[placed],
        sure_until=sure[placed],
        form=tallies.form[placed],
        state=state[placed],
    )
    return table.sort_by_place([past.keys[row] for row in np.flatnonzero(placed)])


def shown_table(board: Board, table: StandingTable, at: datetime) -> ShownTable:
    """The values that people see of a table as of a moment; never before anybody's last match."""
    instant = micros(at)
    day = int(civil_days(np.array([instant]), board.league.zone)[0])
    system = system_of(board)
    state = table.state.reshape(-1, len(system.columns))
    values = system.display_many(state, at=instant, board=board_state(board), day=day)
    level = (table.fairly_sure_until >= instant).astype(np.int8)
    tells = has_levels(board)
    level[(table.sure_until >= instant) | (not tells)] = 2
    return ShownTable(
        value=values.value + 0.0,
        low=values.low,
        high=values.high,
        level=level,
        provisional=values.provisional,
        decimals=values.decimals,
        has_levels=tells,
    )
