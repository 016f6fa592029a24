from __future__ import annotations

import re

import pytest
import time_machine

from leagues import bridge
from leagues.models import Board, Match
from leagues.services.leagues import add_board
from tests.leagues.play import LATER, mode_of, new_club, record, result, rounds, season_of

pytestmark = pytest.mark.django_db

API = "/api/v1/leagues/club"


@pytest.fixture(autouse=True)
def _later():
    with time_machine.travel(LATER, tick=True):
        yield


@pytest.fixture
def club():
    league = new_club()
    add_board(season=season_of(league), mode=mode_of(league), system="ladder", name="Rungs")
    record(league, *rounds(league, ["Ana", "Bo", "Cy"], 3))
    return league


def test_the_explanation_has_the_numbers_of_the_page(client, club):
    match = Match.objects.order_by("-seq").first()
    told = client.get(f"{API}/matches/autumn/{match.seq}/explanation/").json()
    assert [board["board"] for board in told["boards"]] == [
        "blitz-glicko-2",
        "blitz-elo",
        "rungs",
    ]
    for board in told["boards"]:
        for player in board["players"]:
            address = f"/l/club/m/autumn/{match.seq}/?board={board['board']}"
            page = client.get(f"{address}&of={player['player']['key']}").content.decode()
            shown = re.findall(
                r'<td class="num">([^<]*)</td><td class="wf', page.replace("\N{MINUS SIGN}", "-")
            )
            reasons = [reason["shown"] for reason in player["reasons"]]
            numbers = [float(number) for number in shown]
            if board["system"] == "ladder":
                assert reasons == [] == shown
                continue
            assert sum(reasons) == player["change"] == numbers[-1]
            assert [value for value in numbers[:-1] if value] == [one for one in reasons if one]


def test_an_explanation_of_what_is_not_rated_has_no_boards(client, club):
    match = record(club, result(club, "Ana", "Bo", kind="unrated"))[0]
    told = client.get(f"{API}/matches/autumn/{match.seq}/explanation/").json()
    assert told == {"id": f"autumn/{match.seq}", "boards": []}


def test_a_history_has_every_point_with_its_exact_state(client, club):
    board = Board.objects.get(system="glicko2")
    told = client.get(f"{API}/players/bo/history/").json()
    past = bridge.read_series([board], club.players.get(key="bo").pk)[board.pk]
    assert told["board"]["slug"] == "blitz-glicko-2"
    assert told["start"]["value"] == past.start.value == 1500.0
    assert [point["rating"]["value"] for point in told["points"]] == [
        point.value.value for point in bridge.rows_of(past)
    ]
    assert [point["expected"] for point in told["points"]] == [
        point.expected for point in bridge.rows_of(past)
    ]
    assert set(told["points"][0]["state"]) == {"mean", "deviation", "volatility", "last_at"}
    ladder = client.get(f"{API}/players/bo/history/?season=autumn&board=rungs").json()
    assert ladder["points"][0]["seq"] is None
    assert ladder["points"][0]["rating"]["level"] == ""
    assert ladder["start"]["value"] == ladder["points"][0]["rating"]["value"] == 2.0
    assert client.get(f"{API}/players/bo/history/?board=nowhere").status_code == 404
    assert client.get(f"{API}/players/nobody/history/").status_code == 404
