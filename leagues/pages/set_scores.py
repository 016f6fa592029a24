"""Set scores in the details of a result, shown in the order of the sides beside them.

A result is stored as it was entered, and shown with its winner first. Where pairs of numbers such
as "9-11, 11-8" agree with the score of the turned sides, each pair is turned with them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_PAIR = re.compile(r"(\d{1,3})( ?[:–-] ?)(\d{1,3})")
_BESIDE_PAIRS = re.compile(r"(?:[\s,;/]|\(\d{1,2}\))*")
"""What may stand between pairs: separators, and the points of a tie-break."""


def shown_detail(detail: str, scores: Sequence[int | None]) -> str:
    """The details of a result whose sides are shown with these scores."""
    if len(scores) != 2 or not _BESIDE_PAIRS.fullmatch(_PAIR.sub("", detail)):
        return detail
    pairs = [(int(pair[1]), int(pair[3])) for pair in _PAIR.finditer(detail)]
    sets = sum(one > two for one, two in pairs), sum(one < two for one, two in pairs)
    points = sum(one for one, _ in pairs), sum(two for _, two in pairs)
    told = {sets, points}
    if tuple(scores) in told or (scores[1], scores[0]) not in told:
        return detail
    return _PAIR.sub(r"\3\2\1", detail)
