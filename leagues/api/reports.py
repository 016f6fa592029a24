"""What answers about systems look like: places side by side, back-tests and trials."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from leagues.api.fields import Body, Day, Instant
from leagues.api.shapes import Shape, address
from leagues.models import Trial
from leagues.services.trials import effective_at_of

STATES = ("none", "running", "failed", "done")


class MarginShape(Shape):
    """A difference of log-losses over the same matches, with its standard error."""

    mean = serializers.FloatField()
    error = serializers.FloatField()
    matches = serializers.IntegerField()


class BinShape(Shape):
    low = serializers.FloatField()
    high = serializers.FloatField()
    predicted = serializers.FloatField()
    observed = serializers.FloatField()
    pairs = serializers.FloatField()


class UpsetShape(Shape):
    seq = serializers.IntegerField()
    expected = serializers.FloatField(help_text="The expected score of the winner, 0 to 1.")


class SystemReportShape(Shape):
    """How well a system predicted each match before it knew the result; null if it cannot."""

    board = serializers.CharField(
        allow_blank=True,
        help_text="Slug of the board; empty for a system without one, which uses its default "
        "parameters.",
    )
    system = serializers.CharField()
    parameters = serializers.DictField()
    matches = serializers.IntegerField()
    refused = serializers.IntegerField()
    log_loss = serializers.FloatField(allow_null=True)
    brier = serializers.FloatField(allow_null=True)
    accuracy = serializers.FloatField(allow_null=True)
    against_best = MarginShape(allow_null=True)
    calibration = BinShape(many=True)
    upsets = UpsetShape(many=True)


class BacktestShape(Shape):
    """The newest back-test, and whether one is running."""

    state = serializers.ChoiceField(
        STATES, help_text="The state of the back-test that was requested last."
    )
    made_at = Instant(allow_null=True)
    rated_through_revision = serializers.IntegerField(
        help_text="The revision up to which results were used."
    )
    results = serializers.IntegerField()
    best = serializers.IntegerField(allow_null=True, help_text="Position in `systems`.")
    systems = SystemReportShape(many=True)


class PlacesPlayerShape(Shape):
    key = serializers.CharField()
    name = serializers.CharField()
    ranks = serializers.DictField(
        child=serializers.IntegerField(allow_null=True),
        help_text="The rank on each board, by slug; null if the player is not ranked there.",
    )


class PlacesShape(Shape):
    """The ranks of the same players on every board of a season and mode."""

    season = serializers.CharField()
    mode = serializers.CharField()
    sorted_by = serializers.CharField()
    page = serializers.IntegerField()
    pages = serializers.IntegerField()
    players = serializers.IntegerField()
    results = PlacesPlayerShape(many=True)


class ScoresShape(Shape):
    log_loss = serializers.FloatField(allow_null=True)
    brier = serializers.FloatField(allow_null=True)
    accuracy = serializers.FloatField(allow_null=True)


class MoverShape(Shape):
    player = serializers.CharField()
    rank = serializers.IntegerField()
    new_rank = serializers.IntegerField()
    value = serializers.FloatField()
    new_value = serializers.FloatField()


class SomeShape(Shape):
    """The number of players, and the keys of the first of them, best first."""

    count = serializers.IntegerField()
    players = serializers.ListField(child=serializers.CharField())


class TrialReportShape(Shape):
    """What other parameters would change; a margin below 0 means that they predict better."""

    results = serializers.IntegerField()
    players = serializers.IntegerField()
    moved = serializers.IntegerField()
    movers = MoverShape(many=True)
    entering = SomeShape(help_text="Players who would become ranked.")
    leaving = SomeShape(help_text="Players who would no longer be ranked.")
    before = ScoresShape()
    after = ScoresShape()
    margin = MarginShape(allow_null=True)


class TrialShape(Shape):
    """A trial of other parameters; it changes nothing."""

    url = serializers.SerializerMethodField()
    id = serializers.IntegerField(source="trial.pk")
    season = serializers.CharField(source="trial.board.season.slug")
    board = serializers.CharField(source="trial.board.slug")
    system = serializers.CharField(source="trial.system")
    parameters = serializers.DictField(source="trial.parameters")
    effective_at = serializers.SerializerMethodField()
    created_at = Instant(source="trial.created_at")
    state = serializers.ChoiceField(STATES[1:])
    report = TrialReportShape(allow_null=True)

    @extend_schema_field(serializers.URLField())
    def get_url(self, row: dict[str, Any]) -> str:
        return address(self, "trial", self.context["league"].slug, row["trial"].pk)

    @extend_schema_field(Instant(allow_null=True))
    def get_effective_at(self, row: dict[str, Any]) -> str | None:
        trial: Trial = row["trial"]
        at = effective_at_of(trial)
        return None if at is None else Instant().to_representation(at)


class TrialBody(Body):
    """Parameters to try; those left out stay as they are."""

    parameters = serializers.DictField(
        child=serializers.JSONField(),
        help_text="Values by name, as in the `parameters` of the board.",
    )
    effective_on = Day(
        required=False,
        allow_null=True,
        help_text="The day, in the league's time zone, from which the parameters apply. Default: "
        "they apply to all matches.",
    )


class NothingBody(Body):
    """A call that needs no words."""
