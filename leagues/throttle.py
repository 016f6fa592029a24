"""Limits on how often somebody may try something (reliability S-12).

Counted in the cache in fixed windows. What a limit protects is slow or noisy, not secret, so a
count that a restart forgets does no harm.
"""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass

from django.core.cache import cache


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `uses` of one thing by one caller in a window of so many seconds."""

    name: str
    uses: int
    seconds: int

    def wait(self, caller: str) -> int:
        """Return the seconds until the caller may try again; 0 is now. Counts nothing."""
        key, left = self._window(caller)
        return left if cache.get(key, 0) >= self.uses else 0

    def use(self, caller: str) -> int:
        """Count one use and return the seconds to wait before it is allowed; 0 lets it pass."""
        key, left = self._window(caller)
        cache.add(key, 0, timeout=left)
        try:
            used = cache.incr(key)
        except ValueError:
            # The window ended between the two calls: the next one is empty.
            return 0
        return left if used > self.uses else 0

    def _window(self, caller: str) -> tuple[str, int]:
        """Return the key of the caller's window and what is left of it.

        Callers do not share the edges of their windows, and the cache does not learn who they are.
        """
        digest = hashlib.sha256(f"{self.name} {caller}".encode()).hexdigest()
        now = int(time.time()) + int(digest[:8], 16) % self.seconds
        return f"limit:{digest[:40]}:{now // self.seconds}", self.seconds - now % self.seconds
