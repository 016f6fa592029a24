"""Spellings of a result that people use: dashes at names, scores within, German verbs."""

from __future__ import annotations

from typing import Any

import pytest

from ratings.files.written_sides import known_names
from tests.ratings.files.test_written import ABOVE, problem, read


@pytest.mark.parametrize("line", ["ana -bo 3:1", "ana- bo 3:1", "ana –bo 3:1"])
def test_a_dash_that_touches_a_name_stands_between_the_sides(line: str) -> None:
    assert read(line).sides == ABOVE


def test_a_dash_is_no_front_of_a_new_name() -> None:
    assert problem("-ana - bo 3-1").code == "dash"
    knows = known_names(["-bo", "ana"])
    assert read("ana -bo 3-1", knows=knows).sides == (("ana",), ("-bo",))
    assert read("-Kai- - bo 3-1").sides == (("-Kai-",), ("bo",))


SETS = ((11, 8), (9, 11), (11, 6), (11, 9))


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        ("ana 3–1 bo (11–8, 9–11, 11–6, 11–9)", {"sets": SETS, "score": (3, 1)}),
        ("ana 3–1 bo (11–8, 9–11, 11–6, 11–9; not rated)", {"sets": SETS, "is_friendly": True}),
        ("ana beat bo (walkover, not rated)", {"is_walkover": True, "is_friendly": True}),
        ("ana beat bo (not rated)", {"is_walkover": False, "is_friendly": True}),
    ],
)
def test_the_text_for_the_chat_is_read(line: str, fields: dict[str, Any]) -> None:
    match = read(line)
    assert (match.sides, match.places) == (ABOVE, (1, 2))
    assert {name: getattr(match, name) for name in fields} == fields


@pytest.mark.parametrize(
    ("line", "places", "score"),
    [
        ("ana hat bo 3:1 geschlagen", (1, 2), (3, 1)),
        ("ana hat 3:1 gegen bo gewonnen.", (1, 2), (3, 1)),
        ("ana hat gegen bo 1:3 verloren", (2, 1), (1, 3)),
        ("ana hat bo besiegt", (1, 2), None),
        ("ana d. bo 3-0", (1, 2), (3, 0)),
        ("ana besiegt von bo 1-3", (2, 1), (1, 3)),
        ("ana was beaten by bo", (2, 1), None),
        ("ana battue par bo 1-3", (2, 1), (1, 3)),
        ("ana - bo ½-½", (1, 1), None),
        ("ana - bo 1/2-1/2", (1, 1), None),
        ("ana bo 0.5-0.5", (1, 1), None),
        ("ana - bo remis", (1, 1), None),
        ("ana bo 2-2 draw", (1, 1), (2, 2)),
        ("ana 2 x 3 bo", (2, 1), (2, 3)),
        ("ana - bo 3 to nil", (1, 2), (3, 0)),
        ("ana - bo 3:null", (1, 2), (3, 0)),
    ],
)
def test_common_spellings_of_a_result(line: str, places: Any, score: Any) -> None:
    match = read(line)
    assert (match.sides, match.places, match.score) == (ABOVE, places, score)


def test_numbers_behind_two_known_names_are_a_score() -> None:
    names = ["ana", "bo", "player 1", "player"]
    match = read("• ana 3 bo 0", knows=known_names(names))
    assert (match.sides, match.score) == (ABOVE, (3, 0))
    assert problem("player 1 bo 0", knows=known_names(names)).code == "numbers"
    assert problem("• ana 3 bo 0").code == "numbers"


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        ("Ulf: 120, Lars: 80, Nele: -15", "points", "“-15” is not a number of points"),
        ("Alex: 10*, Mic: 10, Jess: 7", "points", "“10*” is not a number of points"),
        ("Ole/Max - Max/Sven 10-3", "player_twice", "“Max” is in this match twice"),
        ("Åsa - Jan 3-1 (20:15)", "sets", "Write a time in front"),
        ("Ole - Max 10,5-3", "score", "whole numbers"),
        ("Ole - Max 3-10.5", "score", "whole numbers"),
        ("Cara Lund - Björn Ström aufgegeben 1:2", "no_winner", "who retired"),
    ],
)
def test_what_is_refused_names_its_reason(line: str, code: str, words: str) -> None:
    found = problem(line)
    assert found.code == code
    assert words in found.reason


@pytest.mark.parametrize(
    "words",
    ["same again", "Same pair again", "gleiche Paarung", "noch mal die gleichen:", "nochmal"],
)
def test_words_for_the_two_above_stand_for_them(words: str) -> None:
    match = read(f"{words} 1-3", above=ABOVE)
    assert (match.sides, match.places, match.score) == (ABOVE, (2, 1), (1, 3))
    assert read(f"{words} >", above=ABOVE).places == (1, 2)


@pytest.mark.parametrize(
    "line",
    [
        "Freundschaftsspiel ana - bo 3-1",
        "Friendly: ana - bo 3-1",
        "ana - bo 3-1 (Freundschaft)",
        "ana - bo 3-1 nicht gewertet",
    ],
)
def test_a_match_is_friendly_in_other_words(line: str) -> None:
    match = read(line)
    assert (match.sides, match.score, match.is_friendly) == (ABOVE, (3, 1), True)
