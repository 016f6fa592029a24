"""Leagues: the list, and one with its seasons, modes and boards."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from leagues import access
from leagues.access import Action
from leagues.api.paging import PAGING, page_of
from leagues.api.schema import READ_PROBLEMS, page_shape
from leagues.api.shapes import BoardStateShape, LeagueDetailShape, LeagueShape
from leagues.api.views.base import ApiView, parameter
from leagues.models import Season
from leagues.store.match_columns import is_behind


class Leagues(ApiView):
    query = (OpenApiParameter("q", str, description="Part of the name."), *PAGING)

    @extend_schema(
        operation_id="leagues_list",
        parameters=list(query),
        responses={200: page_shape(LeagueShape), **READ_PROBLEMS},
    )
    def get(self, request: Request) -> Response:
        """List public leagues and the caller's own; site admins see all."""
        leagues = access.visible_leagues(access.principal_of(request))
        words = parameter(request, "q", longest=64)
        if words:
            leagues = leagues.filter(name__icontains=words)
        rows, following = page_of(request, leagues, ("name", "id"))
        context = {"request": request}
        return Response(
            {"results": LeagueShape(rows, many=True, context=context).data, "next": following}
        )


class LeagueDetail(ApiView):
    @extend_schema(operation_id="leagues_get", responses={200: LeagueDetailShape, **READ_PROBLEMS})
    def get(self, request: Request, slug: str) -> Response:
        """A league with its seasons, modes and boards."""
        league = access.league(request, slug, Action.VIEW)
        context = {"request": request, "league": league}
        return Response(LeagueDetailShape(league, context=context).data)


class RatingState(ApiView):
    @extend_schema(
        operation_id="rating_state",
        responses={200: page_shape(BoardStateShape), **READ_PROBLEMS},
    )
    def get(self, request: Request, slug: str) -> Response:
        """Whether each board has computed all results, and how far it is."""
        league = access.league(request, slug, Action.VIEW)
        boards = list(
            league.boards.exclude(season__state=Season.State.DRAFT).select_related("season")
        )
        keys = [f"rate:{board.pk}" for board in boards]
        jobs = {job.key: job for job in league.jobs.filter(key__in=keys).order_by("pk")}
        rows = []
        for board in boards:
            behind = board.rated_through_revision < board.season.last_revision and is_behind(board)
            job = jobs.get(f"rate:{board.pk}") if behind else None
            rows.append(
                {
                    "season": board.season.slug,
                    "board": board.slug,
                    "generation": board.generation,
                    "rated_through_revision": board.rated_through_revision,
                    "last_revision": board.season.last_revision,
                    "behind": behind,
                    "state": board.state,
                    "done": job.done if job else 0,
                    "total": job.total if job else 0,
                }
            )
        return Response({"results": BoardStateShape(rows, many=True).data, "next": None})
