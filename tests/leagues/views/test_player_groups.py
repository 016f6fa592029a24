"""Groups of players: given by organizers, a filter of standings everywhere, no fact of rating."""

from __future__ import annotations

import html
import io
import re
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from leagues.jobs.runner import drain
from leagues.models import AuditEntry, League, Player, PlayerGroup
from leagues.services.errors import Refused
from leagues.services.integrity import league_digest
from leagues.services.matches import revert_revision
from leagues.services.player_groups import GROUPED, set_groups
from leagues.services.player_merging import merge_players
from leagues.store import guards
from ratings.files.names import fold_name
from tests.leagues.people import join, make_user
from tests.leagues.play import START, new_club, record, result
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db

BOARD = "/l/club/"
STANDINGS = "/api/v1/leagues/club/standings/"
ROW = re.compile(
    r'class="rank">\s*(\d+)<?.*?(?:class="in-group">(.*?)</td>.*?)?<bdi>([^<]+)</bdi>', re.S
)


@pytest.fixture(scope="module")
def built_club(shared_rows: None) -> League:
    league = new_club(owner=make_user("kim"))
    at = START - timedelta(days=9)
    for _time in range(5):
        record(league, result(league, "Ana", "Bo", at=at), result(league, "Cy", "Di", at=at))
        record(league, result(league, "Ana", "Cy", at=at), result(league, "Bo", "Di", at=at))
    drain()
    return league


club = read_anew("built_club")


@pytest.fixture
def kim(client: Client, club: League) -> Client:
    client.force_login(club.memberships.get().user)
    return client


def give(club: League, **clubs: str) -> None:
    for key, name in clubs.items():
        player = Player.objects.get(league=club, key=key)
        set_groups(player=player, groups={"club": name}, actor=None)


def page_of(client: Client, address: str) -> str:
    return html.unescape(client.get(address).content.decode())


def rows_of(page: str) -> list[tuple[str, str, str]]:
    """Rank, rank within the group and name of each row of the standings."""
    table = page[page.index('class="t board') : page.index("</table>")]
    return [
        (rank, re.sub(r"<[^>]*>|[()\s]", "", inner or ""), name)
        for rank, inner, name in ROW.findall(table)
    ]


def test_standings_of_a_group_have_its_ranks_beside_those_of_all(
    client: Client, club: League
) -> None:
    everyone = rows_of(page_of(client, BOARD))
    assert {name for _rank, _inner, name in everyone} == {"Ana", "Bo", "Cy", "Di"}
    overall = {name: rank for rank, _inner, name in everyone}
    give(club, bo="Riverside", di="riverside", cy="Hill")
    page = page_of(client, f"{BOARD}?group=club:Riverside")
    rows = rows_of(page)
    assert [(name, inner) for _rank, inner, name in rows] == [("Bo", "1"), ("Di", "2")]
    assert {name: rank for rank, _inner, name in rows} == {
        name: overall[name] for name in ("Bo", "Di")
    }
    assert "In brackets: the rank within “Club: Riverside”." in page
    assert '<option value="club:riverside" selected>' in page
    # Names are looked for within it, and certainty counts in it.
    assert [row[2] for row in rows_of(page_of(client, f"{BOARD}?group=club:riverside&q=d"))] == [
        "Di"
    ]
    counts = re.findall(r'<small id="sure-any">(\d+)</small>', page)
    assert counts == ["2"]


def test_without_groups_a_page_asks_and_says_nothing_of_them(client: Client, club: League) -> None:
    with CaptureQueriesContext(connection) as queries:
        page = page_of(client, BOARD)
    assert not any("playergroup" in query["sql"] for query in queries)
    assert "in-group" not in page
    assert 'name="group"' not in page
    assert "brackets" not in page


def test_a_page_that_was_kept_is_another_once_groups_change(client: Client, club: League) -> None:
    give(club, bo="Hill")
    address = f"{BOARD}?group=club:hill"
    etag = client.get(address).headers["ETag"]
    assert client.get(address, headers={"if-none-match": etag}).status_code == 304
    give(club, di="Hill")
    assert client.get(address, headers={"if-none-match": etag}).status_code == 200
    assert len(rows_of(page_of(client, address))) == 2


