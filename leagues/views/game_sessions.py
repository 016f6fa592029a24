"""Game sessions: games rated alone, as if nobody had played before."""

from __future__ import annotations

from django.db.models import prefetch_related_objects
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from leagues import access
from leagues.access import Action
from leagues.pages.game_session import session_page
from leagues.selectors.matches import PLAYERS_BY_RANK
from leagues.store.planned import restartable_snapshot
from leagues.views.common import league_context
from leagues.views.limits import slow


@require_safe
@slow
@restartable_snapshot
def game_session(request: HttpRequest, slug: str, season: str, seq: int) -> HttpResponse:
    """Show the session of a game; a game that has none leads to its own page."""
    match = access.match(request, slug, season, seq, Action.VIEW)
    match.season.league = match.league
    prefetch_related_objects([match], PLAYERS_BY_RANK)
    page = session_page(match, request.GET.dict())
    if page is None:
        return HttpResponseRedirect(reverse("leagues:match", args=[slug, season, seq]))
    rights = access.rights(access.principal_of(request), match.league, match=match)
    context = {
        **league_context(request, match.league, "results", rights),
        "match": match,
        "page": page,
    }
    return render(request, "leagues/game_session.html", context)
