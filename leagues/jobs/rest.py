"""Rest between two ratings of one board, so that a stream of results is rated in batches.

Each rating has costs that do not depend on how many results it adds: the queue, a transaction, the
disk. A game server that sends a hundred results a second would have each of them rated alone, and
these costs would take the processor and the writers' turns from the next results. The first result
after a quiet moment is rated at once.
"""

from __future__ import annotations

import time
from typing import Final

TIMES: Final = 9
"""A board rests so many times as long as its rating took: it takes a tenth of a runner's time."""
MOST_SECONDS: Final = 0.25
"""The longest rest: a player still looks at the page."""


class Rests:
    """The boards that one runner has just rated, by the keys of their jobs."""

    def __init__(self) -> None:
        self._until: dict[str, float] = {}

    def begin(self, key: str, worked_seconds: float) -> None:
        """Let a board rest, in proportion to how long its rating took."""
        self._until[key] = time.monotonic() + min(MOST_SECONDS, TIMES * worked_seconds)

    @property
    def keys(self) -> list[str]:
        """Whose job waits for the end of a rest."""
        now = time.monotonic()
        self._until = {key: until for key, until in self._until.items() if until > now}
        return list(self._until)
