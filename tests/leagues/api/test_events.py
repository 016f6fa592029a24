"""Events of matches by the API: sent, read page by page, kept and replaced by corrections."""

from __future__ import annotations

from typing import Any

import pytest

from leagues.api.match_shapes import EVENTS_SHOWN
from leagues.jobs.runner import drain
from leagues.models import League, Match, MatchEvent, Player, Revision
from leagues.services.history import check_league
from leagues.services.integrity import board_digest, check_board
from tests.leagues.api.calls import Caller, program
from tests.leagues.happenings import game
from tests.leagues.play import record
from tests.leagues.services.test_event_boards import club_by

pytestmark = pytest.mark.django_db

MATCHES = "leagues/club/matches/"
ONE = f"{MATCHES}autumn/1/"


@pytest.fixture
def club() -> League:
    return club_by("events")


@pytest.fixture
def bot(club: League) -> Caller:
    return program(club)


def sent(*events: dict[str, Any], **fields: Any) -> dict[str, Any]:
    sides = [
        {"rank": rank, "players": [{"name": name}]}
        for rank, name in enumerate(("Ana", "Bo", "Cy"), start=1)
    ]
    return {
        "played_at": "2025-10-01T19:00:00Z",
        "create_players": True,
        "sides": sides,
        "events": list(events),
        **fields,
    }


FRAG = {"kind": "frag", "player": "ana", "opponent": "bo", "milliseconds": 1000}
BACK = {"kind": "frag", "player": "Bo", "opponent": "ANA", "points": 2.5}
SUICIDE = {"kind": "suicide", "player": "Cy"}


def assert_sound(club: League) -> None:
    drain()
    for board in club.boards.select_related("league", "season", "mode"):
        report = check_board(board)
        assert (report.is_behind, report.differences) == (False, ()), board
    assert check_league(club.pk).differences == 0


def test_a_match_is_sent_with_its_events_and_rated_by_them(club: League, bot: Caller) -> None:
    assert bot.send(MATCHES, sent(FRAG, BACK, SUICIDE)).status_code == 201
    drain()
    answer = bot.get(ONE).json()
    assert answer["event_count"] == 3
    assert answer["events"] == [
        {"kind": "frag", "player": "ana", "opponent": "bo", "points": 1.0, "milliseconds": 1000},
        {"kind": "frag", "player": "bo", "opponent": "ana", "points": 2.5, "milliseconds": None},
        {"kind": "suicide", "player": "cy", "opponent": None, "points": 1.0, "milliseconds": None},
    ]
    assert_sound(club)
    other = club_by("events", "other")
    draft = game(other, "Ana Bo Cy", "Ana>Bo")
    record(other, draft)
    by_api = {board.system: board_digest(board) for board in club.boards.all()}
    by_service = {board.system: board_digest(board) for board in other.boards.all()}
    assert by_api["trueskill"] == by_service["trueskill"]
    assert by_api["becker"] != by_service["becker"]


def test_a_match_without_events_says_so(club: League, bot: Caller) -> None:
    body = sent()
    del body["events"]
    bot.send(MATCHES, body)
    answer = bot.get(ONE).json()
    assert (answer["event_count"], answer["events"]) == (0, [])


def test_events_are_read_part_by_part(club: League, bot: Caller) -> None:
    record(club, game(club, "Ana Bo", "Ana>Bo Bo>Ana " * EVENTS_SHOWN))
    first, second = (
        bot.get(f"{ONE}{query}").json() for query in ("", f"?events_from={2 * EVENTS_SHOWN - 3}")
    )
    assert (first["event_count"], len(first["events"])) == (2 * EVENTS_SHOWN, EVENTS_SHOWN)
    assert [event["player"] for event in second["events"]] == ["bo", "ana", "bo"]
    assert bot.get(f"{ONE}?events_from=10000").json()["events"] == []
    for wrong in ("-1", "x", "", "10001", "1e3"):
        refused = bot.get(f"{ONE}?events_from={wrong}")
        assert (refused.status_code, refused.json()["errors"][0]["field"]) == (400, "events_from")


