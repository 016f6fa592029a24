"""A player's rating over time, as the chart and its table show it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from numpy.typing import NDArray

from leagues import bridge, charts, wording
from leagues.bridge import Series, ShownValue
from leagues.domain.civil_days import day_of
from leagues.models import Board
from leagues.pages.ratings import Rating, rating
from leagues.store.match_columns import DAY, micros, moment

RANGES = ("season", "year", "all")
MOST_TABLE_ROWS = 100
MOST_DRAWN = 200
FEW_DAYS = 3
PAUSE = 3
"""Gaps so many times as long as usual, and no shorter than a part of the chart, are pauses: they
show how the doubt grew in between."""
SHORTEST = 1 / 40
SHORTEST_TAIL = 30 * DAY
"""So long a pause after the last match is drawn however little was played."""
STEPS = (0.25, 0.5, 0.75)


@dataclass(frozen=True, slots=True)
class PastRating:
    """A row of the chart's table."""

    day: str
    url: str
    rating: Rating
    range: str


@dataclass(frozen=True, slots=True)
class Day:
    """The rating after the last match of a day."""

    on: date
    value: ShownValue
    url: str


@dataclass(frozen=True, slots=True)
class Timeline:
    """The chart, the days in it (oldest first), and what else could be shown."""

    chart: charts.RatingChart | None
    days: tuple[Day, ...]
    """The last 100 of each season."""
    ranges: tuple[tuple[str, str, bool], ...]
    is_cut: bool
    """The pause since the last match is longer than drawn; the label is of its true end."""
    is_by_match: bool
    """Days are too few for steps of their own."""
    has_moves: bool
    """Something but a match moved the rating too."""


