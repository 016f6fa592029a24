"""Telling a database that is away, full or busy from a job that is wrong."""

from __future__ import annotations

from leagues.store import outages


def is_outage(error: BaseException) -> bool:
    """Whether the same work may well succeed later, without anything having been mended.

    A visitor may ask again for what took too long; a job that does will take as long again.
    """
    return outages.is_outage(error) and not outages.was_too_slow(error)
