"""The web server in a thread, around any application."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from uvicorn import Config, Server

from config.web.protocol import PatientProtocol

PATIENCE_SECONDS = 30


@contextmanager
def served(application: Any) -> Iterator[int]:
    """Serve the application and answer the port."""
    listener = socket.create_server(("127.0.0.1", 0))
    choices = Config(
        application,
        http=PatientProtocol,
        ws="none",
        lifespan="off",
        log_config=None,
        timeout_graceful_shutdown=1,
    )
    server = Server(choices)
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join()


def connect(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), PATIENCE_SECONDS)


def rest(client: socket.socket) -> bytes:
    """Answer all that the server still sends."""
    try:
        return b"".join(iter(lambda: client.recv(65536), b""))
    except ConnectionResetError:
        return b""
