"""Lines as people say them, with the words between two sides in several languages."""

from __future__ import annotations

import pytest

from ratings.files.written_sides import known_names
from tests.ratings.files.test_written import problem, read

PAIR = (("Eva",), ("Franz",))


@pytest.mark.parametrize(
    "words",
    [
        *("beats", "won against", "wins vs", "def.", "schlägt", "SCHLAEGT", "gewinnt gegen"),
        *("siegte gegen", "gana a", "gano a", "ganó contra", "venció a", "bat", "a battu"),
        *("gagne contre", "batte", "ha vinto contro", "ganhou de", "wint van", "slår", "vant over"),
    ],
)
def test_the_first_side_won(words: str) -> None:
    match = read(f"Eva {words} Franz")
    assert (match.sides, match.places) == (PAIR, (1, 2))
    assert read(f"Eva {words} Franz 3:1").score == (3, 1)
    assert read(f"Eva+Kim {words} Franz+Jo 3:1").sides == (("Eva", "Kim"), ("Franz", "Jo"))


@pytest.mark.parametrize(
    "words",
    [
        *("lost to", "loses against", "verliert gegen", "verlor gegen", "unterliegt"),
        *("perdió contra", "pierde con", "perd contre", "ha perso contro", "perdeu para"),
        *("verliest van", "tapte for", "förlorade mot"),
    ],
)
def test_the_second_side_won(words: str) -> None:
    match = read(f"Eva {words} Franz 1:3")
    assert (match.sides, match.places, match.score) == (PAIR, (2, 1), (1, 3))


@pytest.mark.parametrize("words", ["drew with", "remis gegen", "empató con", "uavgjort mot"])
def test_neither_side_won(words: str) -> None:
    match = read(f"Eva {words} Franz")
    assert (match.sides, match.places) == (PAIR, (1, 1))


@pytest.mark.parametrize("words", ["gegen", "contra", "contre", "contro", "tegen", "against"])
def test_words_for_against_say_no_result(words: str) -> None:
    assert read(f"Eva {words} Franz 1-3").places == (2, 1)
    assert problem(f"Eva {words} Franz").code == "no_result"


@pytest.mark.parametrize(
    "line",
    [
        "Eva gewinnt 3:1 gegen Franz",
        "Eva won 3-1 against Franz",
        "Eva 3-1 vs Franz",
        "Eva gana 3-1 a Franz",
        "Eva beats 3-1 Franz",
        "Eva beat Franz by 3-1",
        "Eva besiegte Franz mit 3:1",
    ],
)
def test_the_score_may_stand_within_the_words(line: str) -> None:
    match = read(line)
    assert (match.sides, match.places, match.score) == (PAIR, (1, 2), (3, 1))


@pytest.mark.parametrize(
    "line",
    [
        "Eva putzt den Franz 3:1",
        "eva putzt den franz 3:1",
        "Eva gewinnt 3:1",
        "Eva hat Franz geschlagen 3:1",
        "Eva und Franz spielen 3:1",
    ],
)
def test_a_sentence_that_is_not_understood_makes_no_names(line: str) -> None:
    assert problem(line, knows=known_names(["Eva", "Franz"])).code == "undivided"


def test_names_with_such_words_are_names_where_they_are_known() -> None:
    assert problem("Eva, Kim beats Franz, Jo").code == "verb"
    assert problem("Eva gewinnt > Franz").code == "verb"
    assert problem("Eva und Kim - Franz et Jo 3-1").code == "joint"
    assert problem("Eva y Kim - Franz 3-1", knows=known_names(["Eva", "Kim"])).code == "joint"
    assert read("Jo Ortega y Gasset - Eva 3-1").sides == (("Jo Ortega y Gasset",), ("Eva",))
    walkover = read("Franz - Eva kampflos 3-0")
    assert (walkover.sides, walkover.is_walkover) == ((("Franz",), ("Eva",)), True)
    assert read("Beat Breu - Kim Won 3-1").sides == (("Beat Breu",), ("Kim Won",))
    knows = known_names(["Jo Contra Lee", "Eva", "Jo", "Lee"])
    assert read("Eva Jo Contra Lee 3-1", knows=knows).sides == (("Eva",), ("Jo Contra Lee",))
    assert read("Jo contra Lee 3-1").sides == (("Jo",), ("Lee",))


