"""One state of the database for several reads, on either engine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

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
    if connection.in_atomic_block:
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute(_BEGIN[connection.vendor])
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")
