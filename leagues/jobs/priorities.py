"""How pressing each kind of work is: ratings before everything, checks last, none for ever."""

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
