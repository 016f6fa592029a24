"""When the database cannot answer for a reason that passes, as opposed to a mistake of ours.

Everything that stands between a visitor and the database asks here, so that a server that was
restarted, a row that stayed locked or a disk that is full is a 503 everywhere, and a query that is
wrong stays a 500.
"""

from __future__ import annotations

import sqlite3
from typing import Final

from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.exceptions import SessionInterrupted
from django.db import DatabaseError, InterfaceError, OperationalError
from django.db.transaction import TransactionManagementError

RETRY_SECONDS: Final = 2

# Raised where an error of the database was met, without naming it as their cause.
_HIDING: Final = (SessionInterrupted, UpdateError, TransactionManagementError)

_SQLITE: Final = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_INTERRUPT,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PROTOCOL,
    }
)
_SQLITE_BUSY: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})

# Classes of PostgreSQL's SQLSTATE: no connection, rolled back for others, no room, an operator
# or a limit of time stepped in, a system error.
_CLASSES: Final = frozenset({"08", "40", "53", "57", "58"})
_STATES: Final = frozenset(
    {
        "55P03",  # lock_timeout
        "25P03",  # idle_in_transaction_session_timeout
        "25P04",  # transaction_timeout
        "25006",  # a server in recovery takes no writes
    }
)
_TOO_SLOW: Final = "57014"
_YIELDED: Final = frozenset({"40001", "40P01"})
_BUSY: Final = frozenset({"55P03", _TOO_SLOW}) | _YIELDED
_CUT: Final = frozenset({"57P01", "57P02", "57P05", "25P03"})


def is_outage(error: BaseException | None) -> bool:
    """Whether the same request may succeed later, unchanged."""
    cause = _driver_error(error)
    if isinstance(cause, sqlite3.Error):
        return _sqlite_code(cause) in _SQLITE
    if isinstance(cause, InterfaceError | OperationalError):
        # Without a driver's error: a connection that was lost within a transaction, or no turn
        # to write.
        return True
    if _is_of_psycopg(cause):
        state = _sqlstate(cause)
        return _lost_connection(cause) or state[:2] in _CLASSES or state in _STATES
    return False


def is_busy(error: BaseException | None) -> bool:
    """Whether the database does answer, but had no time or no lock for this."""
    cause = _driver_error(error)
    if isinstance(cause, sqlite3.Error):
        return _sqlite_code(cause) in _SQLITE_BUSY
    if isinstance(cause, OperationalError):
        return True
    return _sqlstate(cause) in _BUSY


def was_too_slow(error: BaseException | None) -> bool:
    """Whether a statement took longer than statements may."""
    return _sqlstate(_driver_error(error)) == _TOO_SLOW


def was_cut(error: BaseException | None) -> bool:
    """Whether a connection that had worked was lost; another one may work at once."""
    cause = _driver_error(error)
    if isinstance(cause, InterfaceError):
        return True
    if not _is_of_psycopg(cause):
        return False
    # Who fails to connect at all has the attempt in `pgconn`.
    has_worked = getattr(cause, "pgconn", None) is None
    return _sqlstate(cause) in _CUT or (_lost_connection(cause) and has_worked)


def was_undone_for_others(error: BaseException | None) -> bool:
    """Whether two waited for each other, or came in each other's way, and this one had to yield."""
    return _sqlstate(_driver_error(error)) in _YIELDED


def is_unheard(error: BaseException | None) -> bool:
    """Whether a server may have done what it was told: the connection was lost before it answered.

    What a server names as its reason, it has not done; SQLite is none, and always answers.
    """
    cause = _driver_error(error)
    if isinstance(cause, sqlite3.Error):
        return False
    if isinstance(cause, InterfaceError):
        return True
    state = _sqlstate(cause)
    return _lost_connection(cause) or state[:2] == "08" or state == "40003"


def _driver_error(error: BaseException | None) -> BaseException | None:
    """The error of the database's driver, which Django's errors have as their cause.

    Where no driver said anything the error is that of whoever stands before it.
    """
    driver_error = error
    while error is not None and not _is_of_driver(driver_error):
        if _is_of_driver(error) or isinstance(error, DatabaseError | InterfaceError):
            driver_error = error
        hides = isinstance(error, _HIDING)
        error = error.__cause__ or (error.__context__ if hides else None)
    return driver_error


def _is_of_driver(error: BaseException | None) -> bool:
    return isinstance(error, sqlite3.Error) or _is_of_psycopg(error)


def _is_of_psycopg(error: BaseException | None) -> bool:
    """Whether the driver raised it, which an installation on SQLite never imports."""
    return any(kind.__module__.startswith("psycopg") for kind in type(error).__mro__)


def _sqlite_code(error: sqlite3.Error) -> int:
    # The lower byte is the code, the upper ones say more about it.
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _sqlstate(error: BaseException | None) -> str:
    return getattr(error, "sqlstate", None) or ""


def _lost_connection(error: BaseException | None) -> bool:
    """Whether the driver itself found no server at the other end."""
    kinds = {kind.__name__ for kind in type(error).__mro__}
    return "OperationalError" in kinds and not _sqlstate(error)
