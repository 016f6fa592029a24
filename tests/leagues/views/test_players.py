from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine

from leagues.selectors.players import PAGE_SIZE
from tests.leagues.play import LATER, START, new_club, record, result, rounds

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _later():
    with time_machine.travel(LATER, tick=True):
        yield


@pytest.fixture
def club():
    league = new_club()
    record(league, *rounds(league, ["Ana", "Bo", "Cy"], 12))
    return league


def test_a_profile_says_how_much_how_sure_and_in_what_place(client, club):
    body = client.get("/l/club/p/bo/").content.decode()
    assert "2nd of 3" in body
    assert "24 results" in body
    assert "12–0–12" in body
    assert "last played 19 days ago" in body
    assert "±" in body
    assert '<figure class="chart">' in body
    assert "The same numbers as a table" in body


def test_every_match_shows_before_change_and_after(client, club):
    body = client.get("/l/club/p/ana/").content.decode()
    assert "Won 3–1" in body
    assert ">1500</td>" in body


def test_matches_are_paged_newest_first(client):
    league = new_club()
    record(
        league,
        *(
            result(league, "Ana", "Bo", scores=(number + 1, 0), at=START + timedelta(hours=number))
            for number in range(PAGE_SIZE + 5)
        ),
    )
    first = client.get("/l/club/p/ana/").content.decode()
    assert first.count("Won ") == PAGE_SIZE
    assert f"Won {PAGE_SIZE + 5}–0" in first
    second = client.get("/l/club/p/ana/?page=2").content.decode()
    assert second.count("Won ") == 5
    assert client.get("/l/club/p/ana/?page=x").status_code == 200


def test_a_player_without_rated_results_has_a_guess(client):
    league = new_club()
    record(league, result(league, "Ana", "Bo", kind="unrated"))
    body = client.get("/l/club/p/ana/").content.decode()
    assert "No rated results yet" in body
    assert "Starting value 1500 ±" in body
    assert "not rated" in body


def test_the_same_player_on_other_boards_is_one_link_away(client, club):
    body = client.get("/l/club/p/ana/").content.decode()
    assert "On the other boards" in body
    elo = client.get("/l/club/p/ana/?season=autumn&board=blitz-elo")
    assert elo.status_code == 200
    assert "± " not in elo.content.decode().partition("On the other boards")[0]


def test_partners_and_many_opponents_are_named(client):
    league = new_club()
    record(
        league,
        result(league, "Ana+Bo", "Cy+Dina"),
        result(league, "Ana", "Bo", "Cy", ranks=(1, 2, 2)),
    )
    body = client.get("/l/club/p/bo/").content.decode()
    assert "2nd= of 3" in body
    assert "with" in body


def test_unknown_players_are_not_found(client, club):
    assert client.get("/l/club/p/nobody/").status_code == 404
    assert client.get("/l/club/p/%00/").status_code == 404


def test_a_profile_takes_few_queries(client, club, django_assert_max_num_queries):
    with django_assert_max_num_queries(11):
        client.get("/l/club/p/ana/")
