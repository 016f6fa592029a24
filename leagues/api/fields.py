"""Fields that take what they name and nothing that could be read as it.

The usual ones turn true into 1, "1_000" into 1000 and 12 into "12" (reliability M6).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from leagues.domain.set_scores import SETS_LENGTH

_INSTANT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6})?"
    r"(?:Z|[+-][0-9]{2}:[0-9]{2})\Z"
)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
"""Characters of the category Cc."""
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")


class Whole(serializers.IntegerField):
    """A JSON integer."""

    default_error_messages = {"invalid": _("This must be a whole number.")}

    def to_internal_value(self, data: Any) -> int:
        """The value; neither texts nor true nor 1.0 are one."""
        if type(data) is not int:
            self.fail("invalid")
        return data


def sets_field(**options: Any) -> serializers.ListField:
    """Sets: of each the points of both sides, and of a tie-break those of its loser."""
    points = Whole(min_value=0, max_value=999)
    one = serializers.ListField(child=points, min_length=2, max_length=3)
    return serializers.ListField(
        child=one,
        max_length=50,
        help_text="Set scores in the order of the sides, such as `[[6, 4], [7, 6, 5]]`; a third "
        "number is the loser's points in a tie-break. Written like `6-4 7-6(5)`, they can have at "
        f"most {SETS_LENGTH} characters.",
        **options,
    )


class Number(serializers.FloatField):
    """A JSON number."""

    default_error_messages = {"invalid": _("This must be a number.")}

    def to_internal_value(self, data: Any) -> float:
        """The value as a float."""
        if type(data) not in (int, float):
            self.fail("invalid")
        return float(data)


@extend_schema_field({"oneOf": [{"type": "number"}, {"type": "string"}]})
class NumberOrName(Number):
    """A JSON number, or a string that names one."""

    default_error_messages = {"invalid": _("This must be a number or a name.")}

    def to_internal_value(self, data: Any) -> Any:
        """The number, or the name as it was sent."""
        return data if type(data) is str else super().to_internal_value(data)


class Text(serializers.CharField):
    """A JSON string of visible characters, as it was sent."""

    default_error_messages = {
        "invalid": _("This must be a string."),
        "control": _("This contains control characters."),
    }

    def __init__(self, **options: Any) -> None:
        super().__init__(trim_whitespace=False, **options)

    def to_internal_value(self, data: Any) -> str:
        """The value; numbers are none, and control characters would forge lines of a log."""
        if type(data) is not str:
            self.fail("invalid")
        if _CONTROL.search(data):
            self.fail("control")
        return data


class Flag(serializers.BooleanField):
    """JSON's true or false."""

    default_error_messages = {"invalid": _("This must be true or false.")}

    def to_internal_value(self, data: Any) -> bool:
        """The value; "yes" and 1 are none."""
        if type(data) is not bool:
            self.fail("invalid")
        return data


@extend_schema_field(OpenApiTypes.DATETIME)
class Instant(serializers.Field[datetime, str, str, Any]):
    """An instant of RFC 3339; without an offset nobody knows when it was."""

    default_error_messages = {
        "invalid": _("This must be a time with a UTC offset, such as 2026-11-20T19:30:00+01:00.")
    }

    def to_internal_value(self, data: Any) -> datetime:
        """The value as it was sent."""
        if type(data) is not str or not _INSTANT.match(data):
            self.fail("invalid")
        try:
            return datetime.fromisoformat(data)
        except ValueError:
            self.fail("invalid")

    def to_representation(self, value: datetime) -> str:
        """Write it in UTC."""
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")


@extend_schema_field(OpenApiTypes.DATE)
class Day(serializers.Field[date, str, str, Any]):
    """A civil day of the league's time zone."""

    default_error_messages = {"invalid": _("This must be a date, such as 2026-11-20.")}

    def to_internal_value(self, data: Any) -> date:
        """The value."""
        if type(data) is not str or not _DAY.match(data):
            self.fail("invalid")
        try:
            return date.fromisoformat(data)
        except ValueError:
            self.fail("invalid")

    def to_representation(self, value: date) -> str:
        """Write it as ISO 8601."""
        return value.isoformat()


class Body(serializers.Serializer[Any]):
    """An object of a request: every name in it must be known (reliability S-11)."""

    default_error_messages = {
        "invalid": _("This must be an object."),
        "unknown": _("There is no such field."),
    }

    def to_internal_value(self, data: Any) -> Any:
        """The fields that were sent, checked."""
        if isinstance(data, Mapping):
            message = str(self.error_messages["unknown"])
            unknown = {
                name: [serializers.ErrorDetail(message, code="unknown_field")]
                for name in data
                if name not in self.fields
            }
            if unknown:
                raise serializers.ValidationError(unknown)
        return super().to_internal_value(data)
