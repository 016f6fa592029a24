"""Writing a lot, a little at a time: between two transactions others get their turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


def batches(rows: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yield lists of at most `size`, in order."""
    rows = iter(rows)
    while batch := list(islice(rows, size)):
        yield batch
