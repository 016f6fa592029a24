"""See a league's seasons, start a new one, and take the steps of their lives."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from leagues import access
from leagues.access import Action
from leagues.accounts.confirmation import is_confirmed, password_form
from leagues.forms.seasons import (
    CarryoverForm,
    NextSeasonForm,
    SeasonForm,
    StepForm,
    told_in_days,
    told_in_percent,
)
from leagues.forms.settings import add_errors
from leagues.pages.carryover import carryover_tables
from leagues.pages.dashboard import state_marks
from leagues.pages.seasons import sealing_said, season_steps
from leagues.pages.settings import season_rows
from leagues.services.carryover import next_bounds, next_name
from leagues.services.errors import Refused
from leagues.services.leagues import create_season
from leagues.services.season_settings import season_changed, season_days_lines, update_season
from leagues.services.seasons import (
    REQUIRES_PASSWORD,
    Step,
    carry_over,
    dry_run,
    preview_carryover,
    start_next_season,
    take_step,
)
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
            messages.success(request, _("“%(season)s” is made.") % {"season": season.name})
            return redirect("leagues:settings_seasons", league.slug)
    context = {"form": form, "seasons": season_rows(league)}
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
    context = {
        "season": chosen,
        "states": state_marks(chosen),
        "steps": season_steps(chosen, access.rights(access.principal_of(request), league)),
        "sealing": sealing_said(chosen),
        "may_carry": chosen.follows_id and not chosen.last_seq and not chosen.is_sealed,
    }
    return settings_page(request, league, "settings_season", context, tab=TAB)


@require_http_methods(ACCEPT)
def step(request: HttpRequest, slug: str, season: str, step: str) -> HttpResponse:
    """Say what a step will do; take it."""
    league = access.league(request, slug, Action.SETTINGS)
    if step not in Step.values:
        raise Http404
    chosen, taking = access.season(request, league, season), Step(step)
    if taking is Step.REOPEN and not access.allowed(
        access.principal_of(request), Action.REOPEN, league
    ):
        raise PermissionDenied
    now = timezone.now()
    run = dry_run(chosen, taking, now)
    again = password_form(request) if taking in REQUIRES_PASSWORD else None
    form = StepForm(
        chosen,
        request.POST if request.method == "POST" else None,
        why=taking.needs_reason,
        named=taking in REQUIRES_PASSWORD,
    )
    problems = list(run.problems)
    if form.is_bound and form.is_valid() and is_confirmed(request, again):
        try:
            chosen = take_step(
                chosen,
                taking,
                actor=access.signed_in(request),
                now=now,
                reason=form.cleaned_data.get("reason", ""),
            )
        except Refused as refusal:
            problems = [problem.message for problem in refusal.problems]
        else:
            if taking is not Step.SEAL:
                words = {"season": chosen.name, "state": chosen.get_state_display()}
                messages.success(request, _("“%(season)s” is %(state)s now.") % words)
            return redirect("leagues:settings_season", league.slug, chosen.slug)
    context = {
        "season": chosen,
        "step": taking,
        "run": run,
        "problems": problems,
        "form": form,
        "again": again,
        "states": state_marks(chosen),
    }
    return settings_page(
        request,
        league,
        "settings_season_step",
        context,
        tab=TAB,
        status=INVALID if form.is_bound else 200,
    )


@require_http_methods(ACCEPT)
def days(request: HttpRequest, slug: str, season: str) -> HttpResponse:
    """Change what a season is called, and its first and last day."""
    league = access.league(request, slug, Action.SETTINGS)
    chosen = access.season(request, league, season)
    form = SeasonForm(
        request.POST if request.method == "POST" else None,
        initial=told_in_days(league, chosen.name, chosen.starts_at, chosen.ends_at),
    )
    if form.is_bound and form.is_valid():
        try:
            changed = update_season(
                chosen,
                **form.words(league),
                actor=access.signed_in(request),
                now=timezone.now(),
            )
        except ValidationError as error:
            add_errors(form, error)
        else:
            messages.success(request, " ".join(season_changed(changed)))
            return redirect("leagues:settings_season", league.slug, changed.slug)
    return settings_page(
        request,
        league,
        "settings_season_days",
        {"season": chosen, "form": form, "lines": season_days_lines(chosen)},
        tab=TAB,
        status=INVALID if form.is_bound else 200,
    )


@require_http_methods(ACCEPT)
def carry(request: HttpRequest, slug: str, season: str) -> HttpResponse:
    """Choose what players bring from the season before, look at it, and do it or undo it."""
    league = access.league(request, slug, Action.SETTINGS)
    chosen = access.season(request, league, season)
    form = CarryoverForm(_asked(request), initial=told_in_percent(chosen))
    problems: list[str] = []
    tables: Any = ()
    if form.is_bound and form.is_valid():
        try:
            if request.method == "POST":
                carry_over(
                    chosen, **form.carryover, actor=access.signed_in(request), now=timezone.now()
                )
                messages.success(request, _("What players bring is written down."))
                return redirect("leagues:settings_season", league.slug, chosen.slug)
            tables = carryover_tables(preview_carryover(chosen, **form.carryover))
        except Refused as refusal:
            problems = [problem.message for problem in refusal.problems]
    context = {"season": chosen, "form": form, "tables": tables, "problems": problems}
    return settings_page(
        request,
        league,
        "settings_season_carryover",
        context,
        tab=TAB,
        status=INVALID if request.method == "POST" else 200,
    )


@require_http_methods(ACCEPT)
def following(request: HttpRequest, slug: str, season: str) -> HttpResponse:
    """Make the season after one, as a draft with the same boards."""
    league = access.league(request, slug, Action.SETTINGS)
    chosen = access.season(request, league, season)
    initial = told_in_days(league, next_name(chosen), *next_bounds(chosen))
    form = NextSeasonForm(request.POST if request.method == "POST" else None, initial=initial)
    problems: list[str] = []
    if form.is_bound and form.is_valid():
        try:
            made = start_next_season(
                chosen,
                name=form.cleaned_data["name"],
                days=form.days(league),
                **form.carryover,
                actor=access.signed_in(request),
                now=timezone.now(),
            )
        except Refused as refusal:
            problems = [problem.message for problem in refusal.problems]
        except ValidationError as error:
            add_errors(form, error)
        else:
            messages.success(
                request, _("“%(season)s” is made, as a draft.") % {"season": made.name}
            )
            return redirect("leagues:settings_season", league.slug, made.slug)
    context = {"season": chosen, "form": form, "problems": problems}
    return settings_page(
        request,
        league,
        "settings_season_next",
        context,
        tab=TAB,
        status=INVALID if form.is_bound else 200,
    )


def _asked(request: HttpRequest) -> Any:
    """Return what the form is filled from: a preview is a GET with the choices in its address."""
    if request.method == "POST":
        return request.POST
    return request.GET if "carry" in request.GET else None
