"""What leaving a started match costs, and what it did cost.

Every number comes from the rating itself: the loss that is shown while a match is open is computed
by the code that rates it when it is lost, from the numbers of the opponent at the start.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from leagues.bridge.display import ShownValue, match_moment, shown_of
from leagues.bridge.histories import Series, read_series_of
from leagues.bridge.stakes import settled_board
from leagues.bridge.starting import starting_states
from leagues.bridge.systems import board_state, newest_system, system_of
from leagues.models import Board, Match, Participant
from leagues.store.match_columns import civil_days, micros
from ratings.system import Side, State, System, Unanswerable


@dataclass(frozen=True, slots=True)
class LeavingLoss:
    """What a player is shown with before leaving a match and after it, on one board."""

    board: Board
    match_id: int
    player_id: int
    before: ShownValue
    after: ShownValue


def forfeit_refusal(board: Board) -> str:
    """Why a board rates no match that was left; empty where it does."""
    return newest_system(board).forfeit_refusal or ""


def open_losses(board: Board, matches: Sequence[Match], now: datetime) -> list[LeavingLoss]:
    """What started matches that were read with their players would cost who left them now.

    Of players who were not let go. Nothing where the system of the board has no such loss.
    """
    system = system_of(board)
    if system.forfeit_refusal is not None or not matches:
        return []
    players = {row.player_id for match in matches for row in match.participants.all()}
    series = read_series_of(board, sorted(players))
    carried = starting_states(board, sorted(players - series.keys()))
    known = _States(board, system, series, carried)
    return [
        loss
        for match in matches
        for row in match.participants.all()
        if row.has_left is None and (loss := known.loss_of(match, row, now)) is not None
    ]


@dataclass(frozen=True, slots=True)
class _States:
    """The states of some players of a board, at any moment."""

    board: Board
    system: System
    series: Mapping[int, Series]
    carried: Mapping[int, State]

    def at(self, player_id: int, moment: datetime | None) -> State:
        """A player's state before a moment, or now."""
        unseen = (float("nan"),) * len(self.system.columns)
        series = self.series.get(player_id)
        if series is None:
            return self.carried.get(player_id, unseen)
        count = len(series)
        if moment is not None:
            count = int(np.searchsorted(series.points.at, micros(moment)))
        state: State = tuple(series.points.state[count - 1].tolist()) if count else series.began
        return state

    def side(self, rows: Sequence[Participant], moment: datetime | None) -> Side:
        return Side(
            states=tuple(self.at(row.player_id, moment) for row in rows),
            keys=tuple(row.player.key for row in rows),
            birth_years=tuple(row.player.birth_year or 0 for row in rows),
        )

    def loss_of(self, match: Match, row: Participant, now: datetime) -> LeavingLoss | None:
        """What a player loses by leaving a match now; None where the system cannot rate it."""
        board, system = self.board, self.system
        rows = sorted(match.participants.all(), key=lambda one: one.player.key)
        started = match.started_at or match.played_at
        sides = [
            self.side([one for one in rows if one.side == number], started) for number in (0, 1)
        ]
        moment = max(match_moment(board, now), started)
        series = self.series.get(row.player_id)
        if series is not None and len(series):
            moment = max(moment, series.moment(len(series) - 1))
        try:
            stand_in = system.pending(
                sides,
                row.player.key,
                micros(started),
                self._day(started),
                settled_board(system, board, started),
            )
            state = self.at(row.player_id, None)
            lost = system.forfeited(
                state,
                stand_in,
                micros(moment),
                self._day(moment),
                settled_board(system, board, moment),
                weight=match.weight,
                birth_year=row.player.birth_year or 0,
                rungs=match.mode.start_rungs,
            )
        except Unanswerable:
            return None
        if np.isnan(state[0]):
            state = system.new_player(board_state(board))
        present = system.idle(state, micros(moment), self._day(moment))
        games = int(series.games[-1]) if series is not None and len(series) else 0
        return LeavingLoss(
            board,
            match.pk,
            row.player_id,
            shown_of(board, present, games),
            shown_of(board, lost.states[0], games + 1),
        )

    def _day(self, moment: datetime) -> int:
        return int(civil_days(np.array([micros(moment)]), self.board.league.zone)[0])


def stored_losses(board: Board, match: Match) -> list[LeavingLoss]:
    """What a match that was left did cost who left it, as the board has rated it."""
    leavers = [row.player_id for row in match.participants.all() if row.has_left]
    losses = []
    for player_id, series in read_series_of(board, leavers).items():
        where = series.of_matches([match.seq or 0])
        for index in where.values():
            losses.append(
                LeavingLoss(board, match.pk, player_id, series.before(index), series.at(index))
            )
    return losses


def opponent_at_start(board: Board, match: Match, player_id: int) -> ShownValue | None:
    """The opponent of the start to whom a player loses, as people see ratings; None on a ladder."""
    system = system_of(board)
    if system.forfeit_refusal is not None or system.orders_only:
        return None
    rows = sorted(match.participants.all(), key=lambda one: one.player.key)
    ids = [row.player_id for row in rows]
    series = read_series_of(board, ids)
    carried = starting_states(board, [pk for pk in ids if pk not in series])
    known = _States(board, system, series, carried)
    started = match.started_at or match.played_at
    sides = [known.side([one for one in rows if one.side == number], started) for number in (0, 1)]
    own = next(row for row in rows if row.player_id == player_id)
    try:
        stand_in = system.pending(
            sides,
            own.player.key,
            micros(started),
            known._day(started),
            settled_board(system, board, started),
        )
    except Unanswerable:
        return None
    return shown_of(board, stand_in, 0)
