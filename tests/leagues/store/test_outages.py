"""A database that is away, hangs up or is held by another: 503 everywhere, and then as before."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.db import DataError, IntegrityError, InterfaceError, OperationalError, connection
from django.test import Client
from django.utils import timezone
from psycopg import errors

from config.web.application import call
from leagues.models import League
from leagues.services.players import ensure_player
from leagues.services.tokens import create_token
from leagues.store.outages import is_busy, is_outage, was_cut
from tests.leagues.people import make_user
from tests.leagues.play import new_club
from tests.proxy import Proxy

on_postgres = pytest.mark.skipif(settings.IS_SQLITE, reason="PostgreSQL has a network to fail")
on_sqlite = pytest.mark.skipif(not settings.IS_SQLITE, reason="locks of a file")

PAGES = ("/", "/l/club/", "/l/club/results/", "/l/club/enter/", "/nowhere/")
API = ("/api/v1/leagues/", "/api/v1/leagues/club/", "/api/v1/leagues/club/standings/")


@dataclass
class Answered:
    status: int
    headers: dict[str, str]
    body: bytes


@dataclass
class Caller:
    """Somebody who asks as the web server does, so that connections live and end as there."""

    client: Client
    headers: dict[str, str]

    def __call__(self, path: str, body: Any = None) -> Answered:
        content = b"" if body is None else json.dumps(body).encode()
        environ = self.client._base_environ(
            PATH_INFO=path,
            REQUEST_METHOD="GET" if body is None else "POST",
            CONTENT_TYPE="application/json",
            CONTENT_LENGTH=str(len(content)),
            **self.headers,
        )
        environ["wsgi.input"] = BytesIO(content)
        answer = call(WSGIHandler(), environ)
        headers = {name.decode(): value.decode() for name, value in answer.headers}
        with answer.body as spool:
            return Answered(answer.status, headers, spool.read())


@pytest.fixture
def club(transactional_db: None) -> League:
    league = new_club(owner=make_user("ana"))
    for name in ("Ana", "Bo"):
        ensure_player(league=league, name=name)
    return league


@pytest.fixture
def callers(club: League) -> dict[str, Caller]:
    """A visitor, a browser with a session, and a program."""
    browser = Client()
    browser.force_login(club.memberships.get().user, "django.contrib.auth.backends.ModelBackend")
    _token, plain = create_token(league=club, name="Bot", scope="results", actor=None)
    return {
        "visitor": Caller(Client(), {}),
        "browser": Caller(browser, {}),
        "program": Caller(Client(), {"HTTP_AUTHORIZATION": f"Bearer {plain}"}),
    }


@pytest.fixture
def proxy(callers: dict[str, Caller]) -> Iterator[Proxy]:
    """Put a proxy in front of the test's own database."""
    before = dict(connection.settings_dict)
    proxy = Proxy(before["HOST"] or "127.0.0.1", int(before["PORT"] or 5432))
    connection.close()
    connection.settings_dict |= {"HOST": "127.0.0.1", "PORT": str(proxy.port)}
    yield proxy
    connection.close()
    connection.settings_dict |= before
    proxy.stop()


def won() -> dict[str, Any]:
    sides = [{"rank": rank, "players": [{"name": name}]} for rank, name in ((1, "Ana"), (2, "Bo"))]
    return {"played_at": timezone.now().isoformat(), "sides": sides}


def check_refusal(answer: Answered, path: str) -> None:
    """Assert that an answer is a 503 in the shape of its address."""
    assert answer.status == 503, (path, answer.body[:300])
    assert int(answer.headers["retry-after"]) > 0
    assert "no-store" in answer.headers["cache-control"]
    if path.startswith("/api/"):
        assert answer.headers["content-type"] == "application/problem+json"
        assert json.loads(answer.body)["status"] == 503
    else:
        assert b"css/rungs" in answer.body
        assert b"<h1>" in answer.body


