"""Started matches as requests say them, and as answers do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from leagues import bridge
from leagues.api.bodies import KIND_HELP, MEMBERS_MOST, MemberBody, WhereBody, handicap_field
from leagues.api.fields import Body, Instant, NumberOrName, Text, Whole
from leagues.api.match_shapes import MatchShape, match_shapes
from leagues.api.shapes import Shape
from leagues.models import Board, League, Match

_MOMENT = Instant()


class StartedSideBody(Body):
    """One side of a match that begins."""

    players = serializers.ListSerializer[Any](child=MemberBody(), max_length=MEMBERS_MOST)
    handicap = handicap_field()


class StartBody(WhereBody):
    """A match that begins."""

    started_at = Instant(required=False, allow_null=True, help_text="Default: when it is stored.")
    weight = NumberOrName(default=1.0, help_text=KIND_HELP)
    external_id = Text(
        required=False,
        allow_null=True,
        max_length=128,
        help_text="The id of the match in your own system. A match with the same id is not "
        "started twice.",
    )
    sides = serializers.ListSerializer[Any](child=StartedSideBody(), min_length=2, max_length=2)


class StartedResultSideBody(Body):
    """What one side of a started match reached."""

    rank = Whole(help_text="1 is best; equal ranks are a draw.")
    score = Whole(required=False, allow_null=True)
    handicap = Whole(
        default=None, allow_null=True, help_text="Default: what the side had at the start."
    )


class StartedResultBody(Body):
    """The result of a started match, its sides in the order in which they were started."""

    version = Whole(
        required=False, help_text="The request is refused if the stored version is a different one."
    )
    played_at = Instant(
        required=False,
        allow_null=True,
        help_text="Default: now; where the match counts as lost already, the last moment before.",
    )
    sides = serializers.ListSerializer[Any](
        child=StartedResultSideBody(), min_length=2, max_length=2
    )


class ReleaseBody(Body):
    """Whom a match that was started is not lost by."""

    version = Whole(
        required=False, help_text="The request is refused if the stored version is a different one."
    )
    release = serializers.ListField(
        child=Text(max_length=128),
        required=False,
        max_length=2 * MEMBERS_MOST,
        help_text="Keys of the players who are let go. Default: all whom you may let go.",
    )
    reason = Text(default="", allow_blank=True, max_length=200)


class PendingLossShape(Shape):
    """What leaving an open match costs one player on one board."""

    board = serializers.CharField()
    player = serializers.CharField()
    before = serializers.FloatField()
    after = serializers.FloatField()


class RefusedBoardShape(Shape):
    """A board whose system has no loss for a match that was left."""

    board = serializers.CharField()
    reason = serializers.CharField()


class OpenMatchShape(Shape):
    """A match that has begun and is not over."""

    match = MatchShape()
    deadline = Instant(help_text="When it counts as lost by everyone who was not let go.")
    losses = PendingLossShape(many=True)
    refusals = RefusedBoardShape(many=True)


class StartedShape(OpenMatchShape):
    """A match that was started, and those that its players left for it."""

    already_there = serializers.BooleanField()
    left = MatchShape(many=True)


class OpenMatchesShape(Shape):
    results = OpenMatchShape(many=True)


def open_shapes(
    matches: Sequence[Match],
    boards: Iterable[Board],
    league: League,
    request: Request,
    now: datetime,
) -> list[dict[str, Any]]:
    """Open matches of one season and mode as they are sent."""
    written = match_shapes(matches, league, request)
    losses: dict[int, list[dict[str, Any]]] = {match.pk: [] for match in matches}
    refusals = []
    waiting = [match for match in matches if match.kind == Match.Kind.STARTED]
    for board in boards:
        if reason := bridge.forfeit_refusal(board):
            refusals.append({"board": board.slug, "reason": reason})
        for loss in bridge.open_losses(board, waiting, now):
            player = next(
                row.player
                for match in waiting
                if match.pk == loss.match_id
                for row in match.participants.all()
                if row.player_id == loss.player_id
            )
            losses[loss.match_id].append(
                {
                    "board": board.slug,
                    "player": player.key,
                    "before": loss.before.value,
                    "after": loss.after.value,
                }
            )
    return [
        {
            "match": shape,
            "deadline": match.deadline_at and _MOMENT.to_representation(match.deadline_at),
            "losses": losses[match.pk],
            "refusals": refusals,
        }
        for match, shape in zip(matches, written, strict=True)
    ]
