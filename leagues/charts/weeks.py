"""How much happened when: a column for each span of time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from leagues import wording
from leagues.charts.scales import nice_step


@dataclass(frozen=True, slots=True)
class WeekColumn:
    x: str
    y: str
    width: str
    height: str


@dataclass(frozen=True, slots=True)
class WeekLabel:
    x: str
    text: str


@dataclass(frozen=True, slots=True)
class WeekLine:
    y: str
    text: str


@dataclass(frozen=True, slots=True)
class WeeksDrawing:
    width: int
    height: int
    foot: int
    columns: tuple[WeekColumn, ...]
    labels: tuple[WeekLabel, ...]
    lines: tuple[WeekLine, ...]


@dataclass(frozen=True, slots=True)
class WeeksChart:
    """The same columns, wide and narrow."""

    wide: WeeksDrawing
    narrow: WeeksDrawing


_LEFT, _TOP, _HEIGHT, _FOOT = 40, 10, 120, 24
_LETTER = 7.0
_APART = 2
"""Letters of room between two words."""


def weeks_chart(counts: Sequence[tuple[str, int]]) -> WeeksChart | None:
    """Draw counts with the words below them that have room; None for fewer than two."""
    if len(counts) < 2:
        return None
    return WeeksChart(_draw(counts, 1152), _draw(counts, 344))


def _draw(counts: Sequence[tuple[str, int]], width: int) -> WeeksDrawing:
    most = max(count for _, count in counts) or 1
    step = max(math.ceil(nice_step(most, 3)), 1)
    top = -(-most // step) * step
    room = (width - _LEFT) / len(counts)
    widest = (max(len(word) for word, _ in counts) + _APART) * _LETTER
    every = max(1, math.ceil(widest / room))
    foot = _TOP + _HEIGHT

    def height(count: int) -> float:
        return _HEIGHT * count / top

    return WeeksDrawing(
        width=width,
        height=foot + _FOOT,
        foot=foot,
        columns=tuple(
            WeekColumn(
                f"{_LEFT + index * room + 0.1 * room:.1f}",
                f"{foot - height(count):.1f}",
                f"{0.8 * room:.1f}",
                f"{height(count):.1f}",
            )
            for index, (_, count) in enumerate(counts)
        ),
        labels=tuple(
            WeekLabel(f"{_LEFT + (index + 0.5) * room:.1f}", word)
            for index, (word, _) in enumerate(counts)
            if index % every == 0 and (len(counts) - index) * room > len(word) * _LETTER / 2
        ),
        lines=tuple(
            WeekLine(f"{foot - height(value):.1f}", wording.count(value))
            for value in range(step, top + 1, step)
        ),
    )
