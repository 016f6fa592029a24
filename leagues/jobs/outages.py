"""Telling a database that is away, full or busy from a job that is wrong."""

from __future__ import annotations

import sqlite3
from typing import Final

from django.db import InterfaceError, OperationalError

_SQLITE: Final = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
    }
)
_POSTGRESQL: Final = ("08", "40", "53", "55", "57")
"""Classes of codes: connection, rollback, resources, a lock, the operator."""
_STATEMENT_TOO_SLOW: Final = "57014"


def is_outage(error: BaseException) -> bool:
    """Tell whether the same work may well succeed later, without anything having been mended."""
    if isinstance(error, InterfaceError):
        return True
    if not isinstance(error, OperationalError):
        return False
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        # An extended code says more in its higher bytes.
        return getattr(cause, "sqlite_errorcode", 0) & 0xFF in _SQLITE
    code: str | None = getattr(cause, "sqlstate", None)
    return code is None or (code.startswith(_POSTGRESQL) and code != _STATEMENT_TOO_SLOW)
