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


class ComparedSideShape(Shape):
    players = ComparedPlayerShape(many=True)


class EncounterShape(Shape):
    """A match in which both sides were on different ones, as the first saw it."""

    seq = serializers.IntegerField()
    played_at = Instant()
    rank = serializers.IntegerField()
    other_rank = serializers.IntegerField()
    score = serializers.IntegerField(allow_null=True)
    other_score = serializers.IntegerField(allow_null=True)
    expected = serializers.FloatField(
        allow_null=True, help_text="Expected score, 0 to 1; null where there were more sides."
    )


class PairRecordShape(RecordShape):
    """What one player won, drew and lost against another, on different sides."""

    player = serializers.CharField()
    opponent = serializers.CharField()


class CommonOpponentShape(NamedPlayerShape):
    """Somebody whom all have met; the records are those of the players in their order."""

    records = RecordShape(many=True)


class ComparisonShape(Shape):
    """Sides side by side; of two sides, what they have played against each other."""

    season = serializers.CharField()
    board = serializers.CharField()
    sides = ComparedSideShape(many=True)
    stronger = serializers.FloatField(
        allow_null=True,
        help_text="Of two players: the chance that the first is the stronger one.",
    )
    record = RecordShape(
        allow_null=True, help_text="Of two sides: the first one's, in matches of both."
    )
    matches = EncounterShape(many=True, help_text="Of two sides: the newest 200, newest first.")
    records = PairRecordShape(many=True, help_text="Everyone against everyone who has met.")
    common_opponents = CommonOpponentShape(many=True, help_text="At most 200, most met first.")
