"""How a rating came about: every point of a player's history, and why one match moved whom."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import prefetch_related_objects
from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from leagues import access, bridge
from leagues.access import Action
from leagues.api.fields import Instant
from leagues.api.schema import READ_PROBLEMS
from leagues.api.shapes import BoardShape, NamedPlayerShape, Shape, ValueShape
from leagues.api.views.base import ApiView, parameter
from leagues.api.views.merged import MERGED, lead_on
from leagues.bridge import RatedMatch, ShownValue
from leagues.models import Match, Player
from leagues.selectors.board_selection import select_board
from leagues.selectors.matches import PLAYERS_BY_RANK
from leagues.store.snapshot import snapshot


class PointShape(Shape):
    """The rating after a match; `seq` is null if it changed without a match of the player."""

    seq = serializers.IntegerField(allow_null=True)
    at = Instant()
    rating = ValueShape()
    expected = serializers.FloatField(
        allow_null=True, help_text="The expected score of the player's side, 0 to 1."
    )
    state = serializers.DictField(
        child=serializers.FloatField(), help_text="The player's exact state in the rating system."
    )


class PlayerHistoryShape(Shape):
    """A player's ratings on a board, oldest first, and the computation they come from."""

    board = BoardShape()
    player = NamedPlayerShape()
    generation = serializers.IntegerField()
    rated_through_revision = serializers.IntegerField()
    start = ValueShape()
    points = PointShape(many=True)


class PlayerHistory(ApiView):
    query = (
        OpenApiParameter(
            "season", str, description="Slug of the season. Default: the current season."
        ),
        OpenApiParameter(
            "board", str, description="Slug of the board. Default: the one that pages show first."
        ),
    )

    @extend_schema(
        operation_id="players_history",
        parameters=list(query),
        responses={200: PlayerHistoryShape, **MERGED, **READ_PROBLEMS},
    )
    def get(self, request: Request, slug: str, key: str) -> Response:
        """List the ratings of a player on a board after every match, none left out."""
        with snapshot():
            try:
                player = access.player(request, slug, key, Action.VIEW)
            except Http404:
                return lead_on(request, slug, key, "player_history")
            league = player.league
            look = select_board(
                league=league,
                season=parameter(request, "season"),
                board=parameter(request, "board"),
            )
            if look is None or look.board is None:
                raise Http404
            board = look.board
            series = bridge.read_series([board], player.pk).get(board.pk)
            start = series.start if series else bridge.start_of(board, player.pk)
        columns = bridge.system_of(board).columns
        points = []
        if series is not None:
            states = series.points.state.tolist()
            for point, state in zip(bridge.rows_of(series), states, strict=True):
                points.append(
                    {
                        "seq": point.seq or None,
                        "at": Instant().to_representation(point.at),
                        "rating": value_of(point.value),
                        "expected": point.expected,
                        "state": dict(zip(columns, state, strict=True)),
                    }
                )
        return Response(
            {
                "board": BoardShape(board, context={"request": request, "league": league}).data,
                "player": NamedPlayerShape(player).data,
                "generation": board.generation,
                "rated_through_revision": board.rated_through_revision,
                "start": value_of(start),
                "points": points,
            }
        )


class ReasonShape(Shape):
    """One part of a change: exact, and as shown, so that the shown parts add up."""

    cause = serializers.ChoiceField(bridge.CAUSES)
    amount = serializers.FloatField()
    shown = serializers.FloatField()


class TermShape(Shape):
    symbol = serializers.CharField()
    value = serializers.FloatField()


class FormulaShape(Shape):
    rule = serializers.CharField()
    terms = TermShape(many=True)


class ExplainedShape(Shape):
    """What a match did to one player; systems that rate by order or all at once give no reasons."""

    player = NamedPlayerShape()
    before = ValueShape(allow_null=True)
    after = ValueShape()
    expected = serializers.FloatField(allow_null=True)
    change = serializers.FloatField(
        allow_null=True, help_text="The difference between the two values as shown."
    )
    reasons = ReasonShape(many=True)
    formula = FormulaShape(allow_null=True)


