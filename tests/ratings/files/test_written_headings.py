"""Tables that are pasted among lines of results, with their headings."""

from __future__ import annotations

from datetime import date, time

import pytest

from ratings.files.problems import LineProblem
from ratings.files.written import WrittenMatch
from ratings.files.written_sides import known_names
from ratings.files.written_text import read_lines

TODAY = date(2026, 11, 28)


@pytest.mark.parametrize(
    ("heading", "row"),
    [
        ("Player 1\tPlayer 2\tScore", "Ana\tBo\t3:1"),
        ("Spieler 1\tSpieler 2\tErgebnis", "Ana\tBo\t3:1"),
        ("Home\tAway\tHome score\tAway score", "Ana\tBo\t3\t1"),
        ("White\tBlack\tResult", "7\tAna\tBo\t3:1"),
        ("Datum\tZeit\tHeim\tGast\tErgebnis", "24.11.2026\t20:10\tAna\tBo\t3:1"),
    ],
)
def test_headings_in_the_order_of_lines_say_nothing(heading: str, row: str) -> None:
    [(number, match)] = read_lines([heading, row], today=TODAY)
    assert number == 2
    assert isinstance(match, WrittenMatch)
    assert (match.sides, match.score) == ((("Ana",), ("Bo",)), (3, 1))
    if "Datum" in heading:
        assert (match.day, match.clock) == (date(2026, 11, 24), time(20, 10))


@pytest.mark.parametrize(
    "heading",
    ["Winner\tLoser\tScore", "Player\tScore", "Date\tResult\tHome\tAway", "Home\tAway"],
)
def test_headings_of_other_columns_are_refused(heading: str) -> None:
    [(_number, problem)] = read_lines([heading], today=TODAY)
    assert isinstance(problem, LineProblem)
    assert problem.code == "headings"


def test_sides_may_be_called_as_columns_are() -> None:
    [(_number, match)] = read_lines(["Home\tAway\t3:1"], today=TODAY)
    assert isinstance(match, WrittenMatch)
    knows = known_names(["White", "Black"])
    [(_number, problem)] = read_lines(["White\tBlack"], today=TODAY, knows=knows)
    assert isinstance(problem, LineProblem)
    assert problem.code != "headings"


def test_a_number_before_names_is_kept_where_it_may_be_a_score() -> None:
    [(_number, problem)] = read_lines(["3\tAna\tBo\t1"], today=TODAY)
    assert isinstance(problem, LineProblem)
