"""What leaving a started match costs, and what it did cost.

Every number comes from the rating itself: the loss that is shown while a match is open is computed
by the code that rates it when it is lost, from the numbers of the opponent at the start.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np

from leagues.bridge.display import ShownValue, match_moment, shown_of
from leagues.bridge.histories import read_series_of
from leagues.bridge.stakes import settled_board
from leagues.bridge.starting import starting_states
from leagues.bridge.systems import board_state, newest_system, system_of
from leagues.models import Board, Match, Participant, Standing
from leagues.store import segments
from leagues.store.match_columns import Facts, civil_days, micros
from leagues.store.match_columns import moment as moment_of
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


def rated_facts(board: Board, facts: Facts) -> Facts:
    """The facts that a board rates: without matches that were left, where it has no such loss."""
    return facts.without_losses() if forfeit_refusal(board) else facts


def open_losses(board: Board, matches: Sequence[Match], now: datetime) -> list[LeavingLoss]:
    """What started matches that were read with their players would cost who left them now.

    Of players who were not let go. Nothing where the system of the board has no such loss.
    """
    system = system_of(board)
    if system.forfeit_refusal is not None or not matches:
        return []
    known = _States.read(board, system, matches)
    return [
        loss
        for match in matches
        for row in match.participants.all()
        if row.leaving is None and (loss := known.loss_of(match, row, now)) is not None
    ]


@dataclass(frozen=True, slots=True)
class _States:
    """The states of some players of a board, since the start of some matches."""

    board: Board
    system: System
    points: Mapping[int, segments.Points]
    """The end of each history, with the last point before the first start where there is one."""
    games: Mapping[int, int]
    carried: Mapping[int, State]

    @classmethod
    def read(cls, board: Board, system: System, matches: Sequence[Match]) -> _States:
        """Read the last segment of each history; more of it where that begins after the start."""
        players = sorted({row.player_id for match in matches for row in match.participants.all()})
        since = min(micros(_started_at(match)) for match in matches)
        ends = segments.last_points(board, players)
        points = {player_id: end for player_id, (_number, end) in ends.items()}
        longer = [pk for pk, (number, end) in ends.items() if number and end.at[0] >= since]
        points |= segments.read_points(board, longer, len(system.columns)) if longer else {}
        standings = Standing.objects.current(board).filter(player__in=players)
        return cls(
            board,
            system,
            points,
            dict(standings.values_list("player_id", "games")),
            starting_states(board, players),
        )

    def at(self, player_id: int, moment: datetime | None) -> State:
        """A player's state before a moment, or now."""
        points = self.points.get(player_id)
        count = 0
        if points is not None:
            count = len(points)
            if moment is not None:
                count = int(np.searchsorted(points.at, micros(moment)))
        if points is None or not count:
            return self.carried.get(player_id, (float("nan"),) * len(self.system.columns))
        state: State = tuple(points.state[count - 1].tolist())
        return state

    def side(self, rows: Sequence[Participant], moment: datetime | None) -> Side:
        return Side(
            states=tuple(self.at(row.player_id, moment) for row in rows),
            keys=tuple(row.player.key for row in rows),
            handicap=rows[0].handicap * self.system.handicap_unit,
            birth_years=tuple(row.player.birth_year or 0 for row in rows),
        )

    def opponent_of(self, match: Match, key: str, *, with_handicap: bool = True) -> State:
        """The opponent of a match's start to whom a player loses; Unanswerable where none is."""
        rows = sorted(match.participants.all(), key=lambda one: one.player.key)
        started = _started_at(match)
        sides = [
            self.side([one for one in rows if one.side == number], started) for number in (0, 1)
        ]
        if not with_handicap:
            sides = [replace(side, handicap=0.0) for side in sides]
        return self.system.pending(
            sides,
            key,
            micros(started),
            self._day(started),
            settled_board(self.system, self.board, started),
        )

    def loss_of(self, match: Match, row: Participant, now: datetime) -> LeavingLoss | None:
        """What a player loses by leaving a match now; None where the system cannot rate it."""
        board, system = self.board, self.system
        started = _started_at(match)
        moment = max(match_moment(board, now), started)
        points = self.points.get(row.player_id)
        if points is not None and len(points):
            moment = max(moment, moment_of(int(points.at[-1])))
        try:
            stand_in = self.opponent_of(match, row.player.key)
            state = self.at(row.player_id, None)
            lost = system.forfeited(
                state,
                stand_in,
                micros(moment),
                self._day(moment),
                settled_board(system, board, moment),
                weight=match.weight,
                birth_year=row.player.birth_year or 0,
                rungs=match.rungs_lost,
            )
        except Unanswerable:
            return None
        if np.isnan(state[0]):
            state = system.new_player(board_state(board))
        present = system.idle(state, micros(moment), self._day(moment))
        games = self.games.get(row.player_id, 0)
        return LeavingLoss(
            board,
            match.pk,
            row.player_id,
            shown_of(board, present, games),
            shown_of(board, lost.states[0], games + 1),
        )

    def _day(self, moment: datetime) -> int:
        return int(civil_days(np.array([micros(moment)]), self.board.league.zone)[0])


def _started_at(match: Match) -> datetime:
    return match.started_at or match.played_at


def stored_losses(board: Board, match: Match) -> list[LeavingLoss]:
    """What a match that was left did cost who left it, as the board has rated it."""
    leavers = [
        row.player_id for row in match.participants.all() if row.leaving == Participant.Leaving.LEFT
    ]
    losses = []
    for player_id, series in read_series_of(board, leavers).items():
        where = series.of_matches([match.seq or 0])
        for index in where.values():
            losses.append(
                LeavingLoss(board, match.pk, player_id, series.before(index), series.at(index))
            )
    return losses


def opponent_at_start(
    board: Board, match: Match, player_id: int, *, with_handicap: bool = True
) -> ShownValue | None:
    """The opponent of the start to whom a player loses, as people see ratings; None on a ladder.

    What the match gave the sides is part of the number, unless it is asked for without.
    """
    system = system_of(board)
    if system.forfeit_refusal is not None or system.orders_only:
        return None
    known = _States.read(board, system, [match])
    own = next(row for row in match.participants.all() if row.player_id == player_id)
    try:
        stand_in = known.opponent_of(match, own.player.key, with_handicap=with_handicap)
    except Unanswerable:
        return None
    return shown_of(board, stand_in, 0)