class OddsShape(Shape):
    """How a match of two sides was expected to end, seen from the side entered first."""

    win = serializers.FloatField()
    draw = serializers.FloatField()
    loss = serializers.FloatField()
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(
        allow_null=True,
        help_text="`low` to `high`: the range of the expected score, given the uncertainty of the "
        "ratings.",
    )


class GainShape(Shape):
    player = serializers.CharField()
    change = serializers.FloatField()


class EndingShape(Shape):
    """One way the match could have ended for the side entered first, and what it would give."""

    place = serializers.IntegerField(help_text="1 is the first place.")
    shared = serializers.BooleanField()
    real = serializers.BooleanField(help_text="Whether the match ended this way.")
    changes = GainShape(many=True)


class BoardExplanationShape(Shape):
    board = serializers.CharField()
    system = serializers.CharField()
    odds = OddsShape(allow_null=True)
    players = ExplainedShape(many=True)
    endings = EndingShape(many=True)


class ExplanationShape(Shape):
    """A match as each board explains it; boards that have not rated it are left out."""

    id = serializers.CharField()
    boards = BoardExplanationShape(many=True)


class MatchExplanation(ApiView):
    @extend_schema(
        operation_id="matches_explanation", responses={200: ExplanationShape, **READ_PROBLEMS}
    )
    def get(self, request: Request, slug: str, season: str, seq: int) -> Response:
        """Why a match changed its players' ratings by as much as it did."""
        with snapshot():
            match = access.match(request, slug, season, seq, Action.VIEW)
            prefetch_related_objects([match], PLAYERS_BY_RANK)
            _boards, rated = bridge.rated_everywhere(match)
        return Response(
            {
                "id": f"{match.season.slug}/{match.seq}",
                "boards": [_board(one, match) for one in rated.values()],
            }
        )


def _board(rated: RatedMatch, match: Match) -> Mapping[str, Any]:
    told = bridge.account_of(rated)
    players = {row.player_id: row.player for row in match.participants.all()}
    movers = {mover.row.player_id: mover for mover in rated.movers}
    before = {account.player_id: account.before.value for account in told.accounts}
    decimals = {account.player_id: account.after.decimals for account in told.accounts}
    explained = []
    for account in told.accounts:
        reasons = bridge.explanation_of(rated, account)
        formula = bridge.formula_of(rated, movers[account.player_id])
        unit = 10**reasons.decimals
        explained.append(
            {
                "player": _named(players[account.player_id]),
                "before": None if rated.is_fitted else value_of(account.before),
                "after": value_of(account.after),
                "expected": account.expected,
                "change": None if rated.is_fitted else reasons.units / unit,
                "reasons": [
                    {"cause": one.cause, "amount": one.amount, "shown": one.units / unit}
                    for one in reasons.reasons
                ],
                "formula": None
                if formula is None
                else {
                    "rule": formula.rule,
                    "terms": [
                        {"symbol": symbol, "value": value} for symbol, value in formula.terms
                    ],
                },
            }
        )
    return {
        "board": rated.board.slug,
        "system": rated.board.system,
        "odds": told.odds and _odds(told.odds),
        "players": explained,
        "endings": [
            {
                "place": one.place + 1,
                "shared": one.is_shared,
                "real": one.is_real,
                "changes": [
                    {
                        "player": players[pk].key,
                        "change": bridge.shown_step(before[pk], value, decimals[pk]),
                    }
                    for pk, value in one.after.items()
                ],
            }
            for one in bridge.alternatives_of(rated, 0)
        ],
    }


def _odds(odds: bridge.Odds) -> Mapping[str, float | None]:
    low, high = odds.span or (None, None)
    return {"win": odds.win, "draw": odds.draw, "loss": odds.loss, "low": low, "high": high}


def _named(player: Player) -> Mapping[str, str]:
    return {"key": player.key, "name": player.name}


def value_of(shown: ShownValue) -> Mapping[str, Any]:
    """A rating as it is sent; by hand, as a history has thousands."""
    return {
        "value": shown.value,
        "low": shown.low,
        "high": shown.high,
        "decimals": shown.decimals,
        "level": shown.level,
        "provisional": shown.provisional,
    }
