"""A player's profile."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from leagues import access
from leagues.access import Action
from leagues.pages.boards import board_tabs, player_address
from leagues.pages.players import player_page
from leagues.store.snapshot import snapshot
from leagues.views.boards import look_of
from leagues.views.common import league_context, wants_fragment
from leagues.views.limits import SEARCHES, limit_requests
from leagues.views.me import hides_ratings, picker, remember_me, viewer_of


@require_safe
@limit_requests(SEARCHES, parameter="q")
@snapshot()
def player(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Show a player as one board sees them."""
    viewer = viewer_of(request)
    players = access.players(request, slug, key, Action.VIEW, *viewer.conditions())
    player, league = players[0], players[0].league
    me = viewer.among(players)
    remember_me(request, league, me)
    look = look_of(request, league)
    if look.board is None:
        raise Http404
    page = player_page(
        player=player,
        board=look.board,
        boards=look.boards,
        everywhere=look.everywhere,
        words=request.GET.dict(),
        me=me,
        hides_stakes=hides_ratings(request),
        now=timezone.now(),
    )
    tabs = board_tabs(look, lambda board: player_address(board, player.key))
    context = {
        **league_context(request, league, "board"),
        "look": look,
        "page": page,
        "tabs": tabs,
        "picker": picker(request, league),
    }
    part = "#details" if wants_fragment(request) else ""
    return render(request, f"leagues/player.html{part}", context)
