"""Change the rules of a board: other parameters, a preview of what they change, and a reason."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseClientRefresh

from leagues import access
from leagues.access import Action
from leagues.forms.rules import ReasonForm, RulesForm
from leagues.pages.rules import rules_address, version_rows
from leagues.pages.trials import trial_page
from leagues.services.errors import Refused
from leagues.services.rules import change_rules, preview_rules
from leagues.services.trials import effective_at_of
from leagues.views.common import wants_fragment
from leagues.views.settings.pages import INVALID, settings_page

ACCEPT = ("GET", "HEAD", "POST")


@require_http_methods(ACCEPT)
def rules(request: HttpRequest, slug: str, season: str, board: str) -> HttpResponse:
    """Offer a board's parameters to be changed; what is typed is previewed, not yet the rule."""
    league = access.league(request, slug, Action.SETTINGS)
    chosen = access.board(access.season(request, league, season), board)
    form = RulesForm(chosen, request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        try:
            trial = preview_rules(
                chosen,
                parameters=form.parameters,
                effective_at=form.effective_at,
                actor=access.signed_in(request),
            )
        except ValidationError as error:
            form.refuse(error)
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            return redirect("leagues:settings_rules_confirm", league.slug, trial.pk)
    context = {
        "board": chosen,
        "form": form,
        "versions": version_rows(chosen, now=timezone.now()),
        "rules_url": rules_address(chosen),
    }
    return settings_page(
        request,
        league,
        "settings_rules",
        context,
        status=INVALID if form.is_bound else 200,
        tab="settings_boards",
    )


@require_http_methods(ACCEPT)
def confirm(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show what other rules would change, and make them the rules."""
    league = access.league(request, slug, Action.SETTINGS)
    trial = access.trial(request, league, number)
    board = trial.board
    if board is None:
        raise Http404
    now = timezone.now()
    if request.method != "POST" and wants_fragment(request):
        page = trial_page(trial, now=now)
        response = render(request, "leagues/trial.html#outcome", {"league": league, "page": page})
        response.headers["Cache-Control"] = "no-store"
        # The whole page again, with the form that waits for the preview.
        return response if page.is_under_way else HttpResponseClientRefresh()
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        if trial.finished_at is None:
            form.add_error(None, _("Wait until the preview has been computed."))
        else:
            try:
                change_rules(
                    board,
                    parameters=trial.parameters,
                    effective_at=effective_at_of(trial),
                    actor=access.signed_in(request),
                    reason=form.cleaned_data["reason"],
                )
            except ValidationError as error:
                form.refuse(error)
            except Refused as refusal:
                form.add_error(None, str(refusal))
            else:
                messages.success(
                    request,
                    _("The rules have changed. “%(board)s” is being rated again.")
                    % {"board": board.name},
                )
                return redirect(rules_address(board))
    context = {"board": board, "form": form, "page": trial_page(trial, now=now)}
    return settings_page(
        request,
        league,
        "settings_rules_confirm",
        context,
        status=INVALID if form.is_bound else 200,
        tab="settings_boards",
    )
