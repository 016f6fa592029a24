"""Connections: whoever keeps the server waiting is dropped in time, or when others want in."""

from __future__ import annotations

import contextlib
import select
import socket
from collections.abc import Callable, Iterator

import pytest

from config.web import gate, protocol
from config.web.gate import Gate
from config.web.protocol import PatientProtocol
from tests.config.web.served import connect, rest, served

LARGE = 8 * 2**20


def page(environ, start_response):
    size = LARGE if environ["PATH_INFO"] == "/large" else 5
    start_response("200 OK", [("Content-Length", str(size))])
    return [size * b"x"]


@pytest.fixture
def port() -> Iterator[int]:
    with served(Gate(page, threads=2)) as port:
        yield port


def drip(client: socket.socket, endless: bytes) -> None:
    """Send a byte at a time until the server has had enough."""
    try:
        while True:
            client.sendall(endless)
            client.settimeout(0.02)
            try:
                if not client.recv(65536):
                    return
            except TimeoutError:
                pass
    except (BrokenPipeError, ConnectionResetError):
        return


def test_f28_a_silent_connection_is_closed(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "HEAD_SECONDS", 0.1)
    with connect(port) as client:
        assert rest(client) == b""


@pytest.mark.parametrize("begin", [b"GET / HTTP/1.1\r\nX: ", b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"])
def test_f28_a_drip_does_not_prolong_the_time_for_a_head(
    port: int, monkeypatch: pytest.MonkeyPatch, begin: bytes
) -> None:
    monkeypatch.setattr(protocol, "HEAD_SECONDS", 0.3)
    with connect(port) as client:
        client.sendall(begin)
        drip(client, b"x")


def test_f28_an_answer_that_nobody_reads_is_given_up(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "READ_SECONDS", 0.2)
    with connect(port) as client:
        client.sendall(b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
        # Without reading: the server is seen to close by what it no longer takes.
        with pytest.raises((BrokenPipeError, ConnectionResetError)):
            while True:
                client.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")


def test_f28_bytes_that_nobody_asked_for_buy_no_time_to_read(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "READ_SECONDS", 0.3)
    with connect(port) as client:
        client.sendall(b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
        while not any(held.flow.write_paused for held in list(PatientProtocol.clients_turn)):
            pass
        poller = select.poll()
        poller.register(client, select.POLLERR | select.POLLHUP)
        client.sendall(b"x")
        for _ in range(500):
            if poller.poll(20):
                break
            # What is sent to a closed connection is answered with a reset.
            drip_once(client)
        else:
            pytest.fail("The connection stays open.")


def drip_once(client: socket.socket) -> None:
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        client.sendall(b"x")


def test_a_full_server_drops_whoever_has_kept_it_waiting_for_longest(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PatientProtocol, "max_connections", 3)
    first, *others = held = [connect(port) for _ in range(3)]
    with connect(port) as visitor:
        visitor.sendall(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        assert rest(visitor).endswith(b"xxxxx")
    assert rest(first) == b""
    for client in others:
        client.sendall(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        assert rest(client).endswith(b"xxxxx")
    for client in held:
        client.close()


@pytest.mark.parametrize("body", [b"", b"x"])
def test_a_full_server_drops_who_owes_a_body_also_after_an_answer(
    port: int, monkeypatch: pytest.MonkeyPatch, body: bytes
) -> None:
    monkeypatch.setattr(PatientProtocol, "max_connections", 3)
    first, *others = held = [connect(port) for _ in range(3)]
    for client in held:
        client.sendall(
            b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
            b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n" + body
        )
        answer = b""
        while not answer.endswith(b"xxxxx"):
            answer += client.recv(65536)
    with connect(port) as visitor:
        visitor.sendall(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        assert rest(visitor).endswith(b"xxxxx")
    assert rest(first) == b""
    for client in others:
        client.sendall(b"xxx"[len(body) :])
        assert client.recv(65536).startswith(b"HTTP/1.1 200")
    for client in held:
        client.close()


def test_each_of_several_newcomers_takes_another_place(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PatientProtocol, "max_connections", 3)
    head = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n"
    held = [connect(port) for _ in range(3)]
    for client in held:
        client.sendall(head + b"x")
    visitors = [connect(port) for _ in range(2)]
    for visitor in visitors:
        visitor.sendall(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    for visitor in visitors:
        assert rest(visitor).endswith(b"xxxxx")
        visitor.close()
    assert rest(held[0]) == b"" and rest(held[1]) == b""
    held[2].sendall(b"xx")
    assert held[2].recv(65536).startswith(b"HTTP/1.1 200")
    for client in held:
        client.close()


@pytest.mark.parametrize(
    ("query", "status"), [(b"", b"413"), (b"?" + 17_000 * b"q", b"431")], ids=["body", "head"]
)
def test_nonsense_after_a_refusal_ends_in_the_refusal(
    port: int,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    query: bytes,
    status: bytes,
) -> None:
    monkeypatch.setattr(gate, "DRAIN_SECONDS", 0.1)
    monkeypatch.setattr(gate, "body_limit", lambda path: 3)
    with connect(port) as client:
        client.sendall(
            b"POST /%s HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
            b"5\r\nabcde\r\n" % query
        )
        answer = client.recv(65536)
        client.sendall(b"zz\r\n")
        answer += rest(client)
    assert answer.startswith(b"HTTP/1.1 " + status) and answer.count(b"HTTP/1.1") == 1
    assert answer.endswith(b"</html>")
    assert not [record for record in caplog.records if record.exc_info]


def test_nonsense_in_a_body_is_answered_once(port: int, caplog: pytest.LogCaptureFixture) -> None:
    with connect(port) as client:
        client.sendall(b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")
        answer = rest(client)
    assert answer.startswith(b"HTTP/1.1 400") and answer.count(b"HTTP/1.1") == 1
    assert not [record for record in caplog.records if record.exc_info]


def test_a_server_that_is_full_of_work_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PatientProtocol, "max_connections", 1)
    waiting: list[Callable[[], None]] = []

    async def stuck(scope, receive, send):
        import asyncio

        event = asyncio.Event()
        loop = asyncio.get_running_loop()
        waiting.append(lambda: loop.call_soon_threadsafe(event.set))
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"begun", "more_body": True})
        await event.wait()
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    with served(stuck) as port, connect(port) as busy:
        busy.sendall(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        begun = b""
        while b"begun" not in begun:
            begun += busy.recv(65536)
        with connect(port) as visitor:
            assert rest(visitor).startswith(b"HTTP/1.1 503")
        waiting[0]()
        assert rest(busy).endswith(b"0\r\n\r\n")
