"""Geometry of the drawings: from numbers to positions, as strings that templates print.

A drawing of a rating always has its range: the thin line holds the true strength in 95 of 100
cases, the thick one in half of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from django.utils import formats

from leagues import wording

HALF_OF_95 = 0.6744897501960817 / 1.959963984540054
"""Part of the 95 % half-range within which half of all cases lie (normal quantiles)."""

MOST_POINTS = 400
STEPS = (1, 2, 2.5, 5, 10)


@dataclass(frozen=True, slots=True)
class Tick:
    """A grid line and its label; `is_minor` ones go first where there is little room."""

    at: str
    label: str
    is_minor: bool = False


@dataclass(frozen=True, slots=True)
class Scale:
    """A shared horizontal scale from `low` to `high`."""

    low: float
    high: float
    ticks: tuple[Tick, ...] = ()
    label: str = ""

    def percent(self, value: float) -> str:
        """Return a position, kept within the column."""
        part = (value - self.low) / (self.high - self.low)
        return f"{100 * min(1.0, max(0.0, part)):.4g}%"


@dataclass(frozen=True, slots=True)
class Rung:
    """One rating with its doubt on a scale."""

    dot: str
    low: str
    high: str
    inner_low: str
    inner_high: str
    is_unsure: bool = False


def nice_step(extent: float, most: int) -> float:
    """Return the smallest step of 1, 2, 2.5 or 5 times a power of ten that needs at most `most`."""
    raw = extent / most
    power = 10.0 ** math.floor(math.log10(raw))
    return next(step * power for step in STEPS if step * power >= raw * (1 - 1e-9))


def round_numbers(low: float, high: float, most: int) -> list[float]:
    """Return the round numbers within [low, high], at most `most` + 1 of them."""
    step = nice_step(high - low, most)
    first = math.ceil(low / step - 1e-9)
    return [number * step for number in range(first, math.floor(high / step + 1e-9) + 1)]


def decimals_of(step: float) -> int:
    """Return the digits after the point that a grid of this step needs."""
    return next((d for d in range(9) if abs(round(step, d) - step) < 1e-9 * step), 9)


def shared_scale(
    values: Sequence[tuple[float, float, float]], *, most_ticks: int = 6
) -> Scale | None:
    """Return one scale for many (low, value, high), or None without any.

    All values are within it; of the range ends the outermost tenth may run off, so that one
    newcomer does not flatten the rest.
    """
    if not values:
        return None
    lows = sorted(low for low, _value, _high in values)
    highs = sorted(high for _low, _value, high in values)
    cut = len(values) // 10
    low = min(lows[cut], min(value for _low, value, _high in values))
    high = max(highs[-1 - cut], max(value for _low, value, _high in values))
    margin = 0.05 * (high - low) or 1.0
    low, high = low - margin, high + margin
    numbers = round_numbers(low, high, most_ticks)
    digits = decimals_of(numbers[1] - numbers[0]) if len(numbers) > 1 else 0
    bare = Scale(low, high)
    # A label at the very edge would be cut off.
    kept = [value for value in numbers if 0.04 <= (value - low) / (high - low) <= 0.96]
    ticks = tuple(
        Tick(bare.percent(value), wording.number(value, digits), is_minor=index % 2 == 0)
        for index, value in enumerate(kept)
    )
    label = f"{wording.number(low)} {wording.DASH} {wording.number(high)}"
    return Scale(low, high, ticks, label)


def rung(scale: Scale, value: float, low: float, high: float, *, is_unsure: bool = False) -> Rung:
    """Place a rating and its range on a scale.

    The range may lie off the rating (TrueSkill shows less than its mean), its inner half lies in
    the middle of it.
    """
    centre = (low + high) / 2
    inner = HALF_OF_95 * (high - low) / 2
    return Rung(
        dot=scale.percent(value),
        low=scale.percent(low),
        high=scale.percent(high),
        inner_low=scale.percent(centre - inner),
        inner_high=scale.percent(centre + inner),
        is_unsure=is_unsure,
    )


@dataclass(frozen=True, slots=True)
class Form:
    """The last results, oldest first: marks up for won, down for lost, level for drawn."""

    letters: str
    won: str
    other: str


def form(letters: str, most: int = 10) -> Form | None:
    """Return the marks of results given as letters W, D, L, oldest first."""
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
    """Return bars from zero for at most twelve counts, oldest first."""
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


@dataclass(frozen=True, slots=True)
class Point:
    """A rating at a moment; `low` and `high` are None where the system has no range."""

    at: datetime
    value: float
    low: float | None = None
    high: float | None = None
    is_played: bool = True


@dataclass(frozen=True, slots=True)
class Dot:
    x: str
    y: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """One size of a rating chart, in its own pixels."""

    width: int
    height: int
    left: int
    right: int
    bottom: int
    foot: int
    grid: tuple[Tick, ...]
    dates: tuple[Tick, ...]
    line: str
    band: str
    inner: str
    dots: tuple[Dot, ...]
    end: Dot
    end_label: str
    end_range: str


@dataclass(frozen=True, slots=True)
class RatingChart:
    """A rating over time, wide and narrow, so that text is as large in both."""

    wide: Drawing
    narrow: Drawing
    runs_off: bool


@dataclass(frozen=True, slots=True)
class Size:
    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int
    rows: int
    months: int
    most_dots: int


WIDE = Size(1152, 340, 44, 92, 14, 30, 8, 12, 60)
NARROW = Size(344, 270, 36, 50, 14, 28, 7, 5, 30)


@dataclass(slots=True)
class _Plane:
    size: Size
    first: float
    last: float
    low: float
    high: float
    _width: float = field(init=False)
    _height: float = field(init=False)

    def __post_init__(self) -> None:
        self._width = self.size.width - self.size.left - self.size.right
        self._height = self.size.height - self.size.top - self.size.bottom

    def x(self, at: float) -> str:
        return f"{self.size.left + 6 + (self._width - 6) * self._part(at):.1f}"

    def _part(self, at: float) -> float:
        return (at - self.first) / (self.last - self.first) if self.last > self.first else 1.0

    def y(self, value: float) -> str:
        kept = min(self.high, max(self.low, value))
        part = (self.high - kept) / (self.high - self.low)
        return f"{self.size.top + self._height * part:.1f}"


def rating_chart(
    points: Sequence[Point], *, end_label: str, end_range: str, decimals: int = 0
) -> RatingChart | None:
    """Draw ratings over time, oldest first; None for fewer than two.

    More than 400 points are thinned to the last of each of 400 equal parts.
    """
    if len(points) < 2:
        return None
    kept = thinned(points)
    low, high, runs_off = _frame(kept, decimals)
    return RatingChart(
        wide=_draw(kept, WIDE, low, high, end_label, end_range),
        narrow=_draw(kept, NARROW, low, high, end_label, end_range),
        runs_off=runs_off,
    )


def thinned(points: Sequence[Point]) -> list[Point]:
    """Return at most 400 points: first, last, and evenly between."""
    if len(points) <= MOST_POINTS:
        return list(points)
    last = len(points) - 1
    return [points[last * index // (MOST_POINTS - 1)] for index in range(MOST_POINTS)]


def _frame(points: Sequence[Point], decimals: int) -> tuple[float, float, bool]:
    """Return the limits of the value axis: all values, and the ranges once they have settled."""
    values = [point.value for point in points]
    settled = points[len(points) // 4 :]
    lows = [point.low for point in settled if point.low is not None]
    highs = [point.high for point in settled if point.high is not None]
    low = min([*values, *lows])
    high = max([*values, *highs])
    margin = max(0.04 * (high - low), 2 * 10.0**-decimals)
    low, high = low - margin, high + margin
    outside = any(
        (point.low is not None and point.low < low)
        or (point.high is not None and point.high > high)
        for point in points
    )
    return low, high, outside


def _draw(
    points: Sequence[Point],
    size: Size,
    low: float,
    high: float,
    end_label: str,
    end_range: str,
) -> Drawing:
    plane = _Plane(size, points[0].at.timestamp(), points[-1].at.timestamp(), low, high)
    numbers = round_numbers(low, high, size.rows)
    digits = decimals_of(numbers[1] - numbers[0]) if len(numbers) > 1 else 0
    middle = [(plane.x(point.at.timestamp()), point) for point in points]
    line = " ".join(f"{x},{plane.y(point.value)}" for x, point in middle)
    every = max(1, -(-len(points) // size.most_dots))
    shown = middle[::-every]
    return Drawing(
        width=size.width,
        height=size.height,
        left=size.left,
        right=size.width - size.right,
        bottom=size.height - size.bottom,
        foot=size.height - size.bottom + 5,
        grid=tuple(Tick(plane.y(value), wording.number(value, digits)) for value in numbers),
        dates=_dates(plane, points[0].at, points[-1].at),
        line=line,
        band=_band(plane, middle, 1.0),
        inner=_band(plane, middle, HALF_OF_95),
        dots=tuple(Dot(x, plane.y(point.value)) for x, point in reversed(shown) if point.is_played),
        end=Dot(middle[-1][0], plane.y(points[-1].value)),
        end_label=end_label,
        end_range=end_range,
    )


def _band(plane: _Plane, points: Sequence[tuple[str, Point]], part: float) -> str:
    upper, lower = [], []
    for x, point in points:
        if point.low is None or point.high is None:
            continue
        centre, half = (point.low + point.high) / 2, part * (point.high - point.low) / 2
        upper.append(f"{x},{plane.y(centre + half)}")
        lower.append(f"{x},{plane.y(centre - half)}")
    return " ".join([*upper, *reversed(lower)])


def _dates(plane: _Plane, first: datetime, last: datetime) -> tuple[Tick, ...]:
    """Return ticks at the starts of years, months or days, whatever there is room for."""
    most = plane.size.months
    days = (last.date() - first.date()).days
    if days > 31 * 12 * 3:
        years = range(first.year + 1, last.year + 1)
        every = -(-len(years) // most)
        starts = [date(year, 1, 1) for year in years if year % every == 0]
        pattern = "Y"
    elif days > 45:
        starts = _months(first.date(), last.date(), most)
        pattern = "M"
    else:
        every = max(1, -(-(days + 1) // most))
        starts = [first.date() + timedelta(offset) for offset in range(0, days + 1, every)]
        pattern = "j M"
    ticks = []
    for start in starts:
        at = datetime(start.year, start.month, start.day, tzinfo=first.tzinfo)
        if first <= at <= last:
            shape = "Y" if pattern == "M" and start.month == 1 else pattern
            ticks.append(Tick(plane.x(at.timestamp()), formats.date_format(start, shape)))
    return tuple(ticks)


def _months(first: date, last: date, most: int) -> list[date]:
    months = range(12 * first.year + first.month, 12 * last.year + last.month)
    every = next(step for step in (1, 2, 3, 6, 12) if len(months) <= step * most or step == 12)
    return [date(month // 12, month % 12 + 1, 1) for month in months if month % 12 % every == 0]
