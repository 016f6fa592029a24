"""How pressing each kind of work is: ratings first, checks last, and none waits for ever."""

from __future__ import annotations

from datetime import timedelta
from enum import IntEnum


class Priority(IntEnum):
    """What is waited for, the most pressing first."""

    RATING = 0
    """A result that is not on its board yet."""
    READERS = 1
    """Somebody looks at a page that waits for it."""
    PREPARING = 2
    """Pages are faster for it."""
    CHECKING = 3
    """Nobody waits for it."""


PATIENCE = {
    Priority.RATING: timedelta(),
    Priority.READERS: timedelta(),
    Priority.PREPARING: timedelta(minutes=1),
    Priority.CHECKING: timedelta(minutes=10),
}
"""How much later a job may come than one that nobody keeps waiting; then it is its turn."""

LATE = timedelta(seconds=5)
"""How long after its turn a job goes before ratings too, in a runner that does everything.

Where results come faster than all runners rate them, nothing else would ever run. The runner that
only rates goes on rating.
"""
