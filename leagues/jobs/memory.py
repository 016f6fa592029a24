"""The memory of a process that is going to work for long."""

from __future__ import annotations

import gc
from typing import Final

MORE_OBJECTS: Final = 50_000
"""New objects after which the collector of garbage looks through them; Python's own 700 are few.

Nearly all are freed without it, and the rows of a file that wait to be written are looked through
in vain: reading one took a fifth longer.
"""


def settle_memory() -> None:
    """Let the collector of garbage leave alone what has been loaded, and seldom look at the rest.

    What is loaded stays for as long as the process does. To look through it all takes
    60 milliseconds, which whoever is served just then would wait for.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(MORE_OBJECTS)
