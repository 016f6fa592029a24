"""Players of a league: the list, one of them, and making one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.db.models import F
from django.http import Http404
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from leagues import access, bridge
from leagues.access import Action
from leagues.api.bodies import NewPlayerBody
from leagues.api.paging import PAGING, page_of
from leagues.api.schema import PART_OF_NAME, READ_PROBLEMS, WRITE_PROBLEMS, page_shape
from leagues.api.shapes import PlayerDetailShape, PlayerShape, standing_values
from leagues.api.views.base import ApiView, parameter, read
from leagues.api.views.merged import MERGED, lead_on
from leagues.domain.leaving import left_among
from leagues.models import Player, Season
from leagues.pages.openings import stored_start
from leagues.selectors.standings import rank_of
from leagues.selectors.starts import starts_of
from leagues.services.players import create_player


class Players(ApiView):
    query = (OpenApiParameter("q", str, description=PART_OF_NAME), *PAGING)

    @extend_schema(
        operation_id="players_list",
        parameters=list(query),
        responses={200: page_shape(PlayerShape), **READ_PROBLEMS},
    )
    def get(self, request: Request, slug: str) -> Response:
        """List the players of a league by name."""
        league = access.league(request, slug, Action.VIEW)
        players = league.players.listed()
        words = parameter(request, "q", longest=64)
        if words:
            players = players.named(words, league)
        rows, following = page_of(request, players, ("folded", "key"))
        context = {"request": request, "league": league, "left": left_among(rows)}
        return Response(
            {"results": PlayerShape(rows, many=True, context=context).data, "next": following}
        )

    @extend_schema(
        operation_id="players_create",
        request=NewPlayerBody,
        responses={200: PlayerShape, 201: PlayerShape, **WRITE_PROBLEMS},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Create a player, unless one with this key (or, without a key, this name) exists."""
        league = access.league(request, slug, Action.ENTER)
        body = read(request, NewPlayerBody)
        player, is_new = create_player(league=league, name=body["name"], key=body.get("key"))
        context = {"request": request, "league": league, "left": left_among([player])}
        return Response(PlayerShape(player, context=context).data, 201 if is_new else 200)


class PlayerDetail(ApiView):
    @extend_schema(
        operation_id="players_get",
        responses={200: PlayerDetailShape, **MERGED, **READ_PROBLEMS},
    )
    def get(self, request: Request, slug: str, key: str) -> Response:
        """A player, with other names and the standings on all boards."""
        try:
            player = access.player(request, slug, key, Action.VIEW)
        except Http404:
            return lead_on(request, slug, key, "player")
        context = {
            "request": request,
            "league": player.league,
            "left": left_among([player]),
            "standings": list(_standings(player)),
            "starts": list(_starts(player)),
            "sees_private_names": access.is_allowed(
                access.principal_of(request), Action.PLAYERS, player.league
            ),
        }
        return Response(PlayerDetailShape(player, context=context).data)


def _starts(player: Player) -> Iterator[Mapping[str, Any]]:
    boards = player.league.boards.exclude(season__state=Season.State.DRAFT)
    rows = list(boards.select_related("season"))
    given = starts_of(player, rows)
    for board in rows:
        if board.pk in given:
            start = given[board.pk]
            yield {
                "season": board.season.slug,
                "board": board.slug,
                "rating": start.rating,
                "deviation": start.deviation,
                "source": start.source,
                "is_anchor": bridge.has_anchors(board),
                "seed": None,
            }
        elif (begun := stored_start(board, player)) is not None:
            yield {"season": board.season.slug, "board": board.slug, **begun}


def _standings(player: Player) -> Iterator[Mapping[str, Any]]:
    now = timezone.now()
    boards = player.league.boards.exclude(season__state=Season.State.DRAFT)
    standings = player.standings.filter(generation=F("board__generation"))
    known = {row.board_id: row for row in standings}
    rows = list(boards.filter(pk__in=known).select_related("season", "mode"))
    given = starts_of(player, rows)
    for board in rows:
        standing = known[board.pk]
        standing.player, board.league = player, player.league
        (shown,) = bridge.shown_now(board, [standing], bridge.display_moment(board, now))
        is_anchor = board.pk in given and bridge.has_anchors(board)
        yield {
            **standing_values(standing, rank_of(board, standing, now), shown, is_anchor=is_anchor),
            "season": board.season.slug,
            "board": board.slug,
        }
