"""Matches: the list, one of them, sending, correcting, voiding and restoring."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
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
    changed_draft,
    sent_match,
)
from leagues.api.paging import PAGING, page_of
from leagues.api.problems import Invalid
from leagues.api.schema import CONFLICT, READ_PROBLEMS, WRITE_PROBLEMS, page_shape
from leagues.api.shapes import (
    ChangedMatchShape,
    MatchDetailShape,
    MatchShape,
    SubmittedShape,
    match_shapes,
    rating_state,
)
from leagues.api.views.base import (
    ApiView,
    choice,
    named_mode,
    named_season,
    parameter,
    read,
    source_of,
)
from leagues.models import League, Match, Revision
from leagues.services.errors import Refused
from leagues.services.matches import correct_match, draft_of, restore_match, void_match
from leagues.services.submissions import RequestName, Sender, submit_matches
from leagues.services.validation import backdated_problem

NEWEST_FIRST = ("-played_at", "-order_hint", "-seq", "-id")
KEY = re.compile(r"[A-Za-z0-9._:-]{1,128}\Z")
STATUSES = ("any", "live", "void")


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
                description="A name of this request: sent again, it does nothing.",
            )
        ],
        request=PolymorphicProxySerializer(
            "Submission", [SubmissionBody, BatchBody], resource_type_field_name=None
        ),
        responses={200: SubmittedShape, 201: SubmittedShape, **WRITE_PROBLEMS},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Store one match, or up to 500 in `matches`: all of them or none.

        A match whose `external_id` was sent before is not stored again. 200: nothing was new.
        """
        league = access.league(request, slug, Action.ENTER)
        name = _request_name(request)
        is_batch = isinstance(request.data, dict) and "matches" in request.data
        body = read(request, BatchBody if is_batch else SubmissionBody)
        season = named_season(request, league, body.get("season"))
        mode = named_mode(league, body.get("mode"))
        sent = [
            sent_match(match, league=league, index=index if is_batch else None)
            for index, match in enumerate(body["matches"] if is_batch else [body])
        ]
        done = submit_matches(
            season=season,
            mode=mode,
            matches=sent,
            sender=_sender(request, league),
            create_players=body["create_players"],
            request=name,
        )
        stored = league.matches.select_related("season", "mode").in_bulk(done.match_ids)
        matches = [stored[match_id] for match_id in done.match_ids]
        first = matches[0]
        return Response(
            {
                "revision": done.revision.number,
                "season": first.season.slug,
                "mode": first.mode.slug,
                "rating": rating_state(first.season, first.mode),
                "already_there": done.already_there,
                "matches": match_shapes(matches, league, request),
            },
            200 if done.already_there == len(matches) else 201,
        )


class MatchDetail(ApiView):
    @extend_schema(operation_id="matches_get", responses={200: MatchDetailShape, **READ_PROBLEMS})
    def get(self, request: Request, slug: str, season: str, seq: int) -> Response:
        """Return a match and what it did to its players on each board."""
        match = access.match(request, slug, season, seq, Action.VIEW)
        context = {"request": request, "league": match.league}
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
        rows = rows.filter(participants__player__key=key)
    if slug := parameter(request, "season"):
        rows = rows.filter(season=named_season(request, league, slug))
    if slug := parameter(request, "mode"):
        rows = rows.filter(mode=named_mode(league, slug))
    status = choice(request, "status", STATUSES)
    return rows if status == "any" else rows.filter(status=status)


def _request_name(request: Request) -> RequestName | None:
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return None
    if not KEY.match(key):
        raise Invalid(
            "Idempotency-Key",
            _("A key is 1 to 128 of A–Z, a–z, 0–9, dot, underscore, colon and hyphen."),
        )
    said = json.dumps(request.data, sort_keys=True, separators=(",", ":"))
    return RequestName(key, hashlib.sha256(said.encode()).hexdigest())


def _sender(request: Request, league: League) -> Sender:
    source, author = source_of(request)
    may_backdate = access.allowed(access.principal_of(request), Action.BACKDATE, league)
    return Sender(source, author, may_backdate)


def _correct(request: Request, match: Match, body: Mapping[str, Any]) -> Response:
    sender = _sender(request, match.league)
    with transaction.atomic():
        draft = changed_draft(draft_of(match), body, league=match.league)
        backdated = backdated_problem(draft.played_at, league=match.league, now=timezone.now())
        if backdated and draft.played_at != match.played_at and not sender.may_backdate:
            raise Refused([backdated])
        revision = correct_match(
            match=match,
            draft=draft,
            expected_version=body["version"],
            author=sender.author,
            source=sender.source,
            reason=body["reason"],
        )
    return _changed(request, match, revision)


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
    return _changed(request, match, revision)


def _changed(request: Request, match: Match, revision: Revision | None) -> Response:
    stored = match.league.matches.select_related("season", "mode").get(pk=match.pk)
    context = {"request": request, "league": match.league, "revision": revision}
    return Response(ChangedMatchShape(stored, context=context).data)
