"""Ladder (B. Kreimeier, "Rating"): who beats a player above takes his place.

The rung is all there is; 1 is the top. It orders players and says nothing of probabilities.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ratings import fields
from ratings.boardwide import BoardWide
from ratings.draws import DrawRate
from ratings.engine import Column, Columns, body
from ratings.event_values import own_value_of
from ratings.forfeits import Left
from ratings.log import EventKind, Floats, Integers, MatchLog
from ratings.own_words import read_values
from ratings.parameters import Parameters, choice, flag, integer, values
from ratings.places import Noise
from ratings.sequential import is_unseen
from ratings.sidetable import SideTable
from ratings.system import (
    FOREVER,
    Prediction,
    Rated,
    Reach,
    ShownMany,
    Side,
    State,
    Unanswerable,
)


@dataclass(frozen=True, slots=True)
class LadderParameters(Parameters):
    """The parameters of a ladder."""

    mode: str = choice(
        "swap",
        ("swap", "insert"),
        "Exchange",
        "A lower-placed winner and the loser swap places, or the winner takes the loser's "
        "rung and everyone in between moves down by one.",
    )
    challenge_range: int = integer(
        0,
        "Challenge range",
        "How many rungs up a player may challenge; 0 for no limit.",
        least=0,
        most=1000,
    )
    rematch_days: int = integer(
        0,
        "Rematch delay",
        "How many days must pass before the same two players may meet again; 0 for none.",
        least=0,
        most=1000,
    )
    penalty: int = integer(
        1,
        "Penalty",
        "Rungs lost for declining a challenge or letting it expire; the players passed move up.",
        least=0,
        most=1000,
    )
    frag: bool = flag(True, "Frags", "Whether a frag is a win over the player who was got.")
    damage: bool = flag(
        False, "Damage", "Whether each damage is a win over the player who took it."
    )
    assist: bool = flag(False, "Assists", "Whether an assist is a win over the player who was got.")
    own: bool = flag(
        False,
        "The game's own events",
        "Whether an event of the game's own kinds is a win over whom it was done to.",
    )
    own_words: str = values(
        "The game's own words",
        "Which of the game's own kinds count otherwise than that, by their words: 1 is a win, 0 "
        "is none, as in steal 1, tag 0.",
        least=0,
        most=1,
    )
    pending_hours: int = fields.pending_hours()

    def conflicts(self) -> list[tuple[str, object, str]]:
        if set(read_values(self.own_words).values()) <= {0.0, 1.0}:
            return []
        return [("own_words", self.own_words, "must give each word 1 for a win, or 0 for none")]


@body
def _exchange(winner: int, loser: int, rung: Column, ladder: Column, insert: bool) -> float:
    """Let a winner who stood below take the loser's rung; return the lowest rung touched."""
    high = rung[loser]
    low = rung[winner]
    if low < high:
        return 0.0
    if insert:
        for place in range(int(low), int(high), -1):
            moved = int(ladder[place - 1])
            ladder[place] = float(moved)
            if moved >= 0:
                rung[moved] = float(place)
    else:
        ladder[int(low)] = float(loser)
        rung[loser] = low
    ladder[int(high)] = float(winner)
    rung[winner] = high
    touched: float = low
    return touched


@body
def _put_in_order(
    first: int,
    last: int,
    begin: int,
    rank: Column,
    player: Column,
    rung: Column,
    ladder: Column,
) -> int:
    """Write the participants by (rank, present rung) to the end of `ladder`; return its place.

    They stand by rank already; within a rank by key, which must not matter.
    """
    order = len(ladder) - (last - first)
    for index in range(last - first):
        place = order + index
        while place > order:
            before = int(ladder[place - 1])
            if (
                rank[first + before] != rank[first + index]
                or rung[player[begin + before]] < rung[player[begin + index]]
            ):
                break
            ladder[place] = ladder[place - 1]
            place -= 1
        ladder[place] = float(index)
    return order


@body
def _hand_out(
    count: int, order: int, begin: int, player: Column, rung: Column, ladder: Column
) -> None:
    """Give the participants' own rungs out in the order that stands in `ladder`."""
    own = order - count
    for index in range(count):
        place = own + index
        while place > own and ladder[place - 1] > rung[player[begin + index]]:
            ladder[place] = ladder[place - 1]
            place -= 1
        ladder[place] = rung[player[begin + index]]
    for place in range(count):
        who = player[begin + int(ladder[order + place])]
        rung[who] = ladder[own + place]
        ladder[int(rung[who])] = float(who)


