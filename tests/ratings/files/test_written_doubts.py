"""Lines whose result may be another one, which are refused with what to write."""

from __future__ import annotations

from datetime import date, time

import pytest

from ratings.files.written import read_line
from ratings.files.written_sides import known_names
from tests.ratings.files.test_written import problem, read


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        ("Bo lost to Ana 3-2", "“Ana - Bo 3-2” if “Ana” won, and “Bo - Ana 3-2” if “Bo” did"),
        ("Bo was beaten by Ana 3:1", "“Ana - Bo 3-1” if “Ana” won"),
        ("Bo a perdu 3-1 contre Ana", "“Ana - Bo 3-1” if “Ana” won"),
        ("Bo hat gegen Ana 3:2 verloren", "“Ana - Bo 3-2” if “Ana” won"),
        ("Bo + Di lost to Ana + Cy 11-8 11-6", "“Ana + Cy - Bo + Di 2-0 (11-8 11-6)” if"),
    ],
)
def test_a_score_against_the_words_is_offered_both_ways(line: str, advice: str) -> None:
    found = problem(line)
    assert found.code == "turned"
    assert advice in found.reason


def test_who_lost_may_stand_first_with_fewer_points_or_behind_a_mark() -> None:
    assert read("Bo lost to Ana 2-3").places == (2, 1)
    assert read("Bo < Ana 3-2").places == (2, 1)
    assert read("Bo lost to Ana ret 3-2").places == (2, 1)


@pytest.mark.parametrize(
    ("scores", "advice"),
    [
        ("1-0, 0-1", "1-1 (1-0 0-1)"),
        ("1-0, 1-0", "2-0 (1-0 1-0)"),
        ("13-7 7-13", "1-1 (13-7 7-13)"),
        ("(13-7 7-13)", "1-1 (13-7 7-13)"),
    ],
)
def test_scores_that_may_be_several_games_are_asked_about(scores: str, advice: str) -> None:
    found = problem(f"Ana - Bo {scores}")
    assert found.code == "games"
    assert advice in found.reason
    assert read(f"Ana - Bo {advice}").detail in scores.replace(",", "")


@pytest.mark.parametrize("line", ["❌ Ana - Bo 3:0", "Ana - Bo 3:0 ❌", "❌Ana > Bo", "~Ana > Bo~"])
def test_a_line_that_is_crossed_out_does_not_count(line: str) -> None:
    assert problem(line, knows=known_names(["Ana", "Bo"])).code == "crossed"


@pytest.mark.parametrize("line", ["und nochmal 3:2", "Runde zwei 3:1", "Tisch frei 3:0"])
def test_words_of_a_talk_are_no_players_unless_a_mark_stands_between(line: str) -> None:
    assert problem(line).code == "undivided"
    assert read("Tisch - frei 3:0").sides == (("Tisch",), ("frei",))
    assert read("Tisch frei 3:0", knows=known_names(["Tisch"])).sides == (("Tisch",), ("frei",))


def test_a_time_without_a_colon_is_no_part_of_a_name() -> None:
    assert read("20u26 Piet - Jan 3-1").clock == time(20, 26)
    assert "Write 21:30 if “2130” is a time" in problem("2130 Kees - Jan 3-0").reason
    assert read("1860 Ulm - Jan 3-0").sides == (("1860 Ulm",), ("Jan",))
    knows = known_names(["1904 Kees"])
    assert read("1904 Kees - Jan 3-0", knows=knows).sides == (("1904 Kees",), ("Jan",))


@pytest.mark.parametrize(
    ("line", "detail"),
    [
        ("Ana - Bo 3:2 (9,-8,7,-5,10)", "11-9 8-11 11-7 5-11 12-10"),
        ("Ana - Bo 3:2 (9 -8 7 -5 10)", "11-9 8-11 11-7 5-11 12-10"),
        ("Ana - Bo 0:3 (-9, -0, -14)", "9-11 0-11 14-16"),
    ],
)
def test_sets_may_be_the_points_of_their_losers(line: str, detail: str) -> None:
    match = read(line)
    assert match.detail == detail
    assert match.score == ((3, 2) if line.endswith("10)") else (0, 3))


@pytest.mark.parametrize("sets", ["(9,-8,7)", "(9,8,7,6,5)", "(15,-18,16,-3,4)"])
def test_points_of_losers_fit_the_score_and_a_set_to_eleven(sets: str) -> None:
    assert problem(f"Ana - Bo 3:2 {sets}").code == "sets"


@pytest.mark.parametrize(
    "stamp", ["19/11/26 20:15 - Vera: ", "[19-11-2026 20:15] Vera: ", "[19.11.2026 20:15] Vera: "]
)
def test_marks_of_chats_may_have_dashes_and_no_comma(stamp: str) -> None:
    match = read(f"{stamp}\u200fana bo 3-1\u200f")
    assert (match.day, match.clock) == (date(2026, 11, 19), time(20, 15))
    assert problem("[11-12-2026 20:15] Vera: ana bo 3-1").code == "day"


def test_a_cross_may_belong_to_a_player() -> None:
    knows = known_names(["❌ Ana", "Bo"])
    assert read("❌ Ana - Bo 3:0", knows=knows).sides == (("❌ Ana",), ("Bo",))


@pytest.mark.parametrize("line", ["I beat Bo 3-1", "Bo - mich 3-1", "Ana lost to me 1-3"])
def test_who_writes_has_to_be_named(line: str) -> None:
    assert "write the name" in problem(line).reason


def test_words_for_once_more_are_no_part_of_a_name() -> None:
    assert "“again” stands behind a name" in problem("Ana beat Bo again 3-1").reason


def test_a_number_behind_a_number_sign_is_asked_about() -> None:
    assert "Write 1. without #" in problem("#1 Ana - Bo 3-1").reason
    for left_out in ("# 1 Ana - Bo 3-1", "#1. Ana - Bo 3-1", "#Ana - Bo 3-1", "#1 Ana is late"):
        assert read_line(left_out) is None


def test_a_known_name_may_begin_with_a_number_sign() -> None:
    match = read("#1 Fan - Ana 3-1", knows=known_names(["#1 Fan", "Ana"]))
    assert match.sides == (("#1 Fan",), ("Ana",))
