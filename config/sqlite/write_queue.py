"""The queue of a SQLite file's writers: threads and processes, first come, first served.

SQLite lets one write at a time, and whoever finds it taken tries again after longer and longer
pauses: a program that writes all the time starves the others until they are refused. Here a
writer draws a number, waits until nobody has a lower one, and writes.

A number is a byte of a file beside the database, locked as long as its owner waits or writes.
The kernel frees the bytes of a process that is killed, so nobody waits for the dead. The queue
is for fairness alone: should its file be lost, SQLite's own locks hold as ever.
"""

from __future__ import annotations

import fcntl
import os
import threading
import time

LAST_NUMBER_BYTES = 8
TURNSTILE = 0
"""The byte that is held, for microseconds, while a number is drawn."""
FIRST_NUMBER = 2
POLL_SECONDS = 0.0005
"""How often a process looks whether another one has gone; its own threads tell each other."""


class WriteQueue:
    """The queue of one file in this process; without a file, of this process alone."""

    def __init__(self, file: str | None) -> None:
        self._lock = threading.Lock()
        self._turns: dict[int, threading.Condition] = {}
        """The numbers drawn by threads of this process, in their order, and what each waits for.

        The first one waits for other processes only. Each has a condition of its own, for all of
        them would wake whenever one is done.
        """
        self._last_number = FIRST_NUMBER - 1
        # Never closed: a process loses its locks on a file with any descriptor that it closes.
        self._fd = (
            None if file is None else os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        )

    def enter(self, seconds: float) -> int:
        """Wait for the turn, and return the number that `leave` wants; TimeoutError after that."""
        deadline = time.monotonic() + seconds
        with self._lock:
            number = self._draw()
            turn = self._turns[number] = threading.Condition(self._lock)
            try:
                while not self._is_turn_of(number):
                    left = deadline - time.monotonic()
                    if left <= 0:
                        raise TimeoutError(f"could not start writing within {seconds:g} s")
                    turn.wait(min(left, POLL_SECONDS) if self._first == number else left)
            except BaseException:
                self._give_back(number)
                raise
        return number

    def leave(self, number: int) -> None:
        """Let the next one write."""
        with self._lock:
            self._give_back(number)

    @property
    def _first(self) -> int | None:
        return next(iter(self._turns), None)

    def _draw(self) -> int:
        if self._fd is None:
            self._last_number += 1
            return self._last_number
        fcntl.lockf(self._fd, fcntl.LOCK_EX, 1, TURNSTILE)
        try:
            stored = os.pread(self._fd, LAST_NUMBER_BYTES, 0)
            number = max(int.from_bytes(stored, "little") + 1, FIRST_NUMBER)
            # One that is held already was drawn before the file was emptied.
            while not self._lock_bytes(number, 1):
                number += 1
            os.pwrite(self._fd, number.to_bytes(LAST_NUMBER_BYTES, "little"), 0)
        finally:
            fcntl.lockf(self._fd, fcntl.LOCK_UN, 1, TURNSTILE)
        return number

    def _is_turn_of(self, number: int) -> bool:
        """Tell whether nobody has a lower number, and keep it so."""
        if self._first != number:
            return False
        return self._fd is None or self._lock_bytes(FIRST_NUMBER - 1, number - FIRST_NUMBER + 1)

    def _lock_bytes(self, start: int, count: int) -> bool:
        assert self._fd is not None  # noqa: S101 - its callers have looked
        try:
            fcntl.lockf(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB, count, start)
        except (BlockingIOError, PermissionError):
            return False
        return True

    def _give_back(self, number: int) -> None:
        was_first = self._first == number
        del self._turns[number]
        if self._fd is not None:
            start = FIRST_NUMBER - 1 if was_first else number
            fcntl.lockf(self._fd, fcntl.LOCK_UN, number - start + 1, start)
        if was_first and self._first is not None:
            self._turns[self._first].notify()


_queues: dict[str | None, WriteQueue] = {}
_opening = threading.Lock()


def write_queue(file: str | None) -> WriteQueue:
    """The queue of a database file; None for databases in memory."""
    with _opening:
        queue = _queues.get(file)
        if queue is None:
            queue = _queues[file] = WriteQueue(file)
        return queue


def _start_anew() -> None:
    """Forget the parent's queues: a child of `fork` has none of its locks and threads."""
    # A lock that was held at the fork is never released in the child.
    global _opening  # noqa: PLW0603
    _opening = threading.Lock()
    _queues.clear()


os.register_at_fork(after_in_child=_start_anew)
