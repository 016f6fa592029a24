"""Points of a free-for-all behind its names, as in “Ana: 31, Bo: 24, Cy: 8”."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from ratings.files.problems import LineProblem, shown
from ratings.files.written_places import LEAST_PLACES
from ratings.files.written_words import KnowsName

_PLACES: Final = re.compile(r"[,>=]")
_POINTS: Final = re.compile(r"[^\s:](?:(: ?)| )(\d{1,6})$", re.ASCII)
_SAID: Final = re.compile(r"[^\s:]: ?([-+\u2212]?\d[^\s:]{0,20})$")
"""What stands behind a colon for points, be it a number of points or not."""


def without_points(names: list[str], knows: KnowsName | None) -> tuple[list[str], tuple[int, ...]]:
    """Take the points of a free-for-all away from behind its names: Ana: 31, Bo: 24, Cy: 8.

    The colons can be left out behind the names of players.
    """
    text = " ".join(names)
    ends = [_POINTS.search(part.rstrip()) for part in _PLACES.split(text)]
    found = [
        (end.string[: end.start() + 1].strip(), bool(end[1]), int(end[2])) for end in ends if end
    ]
    _refuse_other_numbers([part.rstrip() for part in _PLACES.split(text)])
    is_said = all(has_colon for _name, has_colon, _points in found)
    is_known = knows is not None and all(
        knows(name) and not knows(f"{name} {points}") for name, _has_colon, points in found
    )
    if len(ends) < LEAST_PLACES or len(found) < len(ends) or not (is_said or is_known):
        return names, ()
    points = tuple(count for _name, _has_colon, count in found)
    marks = [
        # Who has as many points shares the place, unless the mark says otherwise.
        "=" if mark == "," and one == other else mark
        for mark, (one, other) in zip(_PLACES.findall(text), pairwise(points), strict=True)
    ]
    names = [name for name, _has_colon, _points in found]
    written = "".join(f"{name} {mark} " for name, mark in zip(names, marks, strict=False))
    return f"{written}{names[-1]}".split(" "), points


def _refuse_other_numbers(parts: list[str]) -> None:
    """Raise LineProblem where all parts have points and some are no whole numbers from 0."""
    said = [_SAID.search(part) for part in parts]
    if len(parts) < LEAST_PLACES or not all(said):
        return
    for one in said:
        if one and not one[1].isdecimal():
            raise LineProblem(
                "points",
                f"“{shown(one[1], 30)}” is not a number of points, which are whole and not below "
                "0; write the places alone, like Ana > Bo > Cy.",
            )
