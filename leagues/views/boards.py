"""The leaderboard of a league."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_cache_control
from django.views.decorators.http import require_safe

from leagues import access, bridge
from leagues.access import Action
from leagues.models import League
from leagues.selectors.boards import (
    BoardFilter,
    Look,
    board_head,
    board_page,
    board_tabs,
    board_waiting,
    league_look,
    season_choices,
)
from leagues.snapshot import snapshot
from leagues.views.common import league_context, version_of, wants_fragment


@require_safe
@snapshot()
def board(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a board; anonymous visitors who have it already get 304."""
    league = access.league(request, slug, Action.VIEW)
    look = look_of(request, league)
    now = timezone.now()
    moment = bridge.display_moment(league, now)
    waiting = board_waiting(look.board) if look.board else None
    etag = None
    if request.user.is_anonymous:
        boards = [
            (row.pk, row.name, row.generation, row.frontier, row.verified_at, row.problem)
            for row in look.boards
        ]
        seasons = [(row.name, row.state) for row in look.seasons]
        etag = version_of(
            request, league.name, league.description, boards, seasons, moment, waiting
        )
        unchanged = get_conditional_response(request, etag=etag)
        if unchanged is not None:
            return unchanged
    filters = BoardFilter.cleaned(request.GET.dict())
    context = {
        **league_context(request, league, "board"),
        "look": look,
        "filters": filters,
        "waiting": waiting,
        "is_fragment": wants_fragment(request),
    }
    if look.board:
        context |= {
            "head": board_head(board=look.board, now=now),
            "page": board_page(board=look.board, filters=filters, moment=moment, now=now),
            "tabs": board_tabs(look),
            "seasons": season_choices(look),
            "here": _address(league, look, request),
        }
    template = "leagues/board.html#standings" if wants_fragment(request) else "leagues/board.html"
    response = render(request, template, context)
    if etag:
        response.headers["ETag"] = etag
        patch_cache_control(response, no_cache=True)
    if wants_fragment(request) and look.board:
        response.headers["HX-Push-Url"] = context["here"]
    return response


@require_safe
@snapshot()
def rating_state(request: HttpRequest, slug: str) -> HttpResponse:
    """Say whether results wait to be rated; the table asks for itself anew when none does."""
    league = access.league(request, slug, Action.VIEW)
    look = look_of(request, league)
    waiting = board_waiting(look.board) if look.board else None
    context = {**league_context(request, league, "board"), "look": look, "waiting": waiting}
    response = render(request, "leagues/board.html#pulse", context)
    response.headers["Cache-Control"] = "no-store"
    if waiting is None:
        response.headers["HX-Trigger"] = "rated"
    return response


def look_of(request: HttpRequest, league: League) -> Look:
    """Return the season and board that an address chooses, or 404."""
    chosen = league_look(
        league=league,
        season=request.GET.get("season", "").replace("\x00", ""),
        board=request.GET.get("board", "").replace("\x00", ""),
    )
    if chosen is None:
        raise Http404
    return chosen


def _address(league: League, look: Look, request: HttpRequest) -> str:
    """Return the address of what is shown, without what says nothing."""
    words = {
        name: request.GET[name]
        for name in ("season", "board", "sure", "q", "active", "after", "before")
        if request.GET.get(name) and (name, request.GET[name]) != ("sure", "any")
    }
    base = reverse("leagues:board", args=[league.slug])
    return f"{base}?{urlencode(words)}" if words else base
