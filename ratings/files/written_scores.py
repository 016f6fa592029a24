"""The scores of a line: that of the match, and its sets before or behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ratings.files.problems import LineProblem, shown
from ratings.files.scores import sets_won, split_score

LEAST_SETS: Final = 2
"""Sets without brackets that a score beside them may count."""
_MOST_SETS: Final = 5
"""Sets that are won in a match at most, where a score is told from a set by its size."""


def outer_and_inner(scores: Sequence[str]) -> tuple[str, str]:
    """The score of a line and its sets, one of which is in brackets behind the other."""
    opens = next((at for at, word in enumerate(scores) if word.startswith("(")), len(scores))
    outer, inner = " ".join(scores[:opens]), " ".join(scores[opens:])
    if inner and not inner.endswith(")"):
        raise LineProblem("sets", "A bracket is opened and not closed.")
    inner = inner[1:-1]
    if " " in outer and inner and " " not in inner:
        return inner, outer
    return (outer, inner) if outer else (inner, "")


def score_and_sets(text: str, *, is_retired: bool) -> tuple[str, str]:
    """Divide a score from its sets: 3-1 from 11-7 9-11 11-5 11-8 before or behind it.

    It counts these sets, and is too small for one of them; but the last one of a retirement may be
    as small, and that of a match tie-break, 1-0.
    """
    pairs = pairs_of(text)
    if len(pairs) < LEAST_SETS:
        return text, ""
    first, _, behind_first = text.partition(" ")
    before_last, _, last = text.rpartition(" ")
    for score, rest, total, sets in (
        (first, behind_first, pairs[0], pairs[1:]),
        (last, before_last, pairs[-1], pairs[:-1]),
    ):
        won = sets_won(list(sets))
        if won != total or len(sets) < LEAST_SETS:
            if seems_total(total, sets) and won != total and not is_retired:
                raise LineProblem(
                    "sets",
                    f"“{score}” seems to be the score of the match, and the sets beside it give "
                    f"{won[0]}-{won[1]}. If it is a set, write the sets in brackets behind the "
                    "score.",
                )
            continue
        if min(map(max, sets)) < 2 * max(total):
            where = "first" if score == first else "last"
            raise LineProblem(
                "sets",
                f"The {where} score may be that of the match or a set; write the sets in brackets "
                "behind the score of the match, like 2-0 (3-1 3-2).",
            )
        return score, rest
    return text, ""


def seems_total(pair: tuple[int, int], sets: Sequence[tuple[int, int]]) -> bool:
    """Whether a pair of numbers is as small as sets won are, beside sets that are none."""
    most = max(pair)
    return LEAST_SETS <= most <= _MOST_SETS and min(map(max, sets)) >= 2 * most


def pairs_of(text: str) -> tuple[tuple[int, int], ...]:
    pairs, _flag = split_score(text)
    if text and not pairs:
        raise LineProblem("score", f"“{shown(text, 30)}” is not a score such as 3-1.")
    return tuple(pairs)
