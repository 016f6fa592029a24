"""A player's profile, and the players of a league as a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from leagues import access
from leagues.access import Action
from leagues.pages.boards import board_tabs, player_address
from leagues.pages.entry_stakes import entry_address
from leagues.pages.leaving import left_sentence
from leagues.pages.player_groups import group_links
from leagues.pages.player_list import player_list
from leagues.pages.players import player_page
from leagues.pages.started_matches import open_lines
from leagues.selectors.encounters import first_played_on
from leagues.selectors.player_columns import PlayersFile
from leagues.selectors.player_groups import groups_of
from leagues.selectors.revisions import is_player_being_rated
from leagues.store.planned import restartable_snapshot
from leagues.views.common import asks_again, league_context, look_of, wants_fragment
from leagues.views.file_types import CSV, JSON, XLSX
from leagues.views.limits import SEARCHES, Download, download, limit_requests
from leagues.views.me import hides_ratings, picker, remember_me, viewer_of

LONGEST_QUERY = 128
PLAYERS: dict[str, tuple[str, Callable[[PlayersFile], Iterable[str | bytes]]]] = {
    "players.csv": (CSV, PlayersFile.csv),
    "players.json": (JSON, PlayersFile.json),
    "players.xlsx": (XLSX, PlayersFile.workbook),
}


@require_safe
@limit_requests(SEARCHES, parameter="q")
@restartable_snapshot
def player(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Show a player as one board sees them."""
    viewer = viewer_of(request)
    try:
        players = access.players(request, slug, key, Action.VIEW, *viewer.conditions())
    except Http404:
        return lead_on(request, slug, key, Action.VIEW)
    player, league = players[0], players[0].league
    me = viewer.among(players)
    remember_me(request, league, me)
    look = look_of(request, league)
    if look.board is None:
        raise Http404
    if not request.GET.get("board"):
        look = replace(look, board=first_played_on(look.boards, player))
    assert look.board is not None  # noqa: S101
    is_computing = is_player_being_rated(look.board, player)
    if is_computing and asks_again(request):
        return HttpResponse(status=204)
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
        "enter_url": entry_address(look.board, player, me),
        "left": left_sentence(player, timezone.now()),
        "groups": group_links(look.board, groups_of(player)),
        "is_computing": is_computing,
        "open_matches": open_lines(look.board, player.pk, timezone.now()),
        "tabs": tabs,
        "picker": picker(request, league),
    }
    part = "#details" if wants_fragment(request) and not asks_again(request) else ""
    return render(request, f"leagues/player.html{part}", context)


@require_safe
@limit_requests(SEARCHES, parameter="q")
@restartable_snapshot
def players(request: HttpRequest, slug: str) -> HttpResponse:
    """List the players of a league by name, or those with some letters in theirs."""
    league = access.league(request, slug, Action.VIEW)
    query, after = (request.GET.get(name, "").replace("\x00", "") for name in ("q", "after"))
    page = player_list(league, query[:LONGEST_QUERY].strip(), after[:LONGEST_QUERY], timezone.now())
    context = {**league_context(request, league, "players"), "page": page}
    part = "#list" if wants_fragment(request) else ""
    return render(request, f"leagues/players.html{part}", context)


@require_safe
@download
@restartable_snapshot
def players_file(request: HttpRequest, slug: str, name: str) -> HttpResponseBase:
    """Send what is known of the players of a league as a file."""
    league = access.league(request, slug, Action.VIEW)
    if name not in PLAYERS:
        raise Http404
    kind, pieces = PLAYERS[name]
    principal = access.principal_of(request)
    file = PlayersFile(
        league,
        is_private=access.is_allowed(principal, Action.PLAYERS, league),
        seasons=access.visible_seasons(principal, league),
    )
    response = Download(pieces(file), content_type=kind)
    response.headers["Content-Disposition"] = f'attachment; filename="{league.slug}-{name}"'
    return response


def lead_on(
    request: HttpRequest, slug: str, key: str, action: Action, *, to: str = "leagues:player"
) -> HttpResponse:
    """Lead from the address of a merged player to a page of the one into whom it was merged."""
    former, player = access.merged_player(request, slug, key, action)
    words = _("“%(former)s” was merged into “%(name)s”.")
    messages.info(request, words % {"former": former.name, "name": player.name})
    address = reverse(to, args=[slug, player.key])
    query = request.GET.urlencode()
    return redirect(f"{address}?{query}" if query else address)
