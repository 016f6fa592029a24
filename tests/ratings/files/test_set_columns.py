"""Sets in columns of their own, with the sets won beside them and without."""

from __future__ import annotations

import pytest

from ratings.files.columns import Meaning
from tests.ratings.files.reading import layout_of, read

SATZ = "Datum\tHeim\tGast\tSatz 1\tSatz 2\tSatz 3\tSatz 4\tSatz 5\tSätze\tStatus\n"
PLAYED = "27.10.2026\tAnna\tBea\t11:9\t11:8\t9:11\t11:4\t\t3:1\t\n"


def told(cells: str) -> tuple[str, tuple[int | None, ...], tuple[int, ...], str, str]:
    """The kind, scores, ranks, sets and words of the second row of a table."""
    good, bad = read(f"{SATZ}{PLAYED}27.10.2026\tCarl\tDora\t{cells}\n")
    assert bad == []
    result = good[1]
    scores = tuple(side.score for side in result.sides)
    ranks = tuple(side.rank for side in result.sides)
    return result.kind, scores, ranks, result.sets, result.detail


def problem(cells: str) -> tuple[str, str, str]:
    """The column, value and reason of the second row of a table, which cannot be."""
    _good, bad = read(f"{SATZ}{PLAYED}27.10.2026\tCarl\tDora\t{cells}\n")
    (row,) = bad
    return row.column, row.value, row.reason


def test_the_sets_won_beside_the_sets_are_no_set() -> None:
    text = "Datum\tHeim\tGast\tSatz 1\tSatz 2\tSatz 3\tSätze\n"
    text += "27.10.2026\tAnna Rot\tBea Blau\t11:9\t11:8\t11:4\t3:0\n"
    meanings = [column.meaning.value for column in layout_of(text).columns]
    assert meanings == ["date", "side_1", "side_2", "set", "set", "set", "score"]
    (result,), bad = read(text)
    assert bad == []
    assert [side.score for side in result.sides] == [3, 0]
    assert (result.sets, result.detail) == ("11-9 11-8 11-4", "")


def test_the_sets_won_may_stand_before_the_sets() -> None:
    (result,), bad = read("home,away,Ergebnis,set1,set2,set3\nAnna,Bea,1:2,11:9,8:11,4:11\n")
    assert bad == []
    assert [side.score for side in result.sides] == [1, 2]
    assert result.sets == "11-9 8-11 4-11"


@pytest.mark.parametrize(
    ("cells", "scores", "sets"),
    [
        ("11:9\t11:8\t11:4\t\t\t3:0\t", (3, 0), "11-9 11-8 11-4"),
        ("11:9\t11:8\t11:4\t-\t-:-\t3:0\t", (3, 0), "11-9 11-8 11-4"),
        ("9:11\t11:8\t11:4\t8:11\t9:11\t2:3\t", (2, 3), "9-11 11-8 11-4 8-11 9-11"),
        ("11:9\t11:8\t11:4\t\t\t\t", (3, 0), "11-9 11-8 11-4"),
        ("11:9\t11:8\t11:4\t\t\t11:9 11:8 11:4\t", (3, 0), "11-9 11-8 11-4"),
        ("\t\t\t\t\t1:3\t", (1, 3), ""),
    ],
)
def test_sets_that_were_not_played_are_left_out(
    cells: str, scores: tuple[int, int], sets: str
) -> None:
    assert told(cells) == ("played", scores, (1, 2) if scores[0] > scores[1] else (2, 1), sets, "")


@pytest.mark.parametrize(
    ("cells", "kind", "ranks", "sets", "words"),
    [
        ("11:9\t\t\t\t\t3:0\tRET", "retirement", (1, 2), "11-9", ""),
        ("9:11\t5:8\t\t\t\t3:0\tRET", "retirement", (1, 2), "9-11 5-8", ""),
        ("11:9\t5:8 RET\t\t\t\t0:3\t", "retirement", (2, 1), "11-9 5-8", "RET"),
        ("11:0\t11:0\t11:0\t\t\t3:0\tW/O", "walkover", (1, 2), "11-0 11-0 11-0", ""),
        ("\t\t\t\t\t3:0\tW/O", "walkover", (1, 2), "", ""),
    ],
)
def test_of_what_was_given_up_the_sets_may_be_fewer(
    cells: str, kind: str, ranks: tuple[int, int], sets: str, words: str
) -> None:
    assert told(cells) == (kind, (None, None), ranks, sets, words)


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ("11:9\t11:8\t\t\t\t3:0\t", ("Sätze", "3:0", "The sets are 2:0, but “Sätze” says 3:0.")),
        ("11:9\t9:11\t\t\t\t1:2\t", ("Sätze", "1:2", "The sets are 1:1, but “Sätze” says 1:2.")),
        (
            "11:9\t11:8\t\t\t\t0:2\tfriendly",
            ("Sätze", "0:2", "The sets are 2:0, but “Sätze” says 0:2."),
        ),
        ("11:9\t11:8\t\t\t\thm\t", ("Sätze", "hm", "This is not a score such as 7:4.")),
        ("11:9\tx\t\t\t\t2:0\t", ("Satz 2", "11:9 x", "This is not a score such as 7:4.")),
        ("\t\t\t\t\t\t", ("Sätze", "", "The score is missing.")),
    ],
)  # fmt: skip
def test_sets_that_are_not_what_the_score_says_are_a_bad_row(
    cells: str, expected: tuple[str, str, str]
) -> None:
    assert problem(cells) == expected


def test_columns_said_to_list_the_sets_are_a_set_each_where_they_have_one() -> None:
    text = "Datum\tHeim\tGast\tErgebnis\tEins\tZwei\tDrei\n"
    text += "27.10.2026\tAnna Rot\tBea Blau\t3:0\t11:9\t11:8\t11:4\n"
    layout = layout_of(text).with_meanings(dict.fromkeys((4, 5, 6), Meaning.SET_LIST))
    assert layout.problems == ()
    (result,), bad = read(text, layout=layout)
    assert bad == []
    assert [side.score for side in result.sides] == [3, 0]
    assert result.sets == "11-9 11-8 11-4"
