"""Which civil day a moment belongs to, and when a civil day begins: the one home of both."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo


def day_of(at: datetime, zone: ZoneInfo) -> date:
    """The civil day of a moment in a zone."""
    return at.astimezone(zone).date()


def start_of_day(on: date, zone: ZoneInfo) -> datetime:
    """The first instant of a civil day in a zone.

    In UTC: an instant at which the clock is changed is equal to none of another zone.
    """
    return datetime.combine(on, time(), tzinfo=zone).astimezone(UTC)
