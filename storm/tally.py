"""What happened: answers by status, the longest waits, faults, and whatever was wrong."""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections import Counter
from collections.abc import Iterator

AFTERMATH_SECONDS = 10.0
"""So long after a fault that took a process away, another one may still be on its way."""
MOST_KEPT = 200


class Tally:
    """Counts of all actors, kept by one lock."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._began = time.monotonic()
        self._spans: list[list[float]] = []
        self.answers: Counter[tuple[str, str]] = Counter()
        self.longest: dict[str, float] = {}
        self.faults: Counter[str] = Counter()
        self.problems: Counter[str] = Counter()
        self.story: list[str] = []

    def count(self, actor: str, status: str, seconds: float) -> None:
        """Count one answer, or a lost one."""
        with self._lock:
            self.answers[actor, status] += 1
            self.longest[actor] = max(self.longest.get(actor, 0.0), seconds)

    def accuse(self, what: str, example: str = "") -> None:
        """Note a violation, and the first examples of it."""
        with self._lock:
            self.problems[what] += 1
            if len(self.story) < MOST_KEPT and self.problems[what] <= 3:
                self.story.append(f"{self._elapsed():7.1f} s  {what} {example}".rstrip())

    @contextlib.contextmanager
    def fault(self, name: str, *, is_felt: bool) -> Iterator[None]:
        """Note a fault while it lasts; while one is felt, requests may break or have to wait."""
        span = [time.monotonic(), math.inf]
        with self._lock:
            self.faults[name] += 1
            if is_felt:
                self._spans.append(span)
            if len(self.story) < MOST_KEPT:
                self.story.append(f"{self._elapsed():7.1f} s  -- {name}")
        try:
            yield
        finally:
            span[1] = time.monotonic() + AFTERMATH_SECONDS

    def unexplained(self, since: float, until: float) -> float:
        """How many seconds of a time no fault was felt."""
        with self._lock:
            spans = sorted((start, end) for start, end in self._spans if end > since)
        alone, reached = 0.0, since
        for start, end in spans:
            alone += max(0.0, min(start, until) - reached)
            reached = max(reached, end)
        return alone + max(0.0, until - reached)

    def _elapsed(self) -> float:
        return time.monotonic() - self._began
