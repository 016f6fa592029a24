"""F-01: kill -9 at every point of a result that is sent; sent again by name, it is there once."""

from __future__ import annotations

import json

import pytest

from tests.leagues.conftest import Manage

KILLED = -9
POINTS = (
    "before_season_lock",
    "after_season_lock",
    "after_insert_match",
    "before_entry_commit",
    "after_entry_commit",
)
LEAGUE = """
from leagues.services.leagues import create_league
from leagues.services.players import ensure_player
from leagues.services.tokens import create_token
league = create_league(name="Club", slug="club", mode="Singles")
for name in ("Ana", "Bo"):
    ensure_player(league=league, name=name)
token = create_token(league=league, name="bot", scope="results", actor=None)[1]
print(token, flush=True)
"""
SEND = """
from django.test import Client
sides = [{"rank": 1, "players": [{"key": "ana"}]}, {"rank": 2, "players": [{"key": "bo"}]}]
answer = Client(headers={"host": "localhost"}).post(
    "/api/v1/leagues/club/matches/",
    {"played_at": "2026-01-05T20:00:00Z", "sides": sides},
    content_type="application/json",
    headers={"Authorization": "Bearer " + token, "Idempotency-Key": "night-1"},
)
print(answer.status_code, answer.content.decode())
"""
AFTER = """
from django.core.management import call_command
from leagues.models import Match
print(Match.objects.count())
call_command("runjobs", "--once", verbosity=0)
print("verified:")
call_command("verify", "--json")
"""


@pytest.mark.parametrize("point", POINTS)
def test_f01_a_result_whose_sender_was_killed_off_is_there_once(manage: Manage, point: str) -> None:
    killed = manage("shell", "-v0", "-c", LEAGUE + SEND, fault=point, check=False)
    assert killed.returncode == KILLED
    token = killed.stdout.strip()
    again = manage("shell", "-v0", "-c", f"token = {token!r}\n{SEND}{AFTER}").stdout
    answer, count, _rest = again.split("\n", 2)
    assert answer.startswith("200 " if point == "after_entry_commit" else "201 ")
    assert count == "1"
    assert json.loads(again.partition("verified:")[2])["differences"] == 0
