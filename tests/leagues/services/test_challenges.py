"""The rules of a ladder for who may meet whom, where results are entered."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client

from leagues.models import League, Match
from leagues.services.leagues import add_board
from tests.leagues.api.calls import Caller, program
from tests.leagues.imports.sender import Sender
from tests.leagues.people import make_user
from tests.leagues.play import mode_of, new_club, record, result, season_of
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db

NAMES = ("Ana", "Bo", "Cy", "Dee", "Eve", "Flo")
PATH = "leagues/club/matches/"
FIRST = date(2025, 10, 1)


@pytest.fixture(scope="module")
def built_club(shared_rows: None) -> League:
    """A ladder of six, in the order of their names."""
    league = new_club(owner=make_user("kim"))
    record(
        league,
        *(
            result(league, one, other, at=league.midnight(FIRST), date_only=True)
            for one, other in (("Ana", "Bo"), ("Cy", "Dee"), ("Eve", "Flo"))
        ),
    )
    return league


club = read_anew("built_club")


def ladder(league: League, **parameters: Any) -> None:
    add_board(
        season=season_of(league),
        mode=mode_of(league),
        system="ladder",
        name="Ladder",
        parameters=parameters,
    )


def body(winner: str, loser: str, day: int = 1, **more: Any) -> dict[str, Any]:
    sides = [
        {"rank": rank, "players": [{"name": name}]} for rank, name in enumerate((winner, loser), 1)
    ]
    return {"played_on": (FIRST + timedelta(days=day)).isoformat(), "sides": sides, **more}


def send(bot: Caller, *matches: dict[str, Any], **more: Any) -> tuple[int, list[tuple[int, str]]]:
    sent = bot.send(PATH, {"matches": list(matches), **more})
    return sent.status_code, [(e["index"], e["code"]) for e in sent.json().get("errors", ())]


def form(winner: str, loser: str, **more: str) -> dict[str, str]:
    return {
        "one_1": winner,
        "two_1": loser,
        "outcome": "one",
        "played_on": "2025-10-02",
        "kind": "played",
        **more,
    }


@pytest.fixture
def browser(club: League) -> Client:
    client = Client()
    client.force_login(club.memberships.get().user)
    return client


def test_the_sixth_cannot_beat_the_first_three_times_within_hours(club, browser) -> None:
    """Before, only the page of rules said so."""
    ladder(club, challenge_range=1, rematch_days=7)
    for hour in ("18:00", "19:00", "20:00"):
        response = browser.post("/l/club/enter/", form("Flo", "Ana", played_time=hour))
        assert response.status_code == 422
        assert (
            "On “Ladder”, players can challenge at most 1 rung up: Flo is on rung 6, Ana on rung 1."
            in response.content.decode()
        )
    assert send(program(club), body("Flo", "Ana")) == (422, [(0, "challenge_range")])
    assert Match.objects.count() == 3


def test_the_same_two_wait_for_a_rematch(club, browser) -> None:
    ladder(club, rematch_days=7)
    bot = program(club)
    response = browser.post("/l/club/enter/", form("Bo", "Ana"))
    assert (
        "On “Ladder”, the same two players can play each other again after 7 days at the "
        "earliest: Bo and Ana played on 1 Oct 2025." in response.content.decode()
    )
    assert send(bot, body("Ana", "Bo", day=6)) == (422, [(0, "rematch_pause")])
    assert send(bot, body("Ana", "Bo", day=7)) == (201, [])
    assert send(bot, body("Bo", "Ana", day=4)) == (422, [(0, "rematch_pause")])


def test_results_of_one_call_count_one_after_the_other(club) -> None:
    ladder(club, challenge_range=1, rematch_days=2)
    bot = program(club)
    climb = [body("Dee", "Cy", 3), body("Dee", "Bo", 4), body("Dee", "Ana", 5)]
    assert send(bot, *climb[1:]) == (422, [(0, "challenge_range")])
    assert send(bot, *climb, body("Ana", "Dee", 6)) == (422, [(3, "rematch_pause")])
    assert send(bot, *climb) == (201, [])


def test_newcomers_join_at_the_bottom_and_challenge_from_there(club) -> None:
    ladder(club, challenge_range=1)
    bot = program(club)
    assert send(bot, body("Gus", "Ana"), create_players=True) == (422, [(0, "challenge_range")])
    assert not club.players.filter(name="Gus").exists()
    assert send(bot, body("Gus", "Flo"), create_players=True) == (201, [])


def test_what_is_no_challenge_is_free(club) -> None:
    ladder(club, challenge_range=1, rematch_days=7)
    three = body("Flo", "Ana")
    three["sides"].append({"rank": 3, "players": [{"name": "Bo"}]})
    assert send(program(club), body("Flo", "Ana", kind="unrated"), three) == (201, [])


def test_a_correction_keeps_to_the_rules_where_it_changes_who_met_when(club) -> None:
    ladder(club, challenge_range=1, rematch_days=7)
    bot = program(club)
    assert send(bot, body("Bo", "Cy"))[0] == 201
    path = f"{PATH}autumn/4/"
    turned = {"version": 1, "sides": body("Cy", "Bo")["sides"]}
    assert bot.send(path, turned, "PATCH").status_code == 200
    other = {"version": 2, "sides": body("Flo", "Bo")["sides"]}
    refused = bot.send(path, other, "PATCH")
    assert (refused.status_code, refused.json()["code"]) == (422, "challenge_range")
    friendly = {"version": 2, "kind": "unrated"}
    assert bot.send(path, friendly, "PATCH").status_code == 200


def test_a_repeated_request_is_no_rematch(club) -> None:
    ladder(club, rematch_days=7)
    bot = program(club)
    sent = body("Bo", "Cy", external_id="g1")
    assert [send(bot, sent)[0], send(bot, sent)[0]] == [201, 200]


def test_a_ladder_that_asks_nothing_takes_everything(club) -> None:
    ladder(club)
    assert send(program(club), body("Flo", "Ana"), body("Flo", "Ana")) == (201, [])


def test_a_file_is_history_and_says_what_breaks_the_rules(club) -> None:
    ladder(club, challenge_range=1, rematch_days=7)
    kim = Client()
    kim.force_login(club.memberships.get().user)
    sender = Sender(kim, club)
    rows = "2025-10-02,Flo,Ana\n2025-10-03,Gus,Flo\n2025-10-20,Gus,Flo\n2025-10-21,Hal,Cy\n"
    address = sender.checked("date,winner,loser\n" + rows)
    page = sender.page(address)
    assert (
        "4 results break the rules of the ladder and will be imported anyway: lines 2, 3, 4, 5. "
        "On “Ladder”, players can challenge at most 1 rung up: Flo is on rung 6, Ana on rung 1."
    ) in page
    sender.written(address)
    assert Match.objects.filter(status="live").count() == 7


def test_a_file_says_which_results_were_entered_before(club) -> None:
    kim = Client()
    kim.force_login(club.memberships.get().user)
    sender = Sender(kim, club)
    sent = body("Ana", "Cy") | {"played_at": "2025-10-02T20:00:00+01:00"}
    del sent["played_on"]
    assert send(program(club), sent, body("Cy", "Ana", 2))[0] == 201
    rows = ("2025-10-02 20:30,Ana,Cy", "2025-10-02 20:30,Cy,Ana", "2025-10-03,Cy,Ana")
    page = sender.page(sender.checked("\n".join(["date,winner,loser", *rows])))
    assert "1 result seems to have been entered already: line 2." in page
    # What says all of the same, the day too, is no other result.
    assert "Already recorded, skipped" in page


def test_a_file_with_results_of_a_night_needs_a_tick(club) -> None:
    """Before, one without times counted the whole night again."""
    kim = Client()
    kim.force_login(club.memberships.get().user)
    sender = Sender(kim, club)
    sent = body("Ana", "Cy") | {"played_at": "2025-10-02T20:00:00+01:00"}
    del sent["played_on"]
    assert send(program(club), sent)[0] == 201
    rows = "2025-10-02,Ana,Cy\n2025-10-03,Ana,Cy\n"
    address = sender.checked("date,winner,loser\n" + rows)
    page = sender.page(address)
    assert page.count("1 result seems to have been entered already: line 2.") == 1
    before = Match.objects.count()
    refused = sender.answer(address, "write")
    assert refused.status_code == 422
    assert "Tick this box, or remove these lines from the file." in refused.content.decode()
    assert Match.objects.count() == before
    sender.pressed(address, may_repeat="on")
    assert Match.objects.count() == before + 2
