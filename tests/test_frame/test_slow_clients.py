"""Clients who hold the server up: none of them keeps a visitor waiting, or fills the disk."""

from __future__ import annotations

import contextlib
import hashlib
import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.test_frame.served import PATIENCE_SECONDS, ROOT, Server, get

SOCKETS = 64
# Only a server that has stopped answering takes that long.
STOPPED_SECONDS = 25
STYLE = ROOT / "static" / "css" / "rungs.css"
HEAD = "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n"

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="finds child processes in /proc"
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("slow") / "data", "--port", "0")
    yield server
    if server.process.poll() is None:
        server.stop(signal.SIGTERM)


@pytest.fixture(scope="module")
def address(server: Server) -> str:
    address = server.wait_for(r"running at (http://\S+)")
    server.wait_for(r"Ctrl-C")
    assert get(f"{address}l/demo/")[0] == 200
    return address


def connect(address: str, *, timeout: float = PATIENCE_SECONDS) -> socket.socket:
    port = urlsplit(address).port
    assert port
    client = socket.socket()
    client.settimeout(timeout)
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.connect(("127.0.0.1", port))
    return client


def sent(address: str, request: bytes, *, timeout: float = PATIENCE_SECONDS) -> bytes:
    """Send a request and answer all that comes back until the server closes."""
    with connect(address, timeout=timeout) as client:
        client.sendall(request)
        return b"".join(iter(lambda: client.recv(65536), b""))


def head(method: str, path: str, *lines: str) -> bytes:
    start = HEAD.format(method=method, path=path)
    return (start + "".join(f"{line}\r\n" for line in lines) + "\r\n").encode()


def idle(client: socket.socket) -> None:
    """Say nothing at all."""


def slow_head(client: socket.socket) -> None:
    """Begin a head and never end it."""
    client.sendall(b"GET /l/demo/ HTTP/1.1\r\nHost: 127.")


def slow_body(client: socket.socket) -> None:
    """Begin a body and never end it."""
    client.sendall(head("POST", "/account/sign-in/", "Content-Length: 1000") + b"name=")


def slow_chunks(client: socket.socket) -> None:
    """Begin a body of unknown length and never end it."""
    client.sendall(head("POST", "/account/sign-in/", "Transfer-Encoding: chunked") + b"5\r\nna")


def slow_reader(client: socket.socket) -> None:
    """Ask for more than fits between here and there, and read none of it."""
    name = f"rungs.{hashlib.md5(STYLE.read_bytes()).hexdigest()[:12]}.css"  # noqa: S324
    client.sendall(200 * head("GET", f"/static/css/{name}", "Accept-Encoding: identity"))


def kept_alive(client: socket.socket) -> None:
    """Ask once and stay."""
    client.sendall(head("GET", "/healthz/live"))
    assert client.recv(65536).startswith(b"HTTP/1.1")


@pytest.mark.parametrize("hold", [idle, slow_head, slow_body, slow_chunks, slow_reader, kept_alive])
def test_f28_64_slow_sockets_keep_no_visitor_waiting(
    address: str, hold: Callable[[socket.socket], None]
) -> None:
    with ExitStack() as held:
        for _ in range(SOCKETS):
            hold(held.enter_context(connect(address)))
        answer = sent(
            address, head("GET", "/l/demo/", "Connection: close"), timeout=STOPPED_SECONDS
        )
    assert answer.startswith(b"HTTP/1.1 200")


def test_f28_little_is_made_ready_for_a_client_that_reads_nothing(address: str) -> None:
    with connect(address) as client:
        slow_reader(client)
        for _ in range(20):
            assert sent(address, head("GET", "/l/demo/", "Connection: close"))
        assert 0 < unread_bytes(client) < 2**20


def unread_bytes(client: socket.socket) -> int:
    """Answer how much the system keeps at the server's end of a connection."""
    ends = [f":{port:04X}" for port in (client.getpeername()[1], client.getsockname()[1])]
    for line in Path("/proc/net/tcp").read_text().splitlines():
        _, local, remote, _, queues, *_ = line.split()
        if local.endswith(ends[0]) and remote.endswith(ends[1]):
            return int(queues.partition(":")[0], 16)
    raise AssertionError("there is no such connection")


