"""Sets as table tennis writes them, by the points of who lost each: 3:2 (9,-8,7,-5,10)."""

from __future__ import annotations

import re
from typing import Final

from ratings.files.problems import LineProblem

_POINTS: Final = r"[-+\u2212\u2013]?\d{1,2}"
_SHORT: Final = re.compile(
    r"(\d{1,2}) ?[-:\u2012-\u2014\u2212] ?(\d{1,2}),? ?"
    rf"\(({_POINTS}(?:(?:[,;] ?| ){_POINTS}){{1,12}})\)"
)
_ONE: Final = re.compile(_POINTS)
_TARGET: Final = 11
_LEAD: Final = 2
_MANY: Final = 13
"""Points of a loser that are rare where a set goes to eleven."""


def with_whole_sets(line: str) -> str:
    """A line with the points of both sides in each set. Raises LineProblem.

    A minus sign stands before the points of the first side, which lost that set.
    """
    return _SHORT.sub(_whole, line)


def _whole(found: re.Match[str]) -> str:
    said = [text.replace("\u2212", "-").replace("\u2013", "-") for text in _ONE.findall(found[3])]
    lost = sum(text.startswith("-") for text in said)
    points = [int(text.lstrip("+-")) for text in said]
    if (len(said) - lost, lost) != (int(found[1]), int(found[2])):
        raise LineProblem("sets", "The sets in brackets do not give the score before them.")
    if sum(one >= _MANY for one in points) > 1:
        raise LineProblem("sets", "Write the points of both sides in each set, like 21-15.")
    sets = [
        f"{one}-{most}" if text.startswith("-") else f"{most}-{one}"
        for text, one in zip(said, points, strict=True)
        for most in [max(_TARGET, one + _LEAD)]
    ]
    return f"{found[1]}-{found[2]} ({' '.join(sets)})"
