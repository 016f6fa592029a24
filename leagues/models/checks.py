"""Database checks shared by all models.

A database accepts NaN, infinities and unreadable dates (reliability M1 to M4); a CHECK with both
bounds refuses all of them on PostgreSQL and on SQLite alike.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import UTC, datetime
from operator import ge, le
from typing import Any

from django.core.exceptions import ValidationError
from django.db import DEFAULT_DB_ALIAS, models
from django.db.models import CheckConstraint, Q

FIRST_INSTANT = datetime(1800, 1, 1, tzinfo=UTC)
LAST_INSTANT = datetime(2200, 1, 1, tzinfo=UTC)


_HOLDS: dict[str, Callable[[Any, Any], bool]] = {
    "gte": ge,
    "lte": le,
    "in": lambda value, choices: value in choices,
}


class FieldCheck(CheckConstraint):
    """A check of one field, which Python answers as the databases do.

    Django would ask the database, with three queries a check: most of what creating a league takes.
    """

    def deconstruct(self) -> tuple[str, tuple[Any, ...], dict[str, Any]]:
        """The plain constraint that migrations hold."""
        _path, arguments, named = super().deconstruct()
        return "django.db.models.CheckConstraint", tuple(arguments), named

    def validate(
        self,
        model: type[models.Model],  # noqa: ARG002 - Django's parameter
        instance: models.Model,
        exclude: Collection[str] | None = None,
        using: str = DEFAULT_DB_ALIAS,  # noqa: ARG002 - Django's parameter
    ) -> None:
        """Raise ValidationError where the field of an instance is out of its bounds or choices."""
        limits: Any = self.condition
        for lookup, limit in limits.children:
            name, _, operator = lookup.rpartition("__")
            value = getattr(instance, name)
            is_checked = value is not None and name not in (exclude or ())
            if is_checked and not _HOLDS[operator](value, limit):
                raise ValidationError(
                    self.get_violation_error_message(), code=self.violation_error_code
                )


def between(model: str, field: str, low: object, high: object) -> FieldCheck:
    """Keep `field` within [low, high]; NULL passes, as in SQL, where the column allows it."""
    return FieldCheck(
        condition=Q(**{f"{field}__gte": low, f"{field}__lte": high}),
        name=f"{model}_{field}_bounds",
    )


def readable_instant(model: str, field: str) -> FieldCheck:
    """Keep an instant where Python and both databases can read it back (1800 to 2200)."""
    return between(model, field, FIRST_INSTANT, LAST_INSTANT)


def one_of(model: str, field: str, choices: type[models.TextChoices]) -> FieldCheck:
    """Keep a word within its choices, whatever writes it."""
    return FieldCheck(
        condition=Q(**{f"{field}__in": list(choices.values)}), name=f"{model}_{field}_known"
    )
