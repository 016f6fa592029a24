"""The seasons of a league: the list, the page of each, and what can be taken home."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from leagues import access
from leagues.access import Action
from leagues.models import League, Season
from leagues.pages.season_list import season_list
from leagues.pages.season_page import season_page
from leagues.selectors.board_selection import BoardSelection, select_board
from leagues.selectors.result_files import ResultFile
from leagues.selectors.standings_files import standings_csv, standings_json
from leagues.store.planned import restartable_snapshot
from leagues.views.common import league_context
from leagues.views.file_types import CSV, JSON, XLSX
from leagues.views.limits import Download, download
from leagues.views.me import me

STANDINGS = {"standings.csv": (CSV, standings_csv), "standings.json": (JSON, standings_json)}
RESULTS: dict[str, tuple[str, Callable[[ResultFile], Iterable[str | bytes]]]] = {
    "results.csv": (CSV, ResultFile.csv),
    "results.json": (JSON, ResultFile.json),
    "results.xlsx": (XLSX, ResultFile.workbook),
}


@require_safe
@restartable_snapshot
def seasons(request: HttpRequest, slug: str) -> HttpResponse:
    """List the seasons."""
    league = access.league(request, slug, Action.VIEW)
    look = select_board(league=league)
    context = {
        **league_context(request, league, "seasons"),
        "list": season_list(
            look=look or BoardSelection(None, None, (), ()), league=league, now=timezone.now()
        ),
    }
    return render(request, "leagues/seasons.html", context)


@require_safe
@restartable_snapshot
def present_season(request: HttpRequest, slug: str) -> HttpResponse:
    """Lead to the season that is played now, else to the list."""
    league = access.league(request, slug, Action.VIEW)
    look = select_board(league=league)
    if look is None or look.season is None:
        return HttpResponseRedirect(reverse("leagues:seasons", args=[slug]))
    return HttpResponseRedirect(reverse("leagues:season", args=[slug, look.season.slug]))


@require_safe
@restartable_snapshot
def season(request: HttpRequest, slug: str, season: str) -> HttpResponse:
    """Show a season on one of its boards; archived ones too."""
    league = access.league(request, slug, Action.VIEW)
    look = _look(request, league, season)
    context = {
        **league_context(request, league, "present_season"),
        "season": look.season,
        "page": season_page(look=look, own=me(request, league), now=timezone.now()),
    }
    return render(request, "leagues/season.html", context)


@require_safe
@download
@restartable_snapshot
def season_file(request: HttpRequest, slug: str, season: str, name: str) -> HttpResponseBase:
    """Send the standings or the results of a season as a file."""
    league = access.league(request, slug, Action.VIEW)
    look = _look(request, league, season)
    chosen: Season = look.season  # type: ignore[assignment]
    pieces: Iterable[str | bytes]
    if name in RESULTS:
        # Without a board the file has all modes.
        mode = look.board.mode if look.board and request.GET.get("board") else None
        is_private = access.is_allowed(access.principal_of(request), Action.PLAYERS, league)
        kind, results = RESULTS[name]
        pieces = results(ResultFile(chosen, mode, is_private=is_private))
        part = f"-{mode.slug}" if mode else ""
    elif name in STANDINGS and look.board is not None:
        kind, standings = STANDINGS[name]
        pieces = standings(look.board, timezone.now())
        part = f"-{look.board.slug}"
    else:
        raise Http404
    response = Download(pieces, content_type=kind)
    response.headers["Content-Disposition"] = (
        f'attachment; filename="{league.slug}-{chosen.slug}{part}-{name}"'
    )
    return response


def _look(request: HttpRequest, league: League, season: str) -> BoardSelection:
    board = request.GET.get("board", "").replace("\x00", "")
    look = select_board(league=league, season=season, board=board)
    if look is None or look.season is None:
        raise Http404
    look.season.league = league
    return look
