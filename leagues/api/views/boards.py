"""Boards: their standings."""

from __future__ import annotations

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from leagues import access, bridge
from leagues.access import Action
from leagues.api.fields import Instant
from leagues.api.paging import PAGING, page_of
from leagues.api.schema import READ_PROBLEMS
from leagues.api.shapes import BoardShape, StandingShape, StandingsShape, standing_values
from leagues.api.views.base import ApiView, choice, parameter
from leagues.selectors.boards import BEST_FIRST, CERTAINTIES, BoardFilter, filtered, ranks_of
from leagues.snapshot import snapshot


class Standings(ApiView):
    query = (
        OpenApiParameter("sure", str, enum=list(CERTAINTIES), description="How sure at least."),
        OpenApiParameter("active", str, enum=["no", "yes"], description="Only who played lately."),
        OpenApiParameter("q", str, description="Part of the name."),
        *PAGING,
    )

    @extend_schema(
        operation_id="standings_list",
        parameters=list(query),
        responses={200: StandingsShape, **READ_PROBLEMS},
    )
    def get(self, request: Request, slug: str, season: str, board: str) -> Response:
        """List the standings of a board, best first, as of the league's last midnight.

        Ranks are those of the whole board. `generation` changes where all was computed anew.
        """
        league = access.league(request, slug, Action.VIEW)
        filters = BoardFilter.cleaned(
            {
                "sure": choice(request, "sure", tuple(CERTAINTIES)),
                "active": choice(request, "active", ("no", "yes")),
                "q": parameter(request, "q", longest=64),
            }
        )
        now = timezone.now()
        moment = bridge.display_moment(league, now)
        with snapshot():
            shown = access.board(access.season(league, season), board)
            whole = shown.standings.filter(generation=shown.generation)
            page, following = page_of(
                request,
                filtered(whole, league, filters, moment, now).select_related("player"),
                BEST_FIRST,
            )
            ranks = ranks_of(whole, page)
        values = bridge.shown_now(shown, page, moment)
        rows = [
            standing_values(standing, ranks[standing.place_value], value)
            for standing, value in zip(page, values, strict=True)
        ]
        return Response(
            {
                "board": BoardShape(shown, context={"request": request, "league": league}).data,
                "generation": shown.generation,
                "frontier": shown.frontier,
                "as_of": Instant().to_representation(moment),
                "results": StandingShape(rows, many=True).data,
                "next": following,
            }
        )