@on_postgres
def test_f10_while_postgresql_is_away_everything_is_503_and_then_as_before(
    proxy: Proxy, callers: dict[str, Caller]
) -> None:
    before = {(who, path): ask(path).status for who, ask in callers.items() for path in PAGES + API}
    assert {*before.values()} <= {200, 302, 403, 404}
    proxy.stop()
    for ask in callers.values():
        for path in PAGES[:-1] + API:
            check_refusal(ask(path), path)
        # What needs no database is there; the page of what is not there needs it to say who asks.
        assert ask("/nowhere/").status in (404, 503)
    assert callers["visitor"]("/healthz/live").status == 200
    assert callers["visitor"]("/healthz/ready").status == 503
    sent = callers["program"]("/api/v1/leagues/club/matches/", won())
    check_refusal(sent, "/api/v1/")
    proxy.start()
    after = {(who, path): callers[who](path).status for who, path in before}
    assert after == before
    assert callers["visitor"]("/healthz/ready").status == 200
    assert callers["program"]("/api/v1/leagues/club/matches/", won()).status == 201


@on_postgres
def test_f10_a_connection_that_was_cut_between_two_requests_is_made_again(
    proxy: Proxy, callers: dict[str, Caller]
) -> None:
    for ask in callers.values():
        assert ask("/api/v1/leagues/club/").status == 200
        proxy.hang_up()
        assert ask("/l/club/").status == 200
    proxy.hang_up()
    assert callers["program"]("/api/v1/leagues/club/matches/", won()).status == 201


@contextmanager
def connected_with(options: dict[str, Any]) -> Iterator[None]:
    """Connect with these options for a while."""
    before = connection.settings_dict["OPTIONS"]
    connection.close()
    connection.settings_dict["OPTIONS"] = before | options
    yield
    connection.close()
    connection.settings_dict["OPTIONS"] = before


def url() -> str:
    words = settings.DATABASES["default"]
    return (
        f"postgres://{words['USER']}:{words['PASSWORD']}@{words['HOST']}:{words['PORT'] or 5432}"
        f"/{connection.settings_dict['NAME']}"
    )


def while_locked(
    table: str,
    ask: Callable[[], Answered],
    then: Callable[..., None] | None = None,
    mode: str = "ACCESS EXCLUSIVE",
) -> Answered:
    """Ask while another session holds a table, until the answer or until `then` lets go of it.

    `then` gets that session, one to watch with, and who waits.
    """
    with psycopg.connect(url()) as holder, ThreadPoolExecutor(1) as pool:
        holder.execute(f'LOCK TABLE "{table}" IN {mode} MODE')
        asked = pool.submit(in_thread, ask)
        if then is not None:
            with psycopg.connect(url(), autocommit=True) as watcher:
                waiting: list[tuple[int]] = []
                while not waiting and not asked.done():
                    waiting = watcher.execute(
                        "SELECT pid FROM pg_stat_activity "
                        "WHERE datname = current_database() AND wait_event_type = 'Lock'"
                    ).fetchall()
                then(holder, watcher, waiting)
        return asked.result()


def in_thread(ask: Callable[[], Answered]) -> Answered:
    try:
        return ask()
    finally:
        connection.close()


def terminate(holder: Any, watcher: Any, waiting: list[tuple[int]]) -> None:
    watcher.execute("SELECT pg_terminate_backend(%s)", waiting[0])
    watcher.execute("SELECT pg_sleep(0.05)")
    holder.rollback()


@on_postgres
def test_f12_who_only_looks_does_not_notice_a_terminated_backend(
    callers: dict[str, Caller],
) -> None:
    for who, path in (("browser", "/l/club/"), ("program", "/api/v1/leagues/club/")):
        ask = callers[who]
        answer = while_locked("leagues_league", lambda ask=ask, path=path: ask(path), terminate)
        assert answer.status == 200, answer.body[:300]