def test_s13_300_mb_for_the_sign_in_are_refused_before_any_of_them_is_sent(address: str) -> None:
    lines = ("Content-Type: multipart/form-data; boundary=x", f"Content-Length: {300 * 2**20}")
    with connect(address, timeout=STOPPED_SECONDS) as client:
        client.sendall(head("POST", "/account/sign-in/", *lines))
        assert client.recv(65536).startswith(b"HTTP/1.1 413")


def test_s13_a_body_of_unknown_length_is_counted_and_ended_at_the_limit(
    server: Server, address: str
) -> None:
    chunk = b"10000\r\n" + 0x10000 * b"x" + b"\r\n"
    with connect(address, timeout=STOPPED_SECONDS) as client:
        client.sendall(head("POST", "/account/sign-in/", "Transfer-Encoding: chunked"))
        for _ in range(17):
            client.sendall(chunk)
        assert client.recv(65536).startswith(b"HTTP/1.1 413")
    assert max(open_file_sizes(server.web()), default=0) <= 2**20


def open_file_sizes(pid: int) -> Iterator[int]:
    """Answer the sizes of the temporary files that a process has open."""
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(OSError):
            if "(deleted)" in os.readlink(entry):
                yield entry.stat().st_size


def test_s13_what_is_refused_by_the_api_is_a_problem_object(address: str) -> None:
    answer = sent(address, head("POST", "/api/v1/leagues/", f"Content-Length: {2**21}"))
    assert answer.startswith(b"HTTP/1.1 413")
    assert b"application/problem+json" in answer
    assert b'"code": "too_large"' in answer


def test_s13_an_import_may_be_larger_than_a_form(address: str) -> None:
    lines = ("Content-Type: multipart/form-data; boundary=x", f"Content-Length: {3 * 2**20}")
    request = head("POST", "/l/demo/import/", *lines, "Connection: close") + 3 * 2**20 * b"x"
    assert b" 413 " not in sent(address, request).partition(b"\r\n")[0]


@pytest.mark.parametrize(
    ("lines", "statuses"),
    [
        (("Content-Length: 1", "Content-Length: 2"), (400,)),
        (("Content-Length: 1", "Transfer-Encoding: chunked"), (400,)),
        (("Content-Length: +1",), (400,)),
        ((f"X-Large: {65536 * 'x'}",), (400, 431)),
        (tuple(f"X-{number}: x" for number in range(120)), (431,)),
        (("Host: 127.0.0.1",), (400,)),
    ],
    ids=["two lengths", "two framings", "odd length", "64 kB", "120 headers", "two hosts"],
)
def test_b62_a_head_that_is_too_large_or_may_mean_two_things_is_refused(
    address: str, lines: tuple[str, ...], statuses: tuple[int, ...]
) -> None:
    answer = sent(address, head("POST", "/account/sign-in/", *lines))
    assert int(answer.split(b" ", 2)[1]) in statuses


def test_b87_an_absolute_address_is_refused(address: str) -> None:
    answer = sent(address, head("GET", "http://evil.example/", "Connection: close"))
    assert answer.startswith(b"HTTP/1.1 400")


def test_who_asks_before_sending_is_told_to_go_on(address: str) -> None:
    lines = ("Expect: 100-continue", "Content-Length: 4", "Connection: close")
    with connect(address) as client:
        client.sendall(head("POST", "/account/sign-in/", *lines))
        assert client.recv(25) == b"HTTP/1.1 100 Continue\r\n\r\n"
        client.sendall(b"a=bc")
        assert client.recv(65536).startswith(b"HTTP/1.1 403")


def test_several_requests_of_one_connection_are_answered_in_order(address: str) -> None:
    requests = head("GET", "/healthz/live") + head("GET", "/healthz/ready", "Connection: close")
    answers = sent(address, requests)
    assert answers.index(b"alive") < answers.index(b"\r\n\r\nready")


def test_the_server_stops_although_clients_keep_it_waiting(server: Server, address: str) -> None:
    with ExitStack() as held:
        for hold in (idle, slow_head, slow_body, slow_reader):
            hold(held.enter_context(connect(address)))
        assert server.stop(signal.SIGTERM) == 0
