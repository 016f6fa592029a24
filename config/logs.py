"""Log lines: one event, one line, with the id of the request; user text cannot forge one."""

from __future__ import annotations

import json
import logging
import re
from contextvars import ContextVar
from datetime import UTC, datetime
from http import HTTPStatus

from django.core.exceptions import BadRequest, PermissionDenied, SuspiciousOperation
from django.http.multipartparser import MultiPartParserError

from leagues.store.outages import is_outage

CLIENT_FAULTS = (BadRequest, MultiPartParserError, PermissionDenied, SuspiciousOperation)

SECRET_PATHS = re.compile(r"(/account/(?:setup|invitation|reset)/)[^\s?]+")

request_id: ContextVar[str] = ContextVar("request_id", default="-")


class RequestIdFilter(logging.Filter):
    """Add the current request's id to each record."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Keep the record."""
        record.request_id = request_id.get()
        return True


class OutageFilter(logging.Filter):
    """Say of a request that met a database which is away one line: it is no error of ours."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Keep the record, without its traceback."""
        error = record.exc_info[1] if record.exc_info else None
        if error is not None and is_outage(error):
            reason = str(error).strip().partition("\n")[0]
            record.msg, record.args = "%s: %s", (record.getMessage(), reason)
            record.exc_info = None
            record.levelno, record.levelname = logging.WARNING, "WARNING"
        return True


class ClientFaultFilter(logging.Filter):
    """Say of what a client got wrong one line: no line of ours is to blame, and anyone can ask."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Keep the record, without its traceback."""
        if record.exc_info and isinstance(record.exc_info[1], CLIENT_FAULTS):
            record.exc_info = None
            record.levelno, record.levelname = logging.WARNING, "WARNING"
        return True


class AskedAgainFilter(logging.Filter):
    """Leave out pages that show a form again: whoever filled it in reads there what is wrong."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Drop the record of such a page; what a program sent stays news."""
        request = getattr(record, "request", None)
        asked_again = getattr(record, "status_code", None) == HTTPStatus.UNPROCESSABLE_ENTITY
        return not asked_again or request is None or request.path.startswith("/api/")


def without_secrets(text: str) -> str:
    """Leave out of addresses what lets whoever reads it in (S-28)."""
    return SECRET_PATHS.sub(r"\1…", text)


def without_controls(text: str) -> str:
    """Escape what could begin a line or command a terminal (S-28)."""
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in text
    )


class PlainFormatter(logging.Formatter):
    """Write a line for people; a traceback follows on lines of its own."""

    def format(self, record: logging.LogRecord) -> str:
        """Write time, level, logger, request and message."""
        at = datetime.fromtimestamp(record.created, UTC).strftime("%Y-%m-%d %H:%M:%S")
        identity = getattr(record, "request_id", "-")
        message = without_controls(without_secrets(record.getMessage()))
        line = f"{at} {record.levelname.lower():7} {record.name} [{identity}] {message}"
        if record.exc_info:
            trace = self.formatException(record.exc_info).splitlines()
            line += "".join(f"\n    {without_controls(part)}" for part in trace)
        return line


class JsonFormatter(logging.Formatter):
    """Write a line for machines."""

    def format(self, record: logging.LogRecord) -> str:
        """Write one JSON object."""
        event = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname.lower(),
            "logger": record.name,
            "request": getattr(record, "request_id", "-"),
            "message": without_controls(without_secrets(record.getMessage())),
        }
        if record.exc_info:
            event["trace"] = self.formatException(record.exc_info)
        return json.dumps(event)
