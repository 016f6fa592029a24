"""What answers about changes look like that have not been saved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from rest_framework import serializers

from leagues.api.shapes import Shape
from leagues.models import Job, Season
from leagues.services.preview_jobs import PreviewState


class MovedPlayerShape(Shape):
    """A player whose shown rating or rank would change; null where there is none."""

    key = serializers.CharField()
    name = serializers.CharField()
    is_new = serializers.BooleanField(help_text="Whether the change would create the player.")
    has_played = serializers.BooleanField(help_text="Whether the player played in a changed match.")
    before = serializers.FloatField(allow_null=True, help_text="Not rounded.")
    after = serializers.FloatField(allow_null=True)
    rank_before = serializers.IntegerField(allow_null=True)
    rank_after = serializers.IntegerField(allow_null=True)


class BoardEffectShape(Shape):
    """What a change would do to one board."""

    board = serializers.CharField()
    decimals = serializers.IntegerField()
    is_behind = serializers.BooleanField(
        help_text="Whether newer results are still being rated; `after` contains them."
    )
    movers_in_all = serializers.IntegerField(
        help_text="How many players would get another rating or rank."
    )
    ratings = serializers.IntegerField(help_text="How many shown ratings would change.")
    ranks = serializers.IntegerField(help_text="How many players would change rank.")
    rerated = serializers.IntegerField(help_text="How many other matches would be rated again.")
    refusal = serializers.CharField(
        help_text="Why the board would not rate a changed match; empty if it would."
    )
    movers = MovedPlayerShape(
        many=True,
        help_text="At most 100: players of the changed match first, then those who move most.",
    )


PREVIEW_STATES = ("done", "pending", "failed")


class SeasonPreviewShape(Shape):
    """What saving a change would do in one season."""

    season = serializers.CharField()
    state = serializers.ChoiceField(
        PREVIEW_STATES,
        help_text="`pending`: a job is computing it; send the same request again to read it.",
    )
    changes = serializers.BooleanField(help_text="False if saving would change nothing.")
    based_on = serializers.IntegerField(
        allow_null=True, help_text="The revision of the season that the change would come after."
    )
    done = serializers.IntegerField(help_text="While `pending`: how many matches have been rated.")
    total = serializers.IntegerField()
    boards = BoardEffectShape(many=True)


class ChangePreviewShape(SeasonPreviewShape):
    """What saving a change would do, to the last bit, if nothing else happens before."""

    other_seasons = SeasonPreviewShape(
        many=True,
        help_text="The same for each other season that the change reaches: of a match that is "
        "moved, or of the undoing of a move or of a merge of players.",
    )


def serialize_preview(season: Season, state: PreviewState | None) -> Mapping[str, Any]:
    """A preview, or how far it is; None: the change changes nothing."""
    preview = state.preview if state else None
    job = state.job if state else None
    return {
        "season": season.slug,
        "state": _state_of(job),
        "changes": state is not None,
        "based_on": preview.based_on if preview else None,
        "done": job.done if job else 0,
        "total": job.total if job else 0,
        "boards": [asdict(effect) for effect in preview.boards] if preview else [],
    }


def _state_of(job: Job | None) -> str:
    if job is None:
        return "done"
    return "failed" if job.state == Job.State.FAILED else "pending"
