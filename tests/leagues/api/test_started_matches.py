"""Started matches by the API: starting, the result, calling off, and who may."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from leagues.jobs.runner import drain
from leagues.models import League, Match, Membership, Mode, Participant, Player, Season, Standing
from leagues.services.leagues import add_board, create_season
from leagues.services.players import ensure_player
from leagues.services.started_matches import lose_overdue
from tests.leagues.api.calls import Caller, browser, program
from tests.leagues.people import join, make_user
from tests.leagues.play import mode_of, new_club, season_of
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db

PATH = "leagues/club/matches/started/"
NAMES = ("Ana", "Bo", "Cy")


@pytest.fixture(scope="module")
def built_club(shared_rows: None) -> League:
    league = new_club()
    season_of(league).boards.all().delete()
    for system in ("elo", "becker"):
        add_board(season=season_of(league), mode=mode_of(league), system=system)
    for name in NAMES:
        ensure_player(league=league, name=name)
    return league


club = read_anew("built_club")


@pytest.fixture
def bot(club: League) -> Caller:
    return program(club)


def between(one: str, other: str, **more: Any) -> dict[str, Any]:
    return {"sides": [{"players": [{"name": one}]}, {"players": [{"name": other}]}]} | more


def shown(club: League) -> dict[str, float]:
    rows = Standing.objects.current(club.boards.get(system="elo"))
    return dict(rows.values_list("player__name", "shown"))


def test_a_start_answers_with_what_leaving_costs_each(bot: Caller) -> None:
    """Two newcomers by hand: half of K 40; Becker has no such loss and says why."""
    sent = bot.send(PATH, between("Ana", "Bo"))
    assert sent.status_code == 201, sent.content
    answer = sent.json()
    assert answer["match"]["kind"] == "started"
    assert answer["match"]["started_at"] == answer["match"]["played_at"]
    assert [(loss["player"], loss["before"], loss["after"]) for loss in answer["losses"]] == [
        ("ana", 1500.0, 1480.0),
        ("bo", 1500.0, 1480.0),
    ]
    (refusal,) = answer["refusals"]
    assert "left" in refusal["reason"]
    assert (answer["left"], answer["already_there"]) == ([], False)
    (listed,) = bot.get(PATH).json()["results"]
    assert listed["match"]["id"] == answer["match"]["id"]
    assert listed["losses"] == answer["losses"]


def test_from_start_to_second_start_to_late_result(bot: Caller, club: League) -> None:
    first = bot.send(PATH, between("Ana", "Bo")).json()["match"]
    second = bot.send(PATH, between("Ana", "Cy")).json()
    drain()
    (left,) = second["left"]
    assert (left["id"], left["kind"], left["version"]) == (first["id"], "left", 2)
    leaving = [side["players"][0]["leaving"] for side in left["sides"]]
    assert leaving == ["left", "stayed"]
    assert shown(club) == {"Ana": 1480.0}
    result = {"version": 2, "sides": [{"rank": 2, "score": 1}, {"rank": 1, "score": 3}]}
    address = f"leagues/club/matches/{first['id']}/result/"
    # A late one takes back the loss, which this program may not.
    assert bot.send(address, result).status_code == 422
    join(club, owner := make_user("olga"), Membership.Role.ORGANIZER)
    answer = browser(owner).send(address, result)
    assert answer.status_code == 201, answer.content
    drain()
    assert answer.json()["kind"] == "played"
    assert answer.json()["revision"] == 3
    assert shown(club) == {"Ana": 1480.0, "Bo": 1520.0}


def test_a_result_in_time_replaces_the_open_match(bot: Caller, club: League) -> None:
    match = bot.send(PATH, between("Ana", "Bo", external_id="g1")).json()["match"]
    again = bot.send(PATH, between("Ana", "Bo", external_id="g1"))
    assert (again.status_code, again.json()["already_there"]) == (200, True)
    assert again.json()["match"]["external_id"] == "g1"
    address = f"leagues/club/matches/{match['id']}/result/"
    sides = [{"rank": 1}, {"rank": 2}]
    assert bot.send(address, {"sides": sides, "version": 7}).status_code == 409
    first = bot.send(address, {"sides": sides, "version": 1})
    assert first.status_code == 201, first.content
    drain()
    assert shown(club) == {"Ana": 1520.0, "Bo": 1480.0}
    again = bot.send(address, {"sides": sides, "version": 1})
    assert (again.status_code, again.json()["id"]) == (200, first.json()["id"])
    other = bot.send(address, {"sides": sides[::-1]})
    assert (other.status_code, "another result" in other.content.decode()) == (422, True)
    assert bot.get(PATH).json()["results"] == []
    assert bot.get(f"leagues/club/matches/{match['id']}/").json()["kind"] == "ended"


def test_a_result_that_is_sent_as_any_other_ends_the_match(bot: Caller, club: League) -> None:
    bot.send(PATH, between("Ana", "Bo", external_id="g1"))
    sides = [{"rank": 1, "players": [{"name": "Bo"}]}, {"rank": 2, "players": [{"name": "Ana"}]}]
    said = {"played_at": timezone.now().isoformat(), "external_id": "g1", "sides": sides}
    assert bot.send("leagues/club/matches/", said).status_code == 201
    assert bot.get(PATH).json()["results"] == []
    lose_overdue(timezone.now() + timedelta(days=2))
    drain()
    assert shown(club) == {"Ana": 1480.0, "Bo": 1520.0}


def test_who_is_let_go_loses_nothing(bot: Caller, club: League) -> None:
    match = bot.send(PATH, between("Ana", "Bo")).json()
    address = f"leagues/club/matches/{match['match']['id']}/release/"
    answer = bot.send(address, {"release": ["bo"]})
    assert answer.status_code == 200, answer.content
    (listed,) = bot.get(PATH).json()["results"]
    assert [loss["player"] for loss in listed["losses"]] == ["ana"]
    assert bot.send(address, {"release": ["bo"]}).json()["revision"] is None
    assert bot.send(address, {"release": ["nobody"]}).status_code == 422
    lose_overdue(timezone.now() + timedelta(days=2))
    drain()
    assert shown(club) == {"Ana": 1480.0}


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"sides": []}, "sides"),
        (between("Ana", "Ana"), "sides"),
        (between("Ana", "Nobody at all"), "sides"),
        (between("Ana", "Bo", started_at="tomorrow"), "started_at"),
        (between("Ana", "Bo", started_at="2999-01-01T00:00:00Z"), "played_at"),
        # No time limit can follow.
        (between("Ana", "Bo", started_at="9999-12-31T23:59:59Z"), "played_at"),
        (between("Ana", "Bo", weight=99), "weight"),
        (between("Ana", "Bo", season="nowhere"), "season"),
        (between("Ana", "Bo", external_id="two words"), "external_id"),
        ("nonsense", ""),
    ],
)
def test_a_start_that_cannot_be_is_refused_by_its_field(bot: Caller, body: Any, field: str) -> None:
    refused = bot.send(PATH, body)
    assert refused.status_code in (400, 422), refused.content
    assert field in refused.content.decode()
    assert not Match.objects.exists()


def test_a_start_that_is_sent_again_for_another_season_is_answered_where_it_is(
    bot: Caller, club: League
) -> None:
    first = bot.send(PATH, between("Ana", "Bo", external_id="g1")).json()["match"]
    spring = create_season(league=club, name="Spring", actor=None)
    Season.objects.filter(pk=spring.pk).update(state=Season.State.OPEN)
    again = bot.send(PATH, between("Ana", "Bo", external_id="g1", season=spring.slug))
    assert (again.status_code, again.json()["match"]) == (200, first)


@pytest.mark.parametrize("kind", ["started", "left", "ended"])
def test_no_result_can_be_sent_as_a_started_match(bot: Caller, kind: str) -> None:
    sides = [{"rank": 1, "players": [{"name": "Ana"}]}, {"rank": 2, "players": [{"name": "Bo"}]}]
    said = {"played_at": "2026-01-01T00:00:00Z", "kind": kind, "sides": sides}
    assert bot.send("leagues/club/matches/", said).status_code == 400


def test_a_started_match_is_not_corrected_into_a_result(club: League) -> None:
    join(club, owner := make_user("olga"), Membership.Role.ORGANIZER)
    organizer = browser(owner)
    match = organizer.send(PATH, between("Ana", "Bo")).json()["match"]
    address = f"leagues/club/matches/{match['id']}/"
    changed = {"version": 1, "weight": 2.0}
    refused = organizer.send(address, changed, method="PATCH")
    assert (refused.status_code, "result" in refused.content.decode()) == (422, True)


def test_a_player_lets_the_other_side_go_where_the_mode_says_so(bot: Caller, club: League) -> None:
    """No player is let go on the own word: who would lose does not accuse the opponent."""
    match = bot.send(PATH, between("Ana", "Bo")).json()["match"]
    users = {}
    for key in ("ana", "bo", "cy"):
        join(club, user := make_user(key), Membership.Role.PLAYER)
        Player.objects.filter(key=key).update(user=user)
        users[key] = user
    address = f"leagues/club/matches/{match['id']}/release/"
    assert browser(users["ana"]).send(address, {}).status_code == 403
    Mode.objects.update(released_by=Mode.ReleasedBy.PLAYERS)
    assert browser(users["cy"]).send(address, {}).status_code == 403
    assert browser(users["ana"]).send(address, {"release": ["ana"]}).status_code == 403
    assert browser(users["ana"]).send(address, {}).status_code == 200
    assert leaving() == {"ana": None, "bo": Participant.Leaving.RELEASED}
    assert browser(users["bo"]).send(address, {}).status_code == 200
    assert Match.objects.get().kind == Match.Kind.ENDED


def test_a_scorer_who_plays_is_let_go_by_others_only(club: League) -> None:
    join(club, ana := make_user("ana"), Membership.Role.SCORER)
    Player.objects.filter(key="ana").update(user=ana)
    match = browser(ana).send(PATH, between("Ana", "Bo")).json()["match"]
    address = f"leagues/club/matches/{match['id']}/release/"
    assert browser(ana).send(address, {}).status_code == 200
    assert leaving() == {"ana": None, "bo": Participant.Leaving.RELEASED}


@pytest.mark.parametrize("is_undone", [False, True])
def test_an_own_start_is_no_way_out_of_it(club: League, is_undone: bool) -> None:
    """Whoever entered it can take it back while it is open and has cost nobody another match.

    No player can take back the own match.
    """
    join(club, ana := make_user("ana"), Membership.Role.SCORER)
    Player.objects.filter(key="ana").update(user=ana)

    def take_back(sender: Caller, number: int) -> int:
        way = f"revisions/autumn/{number}/undo" if is_undone else f"matches/autumn/{number}/void"
        return sender.send(f"leagues/club/{way}/", {}).status_code

    browser(ana).send(PATH, between("Ana", "Bo"))
    assert take_back(browser(ana), 1) == 403
    browser(ana).send(PATH, between("Bo", "Cy"))
    assert Match.objects.get(seq=1).kind == Match.Kind.LEFT
    assert take_back(browser(ana), 1) == 403
    assert take_back(browser(ana), 2) == 403
    for name in ("Dee", "Eve"):
        ensure_player(league=club, name=name)
    browser(ana).send(PATH, between("Dee", "Eve"))
    assert take_back(browser(ana), 3) in (200, 201)
    browser(ana).send(PATH, between("Dee", "Eve"))
    Match.objects.filter(seq=4).update(deadline_at=timezone.now())
    assert take_back(browser(ana), 5 if is_undone else 4) == 403


def test_a_start_that_has_ended_is_taken_back_by_organizers_alone(
    bot: Caller, club: League
) -> None:
    match = bot.send(PATH, between("Ana", "Bo")).json()["match"]
    result = {"version": 1, "sides": [{"rank": 2, "score": 1}, {"rank": 1, "score": 3}]}
    done = bot.send(f"leagues/club/matches/{match['id']}/result/", result)
    assert done.status_code == 201, done.content
    assert bot.send("leagues/club/matches/autumn/1/void/", {}).status_code == 403


def leaving() -> dict[str, int | None]:
    return dict(Participant.objects.values_list("player__key", "leaving"))


def test_the_deadline_is_that_of_the_mode(bot: Caller, club: League) -> None:
    Mode.objects.update(start_hours=2)
    with time_machine.travel("2026-03-01T12:00:00Z", tick=False):
        answer = bot.send(PATH, between("Ana", "Bo")).json()
    assert answer["deadline"].startswith("2026-03-01T14:00")
