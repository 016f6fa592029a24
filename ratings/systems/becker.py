"""Becker's dynamic rating (T. Becker, "Rankings"): points exchanged by scores, or frag by frag.

g >= 0 starts at 0. w_ij = 1 / (1 + 10^((g_j - g_i)/400)), the source has the two swapped;
g_i <- max(0, g_i + K (e_ij - w_ij)), so one can win and go down.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ratings import event_values, fields
from ratings.boardwide import BoardWide
from ratings.curves import LOGISTIC, elo_expected, logistic_many
from ratings.engine import Column, Columns, body
from ratings.event_values import opposing, value_of
from ratings.log import DAY, EventKind, Floats, Integers
from ratings.parameters import Parameters, choice, integer, number
from ratings.places import Noise
from ratings.sequential import advantage_of, mean_of, sure_by_count
from ratings.shares import result_of, score_share
from ratings.sidetable import SideTable
from ratings.system import NEVER, IndirectChanges, Replay, ShownMany, Side, State

_SUICIDE: Final = int(EventKind.SUICIDE)
_TEAM_KILL: Final = int(EventKind.TEAM_KILL)
_NO_PERIOD: Final = float(NEVER)


@dataclass(frozen=True, slots=True)
class BeckerParameters(Parameters):
    """The parameters of Becker's dynamic rating."""

    k: float = number(
        32.0, "K", "How many points are at stake in a match.", symbol="K", over=0, most=400
    )
    frag_k: float = number(
        4.0, "K per frag", "How many points are at stake in a frag.", over=0, most=400
    )
    use: str = choice(
        "results",
        ("scores", "results"),
        "What counts",
        "Whether the share of the score counts as the result, or only who won.",
    )
    capture: float = number(
        7.0, "Value of a capture", "How many frags a capture counts for.", over=0, most=100
    )
    frag: float = number(1.0, "Value of a frag", "How many times a frag counts.", over=0, most=100)
    damage: float = event_values.damage_value()
    assist: float = event_values.assist_value()
    flag_taken: float = event_values.flag_taken_value()
    flag_returned: float = event_values.flag_returned_value()
    own: float = event_values.own_value()
    own_words: str = event_values.own_words_values()
    start: float = number(0.0, "Start", "The points of a newcomer.", least=0, most=1e6)
    decay: float = number(
        0.0,
        "Decay",
        "Points lost at the end of each period; no one falls below zero.",
        least=0,
        most=1e6,
    )
    period_days: int = integer(
        7, "Length of a period", "Days in a decay period.", least=1, most=366
    )
    who: str = choice(
        "idle",
        ("all", "idle"),
        "Who decays",
        "Everyone, or only players without a match in the period.",
    )
    size_advantage: float = fields.size_advantage("Strength that each player adds to a side.")
    pending_hours: int = fields.pending_hours(
        "Hours after which a started match without a reported result is dropped; no one "
        "loses points."
    )
    fairly_sure: int = fields.fairly_sure_from()
    sure: int = fields.sure_from()


@body
def decayed(g: float, periods: float, decay: float) -> float:
    """Return points after the ends of that many periods."""
    return max(0.0, g - periods * decay) if periods > 0.0 else g


@body
def _clamped(g: float, board: Column) -> float:
    """Return points kept from falling below zero, and enter what that adds in the account."""
    if g >= 0.0:
        return g
    board[1] -= g
    return 0.0


