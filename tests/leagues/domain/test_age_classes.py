"""Age classes: how they are written, and who belongs to one in a year."""

from __future__ import annotations

import pytest

from leagues.domain.age_classes import UnreadableClass, read_class, read_classes, write_classes


def test_a_list_is_read_as_people_write_it_and_stored_in_one_way() -> None:
    classes = read_classes("u15, U-18;U 21\n40+, 60 +, U15,")
    assert write_classes(classes) == "U15, U18, U21, 40+, 60+"
    assert [one.word for one in classes] == ["u15", "u18", "u21", "40+", "60+"]
    assert read_classes(" ") == ()


@pytest.mark.parametrize(
    "word", ["", "juniors", "15", "U", "+", "U0", "U15+", "U999", "40-", "٤٠+"]
)
def test_what_is_no_class_is_named(word: str) -> None:
    with pytest.raises(UnreadableClass) as unreadable:
        read_class(f" {word} ")
    assert str(unreadable.value) == word


@pytest.mark.parametrize(
    ("word", "birth_year", "belongs"),
    [
        ("u15", 2012, True),  # turns 14 in 2026
        ("u15", 2011, False),  # turns 15
        ("u15", 2030, True),
        ("40+", 1986, True),  # turns 40
        ("40+", 1987, False),
        ("40+", 1900, True),
    ],
)
def test_only_the_year_of_birth_counts(word: str, birth_year: int, belongs: bool) -> None:
    first, last = read_class(word).birth_years(2026)
    is_in = (first is None or birth_year >= first) and (last is None or birth_year <= last)
    assert is_in is belongs
