"""The places of players under several systems: a column for each system, a line for each player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from leagues import wording
from leagues.charts.labels import short_names
from leagues.charts.lines import Dot, side_of


@dataclass(frozen=True, slots=True)
class PlacedLine:
    """A player's place in each column, None where there is none.

    `tone` is mine, far, or one of the three that stand out, each with a pattern of its own.
    """

    name: str
    places: tuple[int | None, ...]
    tone: str = "far"
    points: tuple[tuple[str, str], ...] = ()
    """What is said of each place where one points at it, and where it leads."""


@dataclass(frozen=True, slots=True)
class End:
    """A label at an end of a line: the place, and the name where there is room."""

    x: int
    name_x: int
    y: str
    place: str
    name: str


@dataclass(frozen=True, slots=True)
class DrawnLine:
    runs: tuple[str, ...]
    """Points of the line, broken where a system has no place for the player."""
    dots: tuple[tuple[str, str], ...]
    """Places with nothing on either side."""
    points: tuple[Dot, ...]
    gaps: tuple[str, ...]
    """From each run to the next, where columns follow each other in time."""
    line: str
    text: str
    first: End | None
    last: End | None


@dataclass(frozen=True, slots=True)
class Column:
    x: int
    y: int
    title: str


@dataclass(frozen=True, slots=True)
class PlacesDrawing:
    width: int
    height: int
    head: int
    foot: int
    columns: tuple[Column, ...]
    lines: tuple[DrawnLine, ...]

    @property
    def has_links(self) -> bool:
        """Whether places lead somewhere: then the drawing is more than a picture."""
        return any(line.points for line in self.lines)


@dataclass(frozen=True, slots=True)
class PlacesChart:
    """The same places, wide and narrow."""

    wide: PlacesDrawing
    narrow: PlacesDrawing
    runs_off: bool

    @property
    def has_gaps(self) -> bool:
        """Whether a player had no place for a while."""
        return any(line.gaps for line in self.wide.lines)


@dataclass(frozen=True, slots=True)
class _Size:
    width: int
    left: int
    right: int
    row: int
    name: int
    names_at_end: bool
    names_at_start: bool = True


_WIDE = _Size(740, 150, 600, 24, 20, True)
_NARROW = _Size(344, 128, 312, 20, 14, False)
_WIDE_MOMENTS = _Size(1152, 150, 990, 22, 20, True)
_NARROW_MOMENTS = _Size(344, 34, 208, 18, 15, True, names_at_start=False)
_TOP = 30
_LETTER = 6.8
"""Width of a letter of the axis titles, about."""

_LONGEST = 99
_TITLE = 14
"""Height of a line of titles."""
_TONES = ("far", "three", "two", "ink", "mine")
"""In the order in which they are drawn: the last ones lie above the others."""
_TEXT = {"mine": "t-me", "ink": "t-ink", "two": "t-ink", "three": "t-ink"}


def places_chart(
    titles: Sequence[str], lines: Sequence[PlacedLine], *, depth: int, moments: bool = False
) -> PlacesChart | None:
    """Draw places down to `depth`; lower ones meet on a line below. None for one column.

    Columns that are `moments` follow each other: of their titles only those stand that have room.
    The lines that matter are drawn last, above the others.
    """
    if len(titles) < 2 or not lines:
        return None
    runs_off = any(place is not None and place > depth for line in lines for place in line.places)
    levels = depth + (2 if runs_off else 0)
    rows = _rows(lines, depth)
    order = sorted(range(len(lines)), key=lambda index: _TONES.index(lines[index].tone))
    wide, narrow = (
        _draw(
            _thin_out(titles, size) if moments else titles,
            [(lines[index], rows[index]) for index in order],
            size,
            depth,
            levels,
            is_time=moments,
        )
        for size in ((_WIDE_MOMENTS, _NARROW_MOMENTS) if moments else (_WIDE, _NARROW))
    )
    return PlacesChart(wide, narrow, runs_off)


def _rows(lines: Sequence[PlacedLine], depth: int) -> list[list[int | None]]:
    """The row of each place: those who share one stand below each other."""
    rows: list[list[int | None]] = [[None] * len(line.places) for line in lines]
    for column in range(len(lines[0].places)):
        taken: dict[int, int] = {}
        for line, own in zip(lines, rows, strict=True):
            place = line.places[column]
            if place is None:
                continue
            if place > depth:
                own[column] = depth + 1
                continue
            own[column] = place - 1 + taken.get(place, 0)
            taken[place] = taken.get(place, 0) + 1
    return rows


def _thin_out(titles: Sequence[str], size: _Size) -> list[str]:
    """Keep every so many titles, so that they do not touch; the last one stands always."""
    step = (size.right - size.left) / (len(titles) - 1)
    every = max(1, -int(-max(len(title) + 1 for title in titles) * _LETTER // step))
    last = len(titles) - 1
    return [
        title if index == last or (index % every == 0 and last - index >= every) else ""
        for index, title in enumerate(titles)
    ]


def _draw(
    titles: Sequence[str],
    lines: Sequence[tuple[PlacedLine, Sequence[int | None]]],
    size: _Size,
    depth: int,
    levels: int,
    *,
    is_time: bool,
) -> PlacesDrawing:
    step = (size.right - size.left) / (len(titles) - 1)
    xs = [round(size.left + step * index) for index in range(len(titles))]
    # Titles that would touch stand in two lines, every other one below.
    is_crowded = "" not in titles and max(len(title) for title in titles) * _LETTER > step
    head = _TOP + (_TITLE if is_crowded else 0)
    longest = int(step * (2 if is_crowded else 1) / _LETTER) if "" not in titles else _LONGEST
    foot = head + size.row * levels - size.row // 2 + 6
    names = short_names([line.name for line, _rows in lines], size.name)
    return PlacesDrawing(
        width=size.width,
        height=foot + 6,
        head=head,
        foot=foot,
        columns=tuple(
            Column(
                x,
                _TITLE + (_TITLE if is_crowded and index % 2 else 0),
                title if len(title) <= longest else f"{title[: longest - 1]}…",
            )
            for index, (x, title) in enumerate(zip(xs, titles, strict=True))
        ),
        lines=tuple(
            _line(line, name, rows, xs, size, depth, head, is_time=is_time)
            for (line, rows), name in zip(lines, names, strict=True)
        ),
    )


def _line(
    line: PlacedLine,
    name: str,
    rows: Sequence[int | None],
    xs: Sequence[int],
    size: _Size,
    depth: int,
    head: int,
    *,
    is_time: bool,
) -> DrawnLine:
    ys = [None if row is None else f"{head + 14 + size.row * row}" for row in rows]
    runs: list[list[str]] = [[]]
    for x, y in zip(xs, ys, strict=True):
        if y is None:
            runs.append([])
        else:
            runs[-1].append(f"{x},{y}")
    first = _label(line, ys, 0, depth)
    last = _label(line, ys, -1, depth)
    end_name = name if size.names_at_end else ""
    drawn = [run for run in runs if run]
    return DrawnLine(
        gaps=tuple(f"{run[-1]} {after[0]}" for run, after in pairwise(drawn)) if is_time else (),
        runs=tuple(" ".join(run) for run in runs if len(run) > 1),
        dots=tuple((x, y) for run in runs if len(run) == 1 for x, y in [run[0].split(",")]),
        points=tuple(
            Dot(str(x), y, title, url, side_of(str(x), title, size.width))
            for x, y, (title, url) in zip(xs, ys, line.points, strict=bool(line.points))
            if y is not None
        ),
        line=line.tone,
        text=_TEXT.get(line.tone, "t-2"),
        first=End(xs[0] - 8, xs[0] - 30, *first, name if size.names_at_start else "")
        if first
        else None,
        last=End(xs[-1] + 24, xs[-1] + 32, *last, end_name) if last else None,
    )


def _label(
    line: PlacedLine,
    ys: Sequence[str | None],
    column: int,
    depth: int,
) -> tuple[str, str] | None:
    """Height and place of one end; none for those who meet below: they would overlap."""
    y, place = ys[column], line.places[column]
    if y is None or place is None or place > depth:
        return None
    return y, wording.count(place)