@body
def ladder_body(
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

    `ladder` says who stands on each rung, -1 for nobody known (a preview knows only the
    participants), and ends in room for two values per side.
    """
    at, _day, _weight, side_start, rank, _score, _handicap, member_start, player, _share, _ = log
    event_start, _kind, actor, target, _value, worth = events
    rung = state[0]
    (insert,) = settings
    point_match, point_at, point_player, point_rung = points
    for who in range(len(rung)):
        if rung[who] == rung[who]:
            ladder[int(rung[who])] = float(who)
    for match in range(first_match, len(at)):
        if len(point_match) - int(board[0]) < len(rung):
            return match
        first = side_start[match]
        last = side_start[match + 1]
        begin = member_start[first]
        end = member_start[last]
        # Newcomers join in order of key, which is not the order of sides.
        for _ in range(begin, end):
            joins = -1
            for member in range(begin, end):
                who = player[member]
                if rung[who] != rung[who] and (joins < 0 or who < joins):
                    joins = who
            if joins >= 0:
                board[1] += 1.0
                rung[joins] = board[1]
                joined[joins] = board[1]
                ladder[int(board[1])] = float(joins)
        lowest = 0.0
        highest = board[1]
        for member in range(begin, end):
            highest = min(highest, rung[player[member]])
        has_exchanges = False
        for event in range(event_start[match], event_start[match + 1]):
            if worth[event] > 0.0 and target[event] >= 0:
                has_exchanges = True
        if has_exchanges:
            for event in range(event_start[match], event_start[match + 1]):
                if worth[event] > 0.0 and target[event] >= 0:
                    touched = _exchange(actor[event], target[event], rung, ladder, insert)
                    lowest = max(lowest, touched)
        elif last - first == 2:
            if rank[first] != rank[first + 1]:
                lowest = _exchange(player[begin], player[begin + 1], rung, ladder, insert)
        elif insert:
            order = _put_in_order(first, last, begin, rank, player, rung, ladder)
            for place in range(order, len(ladder)):
                index = int(ladder[place])
                who = player[begin + index]
                goal = rung[who]
                loser = who
                for other in range(first, last):
                    below = player[begin + other - first]
                    if rank[other] > rank[first + index] and rung[below] < goal:
                        goal = rung[below]
                        loser = below
                if loser != who:
                    lowest = max(lowest, _exchange(who, loser, rung, ladder, insert))
        else:
            order = _put_in_order(first, last, begin, rank, player, rung, ladder)
            _hand_out(last - first, order, begin, player, rung, ladder)
        if lowest > 0.0 and insert:
            for place in range(int(highest), int(lowest) + 1):
                who = int(ladder[place])
                takes_part = who < 0
                for member in range(begin, end):
                    if player[member] == who:
                        takes_part = True
                if not takes_part:
                    row = int(board[0])
                    point_match[row] = float(match + 1)
                    point_at[row] = float(at[match])
                    point_player[row] = float(who)
                    point_rung[row] = float(place)
                    board[0] += 1.0
        for member in range(begin, end):
            after[0][member] = rung[player[member]]
    return len(at)


class Ladder(BoardWide[LadderParameters]):
    """A ladder: rungs 1 to n, exchanged between those who meet.

    State: the rung. Board: how many stand on it.
    """

    name = "ladder"
    title = "Ladder"
    parameter_class = LadderParameters
    fitted = ()
    break_even = 200_000
    reach = Reach.BOARD
    shown_as = "Rung"
    lower_is_better = True
    orders_only = True
    handicap_unit = 0.0
    partial_play_refusal = "Ladder cannot rate partial play"
    teams_refusal = "a ladder rates single players, not teams"
    columns = ("rung",)
    board_columns = ("players",)

    def __init__(self, parameters: LadderParameters | None = None, **settings: object) -> None:
        super().__init__(parameters, **settings)
        self.body = ladder_body
        self.settings = (self.parameters.mode == "insert",)

    def event_value(self, kind: int, word: str = "") -> float:
        # A rung is won or not, however much an event is worth.
        chosen = self.parameters
        if word:
            return own_value_of(chosen.own_words, word, float(chosen.own))
        wins = {
            EventKind.FRAG: chosen.frag,
            EventKind.CAPTURE: True,
            EventKind.DAMAGE: chosen.damage,
            EventKind.ASSIST: chosen.assist,
            EventKind.OWN: chosen.own,
        }
        return float(wins.get(EventKind(kind), False))

    def new_board(self) -> State:
        return (0.0,)

    def new_player(self, board: State | None = None) -> State:
        return ((self.new_board() if board is None else board)[0] + 1.0,)

    def rungs(self, log: MatchLog, board: State) -> int:
        return int(board[0]) + 3 * len(log.keys) + 1

    def opened(self, start: Floats) -> State:
        """Return how many rungs there are below which newcomers join."""
        return self.new_board() if np.isnan(start).all() else (float(np.nanmax(start)),)

    def board_after(self, newcomers: int, day: int) -> State | None:
        return (float(newcomers),)

    def rates_event(self, kind: int, *, has_target: bool, word: str = "") -> bool:
        return has_target and self.event_value(kind, word) > 0.0

    def moves_bystanders(self, day: int, board: State) -> bool:
        # Who exchange rungs leave everyone else where he is.
        return self.parameters.mode == "insert"

    def challenge_refusal(self, challenger: State, challenged: State) -> str | None:
        """Say why a challenge may not be made, if so."""
        reach = self.parameters.challenge_range
        distance = challenger[0] - challenged[0]
        if distance < 0:
            return "a challenge must go upwards: the challenged player is on a lower rung"
        if reach and distance > reach:
            return f"the challenged player is {distance:.0f} rungs up; the limit is {reach}"
        return None

    def rematch_refusal(self, days: int) -> str | None:
        """Say why two who met that many days ago may not meet again yet, if so."""
        delay = self.parameters.rematch_days
        return (
            f"the same two players may only meet again after {delay} days" if days < delay else None
        )

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
        """Return a player's rung after leaving a match: so many rungs down, to the last at most.

        Who was never on the ladder joins at its end, and falls no further.
        """
        (last,) = self.new_board() if board is None else board
        if is_unseen(state):
            return Rated(((last + 1.0,),), (last + 1.0,))
        return Rated(((min(state[0] + rungs, max(last, state[0])),),), (last,))

    def leave(
        self,
        log: MatchLog,
        match: int,
        stand_ins: tuple[State, ...],
        states: Floats,
        board: State | None,
    ) -> Left:
        """Let those fall who left a match; whom they pass move up by one."""
        forfeit = log.forfeits[match]
        before = states[:, 0].copy()
        for who in forfeit.leavers:
            if np.isnan(states[who, 0]):
                states[who] = self.new_player(board)
                board = (float(states[who, 0]),)
            else:
                states[:] = self.penalised(states, who, forfeit.rungs)
        moved = np.flatnonzero((states[:, 0] != before) & ~np.isnan(before))
        return Left(board, tuple(sorted(set(moved.tolist()) - set(forfeit.leavers))))

    def penalised(self, states: Floats, player: int, rungs: int | None = None) -> Floats:
        """Return everybody's states after a player declined a challenge, or left a match.

        `rungs` stand in for the board's penalty.
        """
        after = states.copy()
        old = states[player, 0]
        fall = self.parameters.penalty if rungs is None else rungs
        new = min(old + fall, np.nanmax(states[:, 0]))
        passed = (states[:, 0] > old) & (states[:, 0] <= new)
        after[passed, 0] -= 1.0
        after[player, 0] = new
        return after

    def _opponent(self, state: State, own: Side, other: Side) -> State:
        """Return the player: on a ladder, leaving costs the same whoever the opponent is."""
        return state

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
        return ShownMany.certain(np.ascontiguousarray(states[:, 0]))

    def certain_until_many(self, states: Floats, games: Integers) -> tuple[Integers, Integers]:
        forever = np.full(len(states), FOREVER, dtype=np.int64)
        return forever, forever

    def predict(
        self,
        sides: Sequence[Side],
        at: int,
        day: int | None = None,
        draws: DrawRate | None = None,
        board: State | None = None,
    ) -> Prediction:
        """Return the order of the rungs as if it were certain; a ladder knows no more.

        Newcomers stand at the bottom, in order of key.
        """
        self._check(sides)
        rungs = [math.inf if is_unseen(side.states[0]) else side.states[0][0] for side in sides]
        order = sorted(range(len(sides)), key=lambda index: (rungs[index], sides[index].keys))
        last = len(sides) - 1
        return Prediction(
            expected=tuple((last - order.index(index)) / last for index in range(len(sides))),
            places=tuple(
                tuple(float(order[place] == index) for place in range(len(sides)))
                for index in range(len(sides))
            ),
        )

    def quality(
        self,
        sides: Sequence[Side],
        at: int,
        day: int | None = None,
        board: State | None = None,
    ) -> float:
        raise Unanswerable("a ladder only orders players; it cannot say how even a match would be")

    def _chance(self, one: Side, other: Side, day: int) -> float:
        raise Unanswerable("a ladder only orders players; it gives no probabilities")

    def chances(self, table: SideTable, one: Integers, other: Integers) -> Floats:
        rung = np.nan_to_num(table.states[:, 0], nan=np.inf)
        return np.where(rung[one] == rung[other], 0.5, (rung[one] < rung[other]).astype(np.float64))

    def _performance(self, sides: Sequence[Side]) -> tuple[list[float], list[float], Noise]:
        raise Unanswerable("a ladder only orders players; it gives no probabilities")
