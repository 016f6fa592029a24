"""See a league's seasons, start a new one, and take the steps of their lives."""

from __future__ import annotations

from functools import partial

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from leagues import access
from leagues.access import Action
from leagues.forms.seasons import SeasonForm
from leagues.forms.settings import add_errors
from leagues.pages.dashboard import state_marks
from leagues.pages.openings import opening_links
from leagues.pages.seals import seal_of
from leagues.pages.seasons import keeping_step, sealing_progress, step_address
from leagues.pages.settings import season_rows
from leagues.pages.starting import carryover_sentence, starting_tables
from leagues.selectors.boards import boards_of
from leagues.selectors.seasons import season_to_follow
from leagues.services.leagues import create_season
from leagues.services.seasons import describe_absent_players
from leagues.views.season_steps import answer_step, step_choices
from leagues.views.settings.pages import INVALID, settings_page

ACCEPT = ("GET", "HEAD", "POST")
TAB = "settings_seasons"


@require_http_methods(ACCEPT)
def seasons(request: HttpRequest, slug: str) -> HttpResponse:
    """List the seasons; make one with the boards of the current one."""
    league = access.league(request, slug, Action.SETTINGS)
    form = SeasonForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        try:
            season = create_season(
                league=league, **form.words(league), actor=access.signed_in(request)
            )
        except ValidationError as error:
            add_errors(form, error)
        else:
            messages.success(request, _("“%(season)s” was created.") % {"season": season.name})
            return redirect("leagues:settings_seasons", league.slug)
    former = season_to_follow(league)
    context = {
        "form": form,
        "seasons": season_rows(league),
        "after": keeping_step(former) if former else None,
    }
    return settings_page(
        request,
        league,
        "settings_seasons",
        context,
        status=INVALID if form.is_bound else 200,
    )


@require_safe
def steps(request: HttpRequest, slug: str, season: str) -> HttpResponse:
    """Show where a season is, what was last done with it, and what can be done next."""
    league = access.league(request, slug, Action.SETTINGS)
    chosen = access.season(request, league, season)
    is_fresh = not chosen.matches.exists()
    context = {
        "season": chosen,
        "states": state_marks(chosen),
        "starting": starting_tables(boards_of(chosen)) if is_fresh else (),
        "carryover": carryover_sentence(chosen) if is_fresh else "",
        "openings": opening_links(chosen),
        "steps": step_choices(request, chosen, partial(step_address, chosen)),
        "sealing": sealing_progress(chosen),
        "seal": seal_of(chosen),
        "absent": tuple(describe_absent_players(chosen)) if chosen.takes_late_results else (),
    }
    return settings_page(request, league, "settings_season", context, tab=TAB)


@require_http_methods(ACCEPT)
def step(request: HttpRequest, slug: str, season: str, step: str) -> HttpResponse:
    """Show what a step will do; take it."""
    league = access.league(request, slug, Action.SETTINGS)
    chosen = access.season(request, league, season)
    page = answer_step(request, chosen, step)
    if page.season is not None:
        messages.success(request, page.step.announcement(page.season))
        return redirect("leagues:settings_season", league.slug, page.season.slug)
    return settings_page(
        request,
        league,
        "settings_season_step",
        {
            "season": chosen,
            "page": page,
            "states": state_marks(chosen),
            "former": page.step.unsealed_former(chosen),
        },
        tab=TAB,
        status=page.status,
    )
