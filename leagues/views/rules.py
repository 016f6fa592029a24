"""How ratings work here: the rules of a board, in words."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from leagues import access
from leagues.access import Action
from leagues.pages.boards import board_tabs, season_choices
from leagues.pages.rules import rules_address, rules_page
from leagues.store.planned import restartable_snapshot
from leagues.views.common import league_context, look_of


@require_safe
@restartable_snapshot
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    """Show how the chosen board rates, and which rules held when."""
    league = access.league(request, slug, Action.VIEW)
    look = look_of(request, league)
    context = {
        **league_context(request, league, "rules"),
        "look": look,
        "seasons": season_choices(look),
        "tabs": board_tabs(look, rules_address),
        "page": rules_page(look.board, now=timezone.now()) if look.board else None,
    }
    return render(request, "leagues/rules.html", context)