def drawn_until(first: int, last: int) -> int:
    """The moment up to which a chart may run after the last match.

    A longer pause would press what was played against the edge.
    """
    return last + max(SHORTEST_TAIL, (last - first) // 2)


def timeline(
    line: Sequence[Series],
    *,
    board: Board,
    value: ShownValue,
    until: datetime,
    chosen: str,
    marks: Sequence[charts.Mark],
    titles: Callable[[Series, int], str],
    today: date,
) -> Timeline:
    """Draw ratings of seasons that follow each other: after each day played, and the doubt between.

    After each match instead, where there were only one or two days. `titles` tells where a dot
    leads.
    """
    own = next(one for one in line if one.board.pk == board.pk)
    # What came after the season that is looked at is no part of its story.
    line = sorted(
        (one for one in line if len(one) and one.points.at[0] <= own.points.at[0]),
        key=lambda one: int(one.points.at[0]),
    )
    end = micros(until)
    first = int(line[0].points.at[0])
    begins = {
        "season": int(own.points.at[0]),
        "year": max(first, int(own.points.at[-1]) - 365 * DAY),
        "all": first,
    }
    last = int(own.points.at[-1])
    lately = int(np.count_nonzero(own.points.at[own.ends_of_days()] >= begins["year"]))
    chosen = chosen or ("year" if last - first > 2 * 366 * DAY and lately >= FEW_DAYS else "all")
    begin = begins[chosen]
    longest = drawn_until(begin, last)
    is_cut = end > longest
    drawn = value
    if is_cut:
        end, until = longest, moment(longest)
        drawn = own.now(until)
    is_by_match = len(line) == 1 and len(own.ends_of_days()) < FEW_DAYS
    points, days = _points(line, begin, end, titles, today, is_by_match=is_by_match)
    marks = [charts.Mark(min(mark.at, until), mark.change) for mark in marks]
    if is_by_match:
        points, marks = _by_match(own, points, marks)
        is_cut = False
    elif points and until > points[-1].at:
        points.append(charts.Point(until, drawn.value, drawn.low, drawn.high, is_played=False))
    return Timeline(
        chart=_drawn(board, value, points, marks, line, is_by_match=is_by_match),
        days=tuple(days),
        ranges=_ranges(begins, chosen),
        is_cut=is_cut,
        is_by_match=is_by_match,
        has_moves=any(not day.url for day in days),
    )


def _drawn(
    board: Board,
    value: ShownValue,
    points: Sequence[charts.Point],
    marks: Sequence[charts.Mark],
    line: Sequence[Series],
    *,
    is_by_match: bool,
) -> charts.RatingChart | None:
    return charts.rating_chart(
        points,
        end_label=wording.number(value.value, value.decimals),
        end_range=wording.plus_minus(value.half, value.decimals),
        decimals=value.decimals,
        eras=[_era(series) for series in line],
        marks=marks,
        steps=[_("start"), *map(wording.count, range(1, len(points)))] if is_by_match else (),
        is_turned=bridge.system_of(board).lower_is_better,
    )


def _by_match(
    series: Series, points: Sequence[charts.Point], marks: Sequence[charts.Mark]
) -> tuple[list[charts.Point], list[charts.Mark]]:
    """The points of one or two days at equal steps, after the rating before the first match.

    By the clock they would be a bundle at the edge, or a single upright line where only the day
    is known.
    """
    played = [point for point in points if point.title]
    begin = series.start
    steps = [
        charts.Point(moment(0), begin.value, begin.low, begin.high, is_played=False),
        *(replace(point, at=moment(number * DAY)) for number, point in enumerate(played, start=1)),
    ]
    placed = [
        replace(mark, at=moment(DAY * sum(point.at <= mark.at for point in played)))
        for mark in marks
    ]
    return steps, placed


def _era(series: Series) -> charts.Era:
    return charts.Era(series.board.season.name, series.moment(0), series.moment(len(series) - 1))


def _points(
    line: Sequence[Series],
    begin: int,
    end: int,
    titles: Callable[[Series, int], str],
    today: date,
    *,
    is_by_match: bool,
) -> tuple[list[charts.Point], list[Day]]:
    """The points between two instants in the order of time, and the days of the table."""
    points: list[charts.Point] = []
    days: list[Day] = []
    for number, series in enumerate(line):
        following = int(line[number + 1].points.at[0]) if number + 1 < len(line) else end
        ends = np.arange(len(series)) if is_by_match else series.ends_of_days()
        ends = ends[series.points.at[ends] >= begin]
        if not len(ends):
            continue
        days.extend(_day(series, index, titles) for index in ends[-MOST_TABLE_ROWS:].tolist())
        ends = _thin_out(ends)
        points.extend(point_of(series, index, titles, today) for index in ends.tolist())
        points.extend(_growth_points(series, ends, following, end - begin))
    points.sort(key=lambda point: point.at)
    return points, days


def _ranges(begins: dict[str, int], chosen: str) -> tuple[tuple[str, str, bool], ...]:
    """The stretches that differ, as value, label and whether it is chosen."""
    labels = {
        "season": _("This season"),
        "year": _("12 months"),
        "all": _("All time"),
    }
    seen: dict[int, str] = {}
    for name in RANGES:
        if begins[name] not in seen or name == chosen:
            seen[begins[name]] = name
    names = [name for name in RANGES if seen[begins[name]] == name]
    if len(names) < 2:
        return ()
    return tuple((name, labels[name], name == chosen) for name in names)


def _thin_out(ends: NDArray[np.int64]) -> NDArray[np.int64]:
    """Thin points out to at most 200, evenly, the last one among them."""
    if len(ends) <= MOST_DRAWN:
        return ends
    rows: NDArray[np.int64] = ends[np.linspace(0, len(ends) - 1, MOST_DRAWN).astype(np.int64)]
    return rows


def _day(series: Series, index: int, titles: Callable[[Series, int], str]) -> Day:
    on = day_of(series.moment(index), series.board.league.zone)
    return Day(on, series.at(index), titles(series, index))


def point_of(
    series: Series, index: int, titles: Callable[[Series, int], str], today: date
) -> charts.Point:
    """A point of a chart that says its day and rating, and leads to its match."""
    day = _day(series, index, titles)
    value = day.value
    number = wording.number(value.value, value.decimals)
    title = (
        f"{wording.day(day.on, today)}: {number} {wording.plus_minus(value.half, value.decimals)}"
    )
    return charts.Point(
        series.moment(index),
        value.value,
        value.low,
        value.high,
        is_played=bool(day.url),
        title=title.strip(),
        url=day.url,
    )


def _growth_points(
    series: Series, ends: NDArray[np.int64], following: int, extent: int
) -> list[charts.Point]:
    """The rating and its growing doubt in the pauses between days played."""
    at = series.points.at[ends]
    gaps = np.append(at[1:], following) - at
    usual = float(np.median(gaps[:-1])) if len(gaps) > 1 else 0.0
    long = np.flatnonzero(gaps > max(extent * SHORTEST, PAUSE * usual, DAY))
    if not len(long):
        return []
    steps = np.array(STEPS)
    index = np.repeat(ends[long], len(steps) + 1)
    between = at[long][:, None] + (gaps[long][:, None] * steps).astype(np.int64)
    # The last one stands just before the match that ends the pause.
    before = (at[long] + gaps[long] - 1)[:, None]
    moments = np.concatenate([between, before], axis=1).ravel()
    values = series.values_later(index, moments)
    return [
        charts.Point(
            moment(int(when)),
            float(value),
            None if math.isnan(low) else float(low),
            None if math.isnan(high) else float(high),
            is_played=False,
        )
        for when, value, low, high in zip(
            moments, values.value, values.low, values.high, strict=True
        )
    ]


def past_ratings(days: Sequence[Day], today: date) -> tuple[PastRating, ...]:
    """The rating at the end of each day played, newest first, 100 at most."""
    return tuple(
        PastRating(
            day=wording.day(day.on, today),
            url=day.url,
            rating=rating(day.value),
            range=_range(day.value),
        )
        for day in days[: -MOST_TABLE_ROWS - 1 : -1]
    )


def _range(value: ShownValue) -> str:
    if value.low is None or value.high is None:
        return ""
    return pgettext("range", "%(low)s to %(high)s") % {
        "low": wording.number(value.low, value.decimals),
        "high": wording.number(value.high, value.decimals),
    }
