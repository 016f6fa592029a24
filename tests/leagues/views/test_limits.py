"""Limits of pages and of the API: in words, with when to come back, and wide enough for clubs."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
import time_machine
from django.test import Client

from leagues.api import throttles
from leagues.limits.lines import DOWNLOADS, MEMBERS, VISITORS, Line
from leagues.limits.throttle import Limit
from leagues.models import League
from leagues.views import limits
from tests.leagues.people import join, make_user
from tests.leagues.play import new_club, record, result
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db

SLOW = (
    "compare/",
    "opponents/",
    "statistics/",
    "systems/",
    "systems/simulator/",
)
HTMX = {"HX-Request": "true"}


@pytest.fixture(scope="module")
def built_club(shared_rows: None) -> League:
    league = new_club()
    record(league, result(league, "Ana", "Bo"))
    return league


club = read_anew("built_club")


def shut(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line, "at_once", 0)
    monkeypatch.setattr(line, "waiting", 0)


@pytest.mark.parametrize("path", SLOW)
def test_a_slow_page_with_a_full_line_says_to_come_back_and_does_by_itself(
    path: str, client: Client, club: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert client.get(f"/l/club/{path}").status_code == 200
    shut(VISITORS, monkeypatch)
    answer = client.get(f"/l/club/{path}")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "2")
    assert '<meta http-equiv="refresh" content="2">' in answer.content.decode()
    client.force_login(make_user("ana"), "django.contrib.auth.backends.ModelBackend")
    assert client.get(f"/l/club/{path}").status_code == 200
    shut(MEMBERS, monkeypatch)
    assert client.get(f"/l/club/{path}").status_code == 503


def test_refusals_write_nothing_to_the_log(
    client: Client, club: League, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    shut(VISITORS, monkeypatch)
    for _ in range(limits.SLOW_PAGES.uses + 9):
        client.get("/l/club/statistics/")
    assert not caplog.records


def test_pages_that_are_quick_wait_in_no_line(
    client: Client, club: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    for line in (VISITORS, MEMBERS, DOWNLOADS):
        shut(line, monkeypatch)
    for path in ("", "results/", "p/ana/", "rules/", "seasons/", "m/autumn/1/"):
        assert client.get(f"/l/club/{path}").status_code == 200
    names = {**HTMX, "HX-Trigger-Name": "a"}
    assert client.get("/l/club/compare/?a=an", headers=names).status_code == 200


def test_a_turn_is_over_also_where_the_page_fails(client: Client, club: League) -> None:
    for _ in range(9):
        assert client.get("/l/none/compare/").status_code == 404
        assert client.get("/l/club/seasons/autumn/none.csv").status_code == 404
    assert client.get("/l/club/compare/").status_code == 200


def test_a_download_is_a_turn_until_it_is_sent(client: Client, club: League) -> None:
    path = "/l/club/seasons/autumn/results.csv"
    first = client.get(path)
    assert first.status_code == 200
    assert client.get(path).status_code == 503
    assert b"".join(first.streaming_content)  # type: ignore[attr-defined]
    assert b"".join(client.get(path).streaming_content)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("limit", "path"),
    [
        (limits.SEARCHES, "?q=an"),
        (limits.SEARCHES, "results/?q=an"),
        (limits.SEARCHES, "me/?q=an"),
        (limits.SEARCHES, "p/ana/?q=bo"),
        (limits.SLOW_PAGES, "statistics/"),
        (limits.SLOW_PAGES, "systems/"),
    ],
)
def test_too_many_requests_wait_and_say_how_long(
    limit: Limit, path: str, client: Client, club: League
) -> None:
    with time_machine.travel(datetime.now(UTC), tick=False):
        for _ in range(limit.uses):
            limit.use("10.0.0.7")
        answer = client.get(f"/l/club/{path}", REMOTE_ADDR="10.0.0.7")
        assert (answer.status_code, answer.headers["Retry-After"]) == (429, "1")
        assert "a second" in answer.content.decode()
        part = client.get(f"/l/club/{path}", headers=HTMX, REMOTE_ADDR="10.0.0.7")
        assert part.status_code == 429 and "<" not in part.content.decode()
        assert client.get(f"/l/club/{path}", REMOTE_ADDR="10.0.0.8").status_code == 200


def test_a_club_night_can_be_entered_and_a_script_in_a_browser_waits(
    client: Client, club: League
) -> None:
    scorer = make_user("scorer")
    join(club, scorer, "scorer")
    client.force_login(scorer, "django.contrib.auth.backends.ModelBackend")
    with time_machine.travel(datetime.now(UTC), tick=False):
        statuses = [client.post("/l/club/enter/", {}).status_code for _ in range(61)]
    assert statuses == [422] * 60 + [429]
    assert client.get("/l/club/enter/").status_code == 200


def test_invalid_tokens_wait_and_do_not_stop_valid_ones(client: Client, club: League) -> None:
    from tests.leagues.api.calls import program

    bad = {"Authorization": f"Bearer rungs_{'a' * 8}_{'b' * 43}"}
    path = "/api/v1/leagues/club/"
    with time_machine.travel(datetime.now(UTC), tick=False):
        uses = throttles.INVALID_TOKENS.uses
        statuses = [client.get(path, headers=bad).status_code for _ in range(uses + 1)]
        assert statuses == [401] * uses + [429]
        waiting = client.get(path, headers=bad)
        assert waiting.headers["Content-Type"] == "application/problem+json"
        assert waiting.headers["Retry-After"] == "1"
        assert program(club).get("leagues/club/").status_code == 200


def test_the_api_says_busy_as_a_problem(
    client: Client, club: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(club, result(club, "Cy", "Di"))
    path = "/api/v1/leagues/club/comparison/?a=ana&b=bo"
    assert client.get(path).status_code == 200
    shut(VISITORS, monkeypatch)
    busy = client.get(path)
    assert (busy.status_code, busy.json()["code"]) == (503, "busy")
    assert busy.headers["Content-Type"] == "application/problem+json"
    assert int(busy.headers["Retry-After"]) > 0
