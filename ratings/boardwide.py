"""What systems have in common that keep something for the whole board, or read events.

Their bodies are called as `body(log columns, event columns, state, joined, after, board, points,
ladder, first, settings)` and return the match to go on with: they stop before a match for whose
changes of others `points` may have no room. `points` collects those changes as (match, at,
player, state columns); its first free row is `board[0]`. A player never seen has NaN in the
state; the body lets the player join and writes to `joined` with what. The last of the event
columns is what an event of its kind is worth.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal, TypeVar

import numpy as np

from ratings.engine import Body, Column, Columns, Engine, Progress, Reader, choose, compiled
from ratings.event_values import worth_of
from ratings.forfeits import replay_with_forfeits
from ratings.log import Floats, Integers, MatchLog
from ratings.parameters import Parameters
from ratings.sequential import Sequential
from ratings.system import IndirectChanges, Reach, Replay, State

P = TypeVar("P", bound=Parameters)

_PART: Final = 65_536
_ROOM: Final = 65_536
_ENDS: Final = 8


class BoardWide(Sequential[P]):
    """Base of the systems with a board state; `board_columns` names what it holds.

    Where the reach is the board, `rate` takes a log whose keys name everyone on it.
    """

    board_columns: tuple[str, ...] = ()

    @abstractmethod
    def new_board(self) -> State:
        """Return the board before its first match."""

    def opened(self, start: Floats) -> State:
        """Return the board before the first match of players who come with states (q rows)."""
        return self.new_board()

    def rungs(self, log: MatchLog, board: State) -> int:
        """Return how long the scratch column `ladder` must be."""
        return 0

    def board_after(self, newcomers: int, day: int) -> State | None:
        """Return the board after so many have joined an empty one, the last match on a civil day.

        None where it holds sums over all matches, in their order.
        """
        return None

    def moves_bystanders(self, day: int, board: State) -> bool:
        """Whether matches up to a civil day change others on the board than those who play.

        Where they do not, a log that goes on from states need not name anybody else.
        """
        return self.reach is Reach.BOARD

    def replay(
        self,
        log: MatchLog,
        start: Floats | None = None,
        engine: Engine = "auto",
        progress: Progress | None = None,
        board: State | None = None,
    ) -> Replay:
        if log.forfeits:
            chosen = choose(engine, self.body, len(log), self.break_even, log)
            return replay_with_forfeits(self, log, start, chosen, progress, board)
        begin = self._begin(log, start)
        kept = self.opened(begin) if board is None else board
        return self._run(
            log, begin, kept, choose(engine, self.body, len(log), self.break_even, log), progress
        )

    def _run(
        self,
        log: MatchLog,
        begin: Floats,
        kept: State,
        engine: Literal["plain", "compiled"],
        progress: Progress | None,
    ) -> Replay:
        width, total = len(self.columns), len(log)
        room = max(len(log.keys), min(_ROOM, total * len(log.keys)))
        rungs = self.rungs(log, kept)
        is_compiled = engine == "compiled"
        function = compiled(self.body) if is_compiled else self.body
        after = np.empty((width, len(log.player)))
        columns = _own_columns(begin, is_compiled)
        joined = _own(np.full(len(begin), np.nan), is_compiled)
        # The first entry counts the points in the buffer and is no part of the board.
        board = _own(np.array([0.0, *kept]), is_compiled)
        buffer = _own_columns(np.empty((room, width + 3)), is_compiled)
        ladder = _own(np.full(rungs, -1.0), is_compiled)
        readers = Reader(), Reader()
        gathered = []
        filled = 0
        for first in range(0, total, _PART):
            part = log.part(first, min(first + _PART, total))
            target = after[:, filled : filled + len(part.player)]
            rows = tuple(target) if is_compiled else tuple([0.0] * target.shape[1] for _ in target)
            matches, events = (
                read(group) if is_compiled else tuple(column.tolist() for column in group)
                for read, group in zip(
                    readers, (part.columns(), self._event_columns(part)), strict=True
                )
            )
            done = 0
            while True:
                done = function(
                    matches,
                    events,
                    columns,
                    joined,
                    rows,
                    board,
                    buffer,
                    ladder,
                    done,
                    self.settings,
                )
                found = np.array([row[: int(board[0])] for row in buffer])
                found[0] += first
                gathered.append(found)
                board[0] = 0.0
                if done >= len(part):
                    break
            if not is_compiled:
                for row, values in zip(target, rows, strict=True):
                    row[:] = values
            filled += len(part.player)
            if progress is not None:
                progress(first + len(part), total)
        return Replay(
            after=after.T,
            final=np.column_stack(columns),
            board=tuple(float(value) for value in board[1:]),
            indirect_changes=_indirect_changes(gathered)
            if gathered
            else IndirectChanges.none(width),
            log=log,
            start=begin,
            joined=np.array(joined),
        )

    def _event_columns(self, log: MatchLog) -> tuple[Floats | Integers, ...]:
        """The columns of the events of a log, with what each is worth."""
        return (*log.event_columns(), worth_of(log, self.event_value))

    def _continued(
        self,
        replay: Replay,
        function: Body,
        until: float,
        engine: Literal["plain", "compiled"],
    ) -> Replay:
        """Let something befall a board after its last match.

        The function is called as `function(until, number of matches, state, board, points,
        settings)` until it returns True.
        """
        is_compiled = engine == "compiled"
        if is_compiled:
            function = compiled(function)
        width, players = len(self.columns), len(replay.final)
        columns = _own_columns(replay.final, is_compiled)
        board = _own(np.array([0.0, *(replay.board or ())]), is_compiled)
        buffer = _own_columns(np.empty((players * _ENDS, width + 3)), is_compiled)
        gathered = []
        is_done = False
        while not is_done:
            is_done = function(until, len(replay.log), columns, board, buffer, self.settings)
            gathered.append(np.array([row[: int(board[0])] for row in buffer]))
            board[0] = 0.0
        return replace(
            replay,
            final=np.column_stack(columns),
            board=tuple(float(value) for value in board[1:]),
            indirect_changes=IndirectChanges.joined(
                (replay.indirect_changes, _indirect_changes(gathered))
            ),
        )


def _indirect_changes(gathered: Sequence[Floats]) -> IndirectChanges:
    found = np.concatenate(gathered, axis=1)
    return IndirectChanges(
        match=found[0].astype(np.int64),
        at=found[1].astype(np.int64),
        player=found[2].astype(np.int64),
        state=found[3:].T,
    )


def _own_columns(rows: Floats, is_compiled: bool) -> Columns:
    return tuple(_own(column, is_compiled) for column in rows.T)


def _own(values: Floats, is_compiled: bool) -> Column:
    """Return values for a body to change: always a copy, for a view would change the caller's."""
    return np.array(values) if is_compiled else values.tolist()
