"""One transaction for all who wait in this process to write what only one can at a time.

Each commit waits for the disk. So the first who waits does the work of the others too, each in a
savepoint of its own: what is refused to one leaves nothing behind, and touches nobody else. All
have their answers once the one commit is through. What a failed one has surely undone is done
again, each in a transaction of its own; where a server may have committed and its answer was lost,
all hear that.

SQLite lets one write at a time, whatever it is. PostgreSQL lets many, but those who enter results
of one season wait for each other's commits, too. Only they come together there: with several
seasons in one transaction, two processes could wait for each other for ever.
"""

from __future__ import annotations

import copy
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextvars import copy_context
from typing import Any, Final, TypeVar

from django.db import transaction
from django.utils.translation import get_language, override

from leagues.store.outages import is_unheard, was_cut, was_undone_for_others
from leagues.store.statements import this_connection

Result = TypeVar("Result")

MAX_SECONDS: Final = 0.05
"""A transaction takes in no more work after so long: other processes wait to write, too."""


def commit_jointly(work: Callable[[], Result], *, season: int) -> Result:
    """Do some work in a transaction; another thread may do it, and it may be done more than once.

    `season` is the one that the work holds.

    It has its caller's language and context, but the connection of the thread that does it. Hooks
    that run after a joint commit must not call this: their thread would wait for itself.
    """
    here = this_connection()
    if here.in_atomic_block:
        with transaction.atomic():
            return work()
    result: Result = _queue_of(here.vendor, season).do(_Task(work))
    return result


class _Broken(Exception):
    """The work of one has ended the transaction of all."""


class _Task:
    """The work of one thread, and what came of it."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self.work = work
        self.language, self.context = get_language(), copy_context()
        self.wakes = threading.Event()
        self.is_done = False
        self.is_alone = False
        """Whether it is to be done in a transaction of its own, after a joint one has failed."""
        self.has_yielded = False
        """Whether it was undone so that others could go on."""
        self._result: Any = None
        self._error: BaseException | None = None

    def run(self) -> None:
        """Do it in its own thread."""
        self._result = self.work()

    def run_elsewhere(self) -> None:
        """Do it in another thread, where the context alone would leave the language out."""

        def work() -> Any:
            with override(self.language):
                return self.work()

        self._result = self.context.run(work)

    def fail(self, error: BaseException) -> None:
        self._error = error

    def end(self, *, is_done: bool) -> None:
        """Let its thread go on, which begins anew where it is not done.

        So does one that yielded: those who came together hold more than any one of them alone, so
        that two seasons' can wait for each other.
        """
        self.is_done = is_done and not self.has_yielded
        self.is_alone = not self.is_done
        self.wakes.set()

    def outcome(self) -> Any:
        if self.is_alone:
            with transaction.atomic():
                return self.work()
        if self._error is not None:
            raise self._error
        return self._result


class _Queue:
    """The threads of this process that wait to write, behind the one that leads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: deque[_Task] = deque()
        self._is_led = False
        self._leader: int | None = None

    @property
    def length(self) -> int:
        """How many wait behind the one that leads."""
        return len(self._waiting)

    def do(self, task: _Task) -> Any:
        """Have the work of a thread done, by itself or by the one that leads."""
        if self._leader == threading.get_ident():
            raise RuntimeError("commit_jointly cannot be called by a hook of its own commit")
        with self._lock:
            must_wait, self._is_led = self._is_led, True
            if must_wait:
                self._waiting.append(task)
        if must_wait:
            task.wakes.wait()
        if not (task.is_done or task.is_alone):
            try:
                self._lead(task)
            finally:
                self._pass_on()
        return task.outcome()

    def _lead(self, own: _Task) -> None:
        """Begin a transaction, and do one's own work in it and that of those who wait."""
        tasks, has_begun, is_ending, has_committed = [own], False, False, False

        def note_commit() -> None:
            nonlocal has_committed
            has_committed = True

        self._leader = threading.get_ident()
        try:
            with transaction.atomic():
                has_begun = True
                # The first of the hooks: what a later one raises undoes nothing.
                transaction.on_commit(note_commit)
                own.run()
                for task in self._others():
                    tasks.append(task)
                    _run_within(task)
                is_ending = True
        except BaseException as error:
            is_unknown = is_ending and not has_committed and is_unheard(error)
            if has_begun and not (has_committed or is_unknown) and len(tasks) > 1:
                for task in tasks:
                    task.end(is_done=False)
                return
            own.fail(error)
            own.has_yielded = not has_committed and was_undone_for_others(error)
            if is_unknown:
                _fail_alike(tasks[1:], error)
            if not has_begun and isinstance(error, Exception):
                # Who cannot begin is told so together with all who wait to.
                tasks += _fail_alike(self._take_all(), error)
        for task in tasks:
            task.end(is_done=True)

    def _others(self) -> Iterator[_Task]:
        """Those who wait, also who comes meanwhile, as long as there is time."""
        end = time.monotonic() + MAX_SECONDS
        while time.monotonic() < end:
            with self._lock:
                task = self._waiting.popleft() if self._waiting else None
            if task is None:
                return
            yield task

    def _take_all(self) -> list[_Task]:
        with self._lock:
            tasks = list(self._waiting)
            self._waiting.clear()
        return tasks

    def _pass_on(self) -> None:
        """Let the next one lead."""
        with self._lock:
            self._leader, self._is_led = None, bool(self._waiting)
            if self._waiting:
                self._waiting.popleft().wakes.set()


def _fail_alike(tasks: list[_Task], error: BaseException) -> list[_Task]:
    """Let each hear of an error of its own: raising one adds the place to it."""
    for task in tasks:
        own = copy.copy(error)
        # A copy leaves its cause out, by which a lost connection is told from a busy database.
        own.__cause__ = error.__cause__
        task.fail(own)
    return tasks


def _run_within(task: _Task) -> None:
    """Do somebody else's work in a savepoint."""
    try:
        with transaction.atomic():
            task.run_elsewhere()
    except BaseException as error:
        task.fail(error)
        task.has_yielded = was_undone_for_others(error)
        if this_connection().needs_rollback or was_cut(error):
            raise _Broken from error


queues: dict[int, _Queue] = {}
"""By season; SQLite has one for all."""
_ALL: Final = 0


def _queue_of(vendor: str, season: int) -> _Queue:
    # One step, whatever other threads do.
    return queues.setdefault(_ALL if vendor == "sqlite" else season, _Queue())


def _start_anew() -> None:
    """Forget the parent's threads: a child of `fork` has none of them."""
    queues.clear()


os.register_at_fork(after_in_child=_start_anew)
