"""Waking whoever runs jobs when there are new ones: one wake-up per commit, and nothing in it.

Celery's workers get a message, the runners of this machine a byte in a pipe. A wake-up that is
lost delays work until the next look at the queue, and loses nothing.
"""

from __future__ import annotations

import os
import select
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from django.conf import settings
from django.db import connection, transaction

from leagues.jobs.broker import broker


def wake_runners() -> None:
    """Announce that there is work, now."""
    if settings.REDIS_URL:
        broker.announce()
    else:
        _write_to_pipe()


def wake_on_commit() -> None:
    """Announce work when the caller's transaction has committed: once, however often it is asked.

    Each asks for itself, as a savepoint that is rolled back takes its wishes along.
    """
    wishes = (hook for _savepoints, hook, *_ in connection.run_on_commit)
    wake_up = next((hook for hook in wishes if isinstance(hook, _WakeUp)), None) or _WakeUp()
    transaction.on_commit(wake_up, robust=True)


class _WakeUp:
    """The wake-up of one transaction."""

    def __init__(self) -> None:
        self._is_sent = False

    def __call__(self) -> None:
        if not self._is_sent:
            self._is_sent = True
            wake_runners()


def _write_to_pipe() -> None:
    try:
        pipe = os.open(settings.WAKE_PIPE, os.O_WRONLY | os.O_NONBLOCK)
    except OSError:
        # No runner is there to be woken.
        return
    try:
        os.write(pipe, b"!")
    except BlockingIOError:
        # It is full of wake-ups already.
        pass
    finally:
        os.close(pipe)


class Sleep:
    """A runner's sleep, which a wake-up ends."""

    def __init__(self, pipe: int) -> None:
        self._pipe = pipe

    def __call__(self, seconds: float) -> None:
        """Sleep so long, or until woken; what came since the last sleep ends it at once."""
        ready, _, _ = select.select([self._pipe], [], [], max(0.0, seconds))
        if ready:
            # Another runner may have been quicker.
            with suppress(BlockingIOError):
                os.read(self._pipe, 4096)

    def end(self) -> None:
        """End it from within, also from a signal handler."""
        with suppress(BlockingIOError):
            os.write(self._pipe, b"!")


@contextmanager
def sleeping() -> Iterator[Sleep]:
    """Open the pipe for reading; all runners of an installation share it."""
    _make_pipe()
    # Open for writing too, or it would be at its end whenever the last writer has gone.
    pipe = os.open(settings.WAKE_PIPE, os.O_RDWR | os.O_NONBLOCK)
    try:
        yield Sleep(pipe)
    finally:
        os.close(pipe)


def _make_pipe() -> None:
    path = settings.WAKE_PIPE
    try:
        if stat.S_ISFIFO(os.stat(path).st_mode):
            return
        # Copies of a folder may hold something else of that name.
        os.unlink(path)
    except FileNotFoundError:
        pass
    # Another runner may be quicker.
    with suppress(FileExistsError):
        os.mkfifo(path, 0o600)
