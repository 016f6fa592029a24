"""Standings of an age class: a filter like a group, only where organizers have set classes."""

from __future__ import annotations

import html
from datetime import timedelta

import pytest
from django.test import Client

from leagues.jobs.runner import drain
from leagues.models import AuditEntry, League, Player
from leagues.services.integrity import league_digest
from leagues.services.leagues import update_league
from leagues.services.player_editing import edit_player
from tests.leagues.people import make_user
from tests.leagues.play import START, new_club, record, result
from tests.leagues.shared_rows import read_anew
from tests.leagues.views.test_player_groups import BOARD, STANDINGS, page_of, rows_of

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def built_club(shared_rows: None) -> League:
    """Four players who turn 14, 15, 39 and 40 in the year of their matches."""
    league = new_club(owner=make_user("kim"))
    at = START - timedelta(days=9)
    for _time in range(5):
        record(league, result(league, "Ana", "Bo", at=at), result(league, "Cy", "Di", at=at))
        record(league, result(league, "Ana", "Cy", at=at), result(league, "Bo", "Di", at=at))
    drain()
    for key, age in (("ana", 14), ("bo", 15), ("cy", 39), ("di", 40)):
        born(key, at.year - age)
    return league


club = read_anew("built_club")


def born(key: str, year: int | None) -> None:
    player = Player.objects.get(key=key)
    edit_player(player=player, name=player.name, birth_year=year, actor=None)


def allow(league: League, classes: str) -> League:
    return update_league(league=league, changes={"age_classes": classes}, actor=None)


def names(page: str) -> list[tuple[str, str]]:
    return sorted((name, inner) for _rank, inner, name in rows_of(page))


def test_standings_of_a_class_have_its_ranks(client: Client, club: League) -> None:
    digest = league_digest(club)
    allow(club, "u15, U18; 40+")
    assert league_digest(club) == digest
    page = page_of(client, BOARD)
    for word, name in (("age:u15", "Age: U15"), ("age:u18", "Age: U18"), ("age:40+", "Age: 40+")):
        assert f'<option value="{word}">{name}</option>' in page
    assert names(page_of(client, f"{BOARD}?group=age:u15")) == [("Ana", "1")]
    assert names(page_of(client, f"{BOARD}?group=age:U18")) == [("Ana", "1"), ("Bo", "2")]
    # A plus that nobody encoded is a space in an address.
    for word in ("age:40%2B", "age:40+"):
        assert names(page_of(client, f"{BOARD}?group={word}")) == [("Di", "1")]
    assert "In brackets: the rank within “Age: 40+”." in page_of(client, f"{BOARD}?group=age:40%2B")


def test_nothing_tells_an_age_where_no_classes_are_set(client: Client, club: League) -> None:
    assert "age:" not in page_of(client, BOARD)
    assert names_or_none(client, "age:u15") == []
    allow(club, "U18")
    assert names_or_none(client, "age:u15") == []
    assert client.get(STANDINGS, {"group": "age:u15"}).status_code == 400
    assert client.get(STANDINGS, {"group": "age:u18"}).status_code == 200


def names_or_none(client: Client, word: str) -> list[tuple[str, str]]:
    page = page_of(client, f"{BOARD}?group={word}")
    return names(page) if 'class="t board' in page else []


def test_the_year_is_that_of_the_boards_day(client: Client, club: League) -> None:
    """The board rests by now, so that its last day decides; an earlier day is one of its year."""
    allow(club, "U15")
    record(club, result(club, "Ana", "Bo", at=START - timedelta(days=400)))
    drain()
    on = (START - timedelta(days=395)).date()
    assert on.year == START.year - 1
    client.get(f"{BOARD}?on={on}")
    drain()
    page = page_of(client, f"{BOARD}?on={on}&group=age:u15")
    assert [name for name, _rank in names(page)] == ["Ana", "Bo"]
    assert names(page_of(client, f"{BOARD}?group=age:u15")) == [("Ana", "1")]


def test_a_year_that_is_corrected_moves_the_player(client: Client, club: League) -> None:
    allow(club, "U15, 40+")
    assert names(page_of(client, f"{BOARD}?group=age:u15")) == [("Ana", "1")]
    born("ana", None)
    born("bo", START.year - 13)
    assert names(page_of(client, f"{BOARD}?group=age:u15")) == [("Bo", "1")]


def test_the_api_filters_by_class(client: Client, club: League) -> None:
    allow(club, "U18")
    answer = client.get(STANDINGS, {"group": "age:u18"}).json()
    ranks = [(row["player"]["name"], row["group_rank"]) for row in answer["results"]]
    assert ranks == [("Ana", 1), ("Bo", 2)]


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("U15, juniors", "“juniors” is no age class. Write U15 for under 15, 40+ for 40"),
        (",".join(f"U{age}" for age in range(10, 24)), "at most 12 age classes"),
    ],
)
def test_a_list_that_cannot_be_read_is_refused(
    client: Client, club: League, typed: str, words: str
) -> None:
    client.force_login(club.memberships.get().user)
    stored = {
        name: getattr(club, name)
        for name in ("name", "slug", "time_zone", "visibility", "walkovers", "active_days")
    }
    sent = {**stored, "ranked_after": club.ranked_after, "age_classes": typed}
    response = client.post("/l/club/settings/", sent)
    assert words in html.unescape(response.content.decode())
    club.refresh_from_db()
    assert club.age_classes == ""
    sent["age_classes"] = "u15 , 40 +"
    assert client.post("/l/club/settings/", sent).status_code == 302
    club.refresh_from_db()
    assert club.age_classes == "U15, 40+"
    (entry,) = AuditEntry.objects.filter(action="league.settings")
    assert entry.after["age_classes"] == "U15, 40+"
