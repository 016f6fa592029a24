"""Correcting, voiding and restoring a match: first what it would do, then doing it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from leagues import access
from leagues.access import Action
from leagues.forms.fields import focus_first_error
from leagues.forms.result_values import fits_pair, initial_of, merged_values
from leagues.forms.results import (
    CorrectionForm,
    ListForm,
    MatchCorrectionForm,
    PairForm,
    ResultForm,
)
from leagues.models import Match, Revision, Season
from leagues.pages.entry_stakes import reentry_address
from leagues.pages.match_conflict import match_conflict
from leagues.pages.matches import match_address, meeting_of, result_line, when_played
from leagues.pages.revisions import MatchChange, match_changes, revision_address
from leagues.pages.saved import change_notice
from leagues.selectors.matches import read_people
from leagues.selectors.names import known_names
from leagues.services.drafts import turned_round
from leagues.services.entry import correct_result
from leagues.services.entry_drafts import Answers, UnclearName, UnclearNames
from leagues.services.entry_warnings import EntryWarning, NeedsConfirmation, WarningKind
from leagues.services.errors import Conflict, Problem, Refused
from leagues.services.matches import restore_match, void_match
from leagues.services.short_names import take_short_names
from leagues.services.stored_drafts import draft_at, draft_of
from leagues.views.common import league_context, wants_fragment
from leagues.views.entry import (
    answers_of,
    change_confirmed,
    confirmation_questions,
    enterer_of,
    mode_advice_for,
    remember_names,
    say_which_time,
    sent_answers,
    show_problems,
)
from leagues.views.limits import ENTRIES, limit_requests
from leagues.views.previews import preview_in_seasons, preview_of, wants_preview

OF_SCORES = {WarningKind.IMPOSSIBLE_SCORE, WarningKind.CONTRADICTION}


@require_http_methods(["GET", "HEAD", "POST"])
@limit_requests(ENTRIES, method="POST")
def correct(request: HttpRequest, slug: str, season: str, seq: int) -> HttpResponse:
    """Replace what a match says, or show what that would do."""
    match = access.match(request, slug, season, seq, Action.CORRECT)
    read_people(match)
    league = match.league
    seasons = access.visible_seasons(access.principal_of(request), league)
    before = draft_of(match)
    shape = PairForm if fits_pair(before) else ListForm
    initial = initial_of(before, league)
    context: dict[str, Any] = {"match": match, "title": meeting_of(match)}
    is_turned = "turned" in request.GET and fits_pair(before)
    context["turned_url"] = "?turned=yes" if fits_pair(before) and not is_turned else ""
    if request.method != "POST":
        context["is_turned"] = is_turned
        shown = initial_of(turned_round(before), league) if is_turned else initial
        context["form"] = shape(league, initial=shown, mode=match.mode)
        context["correction"] = MatchCorrectionForm(
            match, seasons, initial={"version": match.version}
        )
        return _correction_page(request, match, context)
    form = context["form"] = shape(league, request.POST, initial=initial, mode=match.mode)
    correction = context["correction"] = MatchCorrectionForm(match, seasons, request.POST)
    status = 422
    if form.is_valid() and correction.is_valid():
        change = partial(_save, request, match, form, correction)
        try:
            if wants_preview(request):
                context |= _preview(request, match, correction.target(), change)
                return _correction_page(request, match, context)
            revision, short = change(request.POST.get("settled", "").split())
            if revision is None:
                messages.info(request, _("Nothing was changed: this is what is already recorded."))
            else:
                remember_names(request, revision, form)
                if form.is_dated():
                    say_which_time(request, form)
                messages.success(request, change_notice(match, revision, short))
            return HttpResponseRedirect(_address_after(match, revision))
        except UnclearNames as unclear:
            context["questions"], context["newcomers"] = unclear.questions, unclear.newcomers
        except NeedsConfirmation as needed:
            context |= _questions(request, match, needed.warnings)
        except Refused as refused:
            _show_season_problems(correction, refused.problems)
            show_problems(form, tuple(one for one in refused.problems if one.field != "season"))
        except Conflict as conflict:
            context |= _conflict(request, form, correction, conflict.match)
            status = 409
    return _correction_page(request, match, context, status=status)


def _conflict(
    request: HttpRequest, form: PairForm | ListForm, correction: MatchCorrectionForm, match: Match
) -> dict[str, Any]:
    """Both versions, where someone else has changed the match first, and the form to go on with."""
    merged = _merged(form, correction.cleaned_data["version"], match)
    principal = access.principal_of(request)
    conflict = match_conflict(
        match=match,
        typed=(merged or form).entry(""),
        season=correction.target() or match.season,
        league=match.league,
        now=timezone.now(),
        names_accounts=access.is_allowed(principal, Action.AUDIT, match.league),
    )
    return {
        **{"conflict": conflict, "is_merged": merged is not None, "form": merged or form},
        "correction": correction.for_version(match.version),
    }


def _merged(typed: ResultForm, version: int, match: Match) -> PairForm | ListForm | None:
    """The form with what was changed of the version that it was opened with, else as stored now.

    None where that version is not known, or had another form.
    """
    before, now = draft_at(match, version), draft_of(match)
    if before is None or fits_pair(before) != fits_pair(now):
        return None
    shape = PairForm if fits_pair(now) else ListForm
    opened, stored = (
        shape(match.league, initial=initial_of(one, match.league), mode=match.mode)
        for one in (before, now)
    )
    values = merged_values(typed, opened, stored)
    form = shape(match.league, values, initial=stored.initial, mode=match.mode)
    return form if form.is_valid() else None


def _save(
    request: HttpRequest,
    match: Match,
    form: ResultForm,
    correction: MatchCorrectionForm,
    confirmed: Collection[str],
) -> tuple[Revision | None, tuple[UnclearName, ...]]:
    """Let a match say what valid forms say; and which short names were taken for whom."""

    def correct_once(answers: Answers) -> Revision | None:
        return correct_result(
            match=match,
            version=correction.cleaned_data["version"],
            correction=form.correction(correction.target()),
            enterer=enterer_of(request, match.league),
            answers=answers,
            confirmed=confirmed,
            reason=correction.cleaned_data["reason"],
        )

    return take_short_names(correct_once, answers_of(request))


def _show_season_problems(correction: MatchCorrectionForm, problems: tuple[Problem, ...]) -> None:
    """Put what a service refused of a season where it is chosen, else above the form."""
    field = "season" if "season" in correction.fields else None
    for problem in problems:
        if problem.field == "season":
            correction.add_error(field, ValidationError(problem.message, problem.code))


def _preview(
    request: HttpRequest,
    match: Match,
    target: Season | None,
    change: Callable[[Collection[str]], tuple[Revision | None, tuple[UnclearName, ...]]],
) -> dict[str, Any]:
    """What a correction would do, in the season that it moves the match to as well.

    With it goes what the match would say, read while it does, and what saving it asks.
    """
    warnings: list[EntryWarning] = []
    says: list[MatchChange] = []
    short: list[UnclearName] = []

    def change_once(confirmed: Collection[str]) -> Revision | None:
        revision, short[:] = change(confirmed)
        return revision

    def corrected() -> Revision | None:
        revision = change_confirmed(change_once, warnings)
        if revision is not None:
            says[:] = match_changes(revision, match.league, timezone.now())
        return revision

    seasons = [match.season, target] if target else [match.season]
    preview = preview_in_seasons(
        request, seasons, corrected, matches=1, is_league_wide=target is not None
    )
    asked = _questions(request, match, warnings)
    return {"preview": preview, "says": says, "short": short, **asked}


def _questions(
    request: HttpRequest, match: Match, warnings: Sequence[EntryWarning]
) -> dict[str, Any]:
    """What has to be confirmed before the correction is saved.

    A score that may be wrong is often the right one of the wrong side.
    """
    kinds = {warning.kind for warning in warnings}
    return {
        "confirmations": confirmation_questions(warnings, match.season),
        "mode_advice": mode_advice_for(request, match.league, warnings),
        "is_score_doubtful": not kinds.isdisjoint(OF_SCORES),
    }


@require_http_methods(["GET", "HEAD", "POST"])
@limit_requests(ENTRIES, method="POST")
def void(request: HttpRequest, slug: str, season: str, seq: int) -> HttpResponse:
    """Show what taking a match out of the ratings would do, then do it."""
    return _set_status(request, access.match(request, slug, season, seq, Action.VOID), is_void=True)


@require_http_methods(["GET", "HEAD", "POST"])
@limit_requests(ENTRIES, method="POST")
def restore(request: HttpRequest, slug: str, season: str, seq: int) -> HttpResponse:
    """Show what letting a void match count again would do, then do it."""
    match = access.match(request, slug, season, seq, Action.RESTORE)
    return _set_status(request, match, is_void=False)


def _set_status(request: HttpRequest, match: Match, *, is_void: bool) -> HttpResponse:
    form = CorrectionForm(initial={"version": match.version})
    context: dict[str, Any] = {}
    status = 200
    if request.method == "POST":
        form = CorrectionForm(request.POST)
        status = 422
        if form.is_valid():

            def change() -> Revision | None:
                return (void_match if is_void else restore_match)(
                    match=match,
                    author=access.signed_in(request),
                    expected_version=form.cleaned_data["version"],
                    reason=form.cleaned_data["reason"],
                )

            try:
                if not wants_preview(request):
                    revision = change()
                    if revision is not None:
                        messages.success(request, change_notice(match, revision))
                    return HttpResponseRedirect(_address_after(match, revision))
                context["preview"] = preview_of(request, match.season, change)
                status = 200
            except Refused as refused:
                form.add_error(None, [problem.message for problem in refused.problems])
            except Conflict as conflict:
                match, status = conflict.match, 409
                form = form.for_version(match.version)
        focus_first_error(form)
    context |= {
        **league_context(request, match.league, "results"),
        "match": match,
        "title": result_line(match),
        "when": when_played(match, match.league),
        "is_void": is_void,
        "form": form,
        "conflict": status == 409,
        "back": match_address(match, match.league, match.season),
    }
    part = "#preview" if wants_fragment(request) else ""
    return render(request, f"leagues/void.html{part}", context, status=status)


def _address_after(match: Match, revision: Revision | None) -> str:
    """The address after a change: its revision, or back where nothing changed."""
    if revision is None:
        return match_address(match, match.league, match.season)
    return revision_address(match.league, revision.season, revision.number)


def _correction_page(
    request: HttpRequest, match: Match, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    if wants_fragment(request):
        return render(request, "leagues/correct.html#preview", context, status=status)
    league, form = match.league, context["form"]
    context |= {
        **league_context(request, league, "results"),
        "is_previewed": wants_preview(request),
        "names": known_names(league),
        "answered": sent_answers(request),
        "back": match_address(match, league, match.season),
        "reentry_url": reentry_address(match, league.modes.all()),
    }
    focus_first_error(form)
    if not form.errors:
        focus_first_error(context["correction"])
    return render(request, "leagues/correct.html", context, status=status)
