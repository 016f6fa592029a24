"""Words with a colon in front of a match: singles and doubles, and what is refused."""

from __future__ import annotations

from datetime import date

import pytest

from ratings.files.written_sides import known_names
from tests.ratings.files.test_written import problem, read

DOUBLES = (("Anna", "Ben"), ("Cai", "Doro"))


@pytest.mark.parametrize("label", ["Doppel:", "doubles:", "Mixed:", "Doppel 2:", "Doppel :"])
def test_a_word_for_doubles_is_dropped(label: str) -> None:
    for line in ("Anna/Ben : Cai/Doro 3:1", "Anna + Ben - Cai + Doro 3:1"):
        match = read(f"{label} {line}")
        assert (match.sides, match.score) == (DOUBLES, (3, 1))


@pytest.mark.parametrize("label", ["Einzel:", "Singles:", "Einzel 1:"])
def test_a_word_for_singles_is_dropped(label: str) -> None:
    for line in ("Anna 3:1 Ben", "Anna : Ben 3:1", "Anna - Ben 3:1"):
        assert read(f"{label} {line}").sides == (("Anna",), ("Ben",))


@pytest.mark.parametrize("line", ["Doppel: Anna - Ben 3:1", "Einzel: Anna/Ben - Cai/Doro 3:1"])
def test_a_word_for_other_sides_is_refused(line: str) -> None:
    refused = problem(line)
    assert refused.code == "label"
    assert f"“{line.partition(':')[0]}” stands before a match" in refused.reason


@pytest.mark.parametrize("day", ["Gestern", "gestern", "Ayer", "Friday"])
def test_the_day_may_stand_on_either_side_of_the_label(day: str) -> None:
    for line in (
        f"Doppel: {day}: Anna/Ben - Cai/Doro 3:1",
        f"{day}: Doppel: Anna/Ben - Cai/Doro 3:1",
    ):
        match = read(line)
        assert (match.sides, match.own_day) == (DOUBLES, date(2026, 11, 20))


def test_a_player_of_that_name_is_no_label() -> None:
    knows = known_names(["Single", "Ben", "Cy"])
    match = read("Single: 31, Ben: 24, Cy: 8", knows=knows)
    assert match.sides == (("Single",), ("Ben",), ("Cy",))


@pytest.mark.parametrize("line", ["Finale: Anna - Ben 3:1", "Finale: Anna 3:1 Ben"])
def test_other_words_with_a_colon_are_named(line: str) -> None:
    refused = problem(line)
    assert refused.code == "prefix"
    assert "“Finale:” is not understood" in refused.reason


@pytest.mark.parametrize(
    "line", ["Dieter Wörmann : Anton Beck 3:1", "Dieter Wörmann : Ben 3:1", "Ana : Bo 3:1"]
)
def test_a_colon_with_spaces_stands_between_two_sides(line: str) -> None:
    one, other = line.removesuffix(" 3:1").split(" : ")
    assert read(line).sides == ((one,), (other,))


@pytest.mark.parametrize(
    "line", ["Kim : Ana Bo 3:1", "Kim Lo : Ana Bo 3:1", "Kim : Ana > Bo", "Finale : Ana 3:1"]
)
def test_such_a_colon_behind_who_wrote_a_line_is_refused(line: str) -> None:
    assert problem(line, knows=known_names(["Ana", "Bo"])).code == "prefix"


def test_a_comma_in_a_name_is_the_reason_where_it_is_one() -> None:
    refused = problem("Wörmann, Dieter 3:1 Ben")
    assert refused.code == "comma"
    assert "write the first name before the surname" in refused.reason
