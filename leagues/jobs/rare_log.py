"""One log line a minute for a trouble that comes again and again, with how often it came."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable


class RareLog:
    """Warnings of one trouble: the first at once, the others counted until a minute has passed."""

    def __init__(
        self,
        logger: logging.Logger,
        *,
        pause_seconds: float = 60.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._logger = logger
        self._pause, self._clock = pause_seconds, clock
        self._lock = threading.Lock()
        self._logged_at: float | None = None
        self._count = 0

    def warn(self, message: str, error: BaseException, *, trace: bool = False) -> None:
        """Count a trouble, and write a line unless one was written within the minute."""
        now = self._clock()
        with self._lock:
            self._count += 1
            if self._logged_at is not None and now - self._logged_at < self._pause:
                return
            count, self._count, self._logged_at = self._count, 0, now
        reason = str(error).strip().partition("\n")[0]
        self._logger.warning(
            "%s (%d times): %s: %s",
            message,
            count,
            type(error).__name__,
            reason,
            exc_info=error if trace else None,
        )
