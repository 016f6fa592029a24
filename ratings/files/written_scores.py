"""The scores of a line: that of the match, and its sets before or behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ratings.files.problems import LineProblem, shown
from ratings.files.scores import sets_won, split_score

LEAST_SETS: Final = 2
"""Sets without brackets that a score beside them may count."""


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


def score_and_sets(text: str) -> tuple[str, str]:
    """Divide a score from its sets: 3-1 from 11-7 9-11 11-5 11-8 before or behind it.

    It counts these sets, and is too small for one of them.
    """
    pairs = pairs_of(text)
    if len(pairs) < LEAST_SETS + 1:
        return text, ""
    first, _, behind_first = text.partition(" ")
    before_last, _, last = text.rpartition(" ")
    for score, rest, total, sets in (
        (first, behind_first, pairs[0], pairs[1:]),
        (last, before_last, pairs[-1], pairs[:-1]),
    ):
        if sets_won(list(sets)) != total:
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


def pairs_of(text: str) -> tuple[tuple[int, int], ...]:
    pairs, _flag = split_score(text)
    if text and not pairs:
        raise LineProblem("score", f"“{shown(text, 30)}” is not a score such as 3-1.")
    return tuple(pairs)
