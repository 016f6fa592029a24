"""Section 5 of the reliability page, through the API: refused with a reason, and never a 500."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from leagues.limits.counting import memory
from leagues.models import League
from leagues.services.leagues import update_league
from leagues.services.players import ensure_player
from tests.leagues.api.calls import Caller, browser
from tests.leagues.people import make_user
from tests.leagues.play import new_club
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db

PATH = "leagues/club/matches/"
GOOD: dict[str, Any] = {
    "played_at": "2025-10-01T19:30:00+01:00",
    "sides": [
        {"rank": 1, "score": 3, "players": [{"key": "ana"}]},
        {"rank": 2, "score": 1, "players": [{"key": "bo"}]},
    ],
}


@pytest.fixture(scope="module")
def built_club(shared_rows: None) -> League:
    league = new_club(owner=make_user("organizer"))
    for name in ("Ana", "Bo", "Cy"):
        ensure_player(league=league, name=name)
    return league


club = read_anew("built_club")


@pytest.fixture
def caller(club: League) -> Caller:
    return browser(club.memberships.get().user)


def changed(path: str, value: Any) -> dict[str, Any]:
    """Return the good match with one field changed; the path goes through lists by position."""
    body: Any = copy.deepcopy(GOOD)
    *steps, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    inner = body
    for step in steps:
        inner = inner[step]
    inner[last] = value
    return body


def check_refused(caller: Caller, club: League, body: Any, status: int, code: str = "") -> None:
    before = club.players.count()
    response = caller.send(PATH, body)
    assert response.status_code == status, response.content
    assert response.headers["Content-Type"] == "application/problem+json"
    problem = response.json()
    assert problem["status"] == status
    if code:
        assert code in {error["code"] for error in problem["errors"]} | {problem["code"]}, problem
    assert not club.matches.exists() and club.players.count() == before


def test_the_good_match_is_good(caller: Caller) -> None:
    assert caller.send(PATH, GOOD).status_code == 201


STRICT = [True, "1", "٣", "1_000", "1.0", " 5 ", 1.0, 1.9, "0x10", [], {}]


@pytest.mark.parametrize("value", STRICT)
@pytest.mark.parametrize("path", ["sides.0.score", "sides.0.rank", "same_time_order"])
def test_b19_whole_numbers_are_json_integers(
    path: str, value: Any, caller: Caller, club: League
) -> None:
    check_refused(caller, club, changed(path, value), 400, "invalid")


@pytest.mark.parametrize(
    ("path", "value", "status", "code"),
    [
        ("sides.0.score", 2**31, 422, "score_range"),
        ("sides.0.score", 10**17, 422, "score_range"),
        ("sides.0.score", -1_000_000, 422, "score_range"),
        ("sides.0.score", None, 422, "score_missing"),
        ("sides.0.players.0.own_score", 10**9, 422, "score_range"),
        ("sides.0.players.0.playing_share", 0, 422, "playing_share"),
        ("sides.0.players.0.playing_share", 1.5, 422, "playing_share"),
        ("sides.0.players.0.playing_share", True, 400, "invalid"),
        ("sides.0.players.0.key", 12, 400, "invalid"),
        ("sides.0.players.0.key", "", 400, "blank"),
        ("sides.0.players.0", {}, 400, "nobody"),
        ("sides.0.players.0", {"own_score": 3}, 400, "nobody"),
        ("sides.0.players.0.key", "bo", 422, "player_twice"),
        ("sides.0.players", [], 422, "empty_side"),
        ("sides.0.players", "ana", 400, "not_a_list"),
        ("sides.0.players", [{"key": "ana"}] * 129, 400, "max_length"),
        ("sides", [], 422, "sides"),
        ("sides", [GOOD["sides"][0]], 422, "sides"),
        ("sides", [{"rank": 1, "players": []}] * 65, 400, "max_length"),
        ("sides", {"0": {}}, 400, "not_a_list"),
        ("sides.1.rank", 3, 422, "ranks"),
        ("sides.0.rank", 0, 422, "ranks"),
        ("sides.0.rank", 2, 422, "ranks"),
        ("sides.0.rank", -1, 422, "ranks"),
        ("sides.1.rank", 10**17, 422, "ranks"),
        ("same_time_order", 2**53 + 1, 422, "same_time_order"),
        ("weight", 0, 422, "weight"),
        ("weight", -1.5, 422, "weight"),
        ("weight", 11, 422, "weight"),
        ("weight", "1", 422, "unknown_kind"),
        ("kind", "cancelled", 400, "invalid_choice"),
        ("kind", ["played"], 400, "invalid_choice"),
        ("kind", None, 400, "null"),
        ("detail", "x" * 201, 400, "max_length"),
        ("detail", "6:4\n6:2", 400, "control"),
        ("detail", "\u202e6:4", 422, "detail"),
        ("external_id", "", 400, "blank"),
        ("external_id", "a b", 422, "external_id"),
        ("external_id", "x" * 129, 400, "max_length"),
        ("external_id", 7, 400, "invalid"),
        ("create_players", 1, 400, "invalid"),
        ("create_players", "yes", 400, "invalid"),
    ],
)
def test_b15_to_b30_what_cannot_be_stored_is_refused(
    path: str, value: Any, status: int, code: str, caller: Caller, club: League
) -> None:
    check_refused(caller, club, changed(path, value), status, code)


@pytest.mark.parametrize(
    ("value", "status"),
    [
        ("2126-11-20T19:30:00+01:00", 422),
        ("0001-01-01T00:00:00+14:00", 422),
        ("0001-01-01T00:00:00-00:00", 422),
        ("1799-12-31T23:59:59Z", 422),
        ("9999-12-31T23:59:59-12:00", 422),
        ("10000-01-01T00:00:00Z", 400),
        ("0000-01-01T00:00:00Z", 400),
        ("2026-03-29T02:30:00", 400),
        ("2025-10-01", 400),
        ("2025-12-31T23:59:60Z", 400),
        ("2026-02-30T10:00:00Z", 400),
        ("2025-13-01T10:00:00Z", 400),
        ("2025-W40-3T10:00:00Z", 400),
        ("2025-10-01T10:00Z", 400),
        ("20251001T100000Z", 400),
        ("2025-10-01 10:00:00Z", 400),
        ("2025-10-01T10:00:00+25:00", 400),
        ("2025-10-01T10:00:00Z\n", 400),
        ("٢٠٢٥-10-01T10:00:00Z", 400),
        (1759341000000, 400),
        (None, 400),
        ("", 400),
    ],
)
def test_b31_to_b35_times_are_of_rfc_3339_with_an_offset(
    value: Any, status: int, caller: Caller, club: League
) -> None:
    check_refused(caller, club, changed("played_at", value), status)


@pytest.mark.parametrize("value", ["2025-02-29", "0001-01-01", "9999-12-31", "1/10/2025", 20251001])
def test_days_are_days_that_there_were(value: Any, caller: Caller, club: League) -> None:
    body = changed("played_on", value)
    del body["played_at"]
    check_refused(caller, club, body, 422 if value in ("0001-01-01", "9999-12-31") else 400)


def test_a_time_and_a_day_at_once_are_refused(caller: Caller, club: League) -> None:
    check_refused(caller, club, changed("played_on", "2025-10-01"), 400, "when")


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ("2025-10-01T19:30:00.123456+01:00", "2025-10-01T18:30:00.123456Z"),
        ("2025-10-01T19:30:00Z", "2025-10-01T19:30:00Z"),
        ("1872-11-30T14:00:00-00:30", "1872-11-30T14:30:00Z"),
    ],
)
def test_times_come_back_as_the_same_instant(value: str, read: str, caller: Caller) -> None:
    sent = caller.send(PATH, changed("played_at", value))
    assert sent.json()["matches"][0]["played_at"] == read


def test_a_day_comes_back_as_the_day_in_any_zone(caller: Caller, club: League) -> None:
    update_league(league=club, changes={"time_zone": "Pacific/Auckland"}, actor=None)
    body = changed("played_on", "2025-10-01")
    del body["played_at"]
    (match,) = caller.send(PATH, body).json()["matches"]
    assert (match["played_at"], match["played_on"]) == (None, "2025-10-01")


def test_b31_five_minutes_of_clock_skew_are_forgiven(caller: Caller) -> None:
    soon = (timezone.now() + timezone.timedelta(minutes=4)).isoformat()
    assert caller.send(PATH, changed("played_at", soon)).status_code == 201


def test_b17_a_draw_where_there_are_none(caller: Caller, club: League) -> None:
    update_league(league=club, changes={"draws_allowed": False}, actor=None)
    check_refused(caller, club, changed("sides.1.rank", 1), 422, "draw")


def test_b16_a_level_score_is_a_draw(caller: Caller) -> None:
    body = changed("sides.1.rank", 1)
    body["sides"][0]["score"] = body["sides"][1]["score"] = 0
    assert caller.send(PATH, body).status_code == 201


SERVER_OWNED = [
    "id",
    "seq",
    "league",
    "rating",
    "rank",
    "status",
    "version",
    "source",
    "created_by",
    "entered_by",
    "verified",
    "role",
    "is_staff",
    "revision",
    "url",
    "touched_in_revision",
]


@pytest.mark.parametrize("name", SERVER_OWNED)
def test_s11_fields_of_the_server_are_refused(name: str, caller: Caller, club: League) -> None:
    check_refused(caller, club, GOOD | {name: 1}, 400, "unknown_field")
    check_refused(caller, club, {"matches": [GOOD | {name: 1}]}, 400, "unknown_field")


@pytest.mark.parametrize(
    "name",
    [
        "<script>alert(1)</script>",
        '" onmouseover=alert(1)',
        "{{7*7}}",
        "javascript:alert(1)",
        "null",
        "None",
        "0",
        "true",
        "=1+1",
        "'; DROP TABLE leagues_player--",
        "%00",
        "../",
        "👩‍👩‍👧‍👦",
    ],
)
def test_b47_b54_odd_names_are_kept_as_they_are(name: str, caller: Caller, club: League) -> None:
    sent = caller.send(
        PATH, changed("sides.0.players.0", {"name": name}) | {"create_players": True}
    )
    assert sent.status_code == 201, sent.content
    key = sent.json()["matches"][0]["sides"][0]["players"][0]["key"]
    assert caller.get(f"leagues/club/players/{key}/").json()["name"] == name
    assert caller.get("leagues/club/players/").headers["Content-Type"] == "application/json"


@pytest.mark.parametrize(
    "name",
    [
        "a\u202eb",
        "\u200b\u200b",
        "   ",
        "\u3164",
        "a\u00adb",
        "x" * 65,
        "a\x1b[31m",
        "e\u0301\u0302\u0303\u0304",
        "",
        7,
        None,
        True,
    ],
)
def test_b48_to_b51_names_nobody_can_read_are_refused(
    name: Any, caller: Caller, club: League
) -> None:
    body = changed("sides.0.players.0", {"name": name}) | {"create_players": True}
    response = caller.send(PATH, body)
    assert response.status_code in (400, 422), response.content
    assert club.players.count() == 3


def raw(text: str) -> bytes:
    return json.dumps(GOOD)[:-1].encode() + text.encode() + b"}"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (raw(', "detail": "a", "detail": "b"'), 400),
        (raw(', "weight": NaN'), 400),
        (raw(', "weight": Infinity'), 400),
        (raw(', "weight": -Infinity'), 400),
        (raw(', "weight": 1e999'), 400),
        (raw(f', "same_time_order": {"9" * 5000}'), 400),
        (raw(f', "same_time_order": {"9" * 19}'), 400),
        (raw(r', "detail": "\ud800"'), 400),
        (raw(r', "detail": "a\u0000b"'), 400),
        (raw(r', "\u0000": 1'), 400),
        (raw(f', "detail": {"[" * 2000}{"]" * 2000}'), 400),
        (b"[" * 2000 + b"]" * 2000, 400),
        (b'{"a":' * 2000 + b"1" + b"}" * 2000, 400),
        (b"[]", 400),
        (b"null", 400),
        (b'"match"', 400),
        (b"7", 400),
        (b"true", 400),
        (b"{", 400),
        (b"{}}", 400),
        (b"", 400),
        (b"\xff\xfe", 400),
        (b'{"detail": "\xc0\x80"}', 400),
        (b"\xef\xbb\xbf{}", 400),
        (json.dumps(GOOD).encode("utf-16"), 400),
        (b'{"matches": {}}', 400),
        (b'{"matches": null}', 400),
        (b'{"matches": [null]}', 400),
        (b'{"matches": [[]]}', 400),
        (b'{"matches": []}', 422),
        (b'{"matches": [], "sides": []}', 400),
        (b'{"message": 1, "code": 2}', 400),
        (json.dumps({"matches": [{}] * 501}).encode(), 400),
        (b'{"name": "' + b"x" * 300_000 + b'"}', 413),
        (b" " * 10_000_000, 413),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_b52_b53_b56_b57_bodies_that_are_not_what_they_should_be(
    body: bytes, status: int, caller: Caller, club: League
) -> None:
    response = caller.raw(PATH, body)
    assert response.status_code == status, response.content[:300]
    assert response.headers["Content-Type"] == "application/problem+json"
    assert not club.matches.exists()


def test_b57_minus_zero_is_zero(caller: Caller) -> None:
    sent = caller.raw(PATH, raw(', "same_time_order": -0'))
    assert sent.status_code == 201, sent.content
    assert b'"same_time_order":0,' in sent.content


def test_a_depth_of_brackets_in_a_text_is_no_depth(caller: Caller) -> None:
    assert caller.send(PATH, GOOD | {"detail": '[[[[[[[[[[[[[[[[[[[[[[[["\\'}).status_code == 201


@pytest.mark.parametrize(
    ("kind", "headers"),
    [
        ("text/plain", {}),
        ("application/xml", {}),
        ("multipart/form-data; boundary=x", {}),
        ("application/x-www-form-urlencoded", {}),
        ("application/json; charset=utf-16", {}),
        ("application/json; charset=klingon", {}),
        ("nonsense", {}),
        ("", {}),
        ("application/json", {"Content_Encoding": "gzip"}),
        ("application/json", {"Content_Encoding": "br"}),
    ],
)
def test_b58_other_kinds_of_body_are_refused(
    kind: str, headers: dict[str, str], caller: Caller, club: League
) -> None:
    response = caller.raw(PATH, json.dumps(GOOD).encode(), kind=kind, **headers)
    assert response.status_code == 415, response.content
    assert not club.matches.exists()


@pytest.mark.parametrize(
    "kind", ["application/json; charset=UTF-8", 'APPLICATION/JSON;charset="utf-8"']
)
def test_json_in_utf_8_may_say_so(kind: str, caller: Caller) -> None:
    assert caller.raw(PATH, json.dumps(GOOD).encode(), kind=kind).status_code == 201


@pytest.mark.parametrize(
    "path",
    [
        f"leagues/club/matches/autumn/{10**30}/",
        f"leagues/club/matches/autumn/{'9' * 5000}/",
        "leagues/club/matches/autumn/-1/",
        "leagues/club/matches/autumn/0/",
        "leagues/club/matches/autumn/1 OR 1=1/",
        "leagues/club/matches/autumn/1/",
        "leagues/club/matches/winter/1/",
        f"leagues/club/revisions/autumn/{10**30}/",
        "leagues/club/revisions/autumn/1/",
        "leagues/club/players/%00/",
        "leagues/club/players/550e8400-e29b-41d4-a716-446655440000/",
        "leagues/club/boards/autumn/none/standings/",
        "leagues/cl%00ub/",
        "leagues/CLUB/",
        "leagues/..%2f..%2fetc/",
        "nothing/at/all",
    ],
)
def test_b59_addresses_of_nothing_are_not_found(path: str, caller: Caller) -> None:
    response = caller.get(path)
    assert (response.status_code, response.json()["code"]) == (404, "not_found")


@pytest.mark.parametrize(
    "query",
    [
        "ordering=password",
        "_connector=OR 1=1",
        "league__owner__password__startswith=a",
        "token=rungs_abc",
        "access_token=rungs_abc",
        "format=api",
        "page=1",
        "page_size=0",
        "page_size=-1",
        "page_size=1e9",
        "page_size=ten",
        "page_size=٣",
        "page_size=",
        "after=forged",
        "after=",
        "status=staged",
        "season=winter",
        "mode=none",
        "player=a%00b",
        "player=a&player=b",
        f"player={'x' * 200}",
        f"player={'x' * 9000}",
    ],
)
def test_b60_b61_parameters_that_are_none_are_refused(query: str, caller: Caller) -> None:
    response = caller.get(f"{PATH}?{query}")
    assert response.status_code == 400, response.content
    assert response.json()["errors"][0]["field"] in (query.partition("=")[0], "")


def test_b60_parameters_of_a_call_that_writes_are_refused(caller: Caller, club: League) -> None:
    assert caller.send(f"{PATH}?season=autumn", GOOD).status_code == 400
    assert not club.matches.exists()


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("PUT", PATH),
        ("PATCH", PATH),
        ("DELETE", PATH),
        ("OPTIONS", PATH),
        ("TRACE", PATH),
        ("POST", "leagues/club/"),
        ("DELETE", "leagues/club/"),
        ("POST", "leagues/"),
        ("DELETE", "leagues/club/players/ana/"),
    ],
)
def test_b64_methods_that_there_are_not(method: str, path: str, caller: Caller) -> None:
    response = caller.send(path, {}, method)
    assert response.status_code == 405
    assert response.json()["code"] == "method_not_allowed"


def test_b64_a_method_cannot_be_overridden(caller: Caller, club: League) -> None:
    sent = caller.send(PATH, GOOD, X_HTTP_Method_Override="DELETE")
    assert sent.status_code == 201
    assert club.matches.count() == 1


FIELDS = [
    "played_at",
    "played_on",
    "same_time_order",
    "kind",
    "weight",
    "detail",
    "external_id",
    "season",
    "mode",
    "create_players",
    "sides",
    "sides.0",
    "sides.0.rank",
    "sides.0.score",
    "sides.0.players",
    "sides.0.players.0",
    "sides.0.players.0.key",
    "sides.0.players.0.name",
    "sides.0.players.0.own_score",
    "sides.0.players.0.playing_share",
]
VALUES: list[Any] = [
    None, True, False, 0, -1, 1.5, 10**17, "", " ", "x" * 5000, "1", "\x7f", "\u202e", "😀",
    [], [[]], [None], {}, {"a": 1}, [1, "2", {}],
]  # fmt: skip


@pytest.mark.parametrize("path", FIELDS)
def test_no_value_in_no_field_is_our_fault(path: str, caller: Caller) -> None:
    for value in VALUES:
        for wrap in (lambda body: body, lambda body: {"matches": [body]}):
            memory.PLACE.forget()
            status = _status(caller, wrap, path, value)
            assert status in (200, 201, 400, 403, 409, 422), (path, value, status)


def _status(caller: Caller, wrap: Callable[[Any], Any], path: str, value: Any) -> int:
    return caller.send(PATH, wrap(changed(path, value))).status_code
