"""Make a league, change its rules, and take it away as a file."""

from __future__ import annotations

import copy

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from leagues import access
from leagues.access import Action
from leagues.forms.settings import LeagueSettingsForm, NewLeagueForm, add_errors
from leagues.forms.zones import zone_places
from leagues.pages.settings import walkover_lines
from leagues.selectors.league_file import league_zip
from leagues.services.leagues import RANKED_AFTER, create_league, update_league
from leagues.store.planned import restartable_snapshot
from leagues.views.file_types import ZIP
from leagues.views.limits import Download, download
from leagues.views.settings.pages import INVALID, settings_page

ACCEPT = ("GET", "HEAD", "POST")


@require_http_methods(ACCEPT)
def new_league(request: HttpRequest) -> HttpResponse:
    """Make a league; whoever makes it is its organizer."""
    owner = access.signed_in(request)
    form = NewLeagueForm(
        request.POST if request.method == "POST" else None,
        languages=request.headers.get("Accept-Language", ""),
    )
    if form.is_bound and form.is_valid():
        try:
            league = create_league(owner=owner, **form.cleaned_data)
        except ValidationError as error:
            add_errors(form, error)
        else:
            return redirect("leagues:board", league.slug)
    context = {"form": form, "zones": zone_places(), "ranked_after": RANKED_AFTER}
    return render(request, "leagues/new.html", context, status=INVALID if form.is_bound else 200)


@require_http_methods(ACCEPT)
def league_settings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show and change the rules of a league."""
    league = access.league(request, slug, Action.SETTINGS)
    form = LeagueSettingsForm(
        request.POST if request.method == "POST" else None,
        # The form writes what was typed into its instance, valid or not.
        instance=copy.copy(league),
    )
    lines: tuple[str, ...] = ()
    if form.is_bound and form.is_valid():
        walkovers = form.cleaned_data["walkovers"]
        if walkovers not in (league.walkovers, request.POST.get("told_walkovers")):
            lines = walkover_lines(league, walkovers)
    if form.is_bound and form.is_valid() and not lines:
        try:
            changed = update_league(
                league=league,
                changes=form.cleaned_data,
                actor=access.signed_in(request),
            )
        except ValidationError as error:
            add_errors(form, error)
        else:
            messages.success(request, _("Settings saved."))
            return redirect("leagues:settings", changed.slug)
    return settings_page(
        request,
        league,
        "settings",
        {"form": form, "zones": zone_places(), "lines": lines},
        status=INVALID if form.is_bound else 200,
    )


@require_safe
@download
@restartable_snapshot
def league_file(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Send the whole league as a file, private names and years of birth included."""
    league = access.league(request, slug, Action.SETTINGS)
    response = Download(league_zip(league), content_type=ZIP)
    response.headers["Content-Disposition"] = f'attachment; filename="{league.slug}.zip"'
    return response
