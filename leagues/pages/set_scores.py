"""Set scores of a result, shown in the order of the sides beside them.

A result is stored as it was entered, and shown with its winner first. Sets are turned with their
sides. Those of older results are in the details: where pairs of numbers such as "9-11, 11-8" agree
with the score of the turned sides, each pair is turned.
"""

from __future__ import annotations

from collections.abc import Sequence

from leagues.domain.set_scores import (
    read_sets,
    sets_for_reading,
    sets_in_order,
    turned_sets,
)
from ratings.files.scores import sets_won


def shown_details(sets: str, detail: str, scores: Sequence[int | None], *, is_turned: bool) -> str:
    """The sets and the details of a result whose sides are shown with these scores.

    `is_turned` says that the second side is shown first.
    """
    in_words = shown_sets(sets, is_turned=is_turned)
    return "; ".join(filter(None, (in_words, shown_detail(detail, scores))))


def shown_sets(sets: str, *, is_turned: bool) -> str:
    """The sets of a result; `is_turned` says that the second side is shown first."""
    return sets_for_reading(sets_in_order(sets, is_turned=is_turned))


def shown_detail(detail: str, scores: Sequence[int | None]) -> str:
    """The details of a result whose sides are shown with these scores."""
    sets = read_sets(detail)
    if len(scores) != 2 or not sets:
        return detail
    points = sum(one for one, _ in sets), sum(two for _, two in sets)
    sums = {sets_won(sets), points}
    if tuple(scores) in sums or (scores[1], scores[0]) not in sums:
        return detail
    return turned_sets(detail)
