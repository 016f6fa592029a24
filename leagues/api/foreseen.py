"""What answers about matches not yet played look like, and those that compare players."""

from __future__ import annotations

from rest_framework import serializers

from leagues.api.fields import Instant
from leagues.api.shapes import NamedPlayerShape, Shape, ValueShape


class ForeseenSideShape(Shape):
    """One side of a match that has not been played; its chances do not include draws."""

    players = NamedPlayerShape(many=True)
    expected = serializers.FloatField(
        allow_null=True, help_text="Expected score against the others, 0 to 1."
    )
    places = serializers.ListField(
        child=serializers.FloatField(),
        help_text="The chance of finishing in each place, first to last.",
    )
    first_low = serializers.FloatField(
        allow_null=True,
        help_text="`first_low` to `first_high`: the range of the chance of first place, given the "
        "uncertainty of the ratings; null if the system has no uncertainty.",
    )
    first_high = serializers.FloatField(allow_null=True)


class ForeseenPlayerShape(Shape):
    """A player's shown value before the match and after it, not rounded."""

    key = serializers.CharField()
    before = serializers.FloatField()
    after = serializers.FloatField()


class OutcomeShape(Shape):
    """One way the match could end; with more than two sides, each place of each side."""

    side = serializers.CharField(help_text="The side that this outcome is about: a, b, …")
    place = serializers.IntegerField()
    ranks = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="The ranks of all sides; equal ranks are a draw.",
    )
    players = ForeseenPlayerShape(many=True)


class PreviewShape(Shape):
    """What a board predicts for a match before it is played."""

    season = serializers.CharField()
    board = serializers.CharField()
    refusal = serializers.CharField(help_text="Why the board would not rate it; empty if it would.")
    win = serializers.FloatField(
        allow_null=True,
        help_text="With two sides: the chance that the first side wins. `draw` and `loss` are also "
        "its chances.",
    )
    draw = serializers.FloatField(allow_null=True)
    loss = serializers.FloatField(allow_null=True)
    quality = serializers.FloatField(
        allow_null=True, help_text="How even the match would be, 0 to 1."
    )
    even_handicap = serializers.IntegerField(
        allow_null=True,
        help_text="With two sides: the `handicap` of the first with which the match would be even; "
        "below 0, the second would get as much. Null where none does, or none counts.",
    )
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
    """A match between the two compared sides, seen from the first."""

    seq = serializers.IntegerField()
    played_at = Instant()
    rank = serializers.IntegerField()
    other_rank = serializers.IntegerField()
    score = serializers.IntegerField(allow_null=True)
    other_score = serializers.IntegerField(allow_null=True)
    expected = serializers.FloatField(
        allow_null=True,
        help_text="Expected score, 0 to 1; null if the match had more than two sides.",
    )


class PairRecordShape(RecordShape):
    """One player's wins, draws and losses against another, on different sides."""

    player = serializers.CharField()
    opponent = serializers.CharField()


class CommonOpponentShape(NamedPlayerShape):
    """An opponent of every compared player; the records are in the order of these players."""

    records = RecordShape(many=True)


class ComparisonShape(Shape):
    """Sides compared; with two sides, also their matches against each other."""

    season = serializers.CharField()
    board = serializers.CharField()
    sides = ComparedSideShape(many=True)
    stronger = serializers.FloatField(
        allow_null=True,
        help_text="With two players: the chance that the first is the stronger one.",
    )
    record = RecordShape(
        allow_null=True, help_text="With two sides: the first side's record against the second."
    )
    matches = EncounterShape(
        many=True, help_text="With two sides: their newest 200 matches, newest first."
    )
    records = PairRecordShape(
        many=True,
        help_text="One record for each pair of players who have played against each other.",
    )
    common_opponents = CommonOpponentShape(
        many=True, help_text="At most 200, those played most often first."
    )
