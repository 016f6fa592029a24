"""Systems side by side, back-tests and trials, through the API."""

from __future__ import annotations

from typing import Any

import pytest

from leagues.jobs.runner import drain
from leagues.models import League, Trial
from tests.leagues.api.calls import Caller, browser
from tests.leagues.people import make_user
from tests.leagues.play import new_club, record, rounds
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db

BACKTEST = "leagues/club/backtests/autumn/blitz/"
PLACES = "leagues/club/systems/autumn/blitz/"
TRIALS = "leagues/club/boards/autumn/blitz-elo/trials/"


@pytest.fixture(scope="module")
def built_club(shared_rows: None) -> League:
    league = new_club(owner=make_user("organizer"))
    record(league, *rounds(league, ("Ana", "Bo", "Cy"), 4))
    return league


club = read_anew("built_club")


@pytest.fixture
def caller(club: League) -> Caller:
    return browser(club.memberships.get().user)


def test_the_places_of_every_player_on_every_board(club: League) -> None:
    body = Caller().get(PLACES + "?board=blitz-elo").json()
    assert body["sorted_by"] == "blitz-elo" and body["players"] == 3
    assert body["results"][0] == {
        "key": "ana",
        "name": "Ana",
        "ranks": {"blitz-glicko-2": 1, "blitz-elo": 1},
    }


@pytest.mark.parametrize("query", ["board=nope", "page=0", "page=x", "sort=name"])
def test_what_no_list_of_places_has_is_refused(query: str, club: League) -> None:
    assert Caller().get(f"{PLACES}?{query}").status_code == 400


@pytest.mark.parametrize("path", [PLACES, BACKTEST])
def test_unknown_seasons_and_modes_are_not_found(path: str, club: League) -> None:
    assert Caller().get(path.replace("autumn", "spring")).status_code == 404
    assert Caller().get(path.replace("blitz", "rapid")).status_code == 404


def test_a_backtest_is_started_and_read(club: League, caller: Caller) -> None:
    assert Caller().get(BACKTEST).json()["state"] == "none"
    assert Caller().send(BACKTEST, {}).status_code == 401
    started = caller.send(BACKTEST, {})
    assert started.status_code == 202 and started.json()["state"] == "running"
    drain()
    found = Caller().get(BACKTEST).json()
    assert found["state"] == "done" and found["results"] == 12
    best = found["systems"][found["best"]]
    assert best["against_best"] is None
    assert best["log_loss"] == min(row["log_loss"] for row in found["systems"] if row["log_loss"])
    assert {"calibration", "upsets", "brier", "accuracy"} < set(best)


def test_a_trial_is_started_and_its_result_read(club: League, caller: Caller) -> None:
    started = caller.send(TRIALS, {"parameters": {"k": 60}, "effective_on": "2025-10-02"})
    assert started.status_code == 202
    trial = started.json()
    assert trial["state"] == "running" and trial["report"] is None
    assert trial["parameters"]["k"] == 60 and trial["parameters"]["k0"] == 40
    assert trial["effective_at"] == "2025-10-01T23:00:00Z"
    drain()
    found = Caller().get(trial["url"]).json()
    assert found["state"] == "done"
    assert found["report"]["margin"]["matches"] == 12
    assert found["report"]["players"] == 3


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"parameters": {"k": -1}}, "parameters.k"),
        ({"parameters": {"k": {"a": [1]}}}, "parameters.k"),
        ({"parameters": {"k": "1e999"}}, "parameters.k"),
        ({"parameters": {"nonsense": 1}}, "parameters.nonsense"),
        ({"parameters": {"policy": None}}, "parameters.policy"),
        ({"parameters": 5}, "parameters"),
        ({"parameters": {}, "effective_on": "0001-01-01"}, "effective_on"),
        ({"parameters": {}, "effective_on": 5}, "effective_on"),
        ({}, "parameters"),
        ({"parameters": {}, "board": "other"}, "board"),
    ],
)
def test_bad_trials_are_refused_with_the_field(
    body: dict[str, Any], field: str, club: League, caller: Caller
) -> None:
    answer = caller.send(TRIALS, body)
    assert answer.status_code in (400, 422)
    assert field in {error["field"] for error in answer.json()["errors"]}
    assert not Trial.objects.exists()


def test_unknown_trials_are_not_found(club: League, caller: Caller) -> None:
    assert caller.get("leagues/club/trials/1/").status_code == 404
    assert caller.get("leagues/club/trials/99999999999999999999/").status_code == 404
