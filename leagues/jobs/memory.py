"""The memory of a process that is going to work for long."""

from __future__ import annotations

import gc


def settle_memory() -> None:
    """Let the collector of garbage leave alone what has been loaded.

    It stays for as long as the process does. To look through it all takes 60 milliseconds, which
    whoever is served just then would wait for.
    """
    gc.collect()
    gc.freeze()
