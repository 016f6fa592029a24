"""Waking whoever runs jobs when there are new ones: one wake-up per commit, and nothing in it.

Celery's workers get a message, the runners of this machine a byte in a pipe. A wake-up that is
lost delays work until the next look at the queue, and loses nothing. Runners that only rate have a
pipe of their own: others would take their bytes, and they those of others.
"""

from __future__ import annotations

import os
import select
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from django.conf import settings
from django.db import connection, transaction

from leagues.jobs.broker import broker


def wake_runners(*, for_ratings: bool) -> None:
    """Announce that there is work, now; runners that only rate hear of ratings."""
    if for_ratings:
        _write_to_pipe(_pipe(only_ratings=True))
    if settings.REDIS_URL:
        broker.announce()
    else:
        _write_to_pipe(_pipe(only_ratings=False))


def wake_on_commit(*, for_ratings: bool) -> None:
    """Announce work when the caller's transaction has committed: once, however often it is asked.

    Each asks for itself, as a savepoint that is rolled back takes its wishes along.
    """
    wishes = (hook for _savepoints, hook, *_ in connection.run_on_commit)
    wake_up = next((hook for hook in wishes if isinstance(hook, _WakeUp)), None) or _WakeUp()
    wake_up.is_for_ratings |= for_ratings
    transaction.on_commit(wake_up, robust=True)


class _WakeUp:
    """The wake-up of one transaction."""

    def __init__(self) -> None:
        self.is_for_ratings = False
        self._is_sent = False

    def __call__(self) -> None:
        if not self._is_sent:
            self._is_sent = True
            wake_runners(for_ratings=self.is_for_ratings)


def _pipe(*, only_ratings: bool) -> Path:
    path: Path = settings.WAKE_PIPE
    return path.with_suffix(".ratings") if only_ratings else path


def _write_to_pipe(path: Path) -> None:
    try:
        pipe = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
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
def sleeping(*, only_ratings: bool = False) -> Iterator[Sleep]:
    """Open the pipe for reading; all runners of an installation that do the same share it."""
    path = _pipe(only_ratings=only_ratings)
    _make_pipe(path)
    # Open for writing too, or it would be at its end whenever the last writer has gone.
    pipe = os.open(path, os.O_RDWR | os.O_NONBLOCK)
    try:
        yield Sleep(pipe)
    finally:
        os.close(pipe)


def _make_pipe(path: Path) -> None:
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
