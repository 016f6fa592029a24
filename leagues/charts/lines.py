"""A rating over time, with the band of its doubt."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import TypeVar

from django.utils import formats
from django.utils.translation import gettext as _

from leagues import wording
from leagues.charts.rungs import HALF_OF_95
from leagues.charts.scales import Tick, decimals_of, round_numbers

Item = TypeVar("Item")
MOST_POINTS = 400
MOST_CHANGES = 3
"""Changes of one place that are named one by one."""
DIAMOND = 7
"""Half the height of a mark, in pixels."""
LETTER = 6.5
"""Pixels of a letter, on average."""
_FIRST_STEP = datetime(2000, 1, 1, tzinfo=UTC)
"""Steps are as far apart as seconds after it."""


@dataclass(frozen=True, slots=True)
class Point:
    """A rating at a moment; `low` and `high` are None where the system has no range."""

    at: datetime
    value: float
    low: float | None = None
    high: float | None = None
    is_played: bool = True
    title: str = ""
    """What is said of it where one points at its dot, and where the dot leads."""
    url: str = ""


def step_point(step: int, value: float) -> Point:
    """A rating after so many steps, where what stands below the points is said of each."""
    return Point(at=_FIRST_STEP + timedelta(seconds=step), value=value)


@dataclass(frozen=True, slots=True)
class Era:
    """A stretch of time with a name above the chart: a season."""

    name: str
    begin: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class Mark:
    """A revision: what happened to the rating while nobody played, and what it changed."""

    at: datetime
    change: str


@dataclass(frozen=True, slots=True)
class Dot:
    x: str
    y: str
    title: str = ""
    url: str = ""
    side: str = "mid"
    """How its words lie: around it, or to one side where the frame would cut them."""


@dataclass(frozen=True, slots=True)
class Bracket:
    """An era as it is drawn; the name is left out where there is no room."""

    x: str
    end: str
    name: str


@dataclass(frozen=True, slots=True)
class Diamond:
    path: str
    x: str
    y: str
    label: str
    side: str
    """How the label lies, as the words of a dot do."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """One size of a rating chart, in its own pixels."""

    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int
    foot: int
    grid: tuple[Tick, ...]
    dates: tuple[Tick, ...]
    eras: tuple[Bracket, ...]
    marks: tuple[Diamond, ...]
    line: str
    band: str
    inner: str
    dots: tuple[Dot, ...]
    end: Dot
    end_label: str
    end_range: str

    @property
    def has_links(self) -> bool:
        """Whether the dots lead somewhere: then the drawing is more than a picture."""
        return any(dot.url for dot in self.dots)


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
class Plane:
    """From moments and values to pixels."""

    size: Size
    first: float
    last: float
    low: float
    high: float
    is_turned: bool = False
    """The least value stands on top."""
    _width: float = field(init=False)
    _height: float = field(init=False)

    def __post_init__(self) -> None:
        self._width = self.size.width - self.size.left - self.size.right
        self._height = self.size.height - self.size.top - self.size.bottom

    def x(self, at: float) -> str:
        """The place of a moment."""
        return f"{self.size.left + 6 + (self._width - 6) * self._part(at):.1f}"

    def _part(self, at: float) -> float:
        return (at - self.first) / (self.last - self.first) if self.last > self.first else 1.0

    def y(self, value: float) -> str:
        """The place of a value, within the frame."""
        inside = min(self.high, max(self.low, value))
        part = (self.high - inside) / (self.high - self.low)
        part = 1.0 - part if self.is_turned else part
        return f"{self.size.top + self._height * part:.1f}"


def rating_chart(
    points: Sequence[Point],
    *,
    end_label: str,
    end_range: str,
    decimals: int = 0,
    eras: Sequence[Era] = (),
    marks: Sequence[Mark] = (),
    steps: Sequence[str] = (),
    is_turned: bool = False,
) -> RatingChart | None:
    """Draw ratings over time, oldest first; None for fewer than two.

    More than 400 points are thinned to the last of each of 400 equal parts. Where lower is better
    the axis is turned. `steps` are what stands below the points, instead of dates.
    """
    if len(points) < 2:
        return None
    points_drawn = thin_points(points)
    labels = thin_points([(point.at, label) for point, label in zip(points, steps, strict=False)])
    low, high, runs_off = frame_of(points_drawn, decimals)
    extras = _Extras(tuple(eras), tuple(marks), tuple(labels), is_turned=is_turned)
    return RatingChart(
        wide=_draw(points_drawn, WIDE, low, high, end_label, end_range, extras),
        narrow=_draw(points_drawn, NARROW, low, high, end_label, end_range, extras),
        runs_off=runs_off,
    )


@dataclass(frozen=True, slots=True)
class _Extras:
    eras: tuple[Era, ...]
    marks: tuple[Mark, ...]
    steps: tuple[tuple[datetime, str], ...]
    is_turned: bool


def thin_points(points: Sequence[Item]) -> list[Item]:
    """Thin points out to at most 400: first, last, and evenly between."""
    if len(points) <= MOST_POINTS:
        return list(points)
    last = len(points) - 1
    return [points[last * index // (MOST_POINTS - 1)] for index in range(MOST_POINTS)]


def frame_of(points: Sequence[Point], decimals: int) -> tuple[float, float, bool]:
    """The limits of the value axis: all values, and the ranges once they have settled."""
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
    extras: _Extras,
) -> Drawing:
    first, last = points[0].at.timestamp(), points[-1].at.timestamp()
    plane = Plane(size, first, last, low, high, extras.is_turned)
    numbers = round_numbers(low, high, size.rows)
    digits = decimals_of(numbers[1] - numbers[0]) if len(numbers) > 1 else 0
    if extras.is_turned:
        # What counts downwards begins at one.
        numbers = [value for value in numbers if value > 0] or numbers
    middle = [(plane.x(point.at.timestamp()), point) for point in points]
    line = " ".join(f"{x},{plane.y(point.value)}" for x, point in middle)
    return Drawing(
        width=size.width,
        height=size.height,
        left=size.left,
        right=size.width - size.right,
        top=size.top + 2,
        bottom=size.height - size.bottom,
        foot=size.height - size.bottom + 5,
        eras=_brackets(plane, extras.eras),
        marks=_diamonds(plane, points, extras.marks),
        grid=tuple(Tick(plane.y(value), wording.number(value, digits)) for value in numbers),
        dates=step_ticks(plane, extras.steps)
        if extras.steps
        else date_ticks(plane, points[0].at, points[-1].at),
        line=line,
        band=band_of(plane, middle, 1.0),
        inner=band_of(plane, middle, HALF_OF_95),
        dots=dots_of(plane, middle),
        end=Dot(middle[-1][0], plane.y(points[-1].value)),
        end_label=end_label,
        end_range=end_range,
    )


def dots_of(plane: Plane, points: Sequence[tuple[str, Point]]) -> tuple[Dot, ...]:
    """The dots of a line where something was played, evenly fewer where there is no room."""
    played = [(x, point) for x, point in points if point.is_played]
    every = max(1, -(-len(played) // plane.size.most_dots))
    width = plane.size.width
    return tuple(
        Dot(x, plane.y(point.value), point.title, point.url, side_of(x, point.title, width))
        for x, point in reversed(played[::-every])
    )


def side_of(x: str, title: str, width: int) -> str:
    """The class of words at a dot: centred where they fit, else beginning or ending there."""
    half = LETTER * len(title) / 2
    if float(x) < half:
        return ""
    return "fin" if float(x) + half > width else "mid"


def _brackets(plane: Plane, eras: Sequence[Era]) -> tuple[Bracket, ...]:
    """The eras that reach into the frame; names that would run into each other go."""
    brackets: list[Bracket] = []
    for era in eras:
        begin = max(era.begin.timestamp(), plane.first)
        end = min(era.end.timestamp(), plane.last)
        if begin > end:
            continue
        x, last = plane.x(begin), plane.x(end)
        room = float(last) - float(x)
        name = era.name if room >= LETTER * len(era.name) else ""
        brackets.append(Bracket(x, last, name))
    return tuple(brackets) if len(brackets) > 1 else ()


def _diamonds(plane: Plane, points: Sequence[Point], marks: Sequence[Mark]) -> tuple[Diamond, ...]:
    """Marks on the line, given oldest first; only the newest has room for words.

    Those that would touch are one.
    """
    places: list[list[Mark]] = []
    newest = max((mark.at for mark in marks), default=None)
    for mark in sorted(marks, key=lambda mark: mark.at):
        at = mark.at.timestamp()
        if not plane.first <= at <= plane.last:
            continue
        if places and float(plane.x(at)) - _mark_x(plane, places[-1]) < 2 * DIAMOND:
            places[-1].append(mark)
        else:
            places.append([mark])
    return tuple(
        _diamond(plane, points, together, is_newest=together[-1].at == newest)
        for together in places
    )


def _mark_x(plane: Plane, together: Sequence[Mark]) -> float:
    return float(plane.x(together[-1].at.timestamp()))


def _diamond(
    plane: Plane, points: Sequence[Point], together: Sequence[Mark], *, is_newest: bool
) -> Diamond:
    """One diamond for marks of one place, where the newest of them is."""
    at = together[-1].at.timestamp()
    x, y = plane.x(at), float(plane.y(_value_at(points, at)))
    label = _revised(together) if is_newest else ""
    above = y - 16 if y > plane.size.top + 24 else y + 22
    return Diamond(
        path=f"M{x} {y - DIAMOND:.1f}l7 7-7 7-7-7z",
        x=x,
        y=f"{above:.1f}",
        label=label,
        side=side_of(x, label, plane.size.width),
    )


def _revised(together: Sequence[Mark]) -> str:
    """What revisions of one place changed, the oldest first."""
    if len(together) > MOST_CHANGES:
        return _("corrected %(count)s times") % {"count": wording.count(len(together))}
    return _("corrected %(change)s") % {"change": ", ".join(mark.change for mark in together)}


def _value_at(points: Sequence[Point], at: float) -> float:
    """The height of the line at a moment."""
    moments = [point.at.timestamp() for point in points]
    index = bisect_left(moments, at)
    if index == 0:
        return points[0].value
    if index == len(points):
        return points[-1].value
    before, after = moments[index - 1], moments[index]
    part = (at - before) / (after - before) if after > before else 1.0
    return points[index - 1].value + part * (points[index].value - points[index - 1].value)


def band_of(plane: Plane, points: Sequence[tuple[str, Point]], part: float) -> str:
    """The outline of a part of the ranges."""
    upper, lower = [], []
    for x, point in points:
        if point.low is None or point.high is None:
            continue
        centre, half = (point.low + point.high) / 2, part * (point.high - point.low) / 2
        upper.append(f"{x},{plane.y(centre + half)}")
        lower.append(f"{x},{plane.y(centre - half)}")
    return " ".join([*upper, *reversed(lower)])


def step_ticks(plane: Plane, steps: Sequence[tuple[datetime, str]]) -> tuple[Tick, ...]:
    """The words below the points, fewer where there is no room for all, the last one included."""
    every = -(-len(steps) // plane.size.months)
    chosen = reversed(steps[::-every])
    return tuple(Tick(plane.x(at.timestamp()), label) for at, label in chosen)


def date_ticks(plane: Plane, first: datetime, last: datetime) -> tuple[Tick, ...]:
    """Ticks at the starts of years, months or days, whatever there is room for."""
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
