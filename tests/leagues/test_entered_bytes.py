"""What is stored of results and what is answered stays as it is, byte for byte, whatever is sent.

A season's way through the API, the form and the services at a fixed moment, on keys from 1 on:
the answers, and every row that holds or covers a fact.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Model

from leagues.models import (
    Match,
    MatchVersion,
    Participant,
    Player,
    RequestKey,
    Revision,
    Season,
)
from leagues.services.matches import revert_revision
from leagues.services.players import ensure_player
from tests.leagues.api.calls import Caller, browser, program
from tests.leagues.people import join, make_user
from tests.leagues.play import new_club

pytestmark = pytest.mark.django_db(transaction=True, reset_sequences=True)

GOLDEN = Path(__file__).parents[1] / "golden" / "entered.json"
NOW = datetime(2025, 11, 3, 20, 0, 0, 250000, tzinfo=UTC)
PATH = "leagues/club/matches/"
TABLES: tuple[tuple[type[Model], tuple[str, ...]], ...] = (
    (Season, ("last_seq", "last_revision", "facts_digest")),
    (Revision, ()),
    (Match, ()),
    (Participant, ()),
    (MatchVersion, ()),
    (RequestKey, ()),
    (Player, ("id", "key", "name", "folded", "identity", "is_listed", "revision_id")),
)


def won(winner: str, loser: str, **more: Any) -> dict[str, Any]:
    sides = [{"rank": rank, "players": [{"key": key}]} for rank, key in ((1, winner), (2, loser))]
    return {"played_at": "2025-11-03T19:30:00.125+01:00", "sides": sides} | more


def teams() -> dict[str, Any]:
    """A draw of two against two with everything a result may say."""
    return {
        "played_on": "2025-11-02",
        "same_time_order": 4,
        "kind": "retirement",
        "weight": 0.1,
        "detail": "3–3 <é>",
        "external_id": "game:7",
        "sides": [
            {
                "rank": 1,
                "score": 3,
                "players": [
                    {"key": "cy", "own_score": 1, "playing_share": 0.3},
                    {"name": "Dee", "own_score": 2},
                ],
            },
            {"rank": 1, "score": 3, "players": [{"name": "Zoë Ångström"}, {"key": "ana"}]},
        ],
    }


def answers() -> Iterator[tuple[str, int, Any]]:
    """Send everything; what was sent, and the status and body of each answer."""
    club = new_club()
    for name in ("Ana", "Bo", "Cy"):
        ensure_player(league=club, name=name)
    bot, other = program(club), program(club, name="Other", recent_only=True)
    organizer = make_user("otto")
    join(club, organizer, "organizer")
    person = browser(organizer)

    def say(what: str, caller: Caller, body: Any, path: str = PATH, **more: str) -> Any:
        answer = caller.send(path, body, **more)
        return what, answer.status_code, answer.content.decode()

    yield say("one", bot, won("ana", "bo"))
    yield say("the same again, warned", bot, won("ana", "bo"))
    batch = {
        "create_players": True,
        "season": "autumn",
        "mode": "blitz",
        "matches": [teams(), won("bo", "cy", weight=2), won("dee", "new.key", external_id="a")],
    }
    refused = {**batch, "create_players": False}
    yield say("names of nobody", bot, refused)
    batch["matches"][2]["sides"][1]["players"][0]["name"] = "New Key"  # type: ignore[index]
    yield say("many", bot, batch, Idempotency_Key="k-1")
    yield say("many under the key again", bot, batch, Idempotency_Key="k-1")
    yield say("other content under the key", bot, won("ana", "bo"), Idempotency_Key="k-1")
    yield say("an id again among new ones", bot, {"matches": [won("cy", "ana"), teams()]})
    yield say("only ids again", bot, teams())
    yield say("an id of another result", bot, won("ana", "cy", external_id="game:7"))
    yield say("long ago, warned", bot, won("ana", "cy", played_at="2024-01-01T00:00:00Z"))
    yield say("refused", bot, {"matches": [won("ana", "bo"), won("ana", "ana", weight=99)]})
    yield say("too old for this program", other, won("ana", "bo", played_at="2025-10-01T00:00:00Z"))
    yield say("by a person", person, won("ana", "bo", kind="walkover"))
    change = {"version": 1, "reason": "typo", "detail": "corrected"}
    yield say("corrected", person, change, f"{PATH}autumn/1/", method="PATCH")
    yield say("voided", person, {"version": 1}, f"{PATH}autumn/2/void/")
    yield say("restored", person, {"version": 2}, f"{PATH}autumn/2/restore/")
    form = {
        "form_id": "01234567-89ab-4def-8123-456789abcdef",
        "one_1": "Ana",
        "two_1": "Nell Brandnew",
        "score_one": "2",
        "score_two": "1",
        "outcome": "score",
        "played_on": "2025-11-03",
        "kind": "played",
        "asked": ["Nell Brandnew"],
        "answer": ["new"],
    }
    for _twice in range(2):
        page = person.client.post("/l/club/enter/", form)
        yield "the form", page.status_code, page.headers.get("Location")
    revert_revision(revision=Revision.objects.get(number=3), author=organizer, reason="mistake")


def rows() -> dict[str, Any]:
    """Every row that holds or covers a fact, by table."""
    return {
        model.__name__: [
            {
                name: bytes(value).hex() if isinstance(value, bytes | memoryview) else value
                for name, value in row.items()
            }
            for row in model._default_manager.order_by("pk").values(*names)
        ]
        for model, names in TABLES
    }


def everything() -> Any:
    with time_machine.travel(NOW, tick=False):
        said = [list(answer) for answer in answers()]
    return json.loads(json.dumps({"answers": said, "rows": rows()}, cls=DjangoJSONEncoder))


def test_what_is_stored_and_answered_is_pinned() -> None:
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    found = everything()
    assert found["answers"] == golden["answers"]
    assert found["rows"] == golden["rows"]
