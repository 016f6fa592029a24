"""Counting in the memory of one process: a fixed size, from which nobody can be pushed out."""

from __future__ import annotations

import hashlib
import secrets
import threading
from array import array

ROWS = 4
WIDTH = 1 << 13


class Sketch:
    """The ends of all keys of one limit, in a table that does not grow (a count-min sketch).

    A key has a cell in each row and counts in all of them; the least of its cells is taken for
    its end. Others may share a cell and make the end seem later, never earlier: where very many
    keys are in use at once, somebody is refused too early rather than let through. Which cells
    are shared is secret and differs from one start to the next.
    """

    def __init__(self) -> None:
        self._ends = array("d", bytes(8 * ROWS * WIDTH))
        self._secret = secrets.token_bytes(16)
        self._lock = threading.Lock()

    def take(self, key: str, *, step: float, reach: float, now: float) -> float:
        """Count a use unless it would reach too far; return the seconds it is too far."""
        cells = self._cells(key)
        with self._lock:
            end = max(now, min(self._ends[cell] for cell in cells)) + step
            if end > now + reach:
                return end - now - reach
            for cell in cells:
                self._ends[cell] = max(now, self._ends[cell]) + step
        return 0.0

    def give_back(self, key: str, *, step: float) -> None:
        """Uncount a use."""
        with self._lock:
            for cell in self._cells(key):
                self._ends[cell] -= step

    def _cells(self, key: str) -> list[int]:
        digest = hashlib.blake2b(key.encode(), key=self._secret, digest_size=4 * ROWS).digest()
        return [
            row * WIDTH + int.from_bytes(digest[4 * row : 4 * row + 4], "big") % WIDTH
            for row in range(ROWS)
        ]


class Memory:
    """One sketch for each limit: their uses differ in length."""

    def __init__(self) -> None:
        self._sketches: dict[str, Sketch] = {}

    def take(self, name: str, key: str, *, step: float, reach: float, now: float) -> float:
        """Count a use of a key; return the seconds until one is allowed where none is now."""
        return self._sketch(name).take(key, step=step, reach=reach, now=now)

    def give_back(self, name: str, key: str, *, step: float, now: float) -> None:  # noqa: ARG002
        """Uncount a use; whenever that is, for a sketch holds no moments."""
        self._sketch(name).give_back(key, step=step)

    def forget(self) -> None:
        """Start again."""
        self._sketches = {}

    def _sketch(self, name: str) -> Sketch:
        # Names are those of the limits in the code, so that these are few.
        sketch = self._sketches.get(name)
        return sketch if sketch is not None else self._sketches.setdefault(name, Sketch())


PLACE = Memory()
