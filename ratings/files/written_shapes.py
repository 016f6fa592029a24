"""Matches of two sides and free-for-alls in one text, which no one table has together."""

from __future__ import annotations

from collections.abc import Sequence

from ratings.files.problems import LineProblem
from ratings.files.written import WrittenMatch

Numbered = tuple[int, WrittenMatch]


def of_one_shape(
    matches: Sequence[Numbered],
) -> tuple[list[Numbered], list[tuple[int, LineProblem]]]:
    """The matches of a text that one table can have, and the other lines as problems.

    A free-for-all stands in no row with a score, and what has one in no row of a free-for-all.
    Those that are fewer are the odd ones.
    """
    frays = [row for row in matches if len(row[1].sides) > 2]
    scored = [row for row in matches if row[1].score is not None or row[1].is_retired]
    if not frays or not scored:
        return list(matches), []
    if len(frays) <= len(scored):
        odd, reason = frays, "This line is a free-for-all, and others are matches with a score."
    else:
        odd, reason = scored, "This line is a match with a score, and others are free-for-alls."
    problem = LineProblem("shape", f"{reason} Import it on its own, without the others.")
    numbers = {number for number, _ in odd}
    rest = [row for row in matches if row[0] not in numbers]
    return rest, [(number, problem) for number in sorted(numbers)]
