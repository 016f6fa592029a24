"""Set scores in the details of a result, such as "11-9, 8-11, 11-6".

Details are free words. They are set scores where they hold pairs of numbers and nothing else.
"""

from __future__ import annotations

import re

from ratings.files.scores import sets_won

_PAIR = re.compile(r"([0-9]{1,3})( ?[:–-] ?)([0-9]{1,3})")
_BESIDE_PAIRS = re.compile(r"(?:[\s,;/]|\([0-9]{1,2}\))*")
"""What may stand between pairs: separators, and the points of a tie-break."""


def read_sets(detail: str) -> list[tuple[int, int]]:
    """The pairs of numbers of details that hold nothing else; none of other details."""
    if not _BESIDE_PAIRS.fullmatch(_PAIR.sub("", detail)):
        return []
    return [(int(pair[1]), int(pair[3])) for pair in _PAIR.finditer(detail)]


def turned_sets(detail: str) -> str:
    """The details with each pair of numbers the other way round."""
    return _PAIR.sub(r"\3\2\1", detail)


def score_of_sets(detail: str) -> tuple[int, int] | None:
    """The score that set scores make; None where they leave it open.

    They do where there are fewer than two, where one has no winner, or where neither side won
    more of them: then they may be something else, such as the goals of two halves.
    """
    sets = read_sets(detail)
    if len(sets) < 2 or any(one == two for one, two in sets):
        return None
    won = sets_won(sets)
    return None if won[0] == won[1] else won
