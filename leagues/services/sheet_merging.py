"""The lines of one night sheet that two pages typed: the second’s go below the first’s."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from datetime import date
from typing import Final

from ratings.files.problems import LineProblem
from ratings.files.written import SAME_SIDES, WrittenMatch, read_line
from ratings.files.written_sides import KnowsName

_SAME: Final = re.compile(rf"(?<!\S)[{''.join(sorted(SAME_SIDES))}](?!\S)\s*((?:[<>=](?!\S))?)")
"""The mark as a word of its own: within a name it is part of a nickname."""


def merged_lines(
    stored: str,
    stored_day: date,
    mine: str,
    my_day: date,
    *,
    today: date,
    knows: KnowsName,
    match_kinds: Collection[str],
) -> tuple[str, int]:
    """The stored lines with those of mine that are not among them below, and how many those are.

    A line is the same only on the same day and between the same sides: what stands for “the same
    two again” is written out below, where other lines may stand above it.
    """
    there = Counter(_lines(stored, stored_day, today, knows, match_kinds))
    missing = []
    for line in _lines(mine, my_day, today, knows, match_kinds):
        if there[line]:
            there[line] -= 1
        else:
            missing.append(line)
    at = _last_day(stored, stored_day, today)
    added: list[str] = []
    for text, on in missing:
        if on != at:
            added.append(f"@{on.isoformat()}")
            at = on
        added.append(text)
    above = [stored.rstrip("\n")] if stored.strip() else []
    return ("\n".join([*above, *added]) if added else stored), len(missing)


def _lines(
    text: str, day: date, today: date, knows: KnowsName, match_kinds: Collection[str]
) -> Iterator[tuple[str, date]]:
    """Yield each line that is no day, whole by itself, with the day that holds for it."""
    above: tuple[tuple[str, ...], ...] = ()
    for line in text.split("\n"):
        try:
            read = read_line(line, today=today, above=above, knows=knows, match_kinds=match_kinds)
        except LineProblem:
            read, above = None, ()
        if isinstance(read, date):
            day = read
            continue
        if line.strip():
            is_same = isinstance(read, WrittenMatch) and read.sides == above
            yield _written_out(line.strip(), above) if is_same else line.strip(), day
        if isinstance(read, WrittenMatch):
            above = read.sides


def _written_out(line: str, above: tuple[tuple[str, ...], ...]) -> str:
    """A line with the sides of the one above it instead of the mark that stands for them."""
    if len(above) != 2:
        return line
    one, two = (" + ".join(side) for side in above)
    return _SAME.sub(lambda found: f"{one} {found[1] or '-'} {two} ", line, count=1).strip()


def _last_day(text: str, day: date, today: date) -> date:
    for line in text.split("\n"):
        try:
            read = read_line(line, today=today)
        except LineProblem:
            continue
        if isinstance(read, date):
            day = read
    return day