@body
def becker_body(
    log: Columns,
    events: Columns,
    state: Columns,
    joined: Column,
    after: Columns,
    board: Column,
    points: Columns,
    ladder: Column,
    first_match: int,
    settings: Columns,
) -> int:
    """Rate a log: see `ratings.boardwide`.

    A player's decay is worked out when he next plays, so a match changes nobody else.
    """
    at, day, weight, side_start, rank, score, handicap, member_start, player, share, _ = log
    event_start, kind, actor, target, value, worth = events
    (
        k, frag_k, by_scores, start, decay, period_days, all_decay, size_advantage,
    ) = settings  # fmt: skip
    g = state[0]
    # Only boards with decay have this column; without it, it stays unread.
    in_period = state[-1]
    g_after = after[0]
    for match in range(first_match, len(at)):
        first = side_start[match]
        last = side_start[match + 1]
        begin = member_start[first]
        end = member_start[last]
        period = float(day[match] // period_days)
        for member in range(begin, end):
            who = player[member]
            if g[who] != g[who]:
                g[who] = start
                joined[who] = start
                if decay > 0.0:
                    in_period[who] = period
            elif decay > 0.0 and in_period[who] == _NO_PERIOD:
                # Points from before there was decay: absence counts from here on.
                in_period[who] = period
            elif decay > 0.0 and in_period[who] < period:
                ended = period - in_period[who]
                kept = decayed(g[who], ended if all_decay else ended - 1.0, decay)
                board[5] += g[who] - kept
                g[who] = kept
                in_period[who] = period
        has_events = False
        for event in range(event_start[match], event_start[match + 1]):
            if worth[event] > 0.0:
                has_events = True
                break
        if has_events:
            for event in range(event_start[match], event_start[match + 1]):
                one = actor[event]
                other = target[event]
                what = kind[event]
                if worth[event] == 0.0:
                    continue
                gain = frag_k * weight[match] * value[event]
                if what == _SUICIDE:
                    board[2] += gain * 0.5
                    g[one] = _clamped(g[one] - gain * 0.5, board)
                    continue
                if what == _TEAM_KILL:
                    gain *= elo_expected(g[one] - g[other], LOGISTIC) if other >= 0 else 0.5
                    board[3] += gain
                    g[one] = _clamped(g[one] - gain, board)
                    continue
                gain *= worth[event]
                if other >= 0:
                    gain *= elo_expected(g[other] - g[one], LOGISTIC)
                    g[one] += gain
                    g[other] = _clamped(g[other] - gain, board)
                    continue
                _own_side, total, opponents = opposing(
                    one, first, last, member_start, player, share, g
                )
                if opponents > 0.0:
                    gain *= elo_expected(total / opponents - g[one], LOGISTIC)
                    board[4] += gain
                    g[one] += gain
        else:
            for member in range(begin, end):
                g_after[member] = 0.0
            for side in range(first, last):
                size = 0.0
                total = 0.0
                for member in range(member_start[side], member_start[side + 1]):
                    size += share[member]
                    total += share[member] * g[player[member]]
                strength = total / size + (size_advantage * size + handicap[side])
                for other_side in range(side + 1, last):
                    other_size = 0.0
                    total = 0.0
                    for member in range(member_start[other_side], member_start[other_side + 1]):
                        other_size += share[member]
                        total += share[member] * g[player[member]]
                    lead = strength - (
                        total / other_size + (size_advantage * other_size + handicap[other_side])
                    )
                    result = result_of(rank[side], rank[other_side])
                    known = score[side] == score[side] and score[other_side] == score[other_side]
                    if by_scores and known:
                        result = score_share(score[side], score[other_side])
                    step = k * weight[match] / (last - first - 1) * min(size, other_size)
                    step *= result * elo_expected(-lead, LOGISTIC) - (1.0 - result) * elo_expected(
                        lead, LOGISTIC
                    )
                    for member in range(member_start[side], member_start[side + 1]):
                        g_after[member] += share[member] * step / size
                    for member in range(member_start[other_side], member_start[other_side + 1]):
                        g_after[member] -= share[member] * step / other_size
            for member in range(begin, end):
                who = player[member]
                g[who] = _clamped(g[who] + g_after[member], board)
        for member in range(begin, end):
            for column in range(len(state)):
                after[column][member] = state[column][player[member]]
    return len(at)


class Becker(BoardWide[BeckerParameters]):
    """Becker's dynamic rating: points from 0, by matches or frag by frag.

    State: the points; with decay the last period with a match. Board: the accounts of what was
    not an exchange between two players: clamping at zero (given), suicides and team kills
    (taken), events without an opponent (given), decay (taken).
    """

    name = "becker"
    title = "Becker"
    parameter_class = BeckerParameters
    fitted = ("k",)
    break_even = 150_000
    shown_as = "Points"
    forfeit_refusal = "Becker's rating has no loss for a match that was left"
    board_columns = ("clamped", "suicides", "team_kills", "unopposed", "decayed")

    def __init__(self, parameters: BeckerParameters | None = None, **settings: object) -> None:
        super().__init__(parameters, **settings)
        chosen = self.parameters
        self.body = becker_body
        self.columns = ("points", "period") if chosen.decay else ("points",)
        self.period_days = chosen.period_days if chosen.decay else None
        self.settings = (
            chosen.k,
            chosen.frag_k,
            chosen.use == "scores",
            chosen.start,
            chosen.decay,
            chosen.period_days,
            chosen.who == "all",
            chosen.size_advantage,
        )

    def new_board(self) -> State:
        return (0.0,) * 5

    def new_player(self, board: State | None = None) -> State:
        return (self.parameters.start, _NO_PERIOD)[: len(self.columns)]

    def newcomer_on(self, day: int, board: State | None = None) -> State:
        period = float(day // self.parameters.period_days)
        return (self.parameters.start, period)[: len(self.columns)]

    @property
    def uses_scores(self) -> bool:
        return self.parameters.use == "scores"

    def rates_event(self, kind: int, *, has_target: bool, word: str = "") -> bool:
        return self.event_value(kind, word) > 0.0

    def event_value(self, kind: int, word: str = "") -> float:
        # What costs the own points is one frag.
        return value_of(self.parameters, kind, word, costs=1.0)

    def apply_decay(self, replay: Replay, day: int, *, for_good: bool = False) -> Replay:
        if self.period_days is None or replay.board is None or not for_good:
            return replay
        final = self.idle_many(replay.final, day * DAY, day)
        player = np.flatnonzero(final[:, 1] > replay.final[:, 1])
        board = list(replay.board)
        board[4] += math.fsum((replay.final[player, 0] - final[player, 0]).tolist())
        passed = IndirectChanges(
            match=np.full(len(player), len(replay.log), dtype=np.int64),
            at=np.full(len(player), day // self.period_days * self.period_days * DAY),
            player=player,
            state=final[player],
        )
        return replace(
            replay,
            final=final,
            board=tuple(board),
            indirect_changes=IndirectChanges.joined((replay.indirect_changes, passed)),
        )

    def idle_many(
        self, states: Floats, at: int | Integers, day: int | Integers | None = None
    ) -> Floats:
        chosen = self.parameters
        if not chosen.decay:
            return states
        present = (at // DAY if day is None else day) // chosen.period_days
        period = np.broadcast_to(np.float64(present), len(states))
        idle = states.copy()
        away = (states[:, 1] > _NO_PERIOD) & (states[:, 1] < period)
        ended = period[away] - states[away, 1]
        spared = 0.0 if chosen.who == "all" else 1.0
        lost = (ended - spared) * chosen.decay
        idle[away, 0] = np.where(
            ended > spared, np.maximum(0.0, states[away, 0] - lost), states[away, 0]
        )
        # The idle periods are paid for: only the one before the present still counts as played.
        idle[away, 1] = period[away] - spared
        return idle

    def display_many(
        self,
        states: Floats,
        at: int | None = None,
        board: State | None = None,
        day: int | None = None,
    ) -> ShownMany:
        if at is not None:
            states = self.idle_many(states, at, day)
        return ShownMany.certain(np.ascontiguousarray(states[:, 0]))

    def certain_until_many(self, states: Floats, games: Integers) -> tuple[Integers, Integers]:
        return sure_by_count(games, self.parameters.fairly_sure, self.parameters.sure)

    def _chance(self, one: Side, other: Side, day: int) -> float:
        return elo_expected(self._strength(one) - self._strength(other), LOGISTIC)

    def chances(self, table: SideTable, one: Integers, other: Integers) -> Floats:
        strength = table.mean(0) + table.advantage(self.parameters.size_advantage)
        lead = strength[one] - strength[other]
        return logistic_many(lead * (math.log(10.0) / 400.0))

    def _performance(self, sides: Sequence[Side]) -> tuple[list[float], list[float], Noise]:
        locations = [self._strength(side) for side in sides]
        return locations, [400.0 / math.log(10.0)] * len(sides), "gumbel"

    def _strength(self, side: Side) -> float:
        return mean_of(side) + advantage_of(side, self.parameters.size_advantage)
