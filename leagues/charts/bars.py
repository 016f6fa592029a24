"""Bars from zero: how many there are of each kind, with a curve over them if there is one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from leagues import wording
from leagues.charts.scales import Tick, round_numbers


@dataclass(frozen=True, slots=True)
class BarMark:
    x: str
    y: str
    width: str
    height: str
    is_mine: bool
    title: str


@dataclass(frozen=True, slots=True)
class BarDrawing:
    """One size of a bar chart, in its own pixels."""

    width: int
    height: int
    left: int
    right: int
    bottom: int
    grid: tuple[Tick, ...]
    across: tuple[Tick, ...]
    bars: tuple[BarMark, ...]
    curve: str
    mark: str
    """Where a line through the whole chart stands."""
    mark_label: str
    mark_anchor: str


@dataclass(frozen=True, slots=True)
class BarChart:
    wide: BarDrawing
    narrow: BarDrawing


@dataclass(frozen=True, slots=True)
class Bars:
    """What is drawn: values side by side, labels at edges between them (0 is the left one)."""

    values: Sequence[float]
    titles: Sequence[str] = ()
    labels: Sequence[tuple[float, str]] = ()
    curve: Sequence[tuple[float, float]] = ()
    """Points (edge, value)."""
    mine: int | None = None
    """The bar of the one who looks."""
    mark: float | None = None
    mark_label: str = ""


@dataclass(frozen=True, slots=True)
class _Size:
    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int
    most_labels: int


_WIDE = _Size(1152, 260, 44, 12, 22, 28, 14)
_NARROW = _Size(344, 220, 36, 6, 22, 28, 5)
_LEAST_BARS = 8
_LEAST_HEIGHT = 1.0


def bar_chart(bars: Bars) -> BarChart | None:
    """Draw bars wide and narrow; None where all are zero."""
    if not any(bars.values):
        return None
    return BarChart(_draw(bars, _WIDE), _draw(bars, _NARROW))


def _draw(bars: Bars, size: _Size) -> BarDrawing:
    most = max([*bars.values, *(value for _edge, value in bars.curve)])
    numbers = [value for value in round_numbers(0.0, most * 1.02, 4) if value == int(value)]
    # One bar alone would be a block as wide as the chart.
    step = (size.width - size.left - size.right) / max(len(bars.values), _LEAST_BARS)
    tall = size.height - size.top - size.bottom
    foot = size.height - size.bottom
    gap = min(3.0, 0.2 * step)

    def x(edge: float) -> float:
        return size.left + step * edge

    def y(value: float) -> float:
        return foot - tall * value / most

    every = max(1, -(-len(bars.labels) // size.most_labels))
    marks = []
    for index, value in enumerate(bars.values):
        height = max(_LEAST_HEIGHT, tall * value / most) if value else 0.0
        marks.append(
            BarMark(
                x=f"{x(index) + gap / 2:.1f}",
                y=f"{foot - height:.1f}",
                width=f"{step - gap:.1f}",
                height=f"{height:.1f}",
                is_mine=index == bars.mine,
                title=bars.titles[index] if bars.titles else "",
            )
        )
    here = "" if bars.mark is None else f"{x(bars.mark):.1f}"
    part = 0.0 if bars.mark is None else bars.mark / max(len(bars.values), _LEAST_BARS)
    return BarDrawing(
        width=size.width,
        height=size.height,
        left=size.left,
        right=size.width - size.right,
        bottom=foot,
        grid=tuple(Tick(f"{y(value):.1f}", wording.count(int(value))) for value in numbers),
        across=tuple(Tick(f"{x(edge):.1f}", label) for edge, label in bars.labels[::every]),
        bars=tuple(mark for mark, value in zip(marks, bars.values, strict=True) if value),
        curve=" ".join(f"{x(edge):.1f},{y(value):.1f}" for edge, value in bars.curve),
        mark=here,
        mark_label=bars.mark_label,
        mark_anchor="fin" if part > 0.8 else "" if part < 0.2 else "mid",
    )
