"""Set scores of a result, such as "11-9, 8-11, 11-6".

They are stored in one form, "11-9 8-11 7-6(5)": a pair for each set, in the order of the sides,
with the loser's points of a tie-break in brackets. Details are free words. They are set scores
where they hold pairs of numbers and nothing else, and make the score that the result has.
"""

from __future__ import annotations

import re

from ratings.files.scores import sets_won, split_sets

SETS_LENGTH = 200
_SET = r"(?:0|[1-9][0-9]{0,2})-(?:0|[1-9][0-9]{0,2})(?:\((?:0|[1-9][0-9]{0,2})\))?"
_STORED = re.compile(rf"{_SET}(?: {_SET})*")
_NUMBERS = re.compile(r"[0-9]+")

_PAIR = re.compile(r"([0-9]{1,3})( ?[:–-] ?)([0-9]{1,3})")
_BESIDE_PAIRS = re.compile(r"(?:[\s,;/]|\([0-9]{1,3}\))*")
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


def are_sets(text: str) -> bool:
    """Whether a text has the form in which sets are stored."""
    return len(text) <= SETS_LENGTH and _STORED.fullmatch(text) is not None


def sets_and_words(
    detail: str, score: tuple[int, int] | None, *, has_sets: bool = False
) -> tuple[str, str]:
    """The sets that details list, in the form in which they are stored, and the words behind them.

    At least two, which make the score where there is one; others may be the goals of two halves.
    Of a match that has sets, all pairs are sets.
    """
    parts = detail.split("; ")
    for count in range(len(parts), 0, -1):
        listed = "; ".join(parts[:count])
        pairs = read_sets(listed)
        are_those = len(pairs) > 1 and (score is None or sets_won(pairs) == score)
        if not pairs or not (has_sets or are_those):
            continue
        sets, words = split_sets(listed.replace("/", " "))
        if are_sets(sets) and not words:
            return sets, "; ".join(parts[count:])
    return "", detail


def sets_as_numbers(sets: str) -> list[list[int]]:
    """Stored sets as numbers: of each the points of both sides, and of a tie-break the loser's."""
    return [[int(number) for number in _NUMBERS.findall(one)] for one in sets.split()]


def sets_from_numbers(sets: list[list[int]]) -> str:
    """Sets of two or three numbers in the form in which they are stored."""
    return " ".join(
        f"{one}-{two}" + "".join(f"({points})" for points in rest) for one, two, *rest in sets
    )


def sets_in_order(sets: str, *, is_turned: bool) -> str:
    """Stored sets for sides that may stand the other way round."""
    return turned_sets(sets) if is_turned else sets


def sets_for_reading(sets: str) -> str:
    """Stored sets as people read them, as “11–9, 8–11”."""
    return sets.replace("-", "–").replace(" ", ", ")
