"""The nights of a season: the list, and the page of each."""

from __future__ import annotations

from datetime import date

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from leagues import access
from leagues.access import Action
from leagues.models.checks import FIRST_INSTANT, LAST_INSTANT
from leagues.pages.boards import night_address, season_choices
from leagues.pages.nights import night_page, nights_page
from leagues.selectors.nights import night_past_midnight
from leagues.store.planned import restartable_snapshot
from leagues.views.common import league_context, look_of, site_address, wants_fragment


@require_safe
@restartable_snapshot
def nights(request: HttpRequest, slug: str) -> HttpResponse:
    """List the nights of a season, newest first."""
    league = access.league(request, slug, Action.VIEW)
    look = look_of(request, league)
    context = {
        **league_context(request, league, "nights"),
        "look": look,
        "seasons": season_choices(look),
    }
    if look.season:
        look.season.league = league
        before = _day(request.GET.get("before", ""))
        context["page"] = nights_page(look.season, before)
    return render(request, "leagues/nights.html", context)


@require_safe
@restartable_snapshot
def played_night(request: HttpRequest, slug: str, season: str, day: str) -> HttpResponse:
    """Show what was played on a day and what it did; the page asks for itself until it is rated."""
    league = access.league(request, slug, Action.VIEW)
    chosen, on = access.season(request, league, season), _day(day)
    if on is None:
        raise Http404
    page = night_page(chosen, on, site=site_address(request), now=timezone.now())
    if page.report is None and (before := night_past_midnight(chosen, on)):
        return redirect(night_address(chosen, before))
    context = {**league_context(request, league, "nights"), "page": page, "season": chosen}
    part = "#report" if wants_fragment(request) else ""
    return render(request, f"leagues/played_night.html{part}", context)


def _day(text: str) -> date | None:
    """A day of an address; None for what is not one."""
    try:
        day = date.fromisoformat(text) if len(text) == 10 else None
    except ValueError:
        return None
    return day if day and FIRST_INSTANT.date() < day < LAST_INSTANT.date() else None
