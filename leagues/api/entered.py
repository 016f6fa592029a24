"""What the API answers to results that were entered."""

from __future__ import annotations

from rest_framework import serializers

from leagues.api.match_shapes import MatchShape
from leagues.api.shapes import Shape
from leagues.api.warnings import WarningShape


class SubmittedShape(Shape):
    """What a request stored. `rating` is `done` once every board has rated it."""

    revision = serializers.IntegerField()
    season = serializers.CharField()
    mode = serializers.CharField()
    rating = serializers.ChoiceField(("pending", "done"))
    already_there = serializers.IntegerField()
    warnings = WarningShape(
        many=True, help_text="Warnings about matches that were stored but may be mistakes."
    )
    matches = MatchShape(many=True)
