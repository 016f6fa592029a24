"""The simulator: a population with known skills, rated round by round."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from leagues import access
from leagues.access import Action
from leagues.forms.simulator import MOST_ROUNDS, SimulatorForm
from leagues.pages.simulator import simulation_page
from leagues.selectors.board_selection import select_board
from leagues.views.common import league_context, read_number, wants_fragment
from leagues.views.limits import slow

INVALID = 422


@require_safe
@slow
def simulator(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a simulation after one of its rounds; whatever the address leaves out is a default."""
    league = access.league(request, slug, Action.VIEW)
    look = select_board(league=league)
    words = {
        name: value
        for name, value in request.GET.dict().items()
        if name in SimulatorForm.base_fields
    }
    form = SimulatorForm(look.boards if look else (), words)
    page = None
    if form.is_valid():
        rounds = form.cleaned_data["rounds"]
        chosen = read_number(request.GET.get("round", ""), MOST_ROUNDS) or rounds
        page = simulation_page(
            league=league, systems=form.chosen, words=form.words(), round_=chosen
        )
    context = {**league_context(request, league, "systems"), "form": form, "page": page}
    fragment = wants_fragment(request) and page is not None
    template = "leagues/simulator.html#simulation" if fragment else "leagues/simulator.html"
    return render(request, template, context, status=200 if page else INVALID)
