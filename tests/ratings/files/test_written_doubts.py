"""Lines whose result may be another one, which are refused with what to write."""

from __future__ import annotations

import pytest

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


def test_a_cross_may_belong_to_a_player() -> None:
    knows = known_names(["❌ Ana", "Bo"])
    assert read("❌ Ana - Bo 3:0", knows=knows).sides == (("❌ Ana",), ("Bo",))
