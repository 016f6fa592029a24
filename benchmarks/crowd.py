"""How long a visitor waits while others hold the server up with slow sockets.

All in one run, each kind right after an idle measurement, so that the ratio counts and not the
machine. A visitor who is not answered in ten seconds has waited ten seconds.
"""

from __future__ import annotations

import os
import re
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from statistics import median
from urllib.parse import urlsplit

from benchmarks.pages import serve
from benchmarks.report import Report, Row

SOCKETS, VISITS = 64, 15
PATIENCE_SECONDS = 10.0
SETTLE_SECONDS = 3.0
MOST_ADDED_MS, MOST_RATIO = 1000.0, 3.0
PAGE = "/l/demo/"
POST = b"POST /account/sign-in/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\na="


def measure(report: Report) -> None:
    """Measure a visitor's waits beside each kind of slow socket, then beside a heavy page."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "RUNGS_DATA": folder, "DATABASE_URL": "", "REDIS_URL": ""}
        environment["RUNGS_LOG_LEVEL"] = "ERROR"
        with serve(environment) as address:
            port = urlsplit(address).port or 80
            waits(port, VISITS)
            for name, hold in kinds(port).items():
                idle = waits(port, VISITS)
                with hold_sockets(port, hold):
                    compare(report, f"{SOCKETS} {name}", idle, waits(port, VISITS))


def compare(report: Report, name: str, idle: list[float], crowded: list[float]) -> None:
    """Report the waits beside those of an idle server."""
    report.note(f"{name}: idle, median", 1000 * median(idle), "ms")
    report.note(f"{name}: median", 1000 * median(crowded), "ms")
    ratio = median(crowded) / median(idle)
    report.add(Row(f"{name}: median to idle", ratio, "", MOST_RATIO, "at most"))
    added = 1000 * (max(crowded) - median(idle))
    report.add(Row(f"{name}: worst, more than idle", added, "ms", MOST_ADDED_MS, "at most"))


def waits(port: int, visits: int) -> list[float]:
    """Visit a page on new connections and answer the seconds until each is there."""
    return [visit(port, PAGE) for _ in range(visits)]


def visit(port: int, path: str) -> float:
    """Fetch a page; answer the seconds."""
    began = time.monotonic()
    with suppress(OSError), connect(port) as client:
        client.sendall(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode()
        )
        while client.recv(65536):
            if time.monotonic() - began > PATIENCE_SECONDS:
                break
    return time.monotonic() - began


def connect(port: int) -> socket.socket:
    """Open a connection that takes little at a time."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.settimeout(PATIENCE_SECONDS)
    client.connect(("127.0.0.1", port))
    return client


def kinds(port: int) -> dict[str, tuple[bytes, bytes]]:
    """Answer what each kind of slow socket sends at first, and what again and again."""
    with connect(port) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        page = b"".join(iter(lambda: client.recv(65536), b"")).decode()
    style = re.findall(r"/static/css/[^\"]+", page)[0]
    large = f"GET {style} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: identity\r\n\r\n".encode()
    return {
        "idle sockets": (b"", b""),
        "heads in drips": (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ", b"x"),
        "bodies in drips": (POST, b"x"),
        "readers of nothing": (200 * large, b""),
        "kept connections": (b"GET /nowhere/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", b""),
    }


@contextmanager
def hold_sockets(port: int, hold: tuple[bytes, bytes]) -> Iterator[None]:
    """Hold sockets open, with a byte for each every half second."""
    first, again = hold
    over = threading.Event()
    with ExitStack() as stack:
        sockets = [stack.enter_context(connect(port)) for _ in range(SOCKETS)]
        for client in sockets:
            client.sendall(first)

        def drip() -> None:
            while not over.wait(0.5):
                for client in sockets:
                    with suppress(OSError):
                        client.sendall(again)

        stack.enter_context(running(drip, 1, over))
        # What a socket costs while it is held counts here, not what it asked for at first.
        time.sleep(SETTLE_SECONDS)
        yield


@contextmanager
def running(work: Callable[[], None], count: int, over: threading.Event) -> Iterator[None]:
    """Work in threads until the block ends."""
    threads = [threading.Thread(target=work) for _ in range(count)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()
