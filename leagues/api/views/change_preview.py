"""What entering, correcting, voiding or restoring matches, or undoing a revision, would do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from leagues import access
from leagues.access import Action
from leagues.api.bodies import PartialCorrectionBody, ReasonBody, StatusBody, correction_of
from leagues.api.preview_shapes import ChangePreviewShape, serialize_preview
from leagues.api.schema import CONFLICT, WRITE_PROBLEMS
from leagues.api.throttles import slow
from leagues.api.views.base import ApiView, read, source_of
from leagues.api.views.matches import SUBMISSION, enterer_of, read_entry, season_in
from leagues.domain.linked_revisions import is_league_wide, seasons_of_undo
from leagues.models import Match, Revision, Season
from leagues.services.entry import correct_result
from leagues.services.entry_drafts import Answers
from leagues.services.matches import restore_match, revert_revision, void_match
from leagues.services.preview_jobs import request_preview
from leagues.services.tried_changes import matches_of_undo, try_change
from leagues.store.outages import RETRY_SECONDS

ANSWERS: dict[Any, Any] = {
    200: ChangePreviewShape,
    202: ChangePreviewShape,
    **WRITE_PROBLEMS,
    **CONFLICT,
}


class EntryPreview(ApiView):
    @extend_schema(
        operation_id="matches_send_preview",
        request=SUBMISSION,
        responses={200: ChangePreviewShape, 202: ChangePreviewShape, **WRITE_PROBLEMS},
    )
    @slow
    def post(self, request: Request, slug: str) -> Response:
        """Preview sending one match or up to 500, late ones too; nothing is stored."""
        league = access.league(request, slug, Action.ENTER)
        season, enter = read_entry(request, league)

        def change() -> Revision | None:
            entered = enter(None)
            return entered.revision if entered.already_there < len(entered.matches) else None

        return _answer(request, season, change)


class CorrectionPreview(ApiView):
    @extend_schema(
        operation_id="matches_change_preview", request=PartialCorrectionBody, responses=ANSWERS
    )
    @slow
    def post(self, request: Request, slug: str, season: str, seq: int) -> Response:
        """Preview a partial correction; 202: a job is computing it, send the same request again.

        It is refused if the correction would be refused. Nothing is stored.
        """
        match = access.match(request, slug, season, seq, Action.CORRECT)
        body = read(request, PartialCorrectionBody)
        target = season_in(request, match, body)

        def change() -> Revision | None:
            return correct_result(
                match=match,
                version=body["version"],
                correction=correction_of(body, match=match, season=target),
                enterer=enterer_of(request, match.league),
                answers=Answers(creates_players=body["create_players"]),
                reason=body["reason"],
            )

        others = [target] if target and target.pk != match.season_id else []
        return _answer(request, match.season, change, others=others)


class VoidPreview(ApiView):
    @extend_schema(operation_id="matches_void_preview", request=StatusBody, responses=ANSWERS)
    @slow
    def post(self, request: Request, slug: str, season: str, seq: int) -> Response:
        """Preview taking a match out of the ratings; nothing is stored."""
        match = access.match(request, slug, season, seq, Action.VOID)
        return _status_preview(request, match, void_match)


class RestorePreview(ApiView):
    @extend_schema(operation_id="matches_restore_preview", request=StatusBody, responses=ANSWERS)
    @slow
    def post(self, request: Request, slug: str, season: str, seq: int) -> Response:
        """Preview letting a voided match count again; nothing is stored."""
        match = access.match(request, slug, season, seq, Action.RESTORE)
        return _status_preview(request, match, restore_match)


class UndoPreview(ApiView):
    @extend_schema(
        operation_id="revisions_undo_preview",
        request=ReasonBody,
        responses={200: ChangePreviewShape, 202: ChangePreviewShape, **WRITE_PROBLEMS},
    )
    @slow
    def post(self, request: Request, slug: str, season: str, number: int) -> Response:
        """Preview undoing everything that a revision did; nothing is stored."""
        revision = access.revision(request, slug, season, number, Action.UNDO)
        body = read(request, ReasonBody)
        source, author = source_of(request)
        return _answer(
            request,
            revision.season,
            lambda: revert_revision(
                revision=revision, author=author, source=source, reason=body["reason"]
            ),
            matches=matches_of_undo(revision),
            is_league_wide=is_league_wide(revision),
            others=[one for one in seasons_of_undo(revision) if one.pk != revision.season_id],
        )


def _status_preview(
    request: Request, match: Match, change: Callable[..., Revision | None]
) -> Response:
    body = read(request, StatusBody)
    source, author = source_of(request)
    return _answer(
        request,
        match.season,
        lambda: change(
            match=match,
            expected_version=body.get("version"),
            author=author,
            source=source,
            reason=body["reason"],
        ),
    )


def _answer(
    request: Request,
    season: Season,
    change: Callable[[], Revision | None],
    *,
    matches: int = 1,
    is_league_wide: bool = False,
    others: Sequence[Season] = (),
) -> Response:
    """The preview in a season, and in the others that the change reaches."""
    _source, author = source_of(request)
    is_league_wide = is_league_wide or bool(others)
    states = []
    for one in (season, *others):
        tried = try_change(one, change, matches=matches, is_league_wide=is_league_wide)
        state = None if tried is None else request_preview(tried, season=one, actor=author)
        states.append(serialize_preview(one, state))
    body = ChangePreviewShape({**states[0], "other_seasons": states[1:]}).data
    if any(state["state"] == "pending" for state in states):
        return Response(body, 202, headers={"Retry-After": str(RETRY_SECONDS)})
    return Response(body)