@pytest.mark.parametrize("word", ["club:nowhere", "club:", "age:u12", "nothing", "club:%00"])
def test_a_group_that_is_none_shows_nobody_or_all(client: Client, club: League, word: str) -> None:
    response = client.get(f"{BOARD}?group={word}")
    assert response.status_code == 200
    table = 'class="t board' in response.content.decode()
    assert table is (word not in ("club:nowhere", "age:u12"))


def test_organizers_give_groups_and_undo_it_in_the_changes(kim: Client, club: League) -> None:
    before = league_digest(club)
    address = "/l/club/p/ana/groups/"
    response = kim.post(address, {"club": " Riverside ", "country": "Norway"}, follow=True)
    assert "The groups of Ana were saved." in response.content.decode()
    profile = page_of(kim, "/l/club/p/ana/")
    assert "Club: <a" in profile
    assert "group=club%3Ariverside" in profile
    kim.post(address, {"club": "Hill", "country": "Norway"})
    page = page_of(kim, "/l/club/changes/?kind=settings")
    undo = re.search(rf'<form method="post" action="{address}">(.*?)</form>', page, re.S)
    assert undo
    words = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', undo[1]))
    words.pop("csrfmiddlewaretoken")
    assert words == {"club": "Riverside", "was_club": "Hill", "undoes": "yes"}
    # What was changed since the page was drawn stays.
    kim.post(address, {"country": "Norge"})
    kim.post(address, {"country": "Norway"})
    page = kim.post(address, words, follow=True).content.decode()
    assert "The groups of Ana were changed back." in page
    groups = PlayerGroup.objects.values_list("kind", "name")
    assert set(groups) == {("club", "Riverside"), ("country", "Norway")}
    kim.post(address, {"club": "", "country": ""})
    assert not PlayerGroup.objects.exists()
    assert not League.objects.get().has_groups
    assert AuditEntry.objects.filter(action="player.groups").count() == 6
    assert league_digest(club) == before


def sent_by(page: str) -> dict[str, str]:
    """What the form of the groups of a player sends if nobody types anything."""
    form = page[page.index('action="/l/club/p/ana/groups/"') :]
    fields = re.findall(r"<input[^>]*>", form[: form.index("</form>")])
    words = {}
    for field in fields:
        name, value = re.search(r'name="(\w+)"', field), re.search(r'value="([^"]*)"', field)
        if name and name[1] != "csrfmiddlewaretoken":
            words[name[1]] = value[1] if value else ""
    return words


def test_two_open_pages_keep_each_others_groups(kim: Client, club: League) -> None:
    address = "/l/club/p/ana/groups/"
    give(club, ana="Hill")
    words = sent_by(page_of(kim, "/l/club/p/ana/edit/"))
    assert words == {
        **{"club": "Hill", "team": "", "country": ""},
        **{"was_club": "Hill", "was_team": "", "was_country": ""},
    }
    kim.post(address, words | {"country": "Norway", "club": "Lake"})
    # The other page was drawn before that.
    kim.post(address, words | {"team": "Blue"})
    groups = {("club", "Lake"), ("team", "Blue"), ("country", "Norway")}
    assert set(PlayerGroup.objects.values_list("kind", "name")) == groups
    refused = kim.post(address, words | {"club": "Sea", "team": "Red"})
    assert refused.status_code == 422
    page = html.unescape(refused.content.decode())
    assert "Someone else changed this to “Lake” in the meantime. Save again to replace it." in page
    assert set(PlayerGroup.objects.values_list("kind", "name")) == groups
    again = sent_by(page)
    assert (again["club"], again["was_club"], again["was_country"]) == ("Sea", "Lake", "")
    kim.post(address, again)
    groups = {("club", "Sea"), ("team", "Red"), ("country", "Norway")}
    assert set(PlayerGroup.objects.values_list("kind", "name")) == groups


def test_an_undo_that_comes_too_late_is_refused(kim: Client, club: League) -> None:
    give(club, ana="Lake")
    address = "/l/club/p/ana/groups/"
    refused = kim.post(address, {"club": "Riverside", "was_club": "Hill"})
    assert refused.status_code == 422
    assert PlayerGroup.objects.get().name == "Lake"


