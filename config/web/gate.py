"""The gate: takes each request in whole and within bounds, has a thread answer it, and sends that.

Whatever waits for a client waits here, in the event loop, where a thousand cost little. What goes
on for as long as somebody listens, such as a stream of events, can be answered here as well,
without a thread.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from http import HTTPStatus
from typing import TypeAlias
from wsgiref.types import WSGIApplication

from asgiref.typing import (
    ASGISendCallable,
    HTTPDisconnectEvent,
    HTTPRequestEvent,
    HTTPResponseBodyEvent,
    HTTPResponseStartEvent,
    HTTPScope,
)
from django.conf import settings
from django.db import DatabaseError
from django.urls import Resolver404, resolve

from config.web.application import Answer, Headers, Spool, call, environ_of, new_spool
from config.web.callers import is_signed_in
from leagues.views.plain import Refusal, refuse

logger = logging.getLogger(__name__)

Receive: TypeAlias = Callable[[], Awaitable[HTTPRequestEvent | HTTPDisconnectEvent]]

BODY_SECONDS = 30.0
SLOWEST_BYTES = 64 * 1024
"""A second more for each of these that a body may have: an upload may come over a slow line."""
MOST_HEADERS = 100
HEAD_BYTES = 16 * 1024
DRAIN_SECONDS = 2.0
PIECE_BYTES = 64 * 1024
TOO_MANY_SECONDS = 1.0
"""Who asks too often hears so a moment later, which costs no thread: refusing without a pause what
comes without a pause would keep the server busy with nothing else."""
MAX_PAUSING = 200
"""A connection that waits for such an answer cannot make room for a visitor; more end at once."""


MAX_PATHS = 256
"""Addresses of which is kept how much may be sent to them; one can have the length of a head."""


class Refused(Exception):
    """The request is not taken in."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.name)
        self.refusal = refusal


class Gone(Exception):
    """The client has closed the connection."""


