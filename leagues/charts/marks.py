"""Small drawings within a line of text or a table: form, and counts by week."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from leagues import wording


@dataclass(frozen=True, slots=True)
class Form:
    """The last results, oldest first: marks up for won, down for lost, level for drawn."""

    letters: str
    won: str
    other: str


@lru_cache(maxsize=10_000)
def form(letters: str, most: int = 10) -> Form | None:
    """The marks of results given as letters W, D, L, oldest first."""
    if not letters:
        return None
    last = letters[-most:]
    start = 3 + 6 * (most - len(last))
    won, other = [], []
    for index, letter in enumerate(last):
        x = start + 6 * index
        if letter == "W":
            won.append(f"M{x} 7V1")
        elif letter == "L":
            other.append(f"M{x} 9v6")
        else:
            other.append(f"M{x - 2} 8h4")
    return Form(" ".join(last), "".join(won) or "M0 0", "".join(other) or "M0 0")


@dataclass(frozen=True, slots=True)
class Bar:
    x: int
    y: int
    height: int
    is_last: bool


@dataclass(frozen=True, slots=True)
class Spark:
    """Bars of counts, the newest at the end."""

    bars: tuple[Bar, ...]
    counts: str


def spark(counts: Sequence[int], *, width: int = 120, height: int = 24) -> Spark | None:
    """Bars from zero for at most twelve counts, oldest first."""
    if not any(counts):
        return None
    tallest = max(counts)
    first = width // 10 - len(counts)
    bars = tuple(
        Bar(
            x=10 * (first + index),
            y=height - max(1, round((height - 2) * value / tallest)),
            height=max(1, round((height - 2) * value / tallest)),
            is_last=index == len(counts) - 1,
        )
        for index, value in enumerate(counts)
    )
    return Spark(bars, ", ".join(wording.count(value) for value in counts))
