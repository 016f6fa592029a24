"""Several ratings over time on one scale, each with the band of its doubt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from leagues import wording
from leagues.charts.labels import set_apart, short_names
from leagues.charts.lines import (
    Dot,
    Plane,
    Point,
    Size,
    band_of,
    date_ticks,
    dots_of,
    frame_of,
    step_ticks,
    thin_points,
)
from leagues.charts.scales import Tick, decimals_of, round_numbers

HALF = Size(540, 330, 44, 104, 14, 30, 8, 6, 20)
NARROW = Size(344, 280, 36, 88, 14, 28, 8, 4, 12)
LONGEST = 14
"""Letters of a name beside the end of its line."""
KINDS = ("", "two", "three", "four", "five", "six")
MOST_BANDS = 2
"""Of more lines the bands would hide each other."""
APART = 28.0
"""Pixels between the labels at the ends of two lines."""


@dataclass(frozen=True, slots=True)
class Series:
    """One line: whose, what stands at its end, and its points, oldest first."""

    name: str
    label: str
    points: Sequence[Point]
    is_mine: bool = False


@dataclass(frozen=True, slots=True)
class ComparedLine:
    name: str
    label: str
    kind: str
    """Class of the line: the viewer's, or one of several patterns."""
    line: str
    band: str
    dots: tuple[Dot, ...]
    end_x: str
    end_y: str


@dataclass(frozen=True, slots=True)
class ComparedDrawing:
    """One size of the chart, in its own pixels."""

    width: int
    height: int
    left: int
    right: int
    bottom: int
    foot: int
    grid: tuple[Tick, ...]
    dates: tuple[Tick, ...]
    lines: tuple[ComparedLine, ...]


@dataclass(frozen=True, slots=True)
class ComparedChart:
    wide: ComparedDrawing
    narrow: ComparedDrawing
    runs_off: bool


def compared_chart(
    series: Sequence[Series], *, decimals: int = 0, steps: Sequence[str] = ()
) -> ComparedChart | None:
    """Draw ratings over time; None where no line has two points.

    `steps` are what stands below the points of the first line, instead of dates.
    """
    thinned = [(one, thin_points(one.points)) for one in series]
    if all(len(points) < 2 for _one, points in thinned) or not all(
        points for _one, points in thinned
    ):
        return None
    frames = [frame_of(points, decimals) for _one, points in thinned]
    low, high = min(frame[0] for frame in frames), max(frame[1] for frame in frames)
    runs_off = any(
        (point.low is not None and point.low < low)
        or (point.high is not None and point.high > high)
        for _one, points in thinned
        for point in points
    )
    labels = thin_points(
        [(point.at, label) for point, label in zip(series[0].points, steps, strict=False)]
    )
    return ComparedChart(
        _draw(thinned, HALF, low, high, labels), _draw(thinned, NARROW, low, high, labels), runs_off
    )


def _draw(
    thinned: Sequence[tuple[Series, Sequence[Point]]],
    size: Size,
    low: float,
    high: float,
    labels: Sequence[tuple[datetime, str]],
) -> ComparedDrawing:
    first = min(points[0].at for _one, points in thinned)
    last = max(points[-1].at for _one, points in thinned)
    plane = Plane(size, first.timestamp(), last.timestamp(), low, high)
    numbers = round_numbers(low, high, size.rows)
    digits = decimals_of(numbers[1] - numbers[0]) if len(numbers) > 1 else 0
    ends = set_apart([float(plane.y(points[-1].value)) for _one, points in thinned], APART)
    names = short_names([one.name for one, _points in thinned], LONGEST)
    lines = []
    for index, (one, points) in enumerate(thinned):
        middle = [(plane.x(point.at.timestamp()), point) for point in points]
        lines.append(
            ComparedLine(
                name=names[index],
                label=one.label,
                kind="mine" if one.is_mine else KINDS[index % len(KINDS)],
                line=" ".join(f"{x},{plane.y(point.value)}" for x, point in middle),
                band=band_of(plane, middle, 1.0) if len(thinned) <= MOST_BANDS else "",
                dots=dots_of(plane, middle),
                end_x=middle[-1][0],
                end_y=f"{ends[index]:.1f}",
            )
        )
    return ComparedDrawing(
        width=size.width,
        height=size.height,
        left=size.left,
        right=size.width - size.right,
        bottom=size.height - size.bottom,
        foot=size.height - size.bottom + 5,
        grid=tuple(Tick(plane.y(value), wording.number(value, digits)) for value in numbers),
        dates=step_ticks(plane, labels) if labels else date_ticks(plane, first, last),
        lines=tuple(lines),
    )