def test_names_of_two_words_are_divided_as_before() -> None:
    halves = (("Ana Ruiz",), ("Chloe Diaz",))
    assert read("Ana Ruiz Chloe Diaz 3-2").sides == halves
    assert read("Ana Ruiz Chloe Diaz 3-2", knows=known_names(["Ana"])).sides == halves
    assert read("ana ruiz bo li 3-2").sides == (("ana ruiz",), ("bo li",))


@pytest.mark.parametrize(
    ("line", "sides"),
    [
        ("Ana + Beat beat Bo + Will 3-1", (("Ana", "Beat"), ("Bo", "Will"))),
        ("Ana Beat + Bo 3-1", (("Ana",), ("Beat", "Bo"))),
        ("Will beat met 3-1", (("Will",), ("Met",))),
        ("Ana, Bo, Ret", (("Ana",), ("Bo",), ("Ret",))),
        ("Ana > Will Casual", (("Ana",), ("Will Casual",))),
    ],
)
def test_words_of_sentences_and_endings_are_names_where_they_are_known(
    line: str, sides: tuple[tuple[str, ...], ...]
) -> None:
    knows = known_names(["Ana", "Bo", "Will", "Beat", "Met", "Ret", "Will Casual"])
    match = read(line, knows=knows)
    assert tuple(tuple(name.title() for name in side) for side in match.sides) == sides
    assert not (match.is_retired or match.is_friendly)


def test_the_same_words_are_endings_where_no_name_has_them() -> None:
    knows = known_names(["Ana", "Bo", "Will"])
    assert read("Ana > Will casual", knows=knows).is_friendly
    assert read("Ana beat Bo by 3-1", knows=knows).sides == (("Ana",), ("Bo",))
    assert problem("Ana, Bo, ret", knows=knows).code == "list_ending"


@pytest.mark.parametrize(
    ("line", "sides"),
    [
        ("Player 1 beat Bot 64", (("Player 1",), ("Bot 64",))),
        ("Player 1 - 3 Amigos 2-1", (("Player 1",), ("3 Amigos",))),
        ("Agent -7 > Player 1", (("Agent -7",), ("Player 1",))),
        ("1. FC Elm > Player 1", (("1. FC Elm",), ("Player 1",))),
        ("*Ana > Bot 64", (("*Ana",), ("Bot 64",))),
    ],
)
def test_the_number_of_a_known_name_is_neither_score_nor_handicap_nor_lead(
    line: str, sides: tuple[tuple[str, ...], ...]
) -> None:
    names = ["Player 1", "Bot 64", "3 Amigos", "Agent -7", "1. FC Elm", "*Ana"]
    match = read(line, knows=known_names(names))
    assert (match.sides, match.places, match.handicaps) == (sides, (1, 2), ())


def test_points_stand_behind_the_number_of_a_known_name() -> None:
    knows = known_names(["Player 1", "Player 2", "Bot 64"])
    match = read("Player 2: 30, Bot 64: 20, Player 1: 10", knows=knows)
    assert match.sides == (("Player 2",), ("Bot 64",), ("Player 1",))
    assert match.points == (30, 20, 10)


def test_other_numbers_are_scores_handicaps_and_leads() -> None:
    knows = known_names(["Player 1", "Bot 64", "Ana"])
    assert read("Ana - Player 1 3 - 2", knows=knows).score == (3, 2)
    assert read("Ana Bot 64 3 : 2", knows=knows).score == (3, 2)
    assert read("Bot 64 +64 > Ana", knows=knows).handicaps == (64, 0)
    assert read("1. Ana > Bot 64", knows=knows).sides == (("Ana",), ("Bot 64",))
    assert problem("Player 1 - Bot 64", knows=knows).code == "no_result"
    assert problem("Ana Bo 3", knows=knows).code == "numbers"


def test_a_star_before_a_name_is_a_bullet_where_no_other_follows() -> None:
    assert read("*Ana - Bo 3-1").sides == (("Ana",), ("Bo",))
    assert read("* *Ana - *Bo 3-1").sides == (("*Ana",), ("*Bo",))
    assert read("*Ana - *Bo 3-1").sides == (("*Ana",), ("*Bo",))
