"""What answers about matches not yet played look like, and those that compare players."""

from __future__ import annotations

from rest_framework import serializers

from leagues.api.fields import Instant
from leagues.api.shapes import NamedPlayerShape, Shape, ValueShape


class ForeseenSideShape(Shape):
    """One side of an imagined match; draws are left out of its chances."""

    players = NamedPlayerShape(many=True)
    expected = serializers.FloatField(
        allow_null=True, help_text="Expected score against the others, 0 to 1."
    )
    places = serializers.ListField(
        child=serializers.FloatField(), help_text="The chance of each place, first to last."
    )
    first_low = serializers.FloatField(
        allow_null=True,
        help_text="With `first_high`: where the chance of the first place lies by the doubt in the "
        "ratings; null where the system keeps none.",
    )
    first_high = serializers.FloatField(allow_null=True)


class ForeseenPlayerShape(Shape):
    """A player's shown value before the match and after it, not rounded."""

    key = serializers.CharField()
    before = serializers.FloatField()
    after = serializers.FloatField()


class OutcomeShape(Shape):
    """One way the match could end: of more than two sides, each place of each side."""

    side = serializers.CharField(help_text="Whose outcome this is: a, b, …")
    place = serializers.IntegerField()
    ranks = serializers.ListField(
        child=serializers.IntegerField(), help_text="Of all sides; equal ranks are a draw."
    )
    players = ForeseenPlayerShape(many=True)


class PreviewShape(Shape):
    """What a board says of a match before it is played."""

    season = serializers.CharField()
    board = serializers.CharField()
    refusal = serializers.CharField(help_text="Why the board would not rate it; empty if it would.")
    win = serializers.FloatField(
        allow_null=True, help_text="With `draw` and `loss`: of the first of two sides."
    )
    draw = serializers.FloatField(allow_null=True)
    loss = serializers.FloatField(allow_null=True)
    quality = serializers.FloatField(allow_null=True, help_text="How even it would be, 0 to 1.")
    sides = ForeseenSideShape(many=True)
    outcomes = OutcomeShape(many=True)


class RecordShape(Shape):
    won = serializers.IntegerField()
    drawn = serializers.IntegerField()
    lost = serializers.IntegerField()


class ComparedPlayerShape(NamedPlayerShape):
    rating = ValueShape(allow_null=True)


class EncounterShape(Shape):
    """A match in which both stood on different sides, seen from the first one's."""

    seq = serializers.IntegerField()
    played_at = Instant()
    rank = serializers.IntegerField()
    other_rank = serializers.IntegerField()
    score = serializers.IntegerField(allow_null=True)
    other_score = serializers.IntegerField(allow_null=True)
    expected = serializers.FloatField(allow_null=True, help_text="Expected score, 0 to 1.")


class CommonOpponentShape(NamedPlayerShape):
    one = RecordShape()
    other = RecordShape()


class ComparisonShape(Shape):
    """Two players side by side; records and matches are the first one's against the second."""

    season = serializers.CharField()
    board = serializers.CharField()
    players = ComparedPlayerShape(many=True)
    stronger = serializers.FloatField(
        allow_null=True, help_text="The chance that the first is the stronger one."
    )
    record = RecordShape()
    matches = EncounterShape(many=True, help_text="The newest 200, newest first.")
    common_opponents = CommonOpponentShape(many=True)
