"""Adding a player, with what is known of the player."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from leagues import access, bridge
from leagues.access import Action
from leagues.forms.fields import focus_first_error
from leagues.forms.player_adding import AddPlayerForm
from leagues.models import League
from leagues.selectors.people import without_results
from leagues.selectors.player_groups import groups_of_league
from leagues.selectors.starts import boards_with_starts
from leagues.services.errors import Refused
from leagues.services.player_adding import add_player as store_player
from leagues.views.common import league_context

INVALID = 422


@require_http_methods(["GET", "HEAD", "POST"])
def add_player(request: HttpRequest, slug: str) -> HttpResponse:
    """Let an organizer add a player."""
    league = access.league(request, slug, Action.PLAYERS)
    boards = [one for one in boards_with_starts(league) if bridge.start_obstacle(one) is None]
    if request.method != "POST":
        return _page(request, league, AddPlayerForm(boards))
    form = AddPlayerForm(boards, request.POST)
    if form.is_valid():
        try:
            player = store_player(league=league, wish=form.wish(), actor=access.signed_in(request))
        except Refused as refused:
            form.add_problems(refused.problems)
        else:
            messages.success(request, _("%(name)s was added.") % {"name": player.name})
            return redirect("leagues:player", slug, player.key)
    focus_first_error(form)
    return _page(request, league, form, INVALID)


def _page(
    request: HttpRequest, league: League, form: AddPlayerForm, status: int = 200
) -> HttpResponse:
    context = {
        **league_context(request, league, "player_add"),
        "form": form,
        "groups": groups_of_league(league),
        "waiting": without_results(league),
    }
    return render(request, "leagues/player_add.html", context, status=status)
