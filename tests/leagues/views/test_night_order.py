"""In which order the lines of a night sheet count, what is asked at once, and its examples."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest

from leagues.domain.score_rules import read_rule
from leagues.models import League, Match
from leagues.services.modes import change_score_rule
from tests.leagues.play import mode_of
from tests.leagues.services.test_started_matches import kind_of, start
from tests.leagues.views.desk import DAY, Desk

pytestmark = pytest.mark.django_db


def test_results_that_are_repeated_without_a_score_are_confirmed_at_once(kim: Desk) -> None:
    text = "Cy > Dee\nCy > Dee\nCy > Dee\nCy Dee 3-1\nCy Dee 3-1\nDee > Cy\nDee > Cy"
    page = kim.check(text)
    codes = re.findall(r'name="settled" value="([^"]+)"', page)
    assert [len(code.split()) for code in codes] == [3, 1]
    plain = " ".join(re.sub("<[^>]*>", "", page).split())
    assert "Lines 2, 3 and 7: Each says the same as a line above it. Enter them all" in plain
    assert "Line 5: Line 4 says the same. Enter it once more" in plain
    assert kim.enter(text, settled=codes[:1]).status_code == 422
    assert "7 results recorded" in kim.enter(text, settled=codes).content.decode()
    page = kim.check(f"{text}\nCy Dee 3-2\nCy Dee 3-2\nDee Cy 3-2\nDee Cy 3-2")
    assert len(re.findall(r'name="settled"', page)) == 3
    assert "Each says the same as a line above it, with the same score." in page
    assert "Results that say the same are there already. Enter them again" in " ".join(
        re.sub("<[^>]*>", "", page).split()
    )


def test_lines_count_in_their_order_below_a_time_too(kim: Desk, club: League) -> None:
    text = "Cy > Dee\n19:40 Ana Ruiz Bo Li 3-1\nBo Li > Cy\nDee > Ana Ruiz"
    page = kim.check(text)
    assert page.count('<span class="tag">after 19:40</span>') == 2
    kim.enter(text)
    last = club.matches.order_by("-played_at", "-same_time_order", "-seq")[:4]
    assert [match.seq for match in last] == [5, 4, 3, 2]


def test_a_started_match_on_a_sheet_counts_from_its_start(kim: Desk, club: League) -> None:
    day = club.midnight(date.fromisoformat(DAY))
    begun = start(club, "Ana Ruiz", "Bo Li", at=day + timedelta(hours=19, minutes=40)).match
    text = "Cy > Dee\nAna Ruiz Bo Li 3-1\nBo Li > Cy"
    page = kim.check(text)
    assert page.count("Counts from 19:40, after the start of a match above or of this one.") == 2
    kim.enter(text)
    assert kind_of(begun) == Match.Kind.ENDED
    moments = club.matches.filter(seq__gt=begun.seq).order_by("seq").values_list("played_at")
    assert [at - day for (at,) in moments] == [timedelta(0), *[begun.played_at - day] * 2]


def test_the_examples_of_lines_have_scores_that_the_rule_knows(kim: Desk, club: League) -> None:
    change_score_rule(mode=mode_of(club), rule=read_rule("points to 10"), actor=None)
    page = kim.client.get(kim.address).content.decode()
    assert "bo 3-1" not in page and "21-18" not in page
    assert "ana bo 10-8" in page
    form = kim.client.get("/l/club/enter/").content.decode()
    assert "21–18" not in form and "set scores" not in form.partition("Set scores or")[2]
    change_score_rule(mode=mode_of(club), rule=read_rule("sets 5 to 11+2"), actor=None)
    assert "11–8, 9–11" in kim.client.get("/l/club/enter/").content.decode()
