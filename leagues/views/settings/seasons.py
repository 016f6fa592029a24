"""See a league's seasons and start a new one."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from leagues import access
from leagues.access import Action
from leagues.forms.settings import SeasonForm, add_errors
from leagues.selectors.settings import season_rows
from leagues.services.leagues import create_season
from leagues.views.settings.pages import INVALID, settings_page


@require_http_methods(["GET", "HEAD", "POST"])
def seasons(request: HttpRequest, slug: str) -> HttpResponse:
    """List the seasons; make one with the boards of the current one."""
    league = access.league(request, slug, Action.SETTINGS)
    form = SeasonForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        starts_at, ends_at = form.bounds(league)
        try:
            season = create_season(
                league=league,
                name=form.cleaned_data["name"],
                starts_at=starts_at,
                ends_at=ends_at,
                actor=access.signed_in(request),
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
