"""Matches: the list, one of them, sending, correcting, voiding and restoring."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, PolymorphicProxySerializer, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from leagues import access
from leagues.access import Action
from leagues.api.bodies import (
    BatchBody,
    CorrectionBody,
    PartialCorrectionBody,
    StatusBody,
    SubmissionBody,
    correction_of,
    match_entry,
)
from leagues.api.entered import SubmittedShape
from leagues.api.match_shapes import (
    ChangedMatchShape,
    MatchDetailShape,
    MatchShape,
    match_shapes,
    rating_state,
)
from leagues.api.paging import PAGING, page_of
from leagues.api.problems import Invalid
from leagues.api.schema import CONFLICT, READ_PROBLEMS, WRITE_PROBLEMS, page_shape
from leagues.api.views.base import (
    ApiView,
    choice,
    named_mode,
    named_season,
    parameter,
    read,
    source_of,
    whole,
)
from leagues.api.warnings import warning_shape
from leagues.models import League, Match, Revision, Season
from leagues.selectors.names import players_by_key
from leagues.services.entry import Entered, Enterer, RequestName, correct_result, enter_results
from leagues.services.entry_drafts import Answers
from leagues.services.entry_warnings import EntryWarning, correction_warnings
from leagues.services.matches import restore_match, void_match
from leagues.services.moved_matches import match_left_by
from leagues.services.stored_drafts import draft_of
from leagues.services.validation import MOST_EVENTS

NEWEST_FIRST = ("-played_at", "-same_time_order", "-seq", "-id")
KEY = re.compile(r"[A-Za-z0-9._:-]{1,128}\Z")
STATUSES = ("any", "live", "void")
SUBMISSION = PolymorphicProxySerializer(
    "Submission", [SubmissionBody, BatchBody], resource_type_field_name=None
)


class Matches(ApiView):
    query = (
        OpenApiParameter("player", str, description="Key of a player."),
        OpenApiParameter("season", str, description="Slug of a season."),
        OpenApiParameter("mode", str, description="Slug of a mode."),
        OpenApiParameter("status", str, enum=list(STATUSES)),
        *PAGING,
    )

    @extend_schema(
        operation_id="matches_list",
        parameters=list(query),
        responses={200: page_shape(MatchShape), **READ_PROBLEMS},
    )
    def get(self, request: Request, slug: str) -> Response:
        """List matches, newest first."""
        league = access.league(request, slug, Action.VIEW)
        rows, following = page_of(request, _chosen(request, league), NEWEST_FIRST)
        return Response({"results": match_shapes(rows, league, request), "next": following})

    @extend_schema(
        operation_id="matches_send",
        parameters=[
            OpenApiParameter(
                "Idempotency-Key",
                str,
                OpenApiParameter.HEADER,
                description="A key for this request. Repeating the request with the same key "
                "has no further effect.",
            )
        ],
        request=SUBMISSION,
        responses={200: SubmittedShape, 201: SubmittedShape, **WRITE_PROBLEMS},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Store one match, or up to 500 in `matches`: all of them or none.

        A match whose `external_id` was sent before is not stored again. The status is 200 if
        nothing was new.
        """
        league = access.league(request, slug, Action.ENTER)
        season, enter = read_entry(request, league)
        entered = enter(_request_name(request))
        first = entered.matches[0]
        is_new = entered.already_there < len(entered.matches)
        return Response(
            {
                "revision": entered.revision.number,
                "season": first.season.slug,
                "mode": first.mode.slug,
                "rating": "pending" if is_new else rating_state(first.season, first.mode),
                "already_there": entered.already_there,
                "warnings": [warning_shape(one, season) for one in entered.warnings],
                "matches": match_shapes(entered.matches, league, request, entered.drafts),
            },
            201 if is_new else 200,
        )


def read_entry(
    request: Request, league: League
) -> tuple[Season, Callable[[RequestName | None], Entered]]:
    """The season of a submission, and what stores it under the name of a request."""
    is_batch = isinstance(request.data, dict) and "matches" in request.data
    body = read(request, BatchBody if is_batch else SubmissionBody)
    season = named_season(request, league, body.get("season"))
    mode = named_mode(league, body.get("mode"))
    entries = [
        match_entry(match, league=league, mode=mode, index=index)
        for index, match in enumerate(body["matches"] if is_batch else [body])
    ]

    def enter(name: RequestName | None) -> Entered:
        return enter_results(
            season=season,
            mode=mode,
            entries=entries,
            enterer=enterer_of(request, league),
            kind=Revision.Kind.API,
            answers=Answers(creates_players=body["create_players"]),
            request=name,
        )

    return season, enter