@on_postgres
def test_f12_a_file_whose_reading_was_cut_is_read_again_and_whole(
    callers: dict[str, Caller], club: League
) -> None:
    assert callers["program"]("/api/v1/leagues/club/matches/", won()).status == 201
    path = f"/l/club/seasons/{club.seasons.get().slug}/results.csv"
    ask = partial(callers["browser"], path)
    answer = while_locked("leagues_participant", ask, terminate)
    assert answer.status == 200, answer.body[:300]
    assert answer.body.count(b"\n") == 3


@on_postgres
def test_f14_a_file_that_cannot_be_read_is_503_and_not_half_of_it(
    callers: dict[str, Caller], club: League
) -> None:
    path = f"/l/club/seasons/{club.seasons.get().slug}/results.csv"
    with connected_with({"options": "-c lock_timeout=200ms"}):
        answer = while_locked("leagues_participant", partial(callers["browser"], path))
    check_refusal(answer, path)


@on_postgres
def test_f12_who_sends_is_told_to_send_again_and_then_it_is_there_once(
    callers: dict[str, Caller], club: League
) -> None:
    ask, path = callers["program"], "/api/v1/leagues/club/matches/"
    answer = while_locked("leagues_match", lambda: ask(path, won()), terminate)
    check_refusal(answer, path)
    assert ask(path, won()).status == 201
    assert club.matches.count() == 1


@on_postgres
@pytest.mark.parametrize("limit", ["lock_timeout", "statement_timeout"])
def test_f14_a_table_that_stays_locked_is_503_after_the_time_allowed(
    callers: dict[str, Caller], limit: str
) -> None:
    with connected_with({"options": f"-c {limit}=200ms"}):
        for path in ("/l/club/", "/api/v1/leagues/club/"):
            ask = partial(callers["browser"], path)
            answer = while_locked("leagues_league", ask)
            check_refusal(answer, path)
            assert b"busy" in answer.body.lower()


@on_postgres
def test_a_session_that_cannot_be_saved_is_503_and_not_the_fault_of_who_asks(
    callers: dict[str, Caller],
) -> None:
    with connected_with({"options": "-c lock_timeout=200ms"}):
        ask = partial(callers["browser"], "/l/club/")
        check_refusal(while_locked("django_session", ask, mode="SHARE"), "/l/club/")


@on_postgres
def test_f10_no_request_of_a_storm_is_500_while_postgresql_comes_and_goes(
    proxy: Proxy, callers: dict[str, Caller], club: League
) -> None:
    over = threading.Event()

    def storm(who: str) -> list[int]:
        statuses, ask = [], callers[who]
        try:
            while not over.is_set():
                statuses += [ask(path).status for path in (*PAGES, *API)]
                statuses.append(ask("/api/v1/leagues/club/matches/", won()).status)
        finally:
            connection.close()
        return statuses

    with ThreadPoolExecutor(4) as pool:
        storms = [pool.submit(storm, who) for who in ("visitor", "browser", "program", "program")]
        for _ in range(4):
            for fault in (proxy.hang_up, proxy.stop, proxy.start, proxy.hang_up):
                fault()
                over.wait(0.2)
        over.set()
        statuses = [storm.result() for storm in storms]
    seen = {status for one in statuses for status in one}
    assert 503 in seen
    # Of visitors and of browsers without a form's secret nothing is taken.
    assert seen <= {200, 201, 302, 401, 403, 404, 503}
    written = sum(one.count(201) for one in statuses[2:])
    # An answer may have been lost after its commit, but no acknowledged result is.
    assert written <= club.matches.count()


@on_sqlite
def test_f22_a_file_that_another_process_holds_is_503(
    callers: dict[str, Caller],
) -> None:
    path = "/api/v1/leagues/club/matches/"
    with (
        connected_with({"timeout": 0.1}),
        closing(sqlite3.connect(connection.settings_dict["NAME"])) as other,
    ):
        other.execute("BEGIN IMMEDIATE")
        check_refusal(callers["program"](path, won()), path)
        other.rollback()
        assert callers["program"](path, won()).status == 201


