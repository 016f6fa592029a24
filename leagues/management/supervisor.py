"""Keep child processes alive, and end them all together.

Knows nothing of what the children do. A child that ends is started again, at once the first
time and then after longer and longer pauses, so that a child which cannot start costs little.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

SHORTEST_PAUSE = 0.2
LONGEST_PAUSE = 10.0
SETTLED_SECONDS = 10.0
STOP_SECONDS = 1.5
ASK_SECONDS = 1.0


@dataclass
class Child:
    """A command to keep running; `fds` are open files that it inherits."""

    name: str
    command: Sequence[str]
    environment: dict[str, str]
    fds: Sequence[int] = ()
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    start_again_at: float = 0.0
    pause: float = field(default=SHORTEST_PAUSE)

    def start(self) -> None:
        """Start the command in a process group of its own.

        The terminal's Ctrl-C then reaches the supervisor alone, which ends its children in
        order.
        """
        self.process = subprocess.Popen(
            self.command,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            pass_fds=self.fds,
            start_new_session=True,
            # One call of the system; no lock of another thread is needed between fork and exec.
            preexec_fn=end_with_parent,  # noqa: PLW1509
        )
        self.started_at = time.monotonic()

    def tend(self, say: Callable[[str], None]) -> None:
        """Start the command again if it has ended and its pause is over."""
        now = time.monotonic()
        if self.process is None:
            if now >= self.start_again_at:
                self.start()
            return
        if self.process.poll() is None:
            return
        if now - self.started_at > SETTLED_SECONDS:
            self.pause = SHORTEST_PAUSE
        say(f"{self.name} stopped ({ending(self.process.returncode)}). Starting it again.")
        self.process = None
        self.start_again_at = now + self.pause
        self.pause = min(2 * self.pause, LONGEST_PAUSE)

    def send(self, number: signal.Signals) -> None:
        """Signal the child and everything it has started."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, number)


def ending(code: int) -> str:
    """How a process ended."""
    return f"signal {-code}" if code < 0 else f"exit code {code}"


def end_with_parent() -> None:
    """Have Linux end this child should the supervisor be killed outright.

    Runs between fork and exec, which is safe because the supervisor has one thread.
    """
    if sys.platform == "linux":
        set_parent_death_signal = 1
        ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGTERM)


def start(children: Sequence[Child]) -> None:
    """Start the children that have not been started."""
    for child in children:
        if child.process is None:
            child.start()


def supervise(
    children: Sequence[Child],
    *,
    say: Callable[[str], None],
    until: Callable[[], bool] | None = None,
) -> None:
    """Tend the children until `until`, which is asked now and then, says that it is time.

    Sleeps while none of the children has ended.
    SIGINT and SIGTERM end everything: KeyboardInterrupt where something was yet to come.
    """
    stopping = False

    def stop(number: int, frame: object) -> None:
        nonlocal stopping
        stopping = True

    def wake(number: int, frame: object) -> None:
        """Let the signal be handled, which ends the sleep."""

    handlers = {signal.SIGINT: stop, signal.SIGTERM: stop, signal.SIGCHLD: wake}
    ended, end_sleep = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    fd_before = signal.set_wakeup_fd(end_sleep, warn_on_full_buffer=False)
    try:
        ask_at = time.monotonic() + ASK_SECONDS
        while not stopping:
            for child in children:
                child.tend(say)
            pause = seconds_to_next_start(children)
            if until is not None:
                pause = min(pause, max(0.0, ask_at - time.monotonic()))
            if select.select([ended], [], [], pause)[0]:
                os.read(ended, 4096)
            if until is not None and time.monotonic() >= ask_at:
                if until():
                    return
                ask_at = time.monotonic() + ASK_SECONDS
    finally:
        signal.set_wakeup_fd(fd_before)
        for number, handler in before.items():
            signal.signal(number, handler)
        os.close(ended)
        os.close(end_sleep)
    if until is not None:
        raise KeyboardInterrupt


def seconds_to_next_start(children: Sequence[Child]) -> float:
    """How long there is nothing to do unless a child ends."""
    starts = [child.start_again_at for child in children if child.process is None]
    return max(0.0, min(starts, default=time.monotonic() + LONGEST_PAUSE) - time.monotonic())


def end(children: Sequence[Child]) -> None:
    """Ask the children to end, and kill what is left after a moment."""
    for child in children:
        child.send(signal.SIGTERM)
    deadline = time.monotonic() + STOP_SECONDS
    for child in children:
        if child.process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.process.wait(max(0.0, deadline - time.monotonic()))
            child.send(signal.SIGKILL)
            child.process.wait()
