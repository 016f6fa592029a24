"""The form of a result from a profile and a match: its players are there, and what is at stake."""

from __future__ import annotations

import html
import re
from datetime import timedelta

import pytest
from django.test import Client

from leagues.jobs.runner import drain
from leagues.models import League, Match, Player
from tests.leagues.people import join, make_user
from tests.leagues.play import START, new_club, record, result, season_of
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db

ENTER = "/l/club/enter/"
VALUE = re.compile(r'<input[^>]*name="((?:one|two)_\d|score_one)"[^>]*>')


@pytest.fixture(scope="module")
def built_club(shared_rows: None) -> League:
    league = new_club(owner=make_user("kim"))
    record(league, result(league, "Ana Ruiz", "Bo Li", at=START - timedelta(days=9)))
    drain()
    return league


club = read_anew("built_club")


@pytest.fixture
def kim(client: Client, club: League) -> Client:
    client.force_login(club.memberships.get().user)
    return client


def page_of(client: Client, address: str) -> str:
    return html.unescape(client.get(address).content.decode())


def link_to(page: str, words: str) -> str:
    found = re.search(rf'<a class="btn[^>]*href="([^"]*)"[^>]*>\s*{words}', page)
    assert found, words
    return found[1]


def players_of(page: str) -> dict[str, str]:
    values = {}
    for field in VALUE.finditer(page):
        value = re.search(r'value="([^"]*)"', field[0])
        if value:
            values[field[1]] = value[1]
    return values


def test_a_profile_leads_to_the_form_with_its_player(kim: Client) -> None:
    address = link_to(page_of(kim, "/l/club/p/ana-ruiz/"), "Enter a result")
    assert players_of(page_of(kim, address)) == {"one_1": "Ana Ruiz"}
    kim.cookies["me"] = "bo-li"
    address = link_to(page_of(kim, "/l/club/p/ana-ruiz/"), "Enter a result")
    page = page_of(kim, address)
    assert players_of(page) == {"one_1": "Bo Li", "two_1": "Ana Ruiz"}
    assert re.search(r'name="score_one"[^>]*autofocus', page)
    # Both are told what each outcome would change.
    assert re.findall(r"<dt>\s*At stake for ([^<]*?)\s*</dt>", page) == ["Bo Li", "Ana Ruiz"]
    kim.cookies["plain"] = "yes"
    assert "At stake" not in page_of(kim, address)


def test_the_stake_is_what_the_result_changes(kim: Client, club: League) -> None:
    page = page_of(kim, f"{ENTER}?a=bo-li&b=ana-ruiz")
    gain = re.search(r"<dd><b>(\+\d+)</b>", page)
    assert gain
    kim.get(f"{ENTER}?a=bo-li&b=ana-ruiz")
    sent = {"one_1": "Bo Li", "two_1": "Ana Ruiz", "outcome": "one", "kind": "played"}
    day = (START - timedelta(days=9)).date().isoformat()
    response = kim.post(ENTER, {**sent, "played_on": day, "shape": "pair", "played_time": "23:00"})
    assert response.status_code == 302, response.content.decode()
    drain()
    assert gain[1] in page_of(kim, response.url)


@pytest.mark.parametrize(
    ("sides", "fields"),
    [
        (("Ana Ruiz", "Bo Li"), {"one_1": "Ana Ruiz", "two_1": "Bo Li"}),
        (
            ("Ana Ruiz+Cy", "Bo Li+Di"),
            {"one_1": "Ana Ruiz", "one_2": "Cy", "two_1": "Bo Li", "two_2": "Di"},
        ),
    ],
)
def test_a_match_leads_to_the_form_with_its_players(
    kim: Client, club: League, sides: tuple[str, ...], fields: dict[str, str]
) -> None:
    (match,) = record(club, result(club, *sides, scores=(3, 1), at=START - timedelta(days=8)))
    address = link_to(page_of(kim, f"/l/club/m/autumn/{match.seq}/"), "Same players again")
    assert players_of(page_of(kim, address)) == fields


def test_a_match_of_many_leads_to_the_form_of_places(kim: Client, club: League) -> None:
    sides = ("Ana Ruiz", "Bo Li", "Cy")
    (match,) = record(club, result(club, *sides, scores=(9, 5, 1), at=START - timedelta(days=8)))
    address = link_to(page_of(kim, f"/l/club/m/autumn/{match.seq}/"), "Same players again")
    assert "Ana Ruiz\nBo Li\nCy</textarea>" in page_of(kim, address)


@pytest.mark.parametrize("words", ["a=nobody&b=bo-li", "again=99999", "again=x", "a=%00&b=", "a="])
def test_words_that_mean_nobody_leave_the_form_empty(kim: Client, words: str) -> None:
    fields = players_of(page_of(kim, f"{ENTER}?{words}"))
    assert set(fields.values()) <= {"Bo Li"}


def test_only_who_may_enter_results_is_led_to_the_form(client: Client, club: League) -> None:
    seq = Match.objects.get().seq
    for page in ("/l/club/p/ana-ruiz/", f"/l/club/m/{season_of(club).slug}/{seq}/"):
        shown = page_of(client, page)
        assert "Enter a result" not in shown
        assert "again=" not in shown
    join(club, make_user("scorer"), "scorer")
    client.force_login(club.memberships.get(role="scorer").user)
    assert "Same players again" in page_of(client, f"/l/club/m/{season_of(club).slug}/{seq}/")
    assert Player.objects.count() == 2
