"""Lines before what is slow to compute: few at once, some wait a moment, the others come back.

One process computes one thing after the other anyway, and those that wait hold a thread of the web
server. So that neither a crowd nor somebody with many connections can take all of them, a line is
short, and nobody may fill it alone.
"""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Line:
    """At most `at_once` inside and `waiting` before the door, `each` of them of one caller."""

    at_once: int
    waiting: int
    each: int
    patience: float
    """How many seconds one waits."""

    _inside: set[Pass] = field(default_factory=set)
    _present: Counter[str] = field(default_factory=Counter)
    _door: threading.Condition = field(default_factory=threading.Condition)

    def enter(self, caller: str) -> Pass | None:
        """Wait for a turn; None where the line is full or does not move."""
        with self._door:
            is_full = self._present.total() >= self.at_once + self.waiting
            if is_full or self._present[caller] >= self.each:
                return None
            self._present[caller] += 1
            if not self._door.wait_for(lambda: len(self._inside) < self.at_once, self.patience):
                self._forget(caller)
                return None
            turn = Pass(self, caller)
            self._inside.add(turn)
        return turn

    def leave(self, turn: Pass) -> None:
        """Let the next one in, unless this turn is over already."""
        with self._door:
            if turn in self._inside:
                self._inside.remove(turn)
                self._forget(turn.caller)
                self._door.notify()

    def forget(self) -> None:
        """Start again, with nobody in line."""
        with self._door:
            self._inside.clear()
            self._present.clear()

    def _forget(self, caller: str) -> None:
        self._present[caller] -= 1
        if not self._present[caller]:
            del self._present[caller]


@dataclass(frozen=True, eq=False)
class Pass:
    """A turn; whoever has it says once that it is over."""

    line: Line
    caller: str

    def end(self) -> None:
        """Let the next one in; saying it again does nothing."""
        self.line.leave(self)


VISITORS = Line(at_once=1, waiting=2, each=2, patience=3.0)
MEMBERS = Line(at_once=1, waiting=2, each=2, patience=3.0)
"""Those who are signed in do not wait for a crowd of visitors."""
DOWNLOADS = Line(at_once=2, waiting=0, each=1, patience=0.0)
