"""Places that lines write beside names, and what else stands there and is no part of a name."""

from __future__ import annotations

import pytest

from ratings.files.written_sides import known_names
from tests.ratings.files.test_written import problem, read

KNOWS = known_names(["Tom", "Tom Hale", "Sue", "Raj", "Mia"])


@pytest.mark.parametrize(
    "line",
    [
        "2. Sue, 1. Tom, 3. Raj",
        "3. Raj, 2. Sue, 1. Tom",
        "3. Raj 2. Sue 1. Tom",
        "2nd Sue, 1st Tom, 3rd Raj",
        "3 Raj, 2 Sue, 1 Tom",
        "Raj 🥉, Sue 🥈, Tom 🥇",
        "🥈 Sue, 🥇 Tom, 🥉 Raj",
        "🥇Tom 🥈Sue 🥉Raj",
        "Raj 🥉 Sue 🥈 Tom 🥇",
        "2️⃣ Sue 1️⃣ Tom 3️⃣ Raj",
        "Tom 🥇 > Sue 🥈 > Raj 🥉",
        "Tom 🥇, Sue 🥈, Raj",
        "👑 Tom, Sue, Raj",
    ],
)
def test_the_places_beside_names_decide(line: str) -> None:
    for knows in (KNOWS, None):
        match = read(line, knows=knows)
        assert match.sides == (("Tom",), ("Sue",), ("Raj",))
        assert match.places == (1, 2, 3)


def test_places_in_another_order_keep_ties_points_and_the_ending() -> None:
    match = read("4. Mia, 2. Tom Hale, 1. Raj, 2. Sue friendly")
    assert match.sides == (("Raj",), ("Tom Hale",), ("Sue",), ("Mia",))
    assert (match.places, match.is_friendly) == ((1, 2, 2, 4), True)
    for line in ("3. Raj: 8, 1. Tom: 31, 2. Sue: 24", "Raj 🥉 (8), Tom 🥇 (31), Sue 🥈 (24)"):
        assert read(line).points == (31, 24, 8)


@pytest.mark.parametrize(
    "line",
    [
        "Tom, Sue 🥇, Raj",
        "Tom > Sue 🥇",
        "Tom > Sue 🥇 > Raj",
        "Raj 🥉 > Tom 🥇 = Sue",
        "Tom 🥇, Sue 🥉, Raj 🥉",
        "Tom 🥇🥈, Sue, Raj",
        "Raj, 1. Tom, 3. Sue",
        "4. Sue, 2. Tom, 1. Raj",
        "2. Raj > 1. Tom > 3. Sue",
        "Sue, Tom, Mia 4th",
        "Sue, Tom (winner), Raj",
    ],
)
def test_places_that_are_not_clear_are_refused(line: str) -> None:
    for knows in (KNOWS, None):
        found = problem(line, knows=knows)
        assert found.code in ("places", "place")
        assert "best first" in found.reason


def test_a_crown_is_for_the_first() -> None:
    assert problem("Sue, Tom, Mia 👑").code == "crown"


@pytest.mark.parametrize(
    ("line", "extra"),
    [
        ("Sue, Tom, Raj (Seafarers)", "(Seafarers)"),
        ("Sue, Tom, Raj, etc.", "etc."),
        ("Sue - Tom 2x 3-1", "2x"),
        ("Sue (ill) - Tom 0-3", "(ill)"),
        ("Sue → - Tom 0-3", "→"),
    ],
)
def test_what_stands_behind_a_name_is_pointed_out(line: str, extra: str) -> None:
    found = problem(line, knows=KNOWS)
    assert found.code == "word_behind"
    assert found.reason.startswith(f"“{extra}”")


def test_a_player_may_be_called_so() -> None:
    knows = known_names(["Sue (ill)", "Tom 2x", "Frau Weber", "1. Raj", "Mia 🥉"])
    assert read("Sue (ill) - Tom 2x 0-3", knows=knows).sides == (("Sue (ill)",), ("Tom 2x",))
    assert read("Frau Weber - 1. Raj 3-0", knows=knows).sides == (("Frau Weber",), ("1. Raj",))
    assert read("Mia 🥉, Bo, Cy", knows=knows).sides[0] == ("Mia 🥉",)
    assert problem("Frau Maier - Tom 3-0", knows=KNOWS).code == "word_before"
    # A text alone cannot tell what belongs to a name.
    assert read("Sue (jun.) - Tom 3-0").sides == (("Sue (jun.)",), ("Tom",))


def test_an_arrow_may_lead_to_the_score() -> None:
    assert read("Sue vs. Tom → 2-0").sides == (("Sue",), ("Tom",))


@pytest.mark.parametrize("line", ["🥈 Tom - 🥇 Raj 3-1", "Tom 🥉 - Raj 🥇 3-1", "🥇 Tom < 🥈 Raj"])
def test_medals_of_two_that_say_the_other_winner_are_refused(line: str) -> None:
    assert problem(line).code == "places"


def test_medals_of_two_may_agree_with_the_score() -> None:
    assert read("🥈 Tom - 🥇 Raj 1-3").places == (2, 1)
    assert read("🥇 Tom - 🥈 Raj 3-1").places == (1, 2)


@pytest.mark.parametrize(
    "line",
    ["Ana 🏆 - Bo 1-3", "Ana - Bo 🏆 3-1", "👑 Ana - Bo 1-3", "🥈 Ana - Bo 3-1", "Ana - 🥇 Bo 3-1"],
)
def test_one_sign_at_the_side_that_lost_is_refused(line: str) -> None:
    assert problem(line).code == "sign"


@pytest.mark.parametrize(
    "line", ["Ana 🏆 - Bo 3-1", "Ana - 🥈 Bo 3-1", "Ana - Bo 3-1 🏆", "Ana 🏆 - Bo 2-2"]
)
def test_one_sign_may_agree_with_the_score(line: str) -> None:
    assert read(line).sides == (("Ana",), ("Bo",))


def test_a_sign_may_belong_to_a_known_name() -> None:
    match = read("Ana - Bo 👑 3-1", knows=known_names(["Bo 👑", "Ana"]))
    assert match.sides == (("Ana",), ("Bo 👑",))
