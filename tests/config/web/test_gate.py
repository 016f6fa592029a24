"""The gate: bodies come whole and bounded, answers leave the thread at once."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from django.test import Client

from config.web import gate
from config.web.application import MEMORY_BYTES, environ_of, new_spool
from config.web.callers import is_signed_in
from config.web.gate import Gate
from leagues.views.common import AFTER_ANSWER
from tests.config.web.served import connect, rest, served
from tests.leagues.people import make_user

PATIENCE_SECONDS = 30

seen: list[dict] = []


def echo(environ, start_response):
    seen.append(environ)
    body = environ["wsgi.input"].read()
    start_response("200 OK", [("Content-Type", "text/plain"), ("Set-Cookie", " a=b")])
    return iter([environ["PATH_INFO"].encode("latin-1"), b" ", body])


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with served(Gate(echo, threads=1)) as port:
        yield port


def ask(port: int, request: bytes) -> bytes:
    with connect(port) as client:
        client.sendall(request)
        return rest(client)


def test_a_body_of_unknown_length_arrives_with_its_length(port: int) -> None:
    answer = ask(
        port,
        b"POST /a%C3%A4%FF HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n",
    )
    assert answer.endswith(b"\r\n\r\n/a\xc3\xa4\xff abcde")
    assert seen[-1]["CONTENT_LENGTH"] == "5"
    assert "HTTP_TRANSFER_ENCODING" not in seen[-1]


def test_an_answer_in_parts_has_its_length_and_cookies_are_trimmed(port: int) -> None:
    answer = ask(port, b"GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    assert b"\r\ncontent-length: 3\r\n" in answer
    assert b"\r\nset-cookie: a=b\r\n" in answer


def test_a_large_body_and_its_answer_pass_through_files(port: int) -> None:
    body = 3 * MEMORY_BYTES * b"y"
    length = str(len(body)).encode()
    request = b"POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: " + length
    assert ask(port, request + b"\r\n\r\n" + body).endswith(b"/ " + body)


def test_f28_a_body_that_takes_too_long_is_refused(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate, "BODY_SECONDS", 0.1)
    monkeypatch.setattr(gate, "SLOWEST_BYTES", 2**30)
    monkeypatch.setattr(gate, "DRAIN_SECONDS", 0.1)
    answer = ask(port, b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc")
    assert answer.startswith(b"HTTP/1.1 408")


def test_many_who_read_nothing_leave_the_only_thread_free(port: int) -> None:
    body = 4 * MEMORY_BYTES - 2
    request = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % body
    held = [connect(port) for _ in range(16)]
    for client in held:
        client.sendall(request + body * b"z")
    answer = ask(port, b"GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    assert answer.endswith(b"/x ")
    for client in held:
        client.close()


def test_s12_who_asks_too_often_waits_for_the_answer_and_holds_no_thread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def limit(environ, start_response):
        status = "429 Too Many" if environ["PATH_INFO"] == "/much" else "200 OK"
        start_response(status, [("Content-Length", "1")])
        return [b"x"]

    monkeypatch.setattr(gate, "TOO_MANY_SECONDS", 3600.0)
    with served(Gate(limit, threads=1)) as port:
        held = [connect(port) for _ in range(16)]
        for client in held:
            client.sendall(b"GET /much HTTP/1.1\r\nHost: a\r\n\r\n")
            client.setblocking(False)
        answer = ask(port, b"GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 200")
        for client in held:
            with pytest.raises(BlockingIOError):
                client.recv(1)
            client.close()


def test_s12_no_more_than_some_wait_for_such_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def limit(environ, start_response):
        start_response("429 Too Many", [("Content-Length", "1")])
        return [b"x"]

    monkeypatch.setattr(gate, "TOO_MANY_SECONDS", 3600.0)
    monkeypatch.setattr(gate, "MAX_PAUSING", 0)
    with served(Gate(limit, threads=1)) as port:
        # Without being asked to, the server closes the connection.
        answer = ask(port, b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 429") and b"connection: close" in answer


def test_s23_a_header_with_an_underscore_passes_for_no_other() -> None:
    scope = {
        "method": "GET",
        "raw_path": b"/",
        "query_string": b"a=b",
        "http_version": "1.1",
        "scheme": "http",
        "server": ("127.0.0.1", 80),
        "client": ("10.0.0.1", 1),
        "headers": [
            (b"x_forwarded_for", b"1.2.3.4"),
            (b"cookie", b"a=b"),
            (b"cookie", b"c=d"),
            (b"accept", b"x"),
            (b"accept", b"y"),
        ],
    }
    with new_spool() as body:
        environ = environ_of(scope, body, 0)
    assert "HTTP_X_FORWARDED_FOR" not in environ
    assert environ["HTTP_COOKIE"] == "a=b; c=d"
    assert environ["HTTP_ACCEPT"] == "x,y"
    assert environ["REMOTE_ADDR"] == "10.0.0.1"


def test_views_say_themselves_how_much_may_be_sent_to_them(settings) -> None:
    limits = {
        path: gate.body_limit(path)
        for path in ("/account/sign-in/", "/l/demo/import/", "/api/v1/leagues/demo/matches/", "/x")
    }
    assert list(limits.values()) == [
        settings.BODY_LIMIT,
        50_000_000 + settings.BODY_LIMIT,
        256 * 1024,
        settings.BODY_LIMIT,
    ]


def test_a_stranger_cannot_make_the_server_keep_a_large_file(port: int, settings) -> None:
    """The address takes 50 MB, from those who are signed in."""
    request = b"POST /l/demo/import/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: "
    large = settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1
    refused = ask(port, request + b"%d\r\n\r\n" % large)
    assert refused.startswith(b"HTTP/1.1 413")
    # Who was filling in a form comes back to it.
    assert b'<a href="/l/demo/import/">Back to the page that sent it</a>' in refused
    assert ask(port, request + b"3\r\n\r\nabc").startswith(b"HTTP/1.1 200")


@pytest.mark.django_db
def test_a_cookie_says_whether_somebody_is_signed_in(client: Client, settings) -> None:
    def cookie(key: str) -> bytes:
        return f"look=dark; {settings.SESSION_COOKIE_NAME}={key}".encode()

    client.force_login(make_user("ana"))
    key = client.session.session_key
    assert is_signed_in(cookie(key))
    assert (
        not is_signed_in(cookie("nothing")) and not is_signed_in(b"") and not is_signed_in(b"\xff")
    )
    client.logout()
    assert not is_signed_in(cookie(key))


def test_what_is_left_to_do_begins_when_the_answer_is_sent_and_may_fail() -> None:
    released, done = threading.Event(), threading.Event()

    def fail() -> None:
        released.wait(PATIENCE_SECONDS)
        raise ValueError

    def leaving(environ, start_response):
        environ[AFTER_ANSWER](fail)
        environ[AFTER_ANSWER](done.set)
        start_response("200 OK", [])
        return [b"sent"]

    with served(Gate(leaving, threads=1)) as port:
        request = b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        assert ask(port, request).endswith(b"sent")
        assert not done.is_set()
        released.set()
        assert done.wait(PATIENCE_SECONDS)