WRONG: dict[str, tuple[dict[str, Any], str, str]] = {
    "stranger": ({"player": "Dee"}, "event_player", "events.1.player"),
    "opponent": ({"opponent": "Dee"}, "event_player", "events.1.opponent"),
    "kind": ({"kind": "dance"}, "invalid_choice", "events.1.kind"),
    "alone": ({"opponent": None}, "event_opponent", "events"),
    "oneself": ({"opponent": "ana"}, "event_opponent", "events"),
    "points": ({"points": -1}, "event_points", "events"),
    "time": ({"milliseconds": 2**31}, "event_time", "events"),
    "text": ({"points": "1"}, "invalid", "events.1.points"),
    "unknown": ({"weapon": "axe"}, "unknown_field", "events.1.weapon"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_event_is_named_and_nothing_is_stored(club: League, bot: Caller, case: str) -> None:
    fields, code, field = WRONG[case]
    answer = bot.send(MATCHES, sent(BACK, FRAG | fields))
    assert answer.status_code == (422 if code.startswith("event") else 400)
    (error,) = answer.json()["errors"]
    assert (error["code"], error["field"]) == (code, field)
    assert not Match.objects.exists()
    assert not Player.objects.exists()


def test_names_that_two_of_the_match_bear_need_a_key(club: League, bot: Caller) -> None:
    for key in ("one", "two"):
        Player.objects.create(league=club, name="Sam", folded="sam", key=key)
    sides = [{"rank": rank, "players": [{"key": key}]} for rank, key in ((1, "one"), (2, "two"))]
    by_name = {"kind": "suicide", "player": "Sam"}
    answer = bot.send(MATCHES, sent(by_name, sides=sides))
    assert "Name the player by key." in answer.json()["errors"][0]["message"]
    assert bot.send(MATCHES, sent(by_name | {"player": "two"}, sides=sides)).status_code == 201


def test_a_repeated_request_stores_its_events_once(club: League, bot: Caller) -> None:
    body = sent(FRAG, SUICIDE, external_id="game:1")
    one, again = (bot.send(MATCHES, body, Idempotency_Key="k") for _ in range(2))
    assert (one.status_code, again.status_code) == (201, 200)
    assert MatchEvent.objects.count() == 2
    other = bot.send(MATCHES, sent(FRAG, external_id="game:1"), Idempotency_Key="k")
    assert (other.status_code, other.json()["errors"][0]["code"]) == (422, "key_reused")
    other = bot.send(MATCHES, sent(FRAG, external_id="game:1"))
    assert (other.status_code, other.json()["errors"][0]["code"]) == (422, "id_reused")
    assert bot.send(MATCHES, body).status_code == 200
    assert MatchEvent.objects.count() == 2


def test_corrections_keep_replace_and_take_away_events(club: League, bot: Caller) -> None:
    bot.send(MATCHES, sent(FRAG, SUICIDE))
    whole = sent(version=1)
    del whole["events"]
    assert bot.send(ONE, whole | {"detail": "dome"}, "PUT").status_code == 200
    assert MatchEvent.objects.count() == 2
    assert bot.send(ONE, {"version": 2, "detail": "dust"}, "PATCH").status_code == 200
    assert MatchEvent.objects.count() == 2
    assert bot.send(ONE, {"version": 3, "events": [BACK]}, "PATCH").status_code == 200
    assert [event["player"] for event in bot.get(ONE).json()["events"]] == ["bo"]
    assert_sound(club)
    two = whole["sides"][1:]
    gone = bot.send(
        ONE, {"version": 4, "sides": [two[0] | {"rank": 1}, two[1] | {"rank": 2}]}, "PATCH"
    )
    assert (gone.status_code, gone.json()["errors"][0]["code"]) == (422, "event_player")
    assert bot.send(ONE, {"version": 4, "events": []}, "PATCH").status_code == 200
    assert bot.get(ONE).json()["event_count"] == 0
    assert_sound(club)
    stranger = bot.send(ONE, {"version": 5, "events": [FRAG | {"player": "Dee"}]}, "PATCH")
    assert stranger.json()["errors"][0]["field"] == "events.0.player"


def test_a_correction_of_events_can_be_previewed(club: League, bot: Caller) -> None:
    bot.send(MATCHES, sent(FRAG))
    drain()
    answer = bot.send(f"{ONE}preview/", {"version": 1, "events": [BACK, BACK]})
    moved = {board["board"]: board["movers"] for board in answer.json()["boards"]}
    (movers,) = (movers for board, movers in moved.items() if "becker" in board)
    assert {mover["key"] for mover in movers} == {"ana", "bo"}
    assert MatchEvent.objects.count() == 1
    assert Revision.objects.filter(number__isnull=False).count() == 1
