"""Serve an open socket: `python -m config.web --fd N`."""

from __future__ import annotations

import argparse
import contextlib
import logging
import resource
import socket
from collections.abc import Sequence

from django.conf import settings
from uvicorn import Config, Server

import config.wsgi  # sets Django up, which the gate needs to be
from config.web.gate import Gate
from config.web.protocol import PatientProtocol

WAITING_TO_BE_ACCEPTED = 2048
ACCEPTED_AT_ONCE = 100
MOST_FILES = 4096
UNSENT_BYTES = 128 * 1024
KEEP_ALIVE_SECONDS = 5
STOP_SECONDS = 1


class WebServer(Server):
    """Uvicorn's server, except for how many wait at the door and who is waited for at the end."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to accept; who comes while as many as possible are taken in waits in line."""
        await super().startup(sockets)
        for listener in sockets or []:
            listener.listen(WAITING_TO_BE_ACCEPTED)
            if hasattr(socket, "TCP_NOTSENT_LOWAT"):
                # What is accepted inherits it. The system would take megabytes from us for a
                # client that reads nothing, and let it ask for more and more.
                listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, UNSENT_BYTES)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the answers that are being made; clients who keep the server waiting are left."""
        # What is cut short when time is up is nobody's error.
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        for connection in list(PatientProtocol.clients_turn):
            connection.transport.abort()
        await super().shutdown(sockets)


def serve(listeners: Sequence[socket.socket]) -> None:
    """Serve until a signal comes."""
    PatientProtocol.max_connections = room_for_connections()
    choices = Config(
        Gate(config.wsgi.application, threads=settings.WEB_THREADS),
        loop="asyncio",
        http=PatientProtocol,
        ws="none",
        lifespan="off",
        interface="asgi3",
        log_config=None,
        log_level="error",
        access_log=False,
        # What a proxy says is believed by our own middleware, from TRUSTED_PROXIES only.
        proxy_headers=False,
        server_header=False,
        backlog=ACCEPTED_AT_ONCE,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=STOP_SECONDS,
    )
    WebServer(choices).run(list(listeners))


def room_for_connections() -> int:
    """Answer how many connections may be open, and have the system allow their files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    files = MOST_FILES if soft == resource.RLIM_INFINITY else soft
    # A connection may have a file for what is sent and one for the answer; others need some too.
    return min(PatientProtocol.max_connections, (files - ACCEPTED_AT_ONCE) // 3)


def main() -> None:
    """Serve the socket that is named."""
    parser = argparse.ArgumentParser(prog="python -m config.web")
    parser.add_argument("--fd", type=int, required=True, help="file descriptor of the open socket")
    options = parser.parse_args()
    serve([socket.socket(fileno=options.fd)])


if __name__ == "__main__":
    main()
