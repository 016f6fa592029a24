"""The page of a league's organizers: what goes on, what needs them, what to do next."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from leagues import access
from leagues.access import Action
from leagues.pages import dashboard as selected
from leagues.services.leagues import current_season
from leagues.store.planned import restartable_snapshot
from leagues.views.common import league_context, wants_fragment
from leagues.views.open_sheets import sheets_to_finish


@require_safe
@restartable_snapshot
def dashboard(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the state of a league; asked again by itself while something goes on."""
    league = access.league(request, slug, Action.SETTINGS)
    rights = access.rights(access.principal_of(request), league)
    now = timezone.now()
    page = selected.dashboard(
        league=league, season=current_season(league, now), rights=rights, now=now
    )
    template = "leagues/dashboard.html"
    if wants_fragment(request):
        template += "#work"
    surroundings = league_context(request, league, "dashboard", rights)
    sheets = sheets_to_finish(request, league)
    return render(request, template, {**surroundings, "page": page, "open_sheets": sheets})
