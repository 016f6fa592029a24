"""Zones, which civil day a moment belongs to, and when one begins: the one home of these."""

from __future__ import annotations

import zoneinfo
from datetime import UTC, date, datetime, time, timedelta
from functools import cache, lru_cache
from typing import Final
from zoneinfo import ZoneInfo

_EPOCH: Final = date(1970, 1, 1)


@cache
def zone_names() -> frozenset[str]:
    """All names of the zone database, former ones among them."""
    return frozenset(zoneinfo.available_timezones())


def day_of(at: datetime, zone: ZoneInfo) -> date:
    """The civil day of a moment in a zone."""
    return at.astimezone(zone).date()


@lru_cache(1024)
def start_of_day(on: date, zone: ZoneInfo) -> datetime:
    """The first instant of a civil day in a zone.

    In UTC: an instant at which the clock is changed is equal to none of another zone.
    """
    return datetime.combine(on, time(), tzinfo=zone).astimezone(UTC)


def was_skipped(local: datetime) -> bool:
    """Whether the clocks of its zone never showed a local time, for they went forward over it."""
    back = local.astimezone(UTC).astimezone(local.tzinfo)
    return back.replace(tzinfo=None) != local.replace(tzinfo=None)


def came_twice(local: datetime) -> bool:
    """Whether the clocks of its zone showed a local time twice, for they went back over it."""
    return local.utcoffset() != local.replace(fold=1).utcoffset()


def day_number(at: datetime, zone: ZoneInfo) -> int:
    """The civil day of a moment in a zone, counted since 1970-01-01."""
    return (day_of(at, zone) - _EPOCH).days


def start_of_day_number(number: int, zone: ZoneInfo) -> datetime:
    """The first instant of a civil day that is counted since 1970-01-01."""
    return start_of_day(_EPOCH + timedelta(days=number), zone)
