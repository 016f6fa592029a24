"""Scores, flags and words for results."""

from __future__ import annotations

import pytest

from ratings.files.problems import CellProblem
from ratings.files.scores import (
    read_flag,
    read_integer,
    read_rank,
    read_truth,
    result_word,
    sets_won,
    split_score,
)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("7", 7),
        ("-12", -12),
        ("\u221212", -12),
        ("+3", 3),
        (" 5 ", 5),
        ("9.0", 9),
        ("999999", 999999),
    ],
)
def test_a_score_is_a_whole_number(text: str, number: int) -> None:
    assert read_integer(text) == number


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1.9",
        "true",
        "1_000",
        "٣",
        "0x10",
        "NaN",
        "Infinity",
        "1e400",
        "1000000",
        "9" * 5000,
        "--1",
    ],
)
def test_anything_else_is_no_score(text: str) -> None:
    with pytest.raises(CellProblem, match="whole number"):
        read_integer(text)


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("7:4", [(7, 4)]),
        ("7–4", [(7, 4)]),
        ("3 - 1", [(3, 1)]),
        ("102-98", [(102, 98)]),
        ("4:03:00", [(4, 3)]),
        ("6-4 3-6 6-1", [(6, 4), (3, 6), (6, 1)]),
        ("7-6(2) 6-4", [(7, 6), (6, 4)]),
        ("7-6 (2) 6-4", [(7, 6), (6, 4)]),
        ("6-4 4-6 [10-8]", [(6, 4), (4, 6), (10, 8)]),
        ("11-4,8-11,11-9", [(11, 4), (8, 11), (11, 9)]),
        ("4:3 3:4 10:6", [(4, 3), (3, 4), (10, 6)]),
        ("6-36-3", []),
        ("UNK", []),
        ("abc", []),
        ("", []),
        ("1 " * 4000, []),
    ],
)
def test_score_cells_are_split_into_pairs(text: str, pairs: list[tuple[int, int]]) -> None:
    assert split_score(text)[0] == pairs


@pytest.mark.parametrize(
    ("text", "kind"),
    [("W/O", "walkover"), ("6-4 3-1 RET", "retirement"), ("6-2 6-1 ABD", "unrated"), ("6-4", None)],
)
def test_a_flag_among_the_sets_is_found(text: str, kind: str | None) -> None:
    assert split_score(text)[1] == kind


def test_sets_are_counted_for_both_sides() -> None:
    assert sets_won([(6, 4), (3, 6), (6, 1), (5, 5)]) == (2, 1)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "played"), ("NOSCORE", "played"), ("0", "played"), ("W/O", "walkover"),
        ("dq", "walkover"), ("1", "walkover"), ("RET", "retirement"), ("DEF", "retirement"),
        ("ABN", "unrated"), ("friendly", "unrated"),
    ],
)  # fmt: skip
def test_flags_tell_how_a_match_ended(text: str, kind: str) -> None:
    assert read_flag(text) == kind


@pytest.mark.parametrize(
    ("text", "words"), [("postponed", "not been played"), ("?", "Unknown flag")]
)
def test_other_flags_are_refused(text: str, words: str) -> None:
    with pytest.raises(CellProblem, match=words):
        read_flag(text)


@pytest.mark.parametrize(
    ("text", "side"),
    [
        ("white", 1), ("Black", 2), ("H", 1), ("A", 2), ("D", 0), ("1-0", 1), ("0–1", 2),
        ("½", 0), ("1/2-1/2", 0), ("x", 0), ("B+Resign", 2), ("W+0.5", 1), ("ana", None),
    ],
)  # fmt: skip
def test_words_for_a_result(text: str, side: int | None) -> None:
    assert result_word(text) == side


@pytest.mark.parametrize(("text", "rank"), [("1", 1), ("2.", 2), ("3rd", 3), ("=4", 4), ("T5", 5)])
def test_ranks_in_several_forms(text: str, rank: int) -> None:
    assert read_rank(text) == rank


@pytest.mark.parametrize("text", ["", "0", "-1", "first", "1.5"])
def test_other_ranks_are_refused(text: str) -> None:
    with pytest.raises(CellProblem, match="whole number from 1"):
        read_rank(text)


def test_yes_and_no_in_several_forms() -> None:
    assert read_truth("TRUE")
    assert not read_truth("0")
    with pytest.raises(CellProblem, match="yes or no"):
        read_truth("perhaps")
