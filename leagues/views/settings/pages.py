"""What the settings pages of a league share: their frame and their tabs."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from leagues import access
from leagues.models import League
from leagues.pages.frame import NavItem
from leagues.views.common import league_context
from leagues.views.open_sheets import sheets_to_finish

INVALID = 422


def settings_page(
    request: HttpRequest,
    league: League,
    current: str,
    context: dict[str, Any] | None = None,
    *,
    status: int = 200,
    tab: str = "",
) -> HttpResponse:
    """Render one of the settings pages; `current` is its route and names its template.

    `tab` is the route of the page that it belongs to, where that is another one.
    """
    tab_of = tab or current
    rights = access.rights(access.principal_of(request), league)
    places = (
        ("settings", _("General"), access.Action.SETTINGS),
        ("settings_boards", _("Boards"), access.Action.SETTINGS),
        ("settings_seasons", _("Seasons"), access.Action.SETTINGS),
        ("settings_members", _("Members"), access.Action.ROLES),
        ("settings_tokens", _("API tokens"), access.Action.TOKENS),
    )
    tabs = [
        NavItem(label, reverse(f"leagues:{route}", args=[league.slug]), route == tab_of)
        for route, label, action in places
        if action in rights
    ]
    surroundings = league_context(request, league, "settings", rights)
    return render(
        request,
        f"leagues/{current}.html",
        {
            **surroundings,
            "tabs": tabs,
            "open_sheets": sheets_to_finish(request, league) if tab_of == "settings_boards" else (),
            **(context or {}),
        },
        status=status,
    )
