"""A board in numbers."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from leagues import access
from leagues.access import Action
from leagues.pages.boards import board_tabs, season_choices
from leagues.pages.statistics import statistics_address, statistics_page
from leagues.store.planned import restartable_snapshot
from leagues.views.common import league_context, look_of
from leagues.views.limits import slow
from leagues.views.me import me, picker


@require_safe
@slow
@restartable_snapshot
def statistics(request: HttpRequest, slug: str) -> HttpResponse:
    """Show how ratings are distributed, whether they told the truth, and who surprised them."""
    league = access.league(request, slug, Action.VIEW)
    look = look_of(request, league)
    context = league_context(request, league, "statistics") | {"look": look}
    if look.board:
        context |= {
            "page": statistics_page(board=look.board, me=me(request, league), now=timezone.now()),
            "tabs": board_tabs(look, statistics_address),
            "seasons": season_choices(look),
            "picker": picker(request, league),
        }
    return render(request, "leagues/statistics.html", context)