def test_erasing_groups_breaks_nothing(club: League) -> None:
    player = Player.objects.get(key="ana")
    for country in ("Norway", "Chad"):
        groups = {"club": "Hill", "team": "Blue", "country": country}
        set_groups(player=player, groups=groups, actor=None)
    guards.remove(connection)
    PlayerGroup.objects.all().delete()
    AuditEntry.objects.filter(action=GROUPED).update(before={"country": ""}, after={})
    out = io.StringIO()
    call_command("verify", stdout=out)
    assert "0 differences" in out.getvalue()


def test_a_name_that_is_none_is_refused_at_its_field(kim: Client, club: League) -> None:
    response = kim.post("/l/club/p/ana/groups/", {"club": "a\u202eb", "team": "Blue"})
    assert response.status_code == 422
    assert 'id="group_club_error"' in response.content.decode()
    with pytest.raises(Refused):
        give(club, ana="x" * 65)
    assert not PlayerGroup.objects.exists()


def test_the_same_groups_again_are_no_change(club: League) -> None:
    player = Player.objects.get(key="ana")
    assert set_groups(player=player, groups={"club": "Hill"}, actor=None)
    assert not set_groups(player=player, groups={"club": " Hill"}, actor=None)


def test_the_api_filters_by_group(client: Client, club: League) -> None:
    give(club, bo="Riverside", di="Riverside")
    answer = client.get(f"{STANDINGS}?group=club:Riverside").json()
    ranks = [(row["player"]["name"], row["group_rank"]) for row in answer["results"]]
    assert ranks == [("Bo", 1), ("Di", 2)]
    assert "group_rank" not in client.get(STANDINGS).json()["results"][0]
    refused = client.get(f"{STANDINGS}?group=age:u12")
    assert refused.status_code == 400


def test_a_group_whose_name_is_longer_once_folded_is_found(client: Client, club: League) -> None:
    name = "ﬃ" * 30 + " und ß"
    assert len(fold_name(name)) > 90
    give(club, bo=name, di=name, cy=name + "t")
    (address,) = re.findall(r'<option value="(club:[^"]*ss)">', page_of(client, BOARD))
    assert address == f"club:{fold_name(name)}"
    assert len(rows_of(page_of(client, f"{BOARD}?group={address}"))) == 2
    assert len(client.get(STANDINGS, {"group": address}).json()["results"]) == 2
    assert client.get(STANDINGS, {"group": "club:" + "x" * 300}).status_code == 400


def test_files_of_standings_have_groups_where_there_are_any(client: Client, club: League) -> None:
    address = "/l/club/seasons/autumn/standings.csv"
    assert b"club" not in b"".join(client.get(address).streaming_content)
    give(club, bo="Riverside")
    lines = b"".join(client.get(address).streaming_content).decode().splitlines()
    assert lines[0].endswith(',"lost","club","team","country"')
    assert [line.split(",")[-3] for line in lines[1:] if '"bo"' in line] == ['"Riverside"']


def test_a_merged_player_keeps_groups_for_the_undo(client: Client, club: League) -> None:
    record(club, result(club, "Annie", "Di", at=START - timedelta(days=8)))
    give(club, annie="Riverside", ana="Hill")
    keep, drop = (Player.objects.get(key=key) for key in ("ana", "annie"))
    revision = merge_players(league=club, keep=keep, drop=drop, author=None)
    drain()
    assert rows_of(page_of(client, f"{BOARD}?group=club:hill"))[0][2] == "Ana"
    assert "club:riverside" not in page_of(client, BOARD)
    revert_revision(revision=revision, author=None)
    assert "club:riverside" in page_of(client, BOARD)


def test_only_organizers_give_groups(client: Client, club: League) -> None:
    join(club, make_user("scorer"), "scorer")
    client.force_login(club.memberships.get(role="scorer").user)
    assert client.post("/l/club/p/ana/groups/", {"club": "Hill"}).status_code == 403
    assert not PlayerGroup.objects.exists()