class Gate:
    """An ASGI application around a WSGI one."""

    def __init__(self, application: WSGIApplication, *, threads: int) -> None:
        self.application = application
        self.threads = ThreadPoolExecutor(threads, thread_name_prefix="web")
        self.pausing = 0

    async def __call__(self, scope: HTTPScope, receive: Receive, send: ASGISendCallable) -> None:
        """Answer one request."""
        try:
            check_head(scope)
            body, size = await take_body(scope, receive, await self.body_limit(scope))
        except Gone:
            return
        except Refused as refused:
            await send_refusal(scope, receive, send, refused.refusal)
            return
        with body:
            environ = environ_of(scope, body, size)
            loop = asyncio.get_running_loop()
            answer = await loop.run_in_executor(self.threads, call, self.application, environ)
        with answer.body:
            if answer.status == HTTPStatus.TOO_MANY_REQUESTS:
                await self.pause(answer)
            await send_answer(send, answer)
        for task in answer.afterwards:
            try:
                await loop.run_in_executor(self.threads, task)
            except Exception:
                logger.exception("a task that was to run after the response failed")

    async def body_limit(self, scope: HTTPScope) -> int:
        """Answer how much a request may bring: what is large only of who is signed in.

        Who sends it is known before any of it is kept, so that strangers cannot fill the disk.
        """
        limit, usual = body_limit(scope["path"]), int(settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
        headers = dict(scope["headers"])
        is_small = int(headers.get(b"content-length", b"0")) <= usual
        if limit <= usual or (is_small and b"transfer-encoding" not in headers):
            return limit
        loop, cookie = asyncio.get_running_loop(), headers.get(b"cookie", b"")
        try:
            is_known = await loop.run_in_executor(self.threads, is_signed_in, cookie)
        except DatabaseError as error:
            raise Refused(Refusal.UNAVAILABLE) from error
        return limit if is_known else usual

    async def pause(self, answer: Answer) -> None:
        """Let a refusal wait, or be the last of its connection where many wait already."""
        if self.pausing >= MAX_PAUSING:
            answer.headers.append((b"connection", b"close"))
            return
        self.pausing += 1
        try:
            await asyncio.sleep(TOO_MANY_SECONDS)
        finally:
            self.pausing -= 1


def check_head(scope: HTTPScope) -> None:
    """Refuse what a server may not guess the meaning of, and what nobody needs."""
    headers = list(scope["headers"])
    names = {name for name, _ in headers}
    if {b"content-length", b"transfer-encoding"} <= names:
        raise Refused(Refusal.BAD_REQUEST)
    size = len(scope["raw_path"]) + len(scope["query_string"])
    size += sum(len(name) + len(value) for name, value in headers)
    if len(headers) > MOST_HEADERS or size > HEAD_BYTES:
        raise Refused(Refusal.HEADERS_TOO_LARGE)
    if not scope["raw_path"].startswith(b"/"):
        raise Refused(Refusal.BAD_REQUEST)


async def take_body(scope: HTTPScope, receive: Receive, limit: int) -> tuple[Spool, int]:
    """Receive the whole body, counted before any of it is kept, within its time."""
    body = new_spool()
    headers = dict(scope["headers"])
    length = int(headers.get(b"content-length", b"0"))
    if not length and b"transfer-encoding" not in headers:
        return body, 0
    if length > limit:
        raise Refused(Refusal.TOO_LARGE)
    size = 0
    try:
        async with asyncio.timeout(BODY_SECONDS + limit / SLOWEST_BYTES):
            is_whole = False
            while not is_whole:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise Gone
                size += len(message["body"])
                if size > limit:
                    raise Refused(Refusal.TOO_LARGE)
                body.write(message["body"])
                is_whole = not message["more_body"]
    except TimeoutError as error:
        raise Refused(Refusal.TOO_SLOW) from error
    except OSError as error:
        logger.error("a request body cannot be stored: %s", error)
        raise Refused(Refusal.UNAVAILABLE) from error
    body.seek(0)
    return body, size


@lru_cache(maxsize=MAX_PATHS)
def body_limit(path: str) -> int:
    """Answer how much may be sent to an address: what its view says, else the usual."""
    try:
        view = resolve(path).func
    except Resolver404:
        return settings.BODY_LIMIT
    limit: int = getattr(getattr(view, "view_class", view), "body_limit", settings.BODY_LIMIT)
    return limit


async def send_answer(send: ASGISendCallable, answer: Answer) -> None:
    """Send an answer piece by piece, each when there is room for it."""
    await send_start(send, answer.status, answer.headers)
    piece = answer.body.read(PIECE_BYTES)
    while len(piece) == PIECE_BYTES:
        await send_piece(send, piece, more=True)
        piece = answer.body.read(PIECE_BYTES)
    await send_piece(send, piece, more=False)


async def send_refusal(
    scope: HTTPScope, receive: Receive, send: ASGISendCallable, refusal: Refusal
) -> None:
    """Send a refusal, and go on reading for a moment.

    A connection that is closed while its client sends would take the answer along.
    """
    page = refuse(scope["path"], refusal)
    headers = [(name.lower().encode(), value.encode()) for name, value in page.items()]
    headers.append((b"content-length", str(len(page.content)).encode()))
    headers.append((b"connection", b"close"))
    await send_start(send, page.status_code, headers)
    await send_piece(send, b"" if scope["method"] == "HEAD" else page.content, more=True)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(DRAIN_SECONDS):
            is_whole = False
            while not is_whole:
                message = await receive()
                is_whole = message["type"] == "http.disconnect" or not message["more_body"]
    await send_piece(send, b"", more=False)


async def send_start(send: ASGISendCallable, status: int, headers: Headers) -> None:
    """Send the head of an answer."""
    await send(
        HTTPResponseStartEvent(
            type="http.response.start", status=status, headers=headers, trailers=False
        )
    )


async def send_piece(send: ASGISendCallable, piece: bytes, *, more: bool) -> None:
    """Send a piece of an answer's body."""
    await send(HTTPResponseBodyEvent(type="http.response.body", body=piece, more_body=more))
