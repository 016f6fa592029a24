"""Where limits are counted; see docs/adr for why there are three places.

Each place answers the same two questions about a key. A key is used at most so often: every use
moves its end by a step, and no use may move it further ahead of now than the limit reaches.
"""

from __future__ import annotations

from typing import Protocol

from django.conf import settings

from leagues.limits.counting import database, memory


class Place(Protocol):
    """Somewhere uses are counted."""

    def take(self, name: str, key: str, *, step: float, reach: float, now: float) -> float:
        """Count a use of a key; return the seconds until one is allowed where none is now."""

    def give_back(self, name: str, key: str, *, step: float, now: float) -> None:
        """Uncount a use."""


def place() -> Place:
    """The place where this installation counts."""
    if settings.WEB_PROCESSES <= 1:
        return memory.PLACE
    if settings.REDIS_URL:
        # Slow to import, and needed by few.
        from leagues.limits.counting import redis  # noqa: PLC0415

        return redis.PLACE
    return database.PLACE
