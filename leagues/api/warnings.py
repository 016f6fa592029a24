"""What the API says of results that may be mistakes."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from rest_framework import serializers

from leagues.api.shapes import Shape
from leagues.models import Season
from leagues.pages.entry_warnings import describe_warning
from leagues.services.entry_warnings import EntryWarning, WarningKind

WARNING_CODES = {
    WarningKind.SAME_RESULT: "same_result",
    WarningKind.EARLY_DATE: "early_date",
    WarningKind.REPEATED: "repeated_result",
    WarningKind.IMPOSSIBLE_SCORE: "impossible_score",
    WarningKind.CONTRADICTION: "contradiction",
    WarningKind.WRONG_MODE: "wrong_mode",
    WarningKind.UNEVEN_SIDES: "uneven_sides",
}


class WarningShape(Shape):
    """A possible mistake in a result, which is stored anyway."""

    index = serializers.IntegerField(help_text="Position in `matches`.")
    code = serializers.ChoiceField(tuple(WARNING_CODES.values()))
    message = serializers.CharField()


def warning_shape(warning: EntryWarning, season: Season) -> dict[str, Any]:
    """What may be wrong with a result as it is sent."""
    return {
        "index": warning.index,
        "code": WARNING_CODES[warning.kind],
        "message": describe_warning(warning, season, timezone.now()),
    }
