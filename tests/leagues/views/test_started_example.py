"""What one of two new players loses by leaving: as worked out in `docs/ratings/glicko2.md`."""

from __future__ import annotations

import math
import re
from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.core.cache import cache
from django.test import Client
from pytest import approx

from leagues.jobs.runner import drain
from leagues.models import League, Match, Participant
from leagues.services.leagues import add_board
from leagues.services.players import ensure_player
from leagues.services.started_matches import lose_overdue
from tests.leagues.api.calls import Caller, program
from tests.leagues.people import make_user
from tests.leagues.play import START, mode_of, new_club, season_of
from tests.leagues.services.test_started_matches import release

pytestmark = pytest.mark.django_db

MINUS = "\N{MINUS SIGN}"
G = 1.0 / math.sqrt(1.0 + 3.0 * 2.015**2 / math.pi**2)
PHI = 1.0 / math.sqrt(1.0 / (2.015**2 + 0.06**2) + G**2 / 4.0)
LEFT = 1500.0 - 173.7178 * PHI**2 * G / 2.0
"""The rating of who has left, with the volatility as it was: it moves the third decimal."""
HOUR = timedelta(hours=1)


@pytest.fixture
def club() -> League:
    cache.clear()
    league = new_club(owner=make_user("kim"))
    season_of(league).boards.all().delete()
    rules = {"preset": "inversus"}
    add_board(season=season_of(league), mode=mode_of(league), system="glicko2", parameters=rules)
    for name in ("Ana", "Bo"):
        ensure_player(league=league, name=name)
    return league


def at(moment: datetime, caller: Caller, path: str, body: Any = None) -> Any:
    """What the API answers at a moment."""
    with time_machine.travel(moment, tick=False):
        answer = caller.get(path) if body is None else caller.send(path, body)
    assert answer.status_code in (200, 201), answer.content
    return answer.json()


def page(moment: datetime, address: str) -> str:
    """The words that a visitor reads at a moment."""
    with time_machine.travel(moment, tick=False):
        answer = Client().get(address)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", answer.content.decode()))


def test_the_worked_example_is_what_people_see(club: League) -> None:
    """Ana lets the time limit pass and Bo was let go: by hand 1338, and 162 less than 1500."""
    assert pytest.approx([0.669026, 1.671380], abs=1e-6) == [G, PHI]
    assert round(LEFT, 2) == 1337.67
    bot = program(club)
    sides = [{"players": [{"name": name}]} for name in ("Ana", "Bo")]
    told = at(START, bot, "leagues/club/matches/started/", {"sides": sides})
    assert [(loss["player"], loss["before"]) for loss in told["losses"]] == [
        ("ana", 1500.0),
        ("bo", 1500.0),
    ]
    assert [loss["after"] for loss in told["losses"]] == [approx(LEFT, abs=0.01)] * 2
    match = Match.objects.get()
    address = f"/l/club/m/{season_of(club).slug}/{match.seq}/"
    drain()
    words = page(START + HOUR, address)
    assert f"1500 1500 {MINUS}162" in words
    assert f"{MINUS}162 while it is open" in page(START + HOUR, "/l/club/p/ana/")
    release(club, match, "Bo", sent=START + HOUR)
    lose_overdue(START + 25 * HOUR)
    drain()
    leaving = match.participants.values_list("player__key", "leaving")
    assert dict(leaving) == {"ana": Participant.Leaving.LEFT, "bo": Participant.Leaving.RELEASED}
    later = START + 26 * HOUR
    assert "1500 1500 -162".replace("-", MINUS) in page(later, address)
    assert "1338" in page(later, "/l/club/p/ana/")
    (row,) = at(later, bot, "leagues/club/standings/")["results"]
    assert row["player"]["key"] == "ana"
    assert row["rating"]["value"] == approx(LEFT, abs=0.01)
