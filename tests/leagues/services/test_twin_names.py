"""No new player has a name that cannot be told from another player's by looking at it."""

from __future__ import annotations

import pytest

from leagues.jobs.runner import drain
from leagues.models import League, Player
from leagues.services import rosters
from leagues.services.errors import Refused
from leagues.services.players import create_player, ensure_player
from leagues.services.rosters import Roster
from tests.leagues.api.calls import Caller, program
from tests.leagues.imports.sender import Sender
from tests.leagues.people import make_user
from tests.leagues.play import new_club
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db

TWINS = ("Аna", "ANА", "Ａnа", "Ana \u0301", "Ana\xb4")
"""Names with Cyrillic letters, or an accent on no letter, beside Ana."""


@pytest.fixture(scope="module")
def built_club(shared_rows: None) -> League:
    league = new_club(owner=make_user("kim"))
    for name in ("Ana", "Bo", "Zoë", "Οl\u0113"):
        ensure_player(league=league, name=name)
    return league


club = read_anew("built_club")


@pytest.mark.parametrize("name", TWINS)
@pytest.mark.parametrize("reads_all", [False, True])
def test_a_look_alike_is_refused_whichever_way_names_are_read(club, name, reads_all):
    roster = Roster.of_league(club) if reads_all else Roster.of_names(club, names=[name])
    with pytest.raises(Refused) as refused:
        roster.bring(name=name)
    (problem,) = refused.value.problems
    assert problem.code == "name_taken"
    assert [one.name for one in problem.candidates] == ["Ana"]
    assert not roster.fresh


def test_the_one_in_other_letters_may_have_come_first(club):
    with pytest.raises(Refused, match="looks the same"):
        create_player(league=club, name="Ol\u0113")


def test_in_a_large_league_only_names_that_others_bear_as_they_are_seen_are_found(
    club, monkeypatch
):
    monkeypatch.setattr(rosters, "MOST_LOOKED_THROUGH", 3)
    with pytest.raises(Refused, match="looks the same"):
        create_player(league=club, name=TWINS[0])
    assert create_player(league=club, name="Ol\u0113")[1]


@pytest.mark.parametrize("selected", ["\ufe0e", "\ufe0f"])
@pytest.mark.parametrize("emoji", ["\N{FOX FACE}", "\N{HEAVY BLACK HEART}", "Bo \N{FOX FACE}"])
@pytest.mark.parametrize("reads_all", [False, True])
def test_an_emoji_looks_the_same_with_a_selector_and_without(club, emoji, selected, reads_all):
    for first, second in ((emoji, emoji + selected), (f"{emoji}{selected} x", f"{emoji} x")):
        create_player(league=club, name=first)
        roster = Roster.of_league(club) if reads_all else Roster.of_names(club, names=[second])
        with pytest.raises(Refused, match="looks the same") as refused:
            roster.bring(name=second)
        assert [problem.code for problem in refused.value.problems] == ["name_taken"]


def test_names_with_two_selectors_look_the_same_too(club):
    create_player(league=club, name="\N{HEAVY BLACK HEART}\ufe0e")
    with pytest.raises(Refused, match="looks the same"):
        create_player(league=club, name="\N{HEAVY BLACK HEART}\ufe0f")


def test_twins_of_selectors_that_are_there_keep_their_names(club):
    """They came before they were refused, or with keys of their own."""
    names = ("\N{FOX FACE}", "\N{FOX FACE}\ufe0f")
    players = [create_player(league=club, name=names[0])[0]]
    players.append(create_player(league=club, name=names[1], key="fox")[0])
    for name, player in zip(names, players, strict=True):
        assert Roster.of_names(club, names=[name]).meant_by(name=name) == (player,)
        assert Roster.of_league(club).meant_by(name=name) == (player,)
        assert ensure_player(league=club, name=name) == player


@pytest.mark.parametrize("name", ["Zoe", "Anna", "Яна", "Bo 2", "Ол"])
def test_what_can_be_told_apart_is_a_name_of_its_own(club, name):
    """Accents are seen, and other letters that look like none of those there."""
    assert create_player(league=club, name=name)[1]


def test_whom_a_key_tells_apart_may_look_alike(club):
    assert create_player(league=club, name="Аna", key="other")[1]


@pytest.mark.parametrize("reads_all", [False, True])
def test_who_comes_back_may_not_look_like_one_who_came_meanwhile(club, reads_all):
    """The import that brought the name was undone, and then another one was added like it."""
    club.players.filter(name="Ana").update(is_listed=False)
    assert create_player(league=club, name="Аna")[1]
    roster = Roster.of_league(club) if reads_all else Roster.of_names(club, names=["Ana"])
    with pytest.raises(Refused, match="looks the same as Аna"):
        roster.bring(name="Ana")
    assert not roster.returning
    assert roster.bring(name="Ana", key="ana") in roster.returning


def test_names_new_with_one_file_are_compared_with_each_other(club):
    roster = Roster.of_league(club)
    roster.bring(name="Cy")
    with pytest.raises(Refused, match="looks the same as Cy"):
        roster.bring(name="Су")
    roster.forget(0)
    assert roster.bring(name="Су").name == "Су"
    roster.forget(0)
    assert roster.bring(name="Cy").name == "Cy"


def test_a_program_is_told_whom_the_name_looks_like(club):
    caller: Caller = program(club)
    response = caller.send(
        "leagues/club/matches/",
        {
            "played_at": "2026-01-05T19:00:00Z",
            "sides": [
                {"rank": 1, "players": [{"name": "Аna"}]},
                {"rank": 2, "players": [{"name": "Bo"}]},
            ],
            "create_players": True,
        },
    )
    assert response.status_code == 422
    (error,) = response.json()["errors"]
    assert error["code"] == "name_taken"
    assert error["field"] == "sides.0.players.0"
    assert error["candidates"] == [{"key": "ana", "name": "Ana"}]
    assert club.players.count() == 4


def test_of_two_new_names_the_second_is_refused_and_nobody_offered(club):
    """The first is not stored either, so no key means it."""
    matches = [
        {
            "played_at": "2026-01-05T19:00:00Z",
            "sides": [
                {"rank": 1, "players": [{"name": name}]},
                {"rank": 2, "players": [{"name": "Bo"}]},
            ],
        }
        for name in ("Cy", "Су")
    ]
    caller: Caller = program(club)
    response = caller.send("leagues/club/matches/", {"matches": matches, "create_players": True})
    assert response.status_code == 422
    (error,) = response.json()["errors"]
    assert (error["index"], error["code"], error["name"]) == (1, "name_taken", "Су")
    assert error["candidates"] == []
    assert club.players.count() == 4


def test_the_rows_of_a_file_say_so_with_the_name(club, client):
    client.force_login(club.memberships.get().user)
    kim = Sender(client, club)
    page = kim.page(kim.checked("date,winner,loser\n2026-01-05,Аna,Bo\n2026-01-06,Ana,Bo\n"))
    assert "<bdi>Аna</bdi>" in page
    assert "looks the same as Ana but has other characters" in page
    assert "Import 1 result" in page
    drain()
    assert Player.objects.count() == 4
