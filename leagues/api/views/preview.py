"""What a match would be like before it is played, and its sides compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from leagues import access, bridge
from leagues.access import Action
from leagues.api.foreseen import ComparisonShape, PreviewShape
from leagues.api.problems import Invalid
from leagues.api.schema import READ_PROBLEMS
from leagues.api.throttles import slow
from leagues.api.views.base import ApiView, parameter
from leagues.bridge import MatchForecast, Outcome
from leagues.models import Board, League, Player
from leagues.pages.forecasts import even_points, predict_match
from leagues.pages.sides import LETTERS, MOST_MEMBERS
from leagues.selectors.board_selection import BoardSelection, select_board
from leagues.selectors.meetings import common_opponents, encounters, record_of, records
from leagues.selectors.names import players_by_key
from leagues.selectors.standing_rows import standings_on
from leagues.store.snapshot import snapshot

MOST_LISTED = 200
BOARD = (
    OpenApiParameter("season", str, description="Slug of the season. Default: the current season."),
    OpenApiParameter(
        "board", str, description="Slug of the board. Default: the one that pages show first."
    ),
)
SIDES = tuple(
    OpenApiParameter(
        letter,
        str,
        description="Keys of the players of one side, separated by commas.",
        required=letter in "ab",
    )
    for letter in LETTERS
)


class Preview(ApiView):
    query = (*BOARD, *SIDES)

    @extend_schema(
        operation_id="preview_get",
        parameters=list(query),
        responses={200: PreviewShape, **READ_PROBLEMS},
    )
    @slow
    def get(self, request: Request, slug: str) -> Response:
        """Predict a match of two to eight sides, played now: chances, and what would change.

        Values are those of the rating itself: if nothing else happens before, `after` is what the
        player has after the match, to the last bit. While a board rests (its season has ended, or
        every player is inactive), the match is taken to be at the end of its last day with results.
        """
        league = access.league(request, slug, Action.VIEW)
        with snapshot():
            board = _board(request, league)
            sides = _sides(league, _keys(request))
            everyone = [player for side in sides for player in side]
            standings, now = standings_on(everyone, [board]), timezone.now()
            made = predict_match(board, sides, standings, now)
            even = even_points(board, sides, standings, now) if len(sides) == 2 else None
        return Response(PreviewShape(_previewed(board, sides, made, even)).data)


class Comparison(ApiView):
    query = (*BOARD, *SIDES)

    @extend_schema(
        operation_id="comparison_get",
        parameters=list(query),
        responses={200: ComparisonShape, **READ_PROBLEMS},
    )
    @slow
    def get(self, request: Request, slug: str) -> Response:
        """Compare two to eight sides: ratings, matches against each other, common opponents."""
        league = access.league(request, slug, Action.VIEW)
        with snapshot():
            board = _board(request, league)
            answer = _compared(board, _sides(league, _keys(request)))
        return Response(ComparisonShape(answer).data)


def _compared(board: Board, sides: Sequence[Sequence[Player]]) -> Mapping[str, Any]:
    everyone = [player for side in sides for player in side]
    keys = {player.pk: player.key for player in everyone}
    standings = standings_on(everyone, [board])
    rated = [row for player in everyone if (row := standings.get((board.pk, player.pk)))]
    at = bridge.display_moment(board, timezone.now())
    values = bridge.shown_now(board, rated, at)
    shown = {row.player_id: value for row, value in zip(rated, values, strict=True)}
    duel = [shown[pk] for pk in keys if pk in shown] if len(everyone) == len(sides) == 2 else []
    stronger = bridge.stronger(*duel) if len(duel) == 2 else None
    teams = [[player.pk for player in side] for side in sides]
    met = encounters(board, *teams) if len(teams) == 2 else []
    past = bridge.read_series([board], teams[0][0]).get(board.pk) if met else None
    expected = past.expectations() if past else {}
    found = records(board, list(keys))
    common = common_opponents(found, list(keys))[:MOST_LISTED]
    rivals = board.league.players.in_bulk([rival for rival, _records in common])
    return {
        "board": board.slug,
        "season": board.season.slug,
        "sides": [
            {
                "players": [
                    {"key": player.key, "name": player.name, "rating": shown.get(player.pk)}
                    for player in side
                ]
            }
            for side in sides
        ],
        "stronger": stronger.chance if stronger else None,
        "record": record_of(met) if len(teams) == 2 else None,
        "matches": [
            {
                **asdict(match),
                "expected": expected.get(match.seq) if match.is_pair else None,
            }
            for match in met[:MOST_LISTED]
        ],
        "records": [
            {"player": keys[one], "opponent": keys[other], **asdict(record)}
            for (one, other), record in sorted(found.items())
            if other in keys
        ],
        "common_opponents": [
            {"key": rivals[rival].key, "name": rivals[rival].name, "records": rows}
            for rival, rows in common
        ],
    }


def _keys(request: Request) -> list[list[str]]:
    """The keys of each side that the address names."""
    keys = [
        [key for key in parameter(request, letter, longest=1200).split(",") if key]
        for letter in LETTERS
    ]
    return [side for side in keys if side]


def _board(request: Request, league: League) -> Board:
    look: BoardSelection | None = select_board(
        league=league, season=parameter(request, "season"), board=parameter(request, "board")
    )
    if look is None or look.board is None:
        raise Http404
    return look.board


def _sides(league: League, keys: Sequence[Sequence[str]]) -> list[list[Player]]:
    """The players of each side; refused where one is missing or stands twice."""
    if len(keys) < len("ab"):
        raise Invalid("b", _("A match needs at least two sides."), "sides_missing")
    every = [key for side in keys for key in side]
    for letter, side in zip(LETTERS, keys, strict=False):
        if len(side) > MOST_MEMBERS:
            words = _("A side can have at most %(most)d players here.") % {"most": MOST_MEMBERS}
            raise Invalid(letter, words, "too_many")
    found = players_by_key(league, every)
    for letter, side in zip(LETTERS, keys, strict=False):
        for key in side:
            if key not in found:
                words = _("There is no player with the key %(key)s.") % {"key": key}
                raise Invalid(letter, words, "unknown_player")
            if sum(found.get(other) == found[key] for other in every) > 1:
                raise Invalid(letter, _("A player can only play once in a match."), "player_twice")
    return [[found[key] for key in side] for side in keys]


def _previewed(
    board: Board, sides: Sequence[Sequence[Player]], made: MatchForecast, even: int | None
) -> Mapping[str, Any]:
    return {
        "board": board.slug,
        "season": board.season.slug,
        "refusal": made.refusal,
        "win": made.win,
        "draw": made.draw,
        "loss": made.loss,
        "quality": made.quality,
        "even_handicap": even,
        "sides": [
            {
                "expected": made.expected[index] if made.expected else None,
                "places": made.places[index] if made.places else [],
                "first_low": made.spans[index][0] if made.spans else None,
                "first_high": made.spans[index][1] if made.spans else None,
                "players": [{"key": player.key, "name": player.name} for player in side],
            }
            for index, side in enumerate(sides)
        ],
        "outcomes": [_outcome(sides, made, outcome) for outcome in made.outcomes],
    }


def _outcome(
    sides: Sequence[Sequence[Player]], made: MatchForecast, outcome: Outcome
) -> Mapping[str, Any]:
    return {
        "side": LETTERS[outcome.side],
        "place": outcome.place + 1,
        "ranks": [rank + 1 for rank in outcome.ranks],
        "players": [
            {"key": player.key, "before": before.value, "after": after}
            for side, befores, afters in zip(sides, made.before, outcome.after, strict=True)
            for player, before, after in zip(side, befores, afters, strict=True)
        ],
    }
