"""Set scores make the score where they say who won."""

from __future__ import annotations

import pytest

from leagues.domain.set_scores import score_of_sets, sets_and_words


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


@pytest.mark.parametrize(
    ("detail", "score", "has_sets", "expected"),
    [
        ("6–4, 3–2; RET", None, False, ("6-4 3-2", "RET")),
        ("6-4; 3-6; 7-6(5); cold; wet", (2, 1), False, ("6-4 3-6 7-6(5)", "cold; wet")),
        ("6-4", None, True, ("6-4", "")),
        ("6-4; RET", None, True, ("6-4", "RET")),
        # Of a match without sets one pair may be a half, and so may two that make no score.
        ("6-4", None, False, ("", "6-4")),
        ("2-1, 1-1; extra time", (3, 2), False, ("", "2-1, 1-1; extra time")),
        ("2-1, 1-1; extra time", (3, 2), True, ("2-1 1-1", "extra time")),
        ("cold; 6-4, 6-3", None, False, ("", "cold; 6-4, 6-3")),
        ("cold", None, True, ("", "cold")),
        ("", None, True, ("", "")),
    ],
)
def test_sets_are_told_from_the_words_behind_them(detail, score, has_sets, expected) -> None:
    assert sets_and_words(detail, score, has_sets=has_sets) == expected
