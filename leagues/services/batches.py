"""Writing a lot, a little at a time, so that others get their turn."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

from django.db import connection

BREATH_SECONDS = 0.003

T = TypeVar("T")


def batches(rows: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yield lists of at most `size`, in order."""
    rows = iter(rows)
    while batch := list(islice(rows, size)):
        yield batch


def breathe() -> None:
    """Let other writers in: SQLite's waiting writers back off and would starve otherwise."""
    if connection.vendor == "sqlite":
        time.sleep(BREATH_SECONDS)
