"""The ways in for a result agree: form, API, file and command line."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from leagues.jobs.runner import drain
from leagues.models import League, Match, Player
from leagues.services.matches import revert_revision
from leagues.services.players import ensure_player, rename_player
from tests.leagues.api.calls import Caller, browser, program
from tests.leagues.imports.sender import Sender
from tests.leagues.people import join, make_user
from tests.leagues.play import new_club
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db

SEVERAL = "several"
DAY = timedelta(days=1)


@pytest.fixture(scope="module")
def built_club(shared_rows: None) -> League:
    """A league with somebody of each kind whom a name may mean."""
    league = new_club(owner=make_user("kim"))
    for name in ("Anna", "Bo", "Cy"):
        ensure_player(league=league, name=name)
    rename_player(player=league.players.get(key="anna"), name="Ana", actor=None)
    ensure_player(league=league, name="Cy", key="cy-2")
    ensure_player(league=league, name="Somebody Else", key="eve")
    kim = signed_in("kim", league)
    address = kim.checked("date,winner,loser\n2026-01-05,Dee,Bo\n")
    kim.written(address)
    revert_revision(revision=league.revisions.get(), author=None)
    drain()
    assert not league.players.get(key="dee").is_listed
    return league


club = read_anew("built_club")


def signed_in(name: str, league: League) -> Sender:
    client = Client()
    client.force_login(league.memberships.get(user__username=name).user)
    return Sender(client, league)


def typed(name: str) -> dict[str, str]:
    return {
        "one_1": name,
        "two_1": "Bo",
        "outcome": "one",
        "played_on": "2026-02-01",
        "kind": "played",
    }


def by_form(league: League, name: str, _folder: Path) -> str:
    """Enter a win of this name, which is somebody new where the form asks who it is."""
    kim, form = signed_in("kim", league), typed(name)
    asked = kim.client.post("/l/club/enter/", form)
    if asked.status_code == 422:
        answers = re.search('name="answer">(.*?)</select>', asked.content.decode(), re.DOTALL)
        offered = re.findall('value="([^"]+)"', answers[1])
        if len(offered) > 1:
            assert offered == ["cy", "cy-2", "new"]
            return SEVERAL
        kim.client.post("/l/club/enter/", form | {"asked": name, "answer": "new"})
    return winner()


def by_api(league: League, name: str, _folder: Path) -> str:
    sides = [{"rank": rank, "players": [{"name": one}]} for rank, one in enumerate((name, "Bo"), 1)]
    body = {"played_on": "2026-02-01", "sides": sides, "create_players": True}
    sent = program(league).send("leagues/club/matches/", body)
    return SEVERAL if sent.status_code == 422 and sent.json()["code"] == "name_shared" else winner()


def by_file(league: League, name: str, _folder: Path) -> str:
    kim = signed_in("kim", league)
    address = kim.checked(f"date,winner,loser\n2026-02-01,{name},Bo\n")
    if "Several players are called" in kim.page(address):
        return SEVERAL
    kim.written(address)
    return winner()


def by_command(_league: League, name: str, folder: Path) -> str:
    file = folder / "results.csv"
    file.write_text(f"date,winner,loser\n2026-02-01,{name},Bo\n")
    try:
        call_command("import_matches", str(file), "--league", "club")
    except SystemExit:
        return SEVERAL
    return winner()


def winner() -> str:
    newest = Match.objects.filter(status="live").latest("pk")
    return newest.participants.get(rank=1).player.key


DOORS = (by_form, by_api, by_file, by_command)


@pytest.mark.parametrize("enter", DOORS)
@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("ANA", "anna"),
        ("anna", "anna"),
        ("Cy", SEVERAL),
        ("Zed", "zed"),
        ("Dee", "dee"),
        ("Eve", "eve-2"),
    ],
)
def test_every_door_means_the_same_player_by_a_name(
    enter: Callable[..., str], name: str, meant: str, club: League, tmp_path: Path
) -> None:
    before = club.players.count()
    assert enter(club, name, tmp_path) == meant
    assert club.players.count() == before + (meant in ("zed", "eve-2"))
    assert meant == SEVERAL or club.players.get(key=meant).is_listed


def test_of_several_bearers_a_form_takes_the_one_who_was_chosen(club: League) -> None:
    form = typed("Cy") | {"asked": "Cy", "answer": "cy-2"}
    signed_in("kim", club).client.post("/l/club/enter/", form)
    assert winner() == "cy-2"


def test_a_player_of_a_shared_name_is_not_made_once_more(club: League) -> None:
    """Before, whoever had the key that the name gives was taken for the one who was meant."""
    sent = program(club).send("leagues/club/players/", {"name": "Cy"})
    assert (sent.status_code, sent.json()["code"]) == (422, "name_shared")


def test_a_newcomer_of_a_long_file_is_one_player_in_all_of_it(club: League) -> None:
    """Before, a newcomer whose key had a number behind it came anew with each part written."""
    rows = "".join(f"2026-02-01T10:{i // 60:02}:{i % 60:02},Eve,Bo\n" for i in range(400))
    kim = signed_in("kim", club)
    kim.written(kim.checked("date,winner,loser\n" + rows))
    assert list(Player.objects.filter(name="Eve").values_list("key", flat=True)) == ["eve-2"]
    assert Match.objects.filter(status="live").count() == 400


def organizer_form(league: League, on: str) -> int:
    return signed_in("kim", league).client.post("/l/club/enter/", dated(on)).status_code


def scorer_form(league: League, on: str) -> int:
    join(league, make_user("sam"), "scorer")
    return signed_in("sam", league).client.post("/l/club/enter/", dated(on)).status_code


def organizer_api(league: League, on: str) -> int:
    return send(browser(league.memberships.get(user__username="kim").user), on)


def scorer_api(league: League, on: str) -> int:
    scorer = make_user("sam")
    join(league, scorer, "scorer")
    return send(browser(scorer), on)


def recent_token(league: League, on: str) -> int:
    return send(program(league, recent_only=True), on)


def any_token(league: League, on: str) -> int:
    return send(program(league), on)


def dated(on: str) -> dict[str, str]:
    return typed("Ana") | {"played_on": on}


def send(caller: Caller, on: str) -> int:
    sides = [{"rank": rank, "players": [{"name": one}]} for rank, one in ((1, "Ana"), (2, "Bo"))]
    return caller.send("leagues/club/matches/", {"played_on": on, "sides": sides}).status_code


@pytest.mark.parametrize(
    ("enter", "may_backdate"),
    [
        (organizer_form, True),
        (scorer_form, False),
        (organizer_api, True),
        (scorer_api, False),
        (recent_token, False),
        (any_token, True),
    ],
)
def test_every_door_takes_the_same_dates(
    enter: Callable[[League, str], int], may_backdate: bool, club: League
) -> None:
    today = timezone.now().astimezone(club.zone).date()
    refused = enter(club, (today - 2 * DAY).isoformat()) in (403, 422)
    assert refused is not may_backdate
    assert Match.objects.filter(status="live").exists() is may_backdate


@pytest.mark.parametrize("enter", [scorer_form, scorer_api, recent_token])
def test_yesterday_is_not_backdated_at_any_door(
    enter: Callable[[League, str], int], club: League
) -> None:
    yesterday = timezone.now().astimezone(club.zone).date() - DAY
    assert enter(club, yesterday.isoformat()) in (201, 302)


def test_only_who_may_backdate_brings_files(club: League) -> None:
    join(club, make_user("sam"), "scorer")
    response = signed_in("sam", club).send("date,winner,loser\n2001-02-01,Ana,Bo\n")
    assert response.status_code == 403
