"""Simulations: the cloud of skills and ratings, and how near it comes to a line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

from leagues import wording
from leagues.charts.labels import set_apart, short_names
from leagues.charts.scales import Tick, decimals_of, round_numbers


@dataclass(frozen=True, slots=True)
class PlotLine:
    """One line of a plot, and its name at the end; `kind` is the class of its pattern."""

    points: str
    kind: str
    name: str
    end_x: str
    end_y: str


@dataclass(frozen=True, slots=True)
class Plot:
    """One size of a drawing with two axes, in its own pixels."""

    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    points: tuple[tuple[str, str], ...] = ()
    lines: tuple[PlotLine, ...] = ()
    now: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Plots:
    """The same drawing, wide and narrow."""

    wide: Plot
    narrow: Plot


@dataclass(frozen=True, slots=True)
class _Size:
    width: int
    height: int
    left: int = 48
    right: int = 10
    top: int = 12
    bottom: int = 30


class _Edges(TypedDict):
    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int


_CLOUD = _Size(560, 430), _Size(344, 300)
_COURSE = _Size(560, 220, right=104), _Size(344, 200, right=92)
NAMES_APART = 14.0
"""Pixels between the names at the ends of two lines."""
LONGEST = 14
"""Letters of such a name."""


def cloud_plots(
    points: Sequence[tuple[float, float]], *, low: float, high: float, is_low_best: bool = False
) -> Plots:
    """Draw a point for each player: skill across, shown value up, from `low` to `high`.

    The frame stays the same over the rounds, so that steps can be compared. Values of which less
    is better come negated; their labels say them as they are.
    """
    skills = [skill for skill, _value in points]
    frame = (*_widen(min(skills), max(skills)), *_widen(low, high))
    return Plots(*(_cloud(points, size, frame, is_low_best) for size in _CLOUD))


def course_plots(series: Sequence[tuple[str, Sequence[float]]], *, chosen: int) -> Plots:
    """Draw the correlation after each round, a line for each named series.

    The chosen round (from 1 on) of the first one is marked.
    """
    low = min(0.0, *(value for _name, values in series for value in values))
    return Plots(*(_course(series, chosen, size, low) for size in _COURSE))


def _widen(low: float, high: float) -> tuple[float, float]:
    margin = 0.04 * (high - low) or 1.0
    return low - margin, high + margin


def _cloud(
    points: Sequence[tuple[float, float]],
    size: _Size,
    frame: tuple[float, float, float, float],
    is_low_best: bool,
) -> Plot:
    left, right, low, high = frame
    sign = -1.0 if is_low_best else 1.0
    return Plot(
        **_edges(size),
        across=_ticks(size, left, right, 6, 1.0, is_up=False),
        up=_ticks(size, low, high, 6, sign, is_up=True),
        points=tuple(
            (_x(size, skill, left, right), _y(size, value, low, high)) for skill, value in points
        ),
    )


def _course(
    series: Sequence[tuple[str, Sequence[float]]], chosen: int, size: _Size, low: float
) -> Plot:
    last = max(2, *(len(values) for _name, values in series))
    places = [
        [
            (_x(size, number, 1, last), _y(size, value, low, 1.0))
            for number, value in enumerate(values, start=1)
        ]
        for _name, values in series
    ]
    ends = set_apart([float(line[-1][1]) for line in places], NAMES_APART)
    names = short_names([name for name, _values in series], LONGEST) if len(series) > 1 else [""]
    return Plot(
        **_edges(size),
        across=_ticks(size, 1, last, 6, 1.0, is_up=False),
        up=_ticks(size, low, 1.0, 4, 1.0, is_up=True),
        lines=tuple(
            PlotLine(
                points=" ".join(f"{x},{y}" for x, y in line),
                kind=kind,
                name=name,
                end_x=line[-1][0],
                end_y=f"{end:.1f}",
            )
            for name, line, end, kind in zip(names, places, ends, ("", "two"), strict=False)
        ),
        now=places[0][chosen - 1],
    )


def _edges(size: _Size) -> _Edges:
    return {
        "width": size.width,
        "height": size.height,
        "left": size.left,
        "right": size.width - size.right,
        "top": size.top,
        "bottom": size.height - size.bottom,
    }


def _ticks(
    size: _Size, low: float, high: float, most: int, sign: float, *, is_up: bool
) -> tuple[Tick, ...]:
    numbers = round_numbers(low, high, most)
    digits = decimals_of(numbers[1] - numbers[0]) if len(numbers) > 1 else 0
    place = _y if is_up else _x
    return tuple(
        Tick(place(size, value, low, high), wording.number(sign * value, digits))
        for value in numbers
    )


def _x(size: _Size, value: float, low: float, high: float) -> str:
    part = (value - low) / (high - low)
    return f"{size.left + (size.width - size.left - size.right) * part:.1f}"


def _y(size: _Size, value: float, low: float, high: float) -> str:
    part = (value - low) / (high - low)
    bottom = size.height - size.bottom
    return f"{bottom - (bottom - size.top) * part:.1f}"
