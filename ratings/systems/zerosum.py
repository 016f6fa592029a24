"""Logistic zero-sum rating, "PQ" (B. Kreimeier, "Rating").

What one side wins the other loses: the sum over the board is kept, but for what anchors
withhold. E_i = 1 / (1 + exp(-(pq_i - pq_j)/T)); the source prints the exponent without its minus.

One module, because a system is read beside its source: its parameters, its body, its explanation.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, cast

import numpy as np

from ratings import event_values, fields
from ratings.boardwide import BoardWide
from ratings.curves import logistic, logistic_many
from ratings.engine import Column, Columns, Engine, Progress, body, choose
from ratings.event_values import is_valued, opposing, value_of
from ratings.log import DAY, Floats, Integers, MatchLog
from ratings.parameters import Parameters, choice, flag, integer, number
from ratings.places import Noise
from ratings.sequential import (
    MAX_HANDICAP_POINTS,
    ODDS_OF_A_POINT,
    advantage_of,
    is_unseen,
    mean_of,
    sure_by_count,
)
from ratings.shares import result_of, score_share
from ratings.sidetable import SideTable
from ratings.system import NEVER, Rated, Reach, Replay, ShownMany, Side, State

_NO_PERIOD: Final = float(NEVER)
_FULL_SCALE: Final = 10_000.0
_LEAST_PLACE: Final = 1e-300
_MOST_PLACE: Final = math.nextafter(1.0, 0.0)

MOST_NOTED: Final = 366
"""Of how many periods in which nobody played the ends are noted one by one."""


@dataclass(frozen=True, slots=True)
class ZeroSumParameters(Parameters):
    """The parameters of the zero-sum rating."""

    temperature: float = number(
        1.0,
        "Temperature",
        "The rating difference at which odds are e to 1.",
        symbol="T",
        least=0.01,
        most=10_000,
    )
    max_gain: float = number(
        0.2, "Largest gain", "The most a match can move a rating.", over=0, most=100_000
    )
    frag_gain: float = number(
        0.03, "Largest gain per frag", "The most a frag can move a rating.", over=0, most=100_000
    )
    frag: float = event_values.frag_value()
    capture: float = event_values.capture_value()
    damage: float = event_values.damage_value()
    assist: float = event_values.assist_value()
    flag_taken: float = event_values.flag_taken_value()
    flag_returned: float = event_values.flag_returned_value()
    own: float = event_values.own_value()
    own_words: str = event_values.own_words_values()
    shares: bool = flag(
        False,
        "Count the score",
        "Whether the share of the score counts as the result, where there are scores.",
    )
    start: float = number(
        0.0, "Start", "The mean rating at the start of the board.", least=-1e6, most=1e6
    )
    spread: float = number(
        0.0,
        "Random start",
        "How far from the start the random starting ratings of players registered before "
        "the first match may be.",
        least=0,
        most=1e6,
    )
    seed: int = integer(
        0,
        "Seed",
        "The seed of the random starting ratings.",
        least=0,
        most=2_147_483_647,
        is_offered=False,
    )
    anchors: bool = flag(
        False,
        "Anchors",
        "Whether some players (such as bots) are anchors: their ratings never move.",
    )
    decay: float = number(
        0.0,
        "Decay",
        "How much of the distance to the mean a player without a match moves per period.",
        least=0,
        most=0.5,
    )
    period_days: int = integer(
        7, "Length of a period", "Days in a decay period.", least=1, most=366
    )
    display: str = choice(
        "offset",
        ("raw", "offset", "fixed-range"),
        "Display",
        "Show the rating as it is, scaled and shifted, or as a position between 0 and 10000.",
    )
    scale: float = number(
        174.0, "Scale", "How many points one rating unit is shown as.", over=0, most=1e6
    )
    offset: float = number(
        1500.0, "Offset", "How many points a rating of 0 is shown as.", least=-1e6, most=1e6
    )
    floor: float = number(
        100.0,
        "Display floor",
        "The lowest number shown with the offset display.",
        least=-1e6,
        most=1e6,
    )
    size_advantage: float = fields.size_advantage("Strength that each player adds to a side.")
    pending_hours: int = fields.pending_hours()
    fairly_sure: int = fields.fairly_sure_from()
    sure: int = fields.sure_from()

    def conflicts(self) -> list[tuple[str, object, str]]:
        most = 10.0 * self.temperature
        return [
            (name, value, "must be at most ten times the temperature")
            for name, value in (("max_gain", self.max_gain), ("frag_gain", self.frag_gain))
            if value > most
        ]


@body
def _end_period(
    ended: float,
    pq: Column,
    anchored: Column,
    played: Column,
    has_anchors: bool,
    decay: float,
    mean: float,
) -> None:
    """Let absentees approach the mean and share what is taken among those who played.

    Among all when nobody did; so the sum over the board is the same before and after.
    """
    taken = 0.0
    present = 0.0
    everybody = 0.0
    for who in range(len(pq)):
        if pq[who] != pq[who] or (has_anchors and anchored[who] > 0.0):
            continue
        everybody += 1.0
        if played[who] == ended:
            present += 1.0
        else:
            step = decay * (pq[who] - mean)
            pq[who] -= step
            taken += step
    if everybody == 0.0:
        return
    given = taken / (present if present > 0.0 else everybody)
    for who in range(len(pq)):
        if pq[who] != pq[who] or (has_anchors and anchored[who] > 0.0):
            continue
        if present == 0.0 or played[who] == ended:
            pq[who] += given


@body
def _past_periods(
    period: float,
    match: int,
    state: Columns,
    board: Column,
    points: Columns,
    settings: Columns,
) -> bool:
    """End the periods before `period`, and note what that made of everybody.

    Of a span in which nobody plays only so many ends are noted, and the last. Returns False where
    `points` has no room; called again, it goes on.
    """
    _, _, _, _, has_anchors, decay, period_days, _ = settings
    pq = state[0]
    anchored = state[:2][-1]
    played = state[-1]
    if board[3] == _NO_PERIOD:
        board[3] = period
    if board[3] >= period:
        return True
    last_played = _NO_PERIOD
    for who in range(len(pq)):
        if pq[who] == pq[who]:
            last_played = max(last_played, played[who])
    while board[3] < period:
        if len(points[0]) - int(board[0]) < len(pq):
            return False
        _end_period(board[3], pq, anchored, played, has_anchors, decay, board[1])
        board[3] += 1.0
        if board[3] - last_played <= MOST_NOTED or board[3] == period:
            for who in range(len(pq)):
                if pq[who] == pq[who] and not (has_anchors and anchored[who] > 0.0):
                    row = int(board[0])
                    points[0][row] = float(match)
                    points[1][row] = board[3] * period_days * DAY
                    points[2][row] = float(who)
                    for column in range(len(state)):
                        points[3 + column][row] = state[column][who]
                    board[0] += 1.0
    return True


@body
def zero_sum_body(
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
    """Rate a log: see `ratings.boardwide`."""
    at, day, weight, side_start, rank, score, handicap, member_start, player, share, _ = log
    event_start, kind, actor, target, value, worth = events
    (
        temperature, max_gain, frag_gain, by_shares, has_anchors, decay, period_days,
        size_advantage,
    ) = settings  # fmt: skip
    pq = state[0]
    # Only boards with anchors or decay have these columns; without them they stay unread.
    anchored = state[:2][-1]
    played = state[-1]
    pq_after = after[0]
    for match in range(first_match, len(at)):
        period = float(day[match] // period_days)
        if decay > 0.0 and not _past_periods(period, match, state, board, points, settings):
            return match
        first = side_start[match]
        last = side_start[match + 1]
        begin = member_start[first]
        end = member_start[last]
        for member in range(begin, end):
            who = player[member]
            if pq[who] != pq[who]:
                pq[who] = board[1]
                joined[who] = board[1]
                board[2] += 1.0
                if has_anchors:
                    anchored[who] = 0.0
            if decay > 0.0:
                played[who] = period
        withheld = 0.0
        has_events = False
        for event in range(event_start[match], event_start[match + 1]):
            if is_valued(kind[event], target[event], worth[event]):
                has_events = True
                break
        if has_events:
            for event in range(event_start[match], event_start[match + 1]):
                if not is_valued(kind[event], target[event], worth[event]):
                    continue
                one = actor[event]
                other = target[event]
                step = frag_gain * weight[match] * value[event] * worth[event]
                own_side = -1
                opponents = 0.0
                if other >= 0:
                    step *= logistic((pq[other] - pq[one]) / temperature)
                else:
                    own_side, total, opponents = opposing(
                        one, first, last, member_start, player, share, pq
                    )
                    step *= logistic((total / opponents - pq[one]) / temperature)
                if has_anchors and anchored[one] > 0.0:
                    withheld += step
                else:
                    pq[one] += step
                if other >= 0:
                    if has_anchors and anchored[other] > 0.0:
                        withheld -= step
                    else:
                        pq[other] -= step
                    continue
                for side in range(first, last):
                    if side == own_side:
                        continue
                    for member in range(member_start[side], member_start[side + 1]):
                        who = player[member]
                        part = step * share[member] / opponents
                        if has_anchors and anchored[who] > 0.0:
                            withheld -= part
                        else:
                            pq[who] -= part
        else:
            for member in range(begin, end):
                pq_after[member] = 0.0
            for side in range(first, last):
                size = 0.0
                total = 0.0
                for member in range(member_start[side], member_start[side + 1]):
                    size += share[member]
                    total += share[member] * pq[player[member]]
                strength = total / size + (size_advantage * size + handicap[side])
                for other_side in range(side + 1, last):
                    other_size = 0.0
                    total = 0.0
                    for member in range(member_start[other_side], member_start[other_side + 1]):
                        other_size += share[member]
                        total += share[member] * pq[player[member]]
                    lead = strength - (
                        total / other_size + (size_advantage * other_size + handicap[other_side])
                    )
                    result = result_of(rank[side], rank[other_side])
                    known = score[side] == score[side] and score[other_side] == score[other_side]
                    if by_shares and known:
                        result = score_share(score[side], score[other_side])
                    missing = logistic(-lead / temperature)
                    expected = logistic(lead / temperature)
                    step = max_gain * weight[match] / (last - first - 1)
                    step *= (result * missing - (1.0 - result) * expected) * min(size, other_size)
                    for member in range(member_start[side], member_start[side + 1]):
                        pq_after[member] += share[member] * step / size
                    for member in range(member_start[other_side], member_start[other_side + 1]):
                        pq_after[member] -= share[member] * step / other_size
            for member in range(begin, end):
                who = player[member]
                if has_anchors and anchored[who] > 0.0:
                    withheld += pq_after[member]
                else:
                    pq[who] += pq_after[member]
        if withheld != 0.0 and board[2] > 0.0:
            board[1] -= withheld / board[2]
        for member in range(begin, end):
            for column in range(len(state)):
                after[column][member] = state[column][player[member]]
    return len(at)


class ZeroSum(BoardWide[ZeroSumParameters]):
    """PQ: what one side wins the other loses.

    State: the rating; with anchors whether the player is one (the caller marks them in `start`);
    with decay the last period with a match. Board: the running mean, how many it is the mean of,
    the period the last match was in; shown in a fixed range also the half width of the range, as
    of the end of the last replay.
    """

    name = "zerosum"
    title = "Zero-sum"
    parameter_class = ZeroSumParameters
    fitted = ("max_gain",)
    break_even = 150_000
    shown_as = "Rating"
    sides_pay = True

    def __init__(self, parameters: ZeroSumParameters | None = None, **settings: object) -> None:
        super().__init__(parameters, **settings)
        chosen = self.parameters
        self.body = zero_sum_body
        self.columns = ("pq",)
        if chosen.anchors:
            self.columns += ("anchored",)
        if chosen.decay:
            self.columns += ("period",)
            self.period_days = chosen.period_days
        self.has_width = chosen.display == "fixed-range"
        self.board_columns = ("mean", "others", "period")
        if self.has_width:
            self.board_columns += ("half_width",)
        self.settings = (
            chosen.temperature,
            chosen.max_gain,
            chosen.frag_gain,
            chosen.shares,
            chosen.anchors,
            chosen.decay,
            chosen.period_days,
            chosen.size_advantage,
        )

    @property
    def reach(self) -> Reach:  # type: ignore[override]
        """Say that everybody is reached where others move, or where all make up the shown width."""
        wide = self.parameters.anchors or self.parameters.decay or self.has_width
        return Reach.BOARD if wide else Reach.PARTICIPANTS

    def rates_event(self, kind: int, *, has_target: bool, word: str = "") -> bool:
        return is_valued(kind, 0 if has_target else -1, self.event_value(kind, word))

    def event_value(self, kind: int, word: str = "") -> float:
        return value_of(self.parameters, kind, word)

    def moves_bystanders(self, day: int, board: State) -> bool:
        # Others move when a period ends; anchors move the mean alone.
        ends_period = self.period_days is not None and board[2] < float(day // self.period_days)
        return self.has_width or ends_period

    def new_board(self) -> State:
        board = (self.parameters.start, 0.0, _NO_PERIOD, self.parameters.temperature)
        return board[: len(self.board_columns)]

    def board_after(self, newcomers: int, day: int) -> State | None:
        if self.parameters.anchors or self.has_width:
            return None
        mean, _, period = self.new_board()
        if self.period_days is not None:
            period = float(day // self.period_days)
        return (mean, float(newcomers), period)

    def replay(
        self,
        log: MatchLog,
        start: Floats | None = None,
        engine: Engine = "auto",
        progress: Progress | None = None,
        board: State | None = None,
    ) -> Replay:
        return self._measured(super().replay(log, start, engine, progress, board))

    def apply_decay(self, replay: Replay, day: int, *, for_good: bool = False) -> Replay:
        if self.period_days is None or replay.board is None:
            return replay
        period = float(day // self.period_days)
        if not _NO_PERIOD < replay.board[2] < period:
            return replay
        ends = len(replay.final) * int(period - replay.board[2])
        engine = choose("auto", _past_periods, ends, self.break_even)
        return self._measured(self._continued(replay, _past_periods, period, engine))

    def _measured(self, replay: Replay) -> Replay:
        """Return a replay with the width of the board as it is at the end."""
        if not self.has_width or replay.board is None:
            return replay
        return replace(replay, board=(*replay.board[:-1], self._half_width(replay.final)))

    def opened(self, start: Floats) -> State:
        """Return the board of players who come with a rating, whose mean newcomers get."""
        pq = self._moving(start)
        if not pq:
            return self.new_board()
        return (math.fsum(pq) / len(pq), float(len(pq)), *self.new_board()[2:])

    def _rated_alone(
        self, match: MatchLog, states: Sequence[State | None], board: State | None
    ) -> Rated:
        if board is not None and self.period_days is not None:
            # Decay is shared out over the whole board, and an imagined match does not name it.
            board = (*board[:2], float(match.day[0] // self.period_days), *board[3:])
        return self.rate(match, states, board)

    def forfeited(
        self,
        state: State,
        opponent: State,
        at: int,
        day: int | None = None,
        board: State | None = None,
        *,
        weight: float = 1.0,
        birth_year: int = 0,
        rungs: int = 0,
    ) -> Rated:
        """Return a player's state, and the board, after he lost a pending match.

        What he loses nobody gets: the mean, at which newcomers begin, is the account of it.
        """
        rated = super().forfeited(
            state, opponent, at, day, board, weight=weight, birth_year=birth_year, rungs=rungs
        )
        if board is None or rated.board is None:
            return Rated(rated.states)
        mean, others = board[0], rated.board[1]
        lost = (mean if is_unseen(state) else state[0]) - rated.states[0][0]
        return Rated(rated.states, (mean - lost / max(others, 1.0), others, *rated.board[2:]))

    def new_player(self, board: State | None = None) -> State:
        mean = self.parameters.start if board is None else board[0]
        return self._row(mean, anchored=False)

    def anchor(self, pq: float) -> State:
        """Return the state of a player whose rating never moves, for `start`; needs `anchors`."""
        return self._row(pq, anchored=True)

    def lottery(self, keys: Sequence[str]) -> dict[str, State]:
        """Draw start values for those registered before the first match, for `start`.

        In order of key, pairs get +x and -x, so the mean is kept; one left over gets nothing. No
        replay draws by itself: a log does not tell who was registered before it.
        """
        source = random.Random(self.parameters.seed)
        spread = self.parameters.spread
        values: list[float] = []
        for _ in range(len(keys) // 2):
            x = source.uniform(-spread, spread)
            values.extend((x, -x))
        values.extend([0.0] * (len(keys) % 2))
        start = self.parameters.start
        return {
            key: self._row(start + value, anchored=False)
            for key, value in zip(sorted(keys), values, strict=True)
        }

    @property
    def handicap_unit(self) -> float:
        return ODDS_OF_A_POINT * self.parameters.temperature

    @property
    def max_handicap(self) -> float:
        """As many points of Elo, on the scale of this rating."""
        return MAX_HANDICAP_POINTS * self.handicap_unit

    @property
    def uses_scores(self) -> bool:
        return self.parameters.shares

    def idle_many(
        self, states: Floats, at: int | Integers, day: int | Integers | None = None
    ) -> Floats:
        return states

    def display_many(
        self,
        states: Floats,
        at: int | None = None,
        board: State | None = None,
        day: int | None = None,
    ) -> ShownMany:
        """Show states; a fixed range takes its middle and width from the board alone."""
        chosen = self.parameters
        pq = states[:, 0]
        decimals = 0
        if chosen.display == "raw":
            value, decimals = pq.copy(), 2
        elif chosen.display == "offset":
            value = np.maximum(chosen.scale * pq + chosen.offset, chosen.floor)
        else:
            mean, _, _, half_width = self.new_board() if board is None else board
            value = np.array([_FULL_SCALE * logistic((x - mean) / half_width) for x in pq.tolist()])
        return ShownMany.certain(value, decimals)

    def _half_width(self, states: Floats) -> float:
        """Return D, half the sample standard deviation of the board; T where there is none."""
        pq = self._moving(states)
        if len(pq) < 2:
            return self.parameters.temperature
        mean = math.fsum(pq) / len(pq)
        squares = math.fsum((x - mean) * (x - mean) for x in pq)
        return 0.5 * math.sqrt(squares / (len(pq) - 1)) or self.parameters.temperature

    def _moving(self, states: Floats) -> list[float]:
        """Return the ratings of those who have one and are no anchors."""
        moving = states[~np.isnan(states[:, 0])]
        if self.parameters.anchors:
            moving = moving[moving[:, 1] == 0.0]
        return cast(list[float], moving[:, 0].tolist())

    def shortcut(self, shown: float, other: float, half_width: float) -> float:
        """Return P(win) from two values of the fixed range alone, its ends taken as just within."""
        r, s = (
            min(max(value / _FULL_SCALE, _LEAST_PLACE), _MOST_PLACE) for value in (shown, other)
        )
        power = half_width / self.parameters.temperature
        return logistic(power * (math.log(r / (1.0 - r)) - math.log(s / (1.0 - s))))

    def certain_until_many(self, states: Floats, games: Integers) -> tuple[Integers, Integers]:
        return sure_by_count(games, self.parameters.fairly_sure, self.parameters.sure)

    def _row(self, pq: float, *, anchored: bool) -> State:
        known = {"pq": pq, "anchored": float(anchored), "period": _NO_PERIOD}
        return tuple(known[column] for column in self.columns)

    def _chance(self, one: Side, other: Side, day: int) -> float:
        return logistic((self._strength(one) - self._strength(other)) / self.parameters.temperature)

    def chances(self, table: SideTable, one: Integers, other: Integers) -> Floats:
        strength = table.mean(0) + table.advantage(self.parameters.size_advantage)
        lead = strength[one] - strength[other]
        return logistic_many(lead / self.parameters.temperature)

    def _opponent(self, state: State, own: Side, other: Side) -> State:
        lead = self._strength(other) - self._strength(own)
        return self._row(state[0] + lead, anchored=False)

    def _performance(self, sides: Sequence[Side]) -> tuple[list[float], list[float], Noise]:
        locations = [self._strength(side) for side in sides]
        return locations, [self.parameters.temperature] * len(sides), "gumbel"

    def _strength(self, side: Side) -> float:
        return mean_of(side) + advantage_of(side, self.parameters.size_advantage)
