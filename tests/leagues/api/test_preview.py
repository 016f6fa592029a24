"""Foreseeing a match and comparing its sides through the API."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
import time_machine

from leagues import bridge
from leagues.domain.civil_days import day_of
from leagues.models import League
from tests.leagues.api.calls import Caller
from tests.leagues.play import START, new_club, record, result, rounds
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def built_club(shared_rows: None) -> League:
    league = new_club()
    record(league, *rounds(league, ("Ana", "Bo", "Cy", "Dee"), 3))
    return league


club = read_anew("built_club")


def after(told: Mapping[str, Any], ranks: list[int]) -> dict[str, float]:
    outcome = next(outcome for outcome in told["outcomes"] if outcome["ranks"] == ranks)
    return {player["key"]: player["after"] for player in outcome["players"]}


@pytest.mark.parametrize("days", [10, 2000], ids=["played", "resting"])
def test_what_is_foreseen_is_what_happens_to_the_last_bit(club: League, days: int) -> None:
    """While the league rests, of a match at the end of its last day with results."""
    now = START + timedelta(days=days)
    last_day = day_of(club.boards.get(system="glicko2").last_at, club.zone)
    at = now if days < club.active_days else club.midnight(last_day + timedelta(days=1))
    with time_machine.travel(now, tick=False):
        told = Caller().get("leagues/club/preview/?a=dee&b=ana").json()
    assert told["win"] + told["draw"] + told["loss"] == pytest.approx(1.0)
    assert told["sides"][0]["first_low"] < told["sides"][0]["expected"]
    assert told["sides"][0]["first_high"] > told["sides"][0]["expected"]
    (match,) = record(club, result(club, "Dee", "Ana", at=at))
    account = bridge.match_account(club.boards.get(system="glicko2"), match)
    assert account is not None
    assert {
        club.players.get(pk=row.player_id).key: row.after.value for row in account.accounts
    } == after(told, [1, 2])


def test_sides_may_be_teams_and_many(club: League) -> None:
    told = Caller().get("leagues/club/preview/?a=ana,bo&b=cy,dee").json()
    assert [len(side["players"]) for side in told["sides"]] == [2, 2]
    told = Caller().get("leagues/club/preview/?a=ana&b=bo&c=cy&board=blitz-elo").json()
    assert told["win"] is None
    assert len(told["outcomes"]) == 9
    assert sum(side["places"][0] for side in told["sides"]) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("a=ana", "sides_missing"),
        ("a=ana&b=nobody", "unknown_player"),
        ("a=ana&b=ana", "player_twice"),
        ("a=ana&b=" + ",".join(f"p{number}" for number in range(9)), "too_many"),
        ("a=ana&b=bo&z=cy", "unknown_parameter"),
    ],
)
def test_what_cannot_be_foreseen_is_refused_with_a_reason(
    club: League, query: str, code: str
) -> None:
    response = Caller().get(f"leagues/club/preview/?{query}")
    assert response.status_code == 400
    assert response.json()["errors"][0]["code"] == code


def test_two_players_are_compared(club: League) -> None:
    told = Caller().get("leagues/club/comparison/?a=ana&b=bo").json()
    assert told["record"] == {"won": 3, "drawn": 0, "lost": 0}
    assert told["stronger"] > 0.5
    assert [match["rank"] for match in told["matches"]] == [1, 1, 1]
    assert all(0.0 < match["expected"] < 1.0 for match in told["matches"])
    assert [side["players"][0]["rating"]["value"] > 1500 for side in told["sides"]] == [True] * 2
    assert {rival["key"]: rival["records"] for rival in told["common_opponents"]} == {
        key: [{"won": 3, "drawn": 0, "lost": 0}] * 2 for key in ("cy", "dee")
    }
    response = Caller().get("leagues/club/comparison/?a=ana")
    assert response.json()["errors"][0]["code"] == "sides_missing"
    assert Caller().get("leagues/club/comparison/?a=ana&b=bo&board=none").status_code == 404


def test_teams_and_many_are_compared(club: League) -> None:
    record(
        club,
        result(club, "Ana+Bo", "Cy+Dee"),
        result(club, "Bo+Dee", "Ana+Cy"),
        result(club, "Cy+Dee", "Bo+Ana"),
        result(club, "Ana+Bo", "Eve+Cy"),
        result(club, "Cy+Dee", "Eve"),
    )
    told = Caller().get("leagues/club/comparison/?a=ana,bo&b=cy,dee").json()
    assert [len(side["players"]) for side in told["sides"]] == [2, 2]
    assert told["record"] == {"won": 1, "drawn": 0, "lost": 1}
    assert [match["rank"] for match in told["matches"]] == [2, 1]
    assert all(0.0 < match["expected"] < 1.0 for match in told["matches"])
    assert told["stronger"] is None
    records = {(row["player"], row["opponent"]): row for row in told["records"]}
    assert (records["ana", "bo"]["won"], records["ana", "bo"]["lost"]) == (3, 1)
    assert len(records) == 12
    assert [(rival["key"], rival["records"][0]["won"]) for rival in told["common_opponents"]] == [
        ("eve", 1)
    ]
    told = Caller().get("leagues/club/comparison/?a=ana&b=cy&c=eve").json()
    assert told["record"] is None
    assert told["matches"] == []
    assert {rival["key"] for rival in told["common_opponents"]} == {"bo", "dee"}
