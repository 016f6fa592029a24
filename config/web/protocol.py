"""Connections: how long each may keep the server waiting, and how many there may be.

Uvicorn bounds the size of a request's head, but neither the time that a client takes to send one
nor the time that it takes to read an answer. Here a connection is either the server's turn or the
client's. Whenever it is the client's turn a clock runs, which no drip of bytes winds up again.
"""

from __future__ import annotations

import asyncio
from typing import ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 30.0
"""From the first moment of a connection, or the answer before, to the end of a request's head."""
READ_SECONDS = 30.0
"""For the next 48 kB of an answer, the step in which a full buffer is emptied."""

FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\n"
    b"content-type: text/plain; charset=utf-8\r\nretry-after: 2\r\nconnection: close\r\n"
    b"content-length: 36\r\n\r\nThe server is full. Try again later.\n"[:-1]
)


class PatientProtocol(H11Protocol):
    """HTTP/1.1 with a deadline whenever it is the client's turn.

    A server that is full drops the connection whose client has kept it waiting for longest, so
    that a visitor gets in however many sockets somebody holds open.
    """

    max_connections: ClassVar[int] = 1000
    clients_turn: ClassVar[dict[PatientProtocol, None]] = {}
    """All connections that wait for their clients, the longest waiting first."""

    deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take the connection, if need be in another's place."""
        super().connection_made(transport)
        self.wait_for_client(HEAD_SECONDS)
        if len(self.connections) > self.max_connections:
            longest = next(iter(self.clients_turn))
            if longest is self:
                transport.write(FULL)
            longest.drop()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        super().connection_lost(exc)
        self.stop_waiting()

    def data_received(self, data: bytes) -> None:
        """Read on; a whole head stops the clock, and the gate has one for the body."""
        super().data_received(data)
        if self.is_answering():
            self.stop_clock()
            if not self.cycle.more_body:
                self.stop_waiting()

    def on_response_complete(self) -> None:
        """Wait for what is left of the answer to be read, and for the next request."""
        super().on_response_complete()
        if not self.is_answering():
            self.wait_for_client(HEAD_SECONDS)

    def pause_writing(self) -> None:
        """Wait for a client that has not read what it was sent."""
        super().pause_writing()
        self.wait_for_client(READ_SECONDS)

    def resume_writing(self) -> None:
        """Go on with the answer."""
        super().resume_writing()
        if self.is_answering():
            self.stop_waiting()

    def is_answering(self) -> bool:
        """Tell whether a request is being answered."""
        return self.cycle is not None and not self.cycle.response_complete

    def wait_for_client(self, seconds: float) -> None:
        """Make it the client's turn."""
        self.stop_waiting()
        self.clients_turn[self] = None
        self.deadline = self.loop.call_later(seconds, self.drop)

    def stop_waiting(self) -> None:
        """Make it the server's turn."""
        self.stop_clock()
        self.clients_turn.pop(self, None)

    def stop_clock(self) -> None:
        """Leave it to somebody else how long the client may take."""
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None

    def drop(self) -> None:
        """Close the connection, at once where an answer would never be read."""
        if self.is_answering() or self.transport.is_closing():
            self.transport.abort()
        else:
            self.transport.close()
            # What is written last may be read; the clock runs for that too.
            self.wait_for_client(READ_SECONDS)
