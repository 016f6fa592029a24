"""The message to Celery's workers that there is work. It says no more, and it may be lost.

After a message that could not be sent none is tried for some seconds: a broker that takes
connections and never answers costs a second each time. The sweep finds what was not announced.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Final

from leagues.jobs.rare_log import RareLog

PAUSE_SECONDS = 10.0
WORK: Final = "leagues.tasks.work"
EXPIRES_SECONDS: Final = 300


class Broker:
    """Sends by `send`; after a failure it stays silent for a while, and then one try decides."""

    def __init__(
        self, send: Callable[[], object], *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._send, self._clock = send, clock
        self._log = RareLog(logging.getLogger(__name__), clock=clock)
        self._lock = threading.Lock()
        self._silent_until: float | None = None

    def announce(self) -> bool:
        """Send the message if the broker is believed to answer, and tell whether it was sent."""
        with self._lock:
            now = self._clock()
            if self._silent_until is not None:
                if now < self._silent_until:
                    return False
                # While this one tries, the others do not wait for the same silence.
                self._silent_until = now + PAUSE_SECONDS
        try:
            self._send()
        except Exception as error:
            # Whatever it is, those who have committed are told so.
            with self._lock:
                self._silent_until = self._clock() + PAUSE_SECONDS
            self._log.warn(
                "the broker does not accept messages; the sweep will find the work", error
            )
            return False
        with self._lock:
            self._silent_until = None
        return True


def _send() -> None:
    # Slow to import, and many installations have no workers. By its name: the tasks import what
    # runs the jobs, and the jobs call for a task.
    from celery import current_app  # noqa: PLC0415

    current_app.send_task(WORK, ignore_result=True, expires=EXPIRES_SECONDS)


broker = Broker(_send)
