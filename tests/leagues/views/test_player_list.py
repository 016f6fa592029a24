"""The list of a league's players: everyone by name, also who has not played yet."""

from __future__ import annotations

import html
import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from leagues import wording
from leagues.models import League, PlayerGroup
from leagues.selectors import people
from leagues.services.matches import void_match
from leagues.services.player_groups import set_groups
from leagues.services.players import ensure_player
from tests.leagues.people import make_user
from tests.leagues.play import START, new_club, record, result

pytestmark = pytest.mark.django_db

ADDRESS = "/l/club/players/"


@pytest.fixture
def club() -> League:
    league = new_club(owner=make_user("kim"))
    record(league, result(league, "Cy", "ana"), result(league, "Bo", "Cy"))
    ensure_player(league=league, name="Åsa")
    return league


def names(page: str) -> list[str]:
    return re.findall(r'<a href="/l/club/p/[^"]*"><bdi>(.*?)</bdi>', page)


def page_of(client: Client, query: str = "") -> str:
    response = client.get(ADDRESS + query)
    assert response.status_code == 200
    return html.unescape(response.content.decode())


def test_everyone_is_listed_by_name_with_who_has_not_played(client: Client, club: League) -> None:
    page = page_of(client)
    assert names(page) == ["ana", "Bo", "Cy", "Åsa"]
    assert page.count("no results yet") == 1
    assert re.search(r"Åsa</bdi></a>\s*</th>\s*<td class=\"soft\">no results yet", page)
    assert "Groups" not in page and "Add a player" not in page
    assert 'href="/l/club/players/" aria-current="page"' in page


def test_everyone_has_a_last_day_and_whoever_is_long_away_is_inactive(
    client: Client, club: League
) -> None:
    record(club, result(club, "Cy", "Bo", at=timezone.now() - timedelta(days=3)))
    (match,) = record(club, result(club, "ana", "Bo", at=timezone.now()))
    void_match(match=match, author=None)
    page = page_of(client)
    assert last_days(page) == {
        "ana": (wording.day(START.date()), "inactive"),
        "Bo": ("3 days ago", ""),
        "Cy": ("3 days ago", ""),
        "Åsa": ("no results yet", ""),
    }
    assert f"A player is inactive after {club.active_days} days without a match" in page


def test_while_nobody_plays_absence_counts_up_to_the_last_day(client: Client, club: League) -> None:
    """As on the standings, which do not become empty by themselves."""
    page = page_of(client)
    assert {state for _day, state in last_days(page).values()} == {""}
    assert "A player is inactive after" not in page


def last_days(page: str) -> dict[str, tuple[str, str]]:
    """When each player has last played, and the tag behind the name."""
    name, tag = r"<bdi>([^<]*)</bdi></a>", r"(?:\s*<span class=\"tag\">([^<]*)</span>)?"
    rows = re.findall(rf"{name}{tag}\s*</th>\s*<td[^>]*>([^<]*)", page)
    return {name: (day, state) for name, state, day in rows}


def test_a_search_narrows_the_list_and_says_where_nobody_is_found(
    client: Client, club: League
) -> None:
    assert names(page_of(client, "?q=a")) == ["ana", "Åsa"]
    nobody = page_of(client, "?q=zzz")
    assert "No player has this name" in nobody and "All players" in nobody
    assert names(page_of(client, "?q=%00&after=%00")) == ["ana", "Bo", "Cy", "Åsa"]
    part = client.get(f"{ADDRESS}?q=bo", headers={"HX-Request": "true"}).content.decode()
    assert names(part) == ["Bo"] and "<html" not in part


def test_pages_follow_each_other_without_a_gap(
    client: Client, club: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(people, "MAX_LISTED", 2)
    ensure_player(league=club, name="Bo", key="bo-2")
    seen, query = [], ""
    while True:
        page = page_of(client, query)
        seen += names(page)
        following = re.search(rf'rel="next" href="{ADDRESS}([^"]*)"', page)
        if following is None:
            break
        query = following[1]
    assert seen == ["ana", "Bo", "Bo", "Cy", "Åsa"]


def test_groups_have_a_column_and_organizers_a_button(client: Client, club: League) -> None:
    bo = club.players.get(key="bo")
    set_groups(player=bo, groups={PlayerGroup.Kind.CLUB: "Harbour"}, actor=None)
    client.force_login(club.memberships.get().user)
    page = page_of(client)
    assert "<bdi>Harbour</bdi>" in page and "Groups" in page
    assert 'href="/l/club/players/add/"' in page


def test_a_league_without_players_says_how_they_come(client: Client) -> None:
    new_club(owner=make_user("bo"))
    assert "New players are added with their first result." in page_of(client)
