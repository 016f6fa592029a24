"""Connections: how long each may keep the server waiting, and how many there may be.

Uvicorn bounds the size of a request's head, but neither the time that a client takes to send one
nor the time that it takes to read an answer. Here a connection is either the server's turn or the
client's. Whenever it is the client's turn a clock runs, which no drip of bytes winds up again.
"""

from __future__ import annotations

import asyncio
from enum import Enum
from typing import ClassVar

import h11
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


class Turn(Enum):
    """What the server waits for, where it waits for its client."""

    HEAD = "the head of a request"
    BODY = "the rest of a body, for which the gate has a clock"
    READ = "what was sent to be read"


class PatientProtocol(H11Protocol):
    """HTTP/1.1 with a deadline whenever it is the client's turn.

    A server that is full drops the connection whose client has kept it waiting for longest, so
    that a visitor gets in however many sockets somebody holds open.
    """

    max_connections: ClassVar[int] = 1000
    clients_turn: ClassVar[dict[PatientProtocol, None]] = {}
    """All connections that wait for their clients, the longest waiting first."""

    turn: Turn | None = None
    """What is awaited from the client; None while it is the server's turn."""
    deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take the connection, if need be in another's place."""
        super().connection_made(transport)
        self.take_turns()
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
        """Read on; a whole head stops the clock, a whole body ends the client's turn."""
        super().data_received(data)
        self.take_turns()

    def on_response_complete(self) -> None:
        """Begin the next request, which may be here already, in part or as a whole."""
        self.stop_waiting()
        super().on_response_complete()
        self.take_turns()

    def pause_writing(self) -> None:
        """Wait for a client that has not read what it was sent."""
        super().pause_writing()
        self.take_turns()

    def resume_writing(self) -> None:
        """Go on with the answer, or with what comes after it."""
        super().resume_writing()
        self.stop_waiting()
        self.take_turns()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP, unless the request it belongs to is being answered already.

        An answer that has begun takes no second one: it ends the connection itself.
        """
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            if not self.is_answering():
                self.transport.close()
            return
        super().send_400_response(msg)
        if self.is_answering():
            self.cycle.disconnected = True
            self.cycle.message_event.set()

    def is_answering(self) -> bool:
        """Tell whether a request is being answered."""
        return self.cycle is not None and not self.cycle.response_complete

    def awaited(self) -> Turn | None:
        """Answer what is awaited from the client now."""
        if self.flow.write_paused or self.transport.is_closing():
            return Turn.READ
        if not self.is_answering():
            return Turn.HEAD
        return Turn.BODY if self.cycle.more_body else None

    def take_turns(self) -> None:
        """Give the turn to the client or the server; a turn that goes on winds up no clock."""
        turn = self.awaited()
        if turn is self.turn:
            return
        self.stop_clock()
        self.turn = turn
        if turn is None:
            self.stop_waiting()
            return
        self.clients_turn.setdefault(self)
        if turn is not Turn.BODY:
            seconds = HEAD_SECONDS if turn is Turn.HEAD else READ_SECONDS
            self.deadline = self.loop.call_later(seconds, self.drop)

    def stop_waiting(self) -> None:
        """End the client's turn."""
        self.stop_clock()
        self.turn = None
        self.clients_turn.pop(self, None)

    def stop_clock(self) -> None:
        """Leave it to somebody else how long the client may take."""
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None

    def drop(self) -> None:
        """Close the connection, at once where an answer would never be read."""
        self.stop_waiting()
        if self.is_answering() or self.transport.is_closing():
            self.transport.abort()
        else:
            self.transport.close()
            # What is written last may be read; the clock runs for that too.
            self.take_turns()
