"""Started matches: those that are open, starting one, its result, and calling it off."""

from __future__ import annotations

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from leagues import access
from leagues.access import Action
from leagues.api.bodies import weight_of
from leagues.api.match_shapes import ChangedMatchShape, match_shapes
from leagues.api.schema import CONFLICT, READ_PROBLEMS, WRITE_PROBLEMS
from leagues.api.started_shapes import (
    OpenMatchesShape,
    ReleaseBody,
    StartBody,
    StartedResultBody,
    StartedShape,
    open_shapes,
)
from leagues.api.views.base import ApiView, named_mode, named_season, parameter, read, source_of
from leagues.api.views.matches import answer_change, enterer_of
from leagues.models import League, Match, Mode, Revision, Season
from leagues.selectors.matches import with_players
from leagues.selectors.started_matches import open_matches
from leagues.services.entry_drafts import Answers, MatchEntry, PlayerEntry, SideEntry
from leagues.services.started_matches import (
    SideResult,
    finish_match,
    release_players,
    start_match,
)


class StartedMatches(ApiView):
    query = (
        OpenApiParameter("season", str, description="Slug of a season."),
        OpenApiParameter("mode", str, description="Slug of a mode."),
    )

    @extend_schema(
        operation_id="matches_started_list",
        parameters=list(query),
        responses={200: OpenMatchesShape, **READ_PROBLEMS},
    )
    def get(self, request: Request, slug: str) -> Response:
        """List the open matches of a mode, with what leaving each would cost, oldest first."""
        league = access.league(request, slug, Action.VIEW)
        season = named_season(request, league, parameter(request, "season") or None)
        mode = named_mode(league, parameter(request, "mode") or None)
        return Response({"results": _opened(request, league, season, mode)})

    @extend_schema(
        operation_id="matches_start",
        request=StartBody,
        responses={200: StartedShape, 201: StartedShape, **WRITE_PROBLEMS},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Start a match between two sides; who left another one for it loses that one now.

        Until there is a result, the match is open. Who starts another match, or lets the time
        limit of the mode pass, loses it by the numbers of the opponent at its start; no one gains.
        """
        league = access.league(request, slug, Action.ENTER)
        body = read(request, StartBody)
        season = named_season(request, league, body.get("season"))
        mode = named_mode(league, body.get("mode"))
        sides = tuple(
            SideEntry(
                rank=1,
                score=None,
                players=tuple(
                    PlayerEntry(
                        key=member.get("key"),
                        name=member.get("name"),
                        own_score=member.get("own_score"),
                        playing_share=member["playing_share"],
                    )
                    for member in side["players"]
                ),
                handicap=side["handicap"],
            )
            for side in body["sides"]
        )
        started = start_match(
            season=season,
            mode=mode,
            entry=MatchEntry(
                played_at=body.get("started_at") or timezone.now(),
                sides=sides,
                weight=weight_of(body["weight"], mode),
                external_id=body.get("external_id"),
            ),
            enterer=enterer_of(request, league),
            answers=Answers(creates_players=body["create_players"]),
            is_dated=body.get("started_at") is not None,
        )
        stored = _read(league, [started.match.pk, *(match.pk for match in started.left)])
        # One that was there before can be of another season.
        season = stored[0].season
        season.league = league
        (shape,) = _shapes(request, league, season, mode, stored[:1])
        left = match_shapes(stored[1:], league, request)
        answer = shape | {"already_there": not started.is_new, "left": left}
        return Response(answer, 201 if started.is_new else 200)


class StartedResult(ApiView):
    @extend_schema(
        operation_id="matches_result",
        request=StartedResultBody,
        responses={200: ChangedMatchShape, 201: ChangedMatchShape, **WRITE_PROBLEMS, **CONFLICT},
    )
    def post(self, request: Request, slug: str, season: str, seq: int) -> Response:
        """Send the result of a started match: a match of its own, which ends the started one.

        Any other way to enter a result between the same players does the same. A late one takes
        back the loss of who left, which needs the right to correct results. Sent again it does
        nothing.
        """
        match = access.match(request, slug, season, seq, Action.ENTER)
        body = read(request, StartedResultBody)
        entered = finish_match(
            match=match,
            results=[
                SideResult(side["rank"], side.get("score"), side["handicap"])
                for side in body["sides"]
            ],
            enterer=enterer_of(request, match.league),
            kind=Revision.Kind.API,
            played_at=body.get("played_at"),
            version=body.get("version"),
        )
        revision = None if entered.already_there else entered.revision
        answer = answer_change(request, entered.matches[0], revision, entered.warnings)
        answer.status_code = 200 if entered.already_there else 201
        return answer


class StartedRelease(ApiView):
    @extend_schema(
        operation_id="matches_release",
        request=ReleaseBody,
        responses={200: ChangedMatchShape, **WRITE_PROBLEMS, **CONFLICT},
    )
    def post(self, request: Request, slug: str, season: str, seq: int) -> Response:
        """Let players of a started match go: they lose nothing by it, and no one gains anything.

        Organizers may let everyone go, those who enter results everyone but themselves. Where the
        mode says so, a player may let the other side go.
        """
        match, keys = access.started_match(request, slug, season, seq)
        body = read(request, ReleaseBody)
        released = frozenset(body.get("release", keys))
        access.require_releasable(match, keys, released)
        source, author = source_of(request)
        revision = release_players(
            match=match,
            released=released,
            version=body.get("version"),
            author=author,
            is_organizer=Action.CORRECT
            in access.rights(access.principal_of(request), match.league),
            reason=body["reason"],
            source=source,
        )
        return answer_change(request, match, revision)


def _read(league: League, keys: list[int]) -> list[Match]:
    """Matches with their players, in the order of their keys."""
    rows = with_players(league.matches.select_related("season", "mode"))
    found = {match.pk: match for match in rows.filter(pk__in=keys)}
    return [found[key] for key in keys]


def _opened(
    request: Request, league: League, season: Season, mode: Mode
) -> list[dict[str, object]]:
    return _shapes(request, league, season, mode, open_matches(season, mode))


def _shapes(
    request: Request, league: League, season: Season, mode: Mode, matches: list[Match]
) -> list[dict[str, object]]:
    boards = list(season.boards.filter(mode=mode).order_by("position", "pk"))
    for match in matches:
        match.season, match.mode, match.league = season, mode, league
    for board in boards:
        board.season, board.mode, board.league = season, mode, league
    return open_shapes(matches, boards, league, request, timezone.now())
