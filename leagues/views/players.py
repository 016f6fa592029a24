"""A player's profile."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from leagues import access, bridge
from leagues.access import Action
from leagues.selectors.boards import board_tabs, player_address
from leagues.selectors.players import player_page
from leagues.snapshot import snapshot
from leagues.views.boards import look_of
from leagues.views.common import league_context


@require_safe
@snapshot()
def player(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Show a player as one board sees them."""
    shown = access.player(request, slug, key, Action.VIEW)
    league = shown.league
    look = look_of(request, league)
    if look.board is None:
        raise Http404
    now = timezone.now()
    page = player_page(
        player=shown,
        board=look.board,
        boards=look.boards,
        given=request.GET.dict(),
        moment=bridge.display_moment(league, now),
        now=now,
    )
    tabs = board_tabs(look, lambda board: player_address(board, shown.key))
    context = {
        **league_context(request, league, "board"),
        "look": look,
        "page": page,
        "tabs": tabs,
    }
    return render(request, "leagues/player.html", context)