@on_sqlite
def test_f20_a_disk_that_is_full_is_503_and_reading_goes_on(callers: dict[str, Caller]) -> None:
    path = "/api/v1/leagues/club/matches/"
    assert callers["browser"]("/l/club/").status == 200
    with connection.cursor() as cursor:
        # The pages that earlier tests have left free would take hundreds of results.
        cursor.execute("VACUUM")
        cursor.execute("PRAGMA page_count")
        (pages,) = cursor.fetchone()
    begin = f"{connection.settings_dict['OPTIONS']['init_command']}PRAGMA max_page_count={pages};"
    with connected_with({"init_command": begin}):
        statuses = {201}
        while statuses == {201}:
            answer = callers["program"](path, won())
            statuses.add(answer.status)
        check_refusal(answer, path)
        assert callers["browser"]("/l/club/").status == 200
    assert callers["program"](path, won()).status == 201


# What is an outage


def django(kind: type[Exception], cause: Exception) -> Exception:
    error = kind("as Django has it")
    error.__cause__ = cause
    return error


def sqlite_error(code: int) -> Exception:
    cause = sqlite3.OperationalError("of SQLite")
    cause.sqlite_errorcode = code
    return django(OperationalError, cause)


@pytest.mark.parametrize(
    ("error", "outage", "busy", "cut"),
    [
        (django(OperationalError, errors.AdminShutdown()), True, False, True),
        (django(OperationalError, errors.CannotConnectNow()), True, False, False),
        (django(OperationalError, errors.ConnectionTimeout()), True, False, True),
        (django(OperationalError, psycopg.OperationalError("lost")), True, False, True),
        (django(OperationalError, errors.LockNotAvailable()), True, True, False),
        (django(OperationalError, errors.QueryCanceled()), True, True, False),
        (django(OperationalError, errors.DeadlockDetected()), True, True, False),
        (django(OperationalError, errors.DiskFull()), True, False, False),
        (django(OperationalError, errors.TooManyConnections()), True, False, False),
        (django(OperationalError, errors.ReadOnlySqlTransaction()), True, False, False),
        (InterfaceError("connection already closed"), True, False, True),
        (psycopg.OperationalError("lost"), True, False, True),
        (django(OperationalError, TimeoutError("could not start writing")), True, True, False),
        (sqlite_error(sqlite3.SQLITE_BUSY_SNAPSHOT), True, True, False),
        (sqlite_error(sqlite3.SQLITE_FULL), True, False, False),
        (sqlite_error(sqlite3.SQLITE_IOERR_WRITE), True, False, False),
        (sqlite_error(sqlite3.SQLITE_ERROR), False, False, False),
        (django(OperationalError, errors.StatementTooComplex()), False, False, False),
        (django(IntegrityError, errors.UniqueViolation()), False, False, False),
        (django(DataError, errors.NumericValueOutOfRange()), False, False, False),
        (django(OperationalError, errors.UndefinedTable()), False, False, False),
        (ValueError("ours"), False, False, False),
        (None, False, False, False),
    ],
    ids=repr,
)
def test_an_outage_passes_and_a_mistake_of_ours_does_not(
    error: Exception | None, outage: bool, busy: bool, cut: bool
) -> None:
    assert (is_outage(error), is_busy(error), was_cut(error)) == (outage, busy, cut)


def test_a_mistake_of_ours_is_500(callers: dict[str, Caller]) -> None:
    for path, kind in (("/api/v1/leagues/club/standings/", "problem+json"), ("/l/club/", "html")):
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE leagues_board RENAME TO away")
        try:
            answer = callers["visitor"](path)
        finally:
            with connection.cursor() as cursor:
                cursor.execute("ALTER TABLE away RENAME TO leagues_board")
        assert answer.status == 500, path
        assert kind in answer.headers["content-type"]
