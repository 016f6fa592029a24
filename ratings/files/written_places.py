"""Free-for-alls as people number them, with the marks that lines have between places.

“1. Ana, 2. Bo, 2. Cy” is “Ana > Bo = Cy”, and points in brackets are points behind a colon.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from ratings.files.problems import LineProblem
from ratings.files.written_words import KnowsName

LEAST_PLACES: Final = 3
"""Sides of a free-for-all; two have a score."""
_NUMBERED: Final = re.compile(r"(?:^|[,;]? )(\d{1,2})[.)] ", re.ASCII)
_IN_BRACKETS: Final = re.compile(r" \((\d{1,6})(?: [^\W\d_]{1,20}\.?)?\)$")
_PLACE_ALONE: Final = re.compile(
    r"\d{1,2}(?:[.)]|st|nd|rd|th|er|º|ª) ([^\W\d_][^\d<>=,:;+&/()]{0,80})"
)
_WORDS_OF_NAME: Final = 2
"""Words behind a number that are one name, known or not."""
_MARKS: Final = re.compile(r"[,>=<]")


def with_places_marked(line: str) -> str:
    """A line of a free-for-all with marks in place of its numbers, and its points behind colons."""
    return with_colons(_without_numbers(line))


def refuse_place_alone(line: str, knows: KnowsName | None) -> None:
    """Raise LineProblem for a line that says the place of one side, as lists of places do."""
    found = _PLACE_ALONE.fullmatch(line)
    if found is None:
        return
    is_name = knows is not None and knows(found[1])
    if is_name or found[1].count(" ") < _WORDS_OF_NAME:
        raise LineProblem(
            "place_alone",
            "Write the places of one match on one line, like 1. Ana 2. Bo 3. Cy.",
        )


def _without_numbers(line: str) -> str:
    """A line that numbers its places, 1. Ana 2. Bo 2. Cy, with the marks that say the same."""
    if not line.startswith(("1. ", "1) ")):
        return line
    _nothing, *parts = _NUMBERED.split(line)
    places, names = list(map(int, parts[::2])), parts[1::2]
    if not are_places(places) or any(not name or _MARKS.search(name) for name in names):
        return line
    text = names[0]
    for (place, following), name in zip(pairwise(places), names[1:], strict=True):
        text += f" {'=' if place == following else '>'} {name}"
    return text


def are_places(numbers: Sequence[int]) -> bool:
    """Whether numbers are places, best first: 1 2 2 4 or 1 2 2 3, and no part of names."""
    return (
        len(numbers) >= LEAST_PLACES
        and numbers[0] == 1
        and all(
            following in (place, place + 1, position)
            for position, (place, following) in enumerate(pairwise(numbers), start=2)
        )
    )


def with_colons(line: str) -> str:
    """A line whose sides all have points in brackets, Ana (31), Bo (24), with colons."""
    if not line.endswith(")"):
        return line
    parts = [part.strip() for part in _MARKS.split(line)]
    found = [_IN_BRACKETS.search(part) for part in parts]
    if len(parts) < LEAST_PLACES or not all(found):
        return line
    texts = [f"{one.string[: one.start()]}: {one[1]}" for one in found if one]
    marks = [*_MARKS.findall(line), ""]
    return "".join(f"{text}{mark} " for text, mark in zip(texts, marks, strict=True)).strip()
