"""One state of the database for several reads, on either engine."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import Error
from django.db.backends.base.base import BaseDatabaseWrapper

from leagues.store.statements import run_alone, this_connection

_BEGIN = {
    # Django's own would take the write lock at once.
    "sqlite": "BEGIN DEFERRED",
    # Django's own takes three statements more for this, with each page.
    "postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
}


class _Snapshot(threading.local):
    """Whether this thread, which has a connection of its own, is inside one.

    Django does not know: it takes a connection for one without a transaction.
    """

    is_open = False
    is_restartable = False


_here = _Snapshot()


def in_snapshot() -> bool:
    """Whether this thread reads one state of the database."""
    return _here.is_open


def may_restart() -> bool:
    """Whether whoever opened the snapshot begins again where something ends it."""
    return _here.is_restartable


@contextmanager
def snapshot(*, is_restartable: bool = False) -> Iterator[None]:
    """Let all reads inside see the same commits; nothing may be written inside.

    Inside an open transaction, or another snapshot, it is that one.
    """
    here = this_connection()
    if here.in_atomic_block or _here.is_open:
        yield
        return
    run_alone(here, _BEGIN[here.vendor])
    _here.is_open, _here.is_restartable = True, is_restartable
    try:
        yield
    finally:
        _here.is_open = _here.is_restartable = False
        _end(here)


def _end(here: BaseDatabaseWrapper) -> None:
    """End the transaction, if the database has not done so; what happened inside is heard."""
    try:
        if here.vendor == "sqlite":
            here.rollback()
        else:
            # Nothing can have been written. On a rollback psycopg forgets all that is prepared;
            # of a transaction that an error has ended, the server makes one of this.
            here.commit()
    except Error:
        # It has hung up. Who asks it next opens another connection.
        here.close()
