"""Rating logs in which started matches are lost by those who left them.

Nothing of it is known to the rating bodies: the log is cut where such a match begins and where it
is lost, and its parts are replayed one after the other, which gives the same bits as the whole.
At the start, what the other side amounts to for each who will leave is put aside; at the loss,
each is rated against that and nobody else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Literal, Protocol

import numpy as np

from ratings.engine import Engine, Progress
from ratings.log import Floats, MatchLog
from ratings.system import IndirectChanges, Replay, Side, State


@dataclass(frozen=True, slots=True)
class Left:
    """What a forfeit changed: the state that all players share, and who moved without leaving."""

    board: State | None
    passed: tuple[int, ...] = ()
    joined: Mapping[int, float] = field(default_factory=dict)
    """What the newcomers among the leavers joined with, where they lost from that."""


class Forfeiting(Protocol):
    """What is asked of a system whose started matches can be lost."""

    def replay(
        self,
        log: MatchLog,
        start: Floats | None = None,
        engine: Engine = "auto",
        progress: Progress | None = None,
        board: State | None = None,
    ) -> Replay: ...

    def apply_decay(self, replay: Replay, day: int, *, for_good: bool = False) -> Replay: ...

    def stand_ins(
        self, log: MatchLog, match: int, states: Floats, board: State | None
    ) -> tuple[State, ...]:
        """Return whom those lose to who will leave a match that starts now."""
        ...

    def leave(
        self,
        log: MatchLog,
        match: int,
        stand_ins: tuple[State, ...],
        states: Floats,
        board: State | None,
    ) -> Left:
        """Let those lose who left a match, by changing their rows of the states."""
        ...


@dataclass(slots=True)
class _Course:
    """A replay under way."""

    system: Forfeiting
    log: MatchLog
    parts: list[tuple[int, Replay]]
    """Each part with the number of the match that it begins with."""
    stand_ins: dict[int, tuple[State, ...]] = field(default_factory=dict)

    @property
    def last(self) -> Replay:
        return self.parts[-1][1]

    def end_periods(self, day: int) -> None:
        """Apply what absence takes up to a day, as the next match would find it."""
        first, last = self.parts[-1]
        self.parts[-1] = (first, self.system.apply_decay(last, day))

    def start(self, match: int) -> None:
        """Put aside whom those lose to who will leave a match."""
        self.end_periods(self.log.forfeits[match].day)
        self.stand_ins[match] = self.system.stand_ins(
            self.log, match, self.last.final, self.last.board
        )

    def lose(self, match: int) -> None:
        """Let those lose who left a match."""
        self.end_periods(int(self.log.day[match]))
        before = self.last
        states = before.final.copy()
        left = self.system.leave(self.log, match, self.stand_ins[match], states, before.board)
        passed = np.array(left.passed, dtype=np.int64)
        part = self.log.part(match, match + 1)
        unseen = np.asarray(np.isnan(before.final).all(axis=1), dtype=bool)
        joined = None
        if before.joined is not None:
            joined = np.full(len(states), np.nan)
            newcomers = part.player[unseen[part.player]]
            joined[newcomers] = states[newcomers, 0]
            joined[[*left.joined]] = [*left.joined.values()]
        after = states[part.player]
        self.parts.append(
            (
                match,
                replace(
                    before,
                    after=after,
                    final=states,
                    board=left.board,
                    indirect_changes=IndirectChanges(
                        match=np.ones(len(passed), dtype=np.int64),
                        at=np.full(len(passed), self.log.at[match]),
                        player=passed,
                        state=states[passed],
                    ),
                    log=part,
                    joined=joined,
                ),
            )
        )

    def joined(self) -> Replay:
        """The parts as one replay."""
        replays = [replay for _first, replay in self.parts]
        changes = [
            replace(replay.indirect_changes, match=replay.indirect_changes.match + first)
            for first, replay in self.parts
        ]
        newcomers = [replay.joined for replay in replays if replay.joined is not None]
        return replace(
            self.last,
            after=np.concatenate([replay.after for replay in replays]),
            indirect_changes=IndirectChanges.joined(changes),
            log=self.log,
            start=replays[0].start,
            joined=np.fmax.reduce(newcomers) if newcomers else None,
            stand_ins=self.stand_ins,
        )


def replay_with_forfeits(
    system: Forfeiting,
    log: MatchLog,
    start: Floats | None,
    engine: Literal["plain", "compiled"],
    progress: Progress | None,
    board: State | None,
) -> Replay:
    """Rate a log with forfeits; its matches between them as any log is rated."""
    nothing = system.replay(replace(log.part(0, 0), forfeits={}), start, engine, None, board)
    course = _Course(system, log, [(0, nothing)])
    starts: dict[int, list[int]] = {}
    for match, forfeit in log.forfeits.items():
        if forfeit.stand_ins is not None:
            course.stand_ins[match] = forfeit.stand_ins
        elif forfeit.place < 0:
            raise ValueError(f"the log begins after the start of match {match}: no stand-ins")
        else:
            starts.setdefault(forfeit.place, []).append(match)
    lost = log.lost()
    bounds = {0, len(log), *starts, *lost, *(match + 1 for match in lost)}
    for first, last in pairwise([*sorted(bounds), len(log)]):
        for match in sorted(starts.get(first, ())):
            course.start(match)
        if first in log.forfeits and last > first:
            course.lose(first)
        elif last > first:
            part = replace(log.part(first, last), forfeits={})
            before = course.last
            course.parts.append(
                (first, system.replay(part, before.final, engine, None, before.board))
            )
        if progress is not None and last > first:
            progress(last, len(log))
    return course.joined()


def side_of(log: MatchLog, members: tuple[int, ...], states: Floats, handicap: float = 0.0) -> Side:
    """Return some players of a log as a side of a match not yet played."""
    return Side(
        states=tuple(tuple(states[who].tolist()) for who in members),
        keys=tuple(log.keys[who] for who in members),
        handicap=handicap,
        birth_years=tuple(int(log.birth_year[who]) for who in members),
    )
