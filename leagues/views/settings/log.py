"""Show who changed which setting of a league."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from leagues import access
from leagues.access import Action
from leagues.selectors.settings import audit_page
from leagues.views.settings.pages import settings_page


@require_safe
def log(request: HttpRequest, slug: str) -> HttpResponse:
    """List the changes, newest first."""
    league = access.league(request, slug, Action.AUDIT)
    page = audit_page(league, before=request.GET.get("before", ""))
    return settings_page(request, league, "settings_log", {"page": page})
