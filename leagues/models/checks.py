"""Database checks shared by all models.

A database accepts NaN, infinities and unreadable dates (reliability M1 to M4); a CHECK with both
bounds refuses all of them on PostgreSQL and on SQLite alike.
"""

from __future__ import annotations

from datetime import UTC, datetime

from django.db import models
from django.db.models import CheckConstraint, Q

FIRST_INSTANT = datetime(1800, 1, 1, tzinfo=UTC)
LAST_INSTANT = datetime(2200, 1, 1, tzinfo=UTC)


def between(model: str, field: str, low: object, high: object) -> CheckConstraint:
    """Keep `field` within [low, high]; NULL passes, as in SQL, where the column allows it."""
    return CheckConstraint(
        condition=Q(**{f"{field}__gte": low, f"{field}__lte": high}),
        name=f"{model}_{field}_bounds",
    )


def readable_instant(model: str, field: str) -> CheckConstraint:
    """Keep an instant where Python and both databases can read it back (1800 to 2200)."""
    return between(model, field, FIRST_INSTANT, LAST_INSTANT)


def one_of(model: str, field: str, choices: type[models.TextChoices]) -> CheckConstraint:
    """Keep a word within its choices, whatever writes it."""
    return CheckConstraint(
        condition=Q(**{f"{field}__in": list(choices.values)}), name=f"{model}_{field}_known"
    )
