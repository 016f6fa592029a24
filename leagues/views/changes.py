"""The changes of a league: one log of results and settings for everybody who may read it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from leagues import access
from leagues.access import Action
from leagues.forms.log import FIELDS, LogForm
from leagues.pages.log import log_page
from leagues.selectors.names import known_names
from leagues.store.planned import restartable_snapshot
from leagues.views.common import league_context
from leagues.views.limits import SEARCHES, limit_requests

INVALID = 422


@require_safe
@limit_requests(SEARCHES, parameter="player")
@restartable_snapshot
def changes(request: HttpRequest, slug: str) -> HttpResponse:
    """List the changes, newest first, as the filter says."""
    league = access.league(request, slug, Action.VIEW)
    rights = access.rights(access.principal_of(request), league)
    is_organizer = Action.AUDIT in rights
    seasons = access.visible_seasons(access.principal_of(request), league)
    form = LogForm(league, list(seasons), request.GET, is_organizer=is_organizer)
    is_valid = form.is_valid()
    context = {
        **league_context(request, league, "changes", rights),
        "form": form,
        "is_filtered": any(request.GET.get(name) for name in FIELDS),
        "names": known_names(league),
    }
    if is_organizer:
        context["members"] = league.memberships.values_list("user__username", flat=True)
    if is_valid:
        context["page"] = log_page(
            league=league,
            filters=form.filters,
            address_words={name: request.GET.get(name, "") for name in (*FIELDS, "before")},
            rights=rights,
            now=timezone.now(),
        )
    return render(request, "leagues/changes.html", context, status=200 if is_valid else INVALID)


@require_safe
def former_address(request: HttpRequest, slug: str) -> HttpResponse:
    """Lead from where revisions and settings had logs of their own."""
    access.league(request, slug, Action.VIEW)
    words = request.GET.urlencode()
    address = reverse("leagues:changes", args=[slug])
    return HttpResponseRedirect(f"{address}?{words}" if words else address)
