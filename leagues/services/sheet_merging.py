"""The lines of one night sheet that two pages typed: the second’s go below the first’s."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from datetime import date
from typing import Final, NamedTuple

from leagues.models import Mode
from leagues.services.sheet_headings import Headings, headed, heading
from ratings.files.problems import LineProblem
from ratings.files.written import SAME_SIDES, WrittenMatch, read_line
from ratings.files.written_leads import day_said_by
from ratings.files.written_spellings import with_same_sides_marked
from ratings.files.written_times import mark_alone, time_said_by
from ratings.files.written_words import KnowsName

_SAME: Final = re.compile(rf"(?<!\S)[{''.join(sorted(SAME_SIDES))}](?!\S)\s*((?:[<>=](?!\S))?)")
"""The mark as a word of its own: within a name it is part of a nickname."""


class Place(NamedTuple):
    """What holds for a line by those above it, and for the first ones by the sheet."""

    day: date
    mode: Mode


def merged_lines(
    stored: str,
    first: Place,
    mine: str,
    my_first: Place,
    *,
    today: date,
    knows: KnowsName,
    match_kinds: Collection[str],
    headings: Headings,
) -> tuple[str, int]:
    """The stored lines with those of mine that are not among them below, and how many those are.

    A line is the same only on the same day, in the same mode (that of its sheet where no line
    above names one) and between the same sides: what stands for “the same two again” is written
    out below, where other lines may stand above it. Of sheets of two modes each line is headed by
    its own.
    """
    if first.mode != my_first.mode:
        stored = headed(stored, first.mode, headings)
        first = first._replace(mode=my_first.mode)
    missing = _missing(
        _lines(mine, my_first, headings, today, knows, match_kinds),
        _lines(stored, first, headings, today, knows, match_kinds),
    )
    added = _headed_lines(missing, _last_place(stored, first, headings, today))
    above = [stored.rstrip("\n")] if stored.strip() else []
    return ("\n".join([*above, *added]) if added else stored), len(missing)


def lines_left(
    entered: str,
    newer: str,
    first: Place,
    *,
    today: date,
    knows: KnowsName,
    match_kinds: Collection[str],
    headings: Headings,
) -> str:
    """What of a sheet is left once some of its lines were entered, in the mode of both."""
    missing = _missing(
        _lines(newer, first, headings, today, knows, match_kinds),
        _lines(entered, first, headings, today, knows, match_kinds),
    )
    return "\n".join(_headed_lines(missing, first))


_Line = tuple[str, Place]


def _missing(lines: Iterable[_Line], others: Iterable[_Line]) -> list[_Line]:
    """The lines that are not among some others, each as often as it is not."""
    there = Counter(others)
    missing = []
    for line in lines:
        if there[line]:
            there[line] -= 1
        else:
            missing.append(line)
    return missing


def _headed_lines(lines: Iterable[_Line], at: Place) -> list[str]:
    """Lines with a heading wherever another day or mode begins than that of those above."""
    headed_lines: list[str] = []
    for text, place in lines:
        if place.day != at.day:
            headed_lines.append(f"@{place.day.isoformat()}")
        if place.mode != at.mode:
            headed_lines.append(heading(place.mode))
        at = place
        headed_lines.append(text)
    return headed_lines


def _lines(
    text: str,
    place: Place,
    headings: Headings,
    today: date,
    knows: KnowsName,
    match_kinds: Collection[str],
) -> Iterator[tuple[str, Place]]:
    """Yield each line that is no heading, whole by itself, with its day and mode."""
    above: tuple[tuple[str, ...], ...] = ()
    for line in text.split("\n"):
        if named := headings.mode_of(line):
            place = place._replace(mode=named)
            continue
        label = headings.named_by(line)
        match = label.match if label is not None else line
        try:
            read = read_line(match, today=today, above=above, knows=knows, match_kinds=match_kinds)
        except LineProblem:
            read, above = None, ()
        place = place._replace(day=_day_said(match, read, today) or place.day)
        if isinstance(read, date):
            continue
        if line.strip():
            is_same = isinstance(read, WrittenMatch) and read.sides == above
            yield _written_out(line.strip(), above) if is_same else line.strip(), place
        if isinstance(read, WrittenMatch):
            above = read.sides_below


def _written_out(line: str, above: tuple[tuple[str, ...], ...]) -> str:
    """A line with the sides of the one above it instead of the mark that stands for them."""
    if len(above) != 2:
        return line
    one, two = (" + ".join(side) for side in above)
    marked = with_same_sides_marked(line)
    return _SAME.sub(lambda found: f"{one} {found[1] or '-'} {two} ", marked, count=1).strip()


def _last_place(text: str, place: Place, headings: Headings, today: date) -> Place:
    """The day and mode that hold at the end of a text."""
    for line in text.split("\n"):
        if named := headings.mode_of(line):
            place = place._replace(mode=named)
            continue
        try:
            read = read_line(line, today=today)
        except LineProblem:
            read = None
        place = place._replace(day=_day_said(line, read, today) or place.day)
    return place


def _day_said(line: str, read: WrittenMatch | date | None, today: date) -> date | None:
    """The day that a line says for itself and those below: as a heading, or in front."""
    if isinstance(read, date):
        return read
    if read is not None and read.own_day is not None:
        return read.own_day
    try:
        marked = mark_alone(line, today)
    except LineProblem:
        return None
    said = marked or time_said_by(line, today=today, day=None, is_evening=False)
    return day_said_by(line, today) if said is None else said.own_day
