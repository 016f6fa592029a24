"""Who is away: the range grows, the player leaves the list, and one match brings both back."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine

from leagues.jobs.runner import drain
from leagues.services.inactivity_sweep import sweep
from leagues.services.leagues import add_board
from tests.leagues.play import START, mode_of, new_club, record, result, season_of

pytestmark = pytest.mark.django_db

DAYS = 30


@pytest.fixture
def club():
    club = new_club(active_days=DAYS)
    add_board(
        season=season_of(club), mode=mode_of(club), system="zerosum", parameters={"decay": 0.1}
    )
    record(
        club,
        *(
            result(club, *names, at=START + timedelta(hours=number))
            for number, names in enumerate((("Ana", "Bo"), ("Ana", "Cy"), ("Bo", "Cy")) * 4)
        ),
    )
    return club


def listed(client, at, name, board="blitz-glicko-2"):
    """Return what the API says of everybody on a list of the standings at a moment."""
    with time_machine.travel(at, tick=False):
        sweep(at)
        drain()
        address = f"/api/v1/leagues/club/standings/?board={board}&list={name}"
        rows = client.get(address).json()["results"]
    return {row["player"]["key"]: row for row in rows}


def test_s25_the_range_grows_the_player_goes_and_one_result_brings_him_back(client, club):
    soon, later = START + timedelta(days=2), START + timedelta(days=DAYS)
    fresh = listed(client, soon, "ranked")
    away = listed(client, later, "ranked")
    assert set(fresh) == set(away) == {"ana", "bo", "cy"}
    for key in fresh:
        assert width(away[key]) > width(fresh[key])
        assert away[key]["rating"]["value"] == fresh[key]["rating"]["value"]

    gone = START + timedelta(days=DAYS + 2)
    record(club, result(club, "Dee", "Eve", at=gone - timedelta(days=1)))
    assert set(listed(client, gone, "ranked")) == {"dee", "eve"}
    assert set(listed(client, gone, "inactive")) == {"ana", "bo", "cy"}

    record(club, result(club, "Ana", "Bo", at=gone - timedelta(hours=1)))
    back = listed(client, gone, "ranked")
    assert set(back) == {"ana", "bo", "dee", "eve"}
    assert width(back["ana"]) < width(away["ana"])
    assert set(listed(client, gone, "inactive")) == {"cy"}


def width(row):
    return row["rating"]["high"] - row["rating"]["low"]


def test_standings_and_their_order_follow_decay_without_a_match(client, club):
    before = listed(client, START + timedelta(days=2), "ranked", "blitz-zero-sum")
    after = listed(client, START + timedelta(days=DAYS - 2), "ranked", "blitz-zero-sum")
    assert list(before) == list(after) == ["ana", "bo", "cy"]
    for key in ("ana", "cy"):
        was, now = (abs(row[key]["rating"]["value"] - 1500) for row in (before, after))
        assert 0 < now < 0.9 * was


def test_who_is_away_is_not_proposed_for_a_comparison(client, club):
    gone = START + timedelta(days=DAYS + 2)
    record(club, result(club, "Dee", "Eve", at=gone - timedelta(days=1)))
    with time_machine.travel(gone, tick=False):
        assert "Dee and Eve" in client.get("/l/club/compare/").content.decode()
        assert "Eve and Dee" in client.get("/l/club/compare/?a=Eve").content.decode()
        assert "Ana and Dee" in client.get("/l/club/compare/?a=Ana").content.decode()
        assert "Ana and Bo" in client.get("/l/club/compare/?a=Ana&b=Bo").content.decode()
