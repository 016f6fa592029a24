"""The front page, and the choice between light and dark."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from leagues import access
from leagues.pages.home import league_list
from leagues.services.setup import needs_setup
from leagues.store.planned import restartable_snapshot
from leagues.views.common import LOOK_COOKIE, read_number, safe_address
from leagues.views.limits import SEARCHES, limit_requests
from leagues.views.open_sheets import sheets_to_finish

YEAR = 365 * 24 * 60 * 60
MOST_PAGES = 9_999


@require_safe
@limit_requests(SEARCHES, parameter="q")
@restartable_snapshot
def home(request: HttpRequest) -> HttpResponse:
    """Introduce the site, and list the leagues that the visitor may read."""
    principal = access.principal_of(request)
    now = timezone.now()
    page = read_number(request.GET.get("page", ""), MOST_PAGES) or 1
    listed = league_list(
        leagues=access.visible_leagues(principal),
        own=set(access.own_leagues(principal).values_list("pk", flat=True)),
        query=request.GET.get("q", "").replace("\x00", "").strip()[:64],
        page=page,
        now=now,
    )
    context = {
        "leagues": listed,
        "is_home": True,
        "open_sheets": sheets_to_finish(request),
        "is_first_start": request.user.is_anonymous and needs_setup(),
    }
    return render(request, "leagues/home.html", context)


@require_safe
def look(request: HttpRequest) -> HttpResponse:
    """Keep light, dark or neither in a cookie, and go back."""
    response = HttpResponseRedirect(safe_address(request, request.GET.get("next", "/")))
    chosen = request.GET.get("to", "")
    if chosen in ("light", "dark"):
        response.set_cookie(
            LOOK_COOKIE, chosen, max_age=YEAR, samesite="Lax", secure=request.is_secure()
        )
    else:
        response.delete_cookie(LOOK_COOKIE, samesite="Lax")
    return response
