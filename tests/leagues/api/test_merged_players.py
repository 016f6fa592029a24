"""Keys of merged players lead to the player who is left, as their pages do."""

from __future__ import annotations

import pytest

from leagues.jobs.runner import drain
from leagues.models import League, Revision
from leagues.services.matches import revert_revision
from leagues.services.player_merging import merge_players
from tests.leagues.api.calls import Caller
from tests.leagues.api.test_schema import check_answer
from tests.leagues.people import make_user
from tests.leagues.play import new_club, record, result
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db

BASE = "/api/v1/leagues/{slug}/players/{key}/"
CLUB = "http://testserver/api/v1/leagues/club/players"


@pytest.fixture(scope="module")
def built_club(shared_rows: None) -> League:
    league = new_club(owner=make_user("kim"))
    record(league, result(league, "Bo", "Ana"), result(league, "Bob", "Cy"))
    return league


club = read_anew("built_club")


def merge(league: League, drop: str, keep: str) -> Revision:
    players = league.players
    revision = merge_players(
        league=league, keep=players.get(key=keep), drop=players.get(key=drop), author=None
    )
    drain()
    return revision


@pytest.mark.parametrize(("part", "path"), [("", BASE), ("history/", f"{BASE}history/")])
def test_the_address_of_a_merged_player_leads_to_the_other(
    club: League, part: str, path: str
) -> None:
    query = "?board=blitz-elo" if part else ""
    revision = merge(club, "bob", "bo")
    response = Caller().get(f"leagues/club/players/bob/{part}{query}")
    assert response.status_code == 302
    assert response["Location"] == f"{CLUB}/bo/{part}{query}"
    assert response.json() == {"key": "bo", "url": response["Location"]}
    assert "ETag" not in response.headers
    check_answer(path, "get", response)
    followed = Caller().get(response["Location"].removeprefix("http://testserver"))
    assert followed.status_code == 200
    answer = followed.json()
    assert answer.get("player", answer)["key"] == "bo"
    revert_revision(revision=revision, author=None)
    drain()
    assert Caller().get(f"leagues/club/players/bob/{part}{query}").status_code == 200


def test_several_merges_lead_to_the_last(club: League) -> None:
    record(club, result(club, "Zoe", "Cy"))
    merge(club, "zoe", "bob")
    merge(club, "bob", "bo")
    assert Caller().get("leagues/club/players/zoe/")["Location"] == f"{CLUB}/bo/"


def test_keys_that_are_parameters_mean_the_other_one(club: League) -> None:
    before = Caller().get("leagues/club/matches/?player=bob").json()["results"]
    assert [match["seq"] for match in before] == [2]
    merge(club, "bob", "bo")
    for key in ("bo", "bob"):
        rows = Caller().get(f"leagues/club/matches/?player={key}").json()["results"]
        assert sorted(match["seq"] for match in rows) == [1, 2]
        for route in ("preview", "comparison"):
            answer = Caller().get(f"leagues/club/{route}/?a={key}&b=ana").json()
            assert answer["sides"][0]["players"][0]["key"] == "bo"
    twice = Caller().get("leagues/club/preview/?a=bo&b=bob")
    assert (twice.status_code, twice.json()["errors"][0]["code"]) == (400, "player_twice")
    assert Caller().get("leagues/club/matches/?player=nobody").json()["results"] == []


@pytest.mark.parametrize("key", ["nobody", "bo%00b", "gone"])
def test_who_was_never_there_is_not_found(club: League, key: str) -> None:
    club.players.create(key="gone", name="Gone", folded="gone", is_listed=False)
    merge(club, "bob", "bo")
    assert Caller().get(f"leagues/club/players/{key}/").status_code == 404
    assert Caller().get(f"leagues/club/players/{key}/history/").status_code == 404


def test_a_private_league_says_nothing_of_merged_players(club: League) -> None:
    merge(club, "bob", "bo")
    club.visibility = League.Visibility.PRIVATE
    club.save()
    assert Caller().get("leagues/club/players/bob/").status_code == 404
