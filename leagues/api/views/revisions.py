"""Revisions: the list, one of them, and its undoing."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from leagues import access
from leagues.access import Action
from leagues.api.bodies import ReasonBody
from leagues.api.paging import PAGING, page_of
from leagues.api.schema import READ_PROBLEMS, WRITE_PROBLEMS, page_shape
from leagues.api.shapes import RevisionShape
from leagues.api.views.base import ApiView, named_season, parameter, read, source_of
from leagues.models import Revision
from leagues.selectors.authors import authors_of
from leagues.services.matches import revert_revision

RELATED = ("season", "author", "reverts", "reverted_by")


class Revisions(ApiView):
    query = (OpenApiParameter("season", str, description="Slug of a season."), *PAGING)

    @extend_schema(
        operation_id="revisions_list",
        parameters=list(query),
        responses={200: page_shape(RevisionShape), **READ_PROBLEMS},
    )
    def get(self, request: Request, slug: str) -> Response:
        """List the revisions of a league, newest first."""
        league = access.league(request, slug, Action.VIEW)
        rows = league.revisions.filter(state=Revision.State.APPLIED).select_related(*RELATED)
        if season := parameter(request, "season"):
            rows = rows.filter(season=named_season(request, league, season))
        found, following = page_of(request, rows, ("-created_at", "-id"))
        authors = authors_of(league, (row.author_id for row in found))
        context = {"request": request, "league": league, "authors": authors}
        return Response(
            {"results": RevisionShape(found, many=True, context=context).data, "next": following}
        )


class RevisionDetail(ApiView):
    @extend_schema(operation_id="revisions_get", responses={200: RevisionShape, **READ_PROBLEMS})
    def get(self, request: Request, slug: str, season: str, number: int) -> Response:
        """One revision."""
        revision = access.revision(request, slug, season, number, Action.VIEW)
        return _answer(request, revision)


class RevisionUndo(ApiView):
    @extend_schema(
        operation_id="revisions_undo",
        request=ReasonBody,
        responses={201: RevisionShape, **WRITE_PROBLEMS},
    )
    def post(self, request: Request, slug: str, season: str, number: int) -> Response:
        """Undo everything that a revision did, in a new revision."""
        revision = access.revision(request, slug, season, number, Action.UNDO)
        body = read(request, ReasonBody)
        source, author = source_of(request)
        undone = revert_revision(
            revision=revision, author=author, source=source, reason=body["reason"]
        )
        return _answer(request, undone, 201)


def _answer(request: Request, revision: Revision, status: int = 200) -> Response:
    authors = authors_of(revision.league, [revision.author_id])
    context = {"request": request, "league": revision.league, "authors": authors}
    return Response(RevisionShape(revision, context=context).data, status)
