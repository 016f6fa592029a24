"""Set scores make the score where they say who won."""

from __future__ import annotations

import pytest

from leagues.domain.set_scores import score_of_sets


@pytest.mark.parametrize(
    ("detail", "score"),
    [
        ("11:8 9:11 11:6 11:7", (3, 1)),
        ("21–18, 19–21, 21–15", (2, 1)),
        ("4-6 6-7(5)", (0, 2)),
        ("11 : 8; 11 : 9; 11 : 5", (3, 0)),
        # What may be something else: one pair, sets without a winner, as many on either side.
        ("3:1", None),
        ("1:1, 2:1", None),
        ("1:0, 2:3", None),
        ("", None),
        ("11:8, 9:11, Jun was hurt, 11:6", None),
        ("2026-01-05", None),
        ("11:8 9:11 11:6 11", None),
        ("١١:٨ ١١:٦", None),
    ],
)
def test_the_score_of_sets(detail: str, score: tuple[int, int] | None) -> None:
    assert score_of_sets(detail) == score
