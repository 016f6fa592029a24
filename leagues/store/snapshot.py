"""One state of the database for several reads, on either engine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from leagues.store.statements import run_alone, this_connection

_BEGIN = {
    # Django's own would take the write lock at once.
    "sqlite": "BEGIN DEFERRED",
    # Django's own takes three statements more for this, with each page.
    "postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
}


@contextmanager
def snapshot() -> Iterator[None]:
    """Let all reads inside see the same commits; nothing may be written inside.

    Inside an open transaction it is that one.
    """
    here = this_connection()
    if here.in_atomic_block:
        yield
        return
    run_alone(here, _BEGIN[here.vendor])
    try:
        yield
    finally:
        run_alone(here, "ROLLBACK")
