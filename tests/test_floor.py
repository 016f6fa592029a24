"""The floor of `bench submit` stores what the API stores of the same result."""

from __future__ import annotations

import json

import pytest
from django.http import HttpRequest
from django.test import RequestFactory

from benchmarks.floor.results import store
from leagues.models import Match
from leagues.services.tokens import create_token
from tests.leagues.play import START, new_club, record, result

pytestmark = pytest.mark.django_db

COLUMNS = ("kind", "status", "rungs_lost", "played_at", "participants__player__name")


def posted(token: str, sent: dict[str, object]) -> HttpRequest:
    headers = {"Authorization": f"Bearer {token}"}
    return RequestFactory().post(
        "/floor/results/", json.dumps(sent), content_type="application/json", headers=headers
    )


@pytest.mark.parametrize("is_batch", [False, True])
def test_the_floor_stores_the_same_match(is_batch: bool) -> None:
    league = new_club()
    record(league, result(league, "Ana", "Bo"))
    token = create_token(league=league, name="bench", scope="results", actor=None)[1]
    keys = league.players.order_by("name").values_list("key", flat=True)
    sides = [{"rank": rank, "players": [{"key": key}]} for rank, key in enumerate(keys, 1)]
    match = {"played_at": START.isoformat(), "sides": sides}
    answer = store(posted(token, {"matches": [match]} if is_batch else match))
    assert answer.status_code == 201
    first, second = (
        list(Match.objects.filter(seq=seq).order_by("participants__rank").values_list(*COLUMNS))
        for seq in (1, 2)
    )
    assert first == second
    assert len(first) == 2
