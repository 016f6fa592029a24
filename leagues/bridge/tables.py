"""Whole boards at a moment: the order of earlier days, and what people see of everybody."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from leagues.bridge.computing import Computed
from leagues.bridge.display import has_levels, storable, storable_ends
from leagues.bridge.systems import board_state, system_of
from leagues.domain.civil_days import day_number, start_of_day_number
from leagues.models import Board
from leagues.store.match_columns import Floats, Integers, civil_days, micros
from leagues.store.standing_columns import Histories, StandingTable, Tallies, read_tallies
from ratings.system import Reach, State, System

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
    shown, places = _places_before(board, system, board_state(board), state, at)
    fairly_sure, sure = system.certain_until_many(state, past.games)
    # Who was only pushed down a ladder has not played yet and stands nowhere.
    placed = shown & (past.games > 0)
    table = StandingTable(
        player_id=past.player_id[placed],
        place=places[placed],
        games=past.games[placed],
        won=tallies.won[placed],
        drawn=tallies.drawn[placed],
        lost=tallies.lost[placed],
        streak=tallies.streak[placed],
        last_at=past.last_at[placed],
        fairly_sure_until=storable_ends(fairly_sure[placed]),
        sure_until=storable_ends(sure[placed]),
        form=tallies.form[placed],
        state=state[placed],
    )
    return table.sort_by_place([past.keys[row] for row in np.flatnonzero(placed)])


def _places_before(
    board: Board, system: System, shared: State | None, state: Floats, at: datetime
) -> tuple[NDArray[np.bool_], Integers]:
    """Who has a value before a moment, and at which place value."""
    as_of = {}
    if system.period_days is not None:
        # Absence has moved players by then too.
        day = day_number(at - timedelta(microseconds=1), board.league.zone)
        as_of = {"at": micros(start_of_day_number(day, board.league.zone)), "day": day}
    values = system.display_many(state, board=shared, **as_of)
    shown = ~np.isnan(values.value)
    value = storable(np.where(shown, values.value, 0.0))
    places = np.rint(value * 10.0**values.decimals).astype(np.int64)
    return shown, -places if system.lower_is_better else places


def is_table_before(board: Board, computed: Computed, table: StandingTable, at: datetime) -> bool:
    """Whether a table that has no match in it from a moment on is what `table_before` gives.

    `computed` has brought the matches from then on. Elsewhere absence has taken something before
    that moment, or the values are shown by what the whole board is like since.
    """
    system = computed.system
    if system.reach is Reach.PARTICIPANTS and system.period_days is None:
        return True
    if system.period_days is not None:
        until = board.decayed_until
        if until is not None and until >= at:
            return False
        if (computed.replay.indirect_changes.at < micros(at)).any():
            return False
    _, places = _places_before(board, system, computed.replay.board, table.state, at)
    return np.array_equal(places, table.place)


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
