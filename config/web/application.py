"""Calling a WSGI application in a thread, with the whole request at hand and the answer as a whole.

A thread meets no slow client: the body has arrived before, and whatever the application yields is
kept for the event loop to send, beyond some size in a file. A thread keeps its connection to the
database from one request to the next, as Django's do.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from tempfile import SpooledTemporaryFile
from typing import Any, TypeAlias
from urllib.parse import unquote_to_bytes
from wsgiref.types import WSGIApplication
from wsgiref.util import FileWrapper

from asgiref.typing import HTTPScope

from leagues.views.common import AFTER_ANSWER

MEMORY_BYTES = 256 * 1024
"""What a body or an answer may take of the memory; the rest of it is in a file."""

Spool: TypeAlias = "SpooledTemporaryFile[bytes]"
Headers: TypeAlias = list[tuple[bytes, bytes]]

NOT_PREFIXED = {"CONTENT_LENGTH", "CONTENT_TYPE"}
# What frames a message ends with the connection; the body is whole here.
FRAMING = {b"content-length", b"transfer-encoding", b"connection", b"keep-alive", b"expect"}


@dataclass(slots=True)
class Answer:
    """What is to be sent."""

    status: int
    headers: Headers
    body: Spool
    afterwards: list[Callable[[], object]] = field(default_factory=list)
    """What the application wants to have done in a thread once the answer is sent."""


def new_spool() -> Spool:
    """Make an empty place for bytes."""
    return SpooledTemporaryFile(max_size=MEMORY_BYTES)


def call(application: WSGIApplication, environ: dict[str, Any]) -> Answer:
    """Run the application to the end of its answer."""
    answer = Answer(500, [], new_spool())
    environ[AFTER_ANSWER] = answer.afterwards.append

    def start_response(
        status: str, headers: list[tuple[str, str]], error: Any = None
    ) -> Callable[[bytes], object]:
        answer.status = int(status.partition(" ")[0])
        answer.headers = [
            # Django's cookies begin with a space.
            (name.lower().encode("latin-1"), value.strip().encode("latin-1"))
            for name, value in headers
        ]
        return answer.body.write

    chunks: Iterable[bytes] = application(environ, start_response)
    try:
        for chunk in chunks:
            answer.body.write(chunk)
    finally:
        close = getattr(chunks, "close", None)
        if close is not None:
            close()
    size = answer.body.tell()
    if size and not any(name == b"content-length" for name, _ in answer.headers):
        answer.headers.append((b"content-length", str(size).encode()))
    answer.body.seek(0)
    return answer


def whole_file(file: Any, block_size: int = MEMORY_BYTES) -> FileWrapper:
    """Read a file in few steps, whatever its owner proposes."""
    return FileWrapper(file, MEMORY_BYTES)


def environ_of(scope: HTTPScope, body: Spool, size: int) -> dict[str, Any]:
    """Describe a request as WSGI does (PEP 3333).

    Names with an underscore are left out: they would pass for those with a hyphen, which a proxy
    may have removed or set.
    """
    server, port = scope["server"] or ("localhost", 80)
    environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(scope["raw_path"] or b"/").decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": server,
        "SERVER_PORT": str(port or 0),
        "REMOTE_ADDR": scope["client"][0] if scope["client"] else "",
        "CONTENT_LENGTH": str(size) if size else "",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": body,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        "wsgi.file_wrapper": whole_file,
    }
    for name, value in scope["headers"]:
        if name in FRAMING or b"_" in name:
            continue
        key = name.decode("latin-1").upper().replace("-", "_")
        key = key if key in NOT_PREFIXED else f"HTTP_{key}"
        text = value.decode("latin-1")
        joint = "; " if name == b"cookie" else ","
        environ[key] = f"{environ[key]}{joint}{text}" if key in environ else text
    return environ