class MatchDetail(ApiView):
    query = (
        OpenApiParameter(
            "events_from", int, description="The position of the first event shown, from 0."
        ),
    )

    @extend_schema(
        operation_id="matches_get",
        parameters=list(query),
        responses={200: MatchDetailShape, **READ_PROBLEMS},
    )
    def get(self, request: Request, slug: str, season: str, seq: int) -> Response:
        """A match, what happened in it, and what it did to its players on each board."""
        match = access.match(request, slug, season, seq, Action.VIEW)
        context = {
            "request": request,
            "league": match.league,
            "events_from": whole(request, "events_from", most=MOST_EVENTS),
        }
        return Response(MatchDetailShape(match, context=context).data)

    @extend_schema(
        operation_id="matches_replace",
        request=CorrectionBody,
        responses={200: ChangedMatchShape, **WRITE_PROBLEMS, **CONFLICT},
    )
    def put(self, request: Request, slug: str, season: str, seq: int) -> Response:
        """Correct a match: what is not sent takes its default."""
        match = access.match(request, slug, season, seq, Action.CORRECT)
        body = read(request, CorrectionBody)
        return _correct(request, match, body)

    @extend_schema(
        operation_id="matches_change",
        request=PartialCorrectionBody,
        responses={200: ChangedMatchShape, **WRITE_PROBLEMS, **CONFLICT},
    )
    def patch(self, request: Request, slug: str, season: str, seq: int) -> Response:
        """Correct parts of a match: what is not sent stays."""
        match = access.match(request, slug, season, seq, Action.CORRECT)
        body = read(request, PartialCorrectionBody)
        return _correct(request, match, body)


class MatchVoid(ApiView):
    @extend_schema(
        operation_id="matches_void",
        request=StatusBody,
        responses={200: ChangedMatchShape, **WRITE_PROBLEMS, **CONFLICT},
    )
    def post(self, request: Request, slug: str, season: str, seq: int) -> Response:
        """Take a match out of the ratings; nothing is deleted."""
        match = access.match(request, slug, season, seq, Action.VOID)
        return _set_status(request, match, void_match)


class MatchRestore(ApiView):
    @extend_schema(
        operation_id="matches_restore",
        request=StatusBody,
        responses={200: ChangedMatchShape, **WRITE_PROBLEMS, **CONFLICT},
    )
    def post(self, request: Request, slug: str, season: str, seq: int) -> Response:
        """Let a voided match count again."""
        match = access.match(request, slug, season, seq, Action.RESTORE)
        return _set_status(request, match, restore_match)


def _chosen(request: Request, league: League) -> QuerySet[Match]:
    rows = league.matches.exclude(status=Match.Status.STAGED).prefetch_related("season", "mode")
    if key := parameter(request, "player"):
        meant = players_by_key(league, [key]).get(key)
        rows = rows.filter(participants__player__key=meant.key if meant else key)
    if slug := parameter(request, "season"):
        rows = rows.filter(season=named_season(request, league, slug))
    if slug := parameter(request, "mode"):
        rows = rows.filter(mode=named_mode(league, slug))
    status = choice(request, "status", STATUSES)
    return rows if status == "any" else rows.filter(status=status)


def _request_name(request: Request) -> RequestName | None:
    key = request.META.get("HTTP_IDEMPOTENCY_KEY")
    if key is None:
        return None
    if not KEY.match(key):
        raise Invalid(
            "Idempotency-Key",
            _("A key has 1 to 128 characters: A–Z, a–z, 0–9, dot, underscore, colon and hyphen."),
        )
    said = json.dumps(request.data, sort_keys=True, separators=(",", ":"))
    return RequestName(key, hashlib.sha256(said.encode()).hexdigest())


def enterer_of(request: Request, league: League) -> Enterer:
    """Who sends or corrects results by the API."""
    source, author = source_of(request)
    held = access.rights(access.principal_of(request), league)
    return Enterer(
        source,
        author,
        may_backdate=Action.BACKDATE in held,
        may_be_late=Action.CORRECT in held,
    )


def season_in(request: Request, match: Match, body: Mapping[str, Any]) -> Season | None:
    """The season that the body of a correction names, if it does."""
    return named_season(request, match.league, body["season"]) if "season" in body else None


def _correct(request: Request, match: Match, body: Mapping[str, Any]) -> Response:
    before = draft_of(match)
    revision = correct_result(
        match=match,
        version=body["version"],
        correction=correction_of(body, match=match, season=season_in(request, match, body)),
        enterer=enterer_of(request, match.league),
        answers=Answers(creates_players=body["create_players"]),
        reason=body["reason"],
    )
    stored = _stored(match if revision is None else match_left_by(revision, match))
    warnings = correction_warnings(before, draft_of(stored), stored.mode)
    return _answer_change(request, stored, revision, warnings)


def _set_status(request: Request, match: Match, change: Callable[..., Revision | None]) -> Response:
    body = read(request, StatusBody)
    source, author = source_of(request)
    revision = change(
        match=match,
        expected_version=body.get("version"),
        author=author,
        source=source,
        reason=body["reason"],
    )
    return _answer_change(request, _stored(match), revision)


def _stored(match: Match) -> Match:
    """A match as it is after a change."""
    return match.league.matches.select_related("season", "mode").get(pk=match.pk)


def answer_change(
    request: Request,
    match: Match,
    revision: Revision | None,
    warnings: Sequence[EntryWarning] = (),
) -> Response:
    """A match after a change, as it is stored now."""
    return _answer_change(request, _stored(match), revision, warnings)


def _answer_change(
    request: Request,
    stored: Match,
    revision: Revision | None,
    warnings: Sequence[EntryWarning] = (),
) -> Response:
    context = {
        "request": request,
        "league": stored.league,
        "revision": revision,
        "warnings": warnings,
    }
    return Response(ChangedMatchShape(stored, context=context).data)
