"""Entering a result."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import date
from functools import partial
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from leagues import access, wording
from leagues.access import Action
from leagues.domain.civil_days import day_of
from leagues.domain.nights import evening_of
from leagues.domain.who_plays import EntryShape
from leagues.forms.fields import focus_first_error
from leagues.forms.reshaping import TYPED_PLACES, reshaped_values
from leagues.forms.results import (
    ListForm,
    PairForm,
    ResultForm,
    first_values,
    focus_first_player,
    new_form_id,
    read_answers,
    read_form_id,
)
from leagues.models import League, Match, Mode, Revision, Season
from leagues.pages.boards import Choice
from leagues.pages.entry_warnings import (
    ConfirmationQuestion,
    ModeAdvice,
    confirmation_question,
    mode_advice,
    time_came_twice,
)
from leagues.pages.matches import match_address
from leagues.pages.night import evening_hint
from leagues.pages.saved import entry_notice, newcomers_notice, short_names_notice
from leagues.pages.seasons import keeping_step, step_address
from leagues.pages.started_matches import ending_note
from leagues.selectors.board_selection import BoardSelection
from leagues.selectors.matches import numbered_match
from leagues.selectors.names import known_names
from leagues.selectors.seasons import newest_draft, season_to_follow
from leagues.services.entry import Entered, Enterer, enter_results
from leagues.services.entry_drafts import Answers, UnclearName, UnclearNames
from leagues.services.entry_warnings import EntryWarning, NeedsConfirmation
from leagues.services.errors import Problem, Refused
from leagues.services.seasons import Step
from leagues.services.short_names import remember_answers, take_short_names
from leagues.services.started_matches import as_result_of
from leagues.services.validation import season_problem
from leagues.views.common import league_context, look_of, read_number, wants_fragment
from leagues.views.entry_choice import EntryChoice, entry_choice
from leagues.views.entry_start import first_players, stakes_of_form, start_to_end
from leagues.views.limits import ENTRIES, limit_requests
from leagues.views.previews import preview_of, wants_preview

FORMS: dict[EntryShape, type[ResultForm]] = {
    EntryShape.PAIR: PairForm,
    EntryShape.TEAMS: PairForm,
    EntryShape.LIST: ListForm,
}
MOST_MATCHES = 10**12


@require_http_methods(["GET", "HEAD", "POST"])
@limit_requests(ENTRIES, method="POST")
def enter(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a result; the same form sent twice records it once."""
    league = access.league(request, slug, Action.ENTER)
    look = look_of(request, league)
    choice = entry_choice(request, look, league)
    season, mode, shape = look.season, choice.mode, choice.shape
    context: dict[str, Any] = {
        **{"season": season, "choice": choice},
        **closed_notice(request, league, look),
    }
    if request.method != "POST" or season is None or choice.is_other:
        return _first_page(request, league, look, choice, context)
    form = FORMS[shape](league, request.POST, mode=mode)
    context["form_id"] = read_form_id(request.POST.get("form_id", ""))
    if form.is_valid():
        season = _season_of(request, look, form) or season
        try:
            if wants_preview(request):
                context |= _preview(request, season, mode, form, context["form_id"])
                return _entry_page(request, league, form, context)
            confirmed = request.POST.get("settled", "").split()
            entered, short = _record(request, season, mode, form, context["form_id"], confirmed)
            match = entered.matches[0]
            remember_names(request, entered.revision, form)
            say_which_time(request, form)
            if short:
                messages.info(request, short_names_notice(short, match))
            if not wants_another(request) and (news := newcomers_notice(match.revision, match)):
                messages.info(request, news)
            address = _next_address(request, league, look, mode, form, match, shape)
            return HttpResponseRedirect(address)
        except UnclearNames as unclear:
            context["questions"], context["newcomers"] = unclear.questions, unclear.newcomers
        except NeedsConfirmation as needed:
            context |= _questions(request, season, needed.warnings)
        except Refused as refused:
            if "id_reused" in refused.codes:
                context["form_id"] = new_form_id()
                context["again"] = True
            else:
                show_problems(form, refused.problems)
    return _entry_page(request, league, form, context, status=422)


def _first_page(
    request: HttpRequest,
    league: League,
    look: BoardSelection,
    choice: EntryChoice,
    context: dict[str, Any],
) -> HttpResponse:
    """The form before anything was recorded: empty, or with what was typed in another shape."""
    if choice.is_other:
        values = reshaped_values(request.POST.dict(), choice.shape)
    else:
        values = first_players(request, league, look.season)
    has_start = start_to_end(request, look.season) is not None
    day = _first_day(request, league, has_start=has_start)
    form = FORMS[choice.shape](league, initial=first_values(day) | values, mode=choice.mode)
    context["stakes"] = stakes_of_form(request, look, choice.mode, values)
    context["form_id"] = read_form_id(request.POST.get("form_id", ""))
    focus_first_player(form, is_next=bool(request.GET.get("recorded")))
    return _entry_page(request, league, form, context, part="_entry_form.html")


def _record(
    request: HttpRequest,
    season: Season,
    mode: Mode,
    form: ResultForm,
    form_id: str,
    confirmed: Collection[str],
) -> tuple[Entered, tuple[UnclearName, ...]]:
    """Record the result of a valid form, and which short names were taken for whom."""
    ends, entry = start_to_end(request, season), form.entry(form_id)
    if ends is not None:
        entry = as_result_of(ends, entry)

    def enter_once(answers: Answers) -> Entered:
        return enter_results(
            season=season,
            mode=mode,
            entries=[entry],
            enterer=enterer_of(request, season.league),
            kind=Revision.Kind.ENTRY,
            answers=answers,
            confirmed=confirmed,
        )

    return take_short_names(enter_once, answers_of(request))


def _preview(
    request: HttpRequest, season: Season, mode: Mode, form: ResultForm, form_id: str
) -> dict[str, Any]:
    """What the result would do, and what recording it asks."""

    short: list[UnclearName] = []
    warnings: list[EntryWarning] = []

    def change(confirmed: Collection[str]) -> Revision | None:
        entered, short[:] = _record(request, season, mode, form, form_id, confirmed)
        return None if entered.already_there else entered.revision

    preview = preview_of(request, season, partial(change_confirmed, change, warnings))
    return {"preview": preview, "short": short, **_questions(request, season, warnings)}


def change_confirmed(
    change: Callable[[Collection[str]], Revision | None], warnings: list[EntryWarning]
) -> Revision | None:
    """Make a change for its preview, and confirm what it asks: `warnings` is filled with that."""
    try:
        return change(())
    except NeedsConfirmation as needed:
        warnings[:] = needed.warnings
        return change([warning.code for warning in warnings])


def _questions(
    request: HttpRequest, season: Season, warnings: Sequence[EntryWarning]
) -> dict[str, Any]:
    """What has to be confirmed before the result is recorded."""
    return {
        "confirmations": confirmation_questions(warnings, season),
        "fitting_modes": fitting_modes_of(warnings),
        "mode_advice": mode_advice_for(request, season.league, warnings),
    }


def confirmation_questions(
    warnings: Iterable[EntryWarning], season: Season
) -> list[ConfirmationQuestion]:
    """What has to be confirmed, as questions."""
    now = timezone.now()
    return [confirmation_question(warning, season, now) for warning in warnings]


def fitting_modes_of(warnings: Iterable[EntryWarning]) -> tuple[Mode, ...]:
    """The other modes that are for a result which the chosen one is not for."""
    wrong = next((warning.wrong_mode for warning in warnings if warning.wrong_mode), None)
    return wrong.fitting if wrong else ()


def mode_advice_for(
    request: HttpRequest, league: League, warnings: Iterable[EntryWarning]
) -> ModeAdvice | None:
    """What to do about results that no mode is for, for those who may change settings."""
    advice = mode_advice(warnings, league)
    if advice and access.is_allowed(access.principal_of(request), Action.SETTINGS, league):
        return advice
    return None


def enterer_of(request: HttpRequest, league: League) -> Enterer:
    """Who enters or corrects a result in the browser."""
    principal = access.principal_of(request)
    return Enterer(
        source="browser",
        author=access.signed_in(request),
        may_backdate=access.is_allowed(principal, Action.BACKDATE, league),
        may_be_late=_may_be_late(request, league),
        is_asked=True,
    )


def answers_of(request: HttpRequest) -> Answers:
    """The answers about names that a form brings."""
    return Answers(read_answers(request.POST.getlist("asked"), request.POST.getlist("answer")))


def remember_names(request: HttpRequest, revision: Revision, form: ResultForm) -> None:
    """Remember the answers about names of a result that a revision saved."""
    remember_answers(
        revision=revision,
        names=[name for side in form.typed_sides() for name in side.names],
        answers=answers_of(request),
        actor=access.signed_in(request),
    )


def sent_answers(request: HttpRequest) -> list[tuple[str, str]]:
    """The answers about names, to be kept while something else is asked."""
    names, answers = request.POST.getlist("asked"), request.POST.getlist("answer")
    return [pair for pair in zip(names, answers, strict=False) if all(pair)]


def say_which_time(request: HttpRequest, form: ResultForm) -> None:
    """Let people know which instant was taken where the time came twice that day."""
    if form.came_twice():
        messages.info(request, time_came_twice(wording.clock(form.played_at())))


def _way_on(request: HttpRequest, league: League) -> dict[str, Any]:
    """What lets results be entered again, for whoever may do that: a draft to open, or a season
    to start after the last one.
    """
    if not access.is_allowed(access.principal_of(request), Action.SETTINGS, league):
        return {}
    draft = newest_draft(league)
    if draft is not None:
        return {"draft": Choice(draft.slug, draft.name, False, url=step_address(draft, Step.OPEN))}
    former = season_to_follow(league)
    return {"following": keeping_step(former)} if former is not None else {}


def closed_notice(
    request: HttpRequest, league: League, look: BoardSelection, page: str = "leagues:enter"
) -> dict[str, Any]:
    """The notice on a season that takes no results, and where to enter one instead."""
    if look.season is None:
        return _way_on(request, league)
    problem = season_problem(look.season, late=_may_be_late(request, look.season.league))
    if problem is None:
        return _not_begun(look.season)
    base = reverse(page, args=[look.season.league.slug])
    now_open = next((row for row in look.seasons if row.takes_results), None)
    if now_open is None:
        return {"season_closed": problem.message, **_way_on(request, league)}
    url = f"{base}?season={now_open.slug}"
    return {
        "season_closed": problem.message,
        "open_season": Choice(now_open.slug, now_open.name, False, url=url),
    }


def _not_begun(season: Season) -> dict[str, Any]:
    """The notice that a season takes no results of today yet."""
    first = season.first_day
    today = day_of(timezone.now(), season.league.zone)
    if first is None or first <= today:
        return {}
    words = _("The season “%(season)s” begins on %(day)s, and takes results from then on.")
    return {"season_begins": words % {"season": season.name, "day": wording.day(first, today)}}


def _season_of(request: HttpRequest, look: BoardSelection, form: ResultForm) -> Season | None:
    """The season that a result belongs to by its date, where the address names none."""
    if request.GET.get("season"):
        return None
    at = form.played_at()
    open_ones = (row for row in look.seasons if row.takes_results and row.holds(at))
    return next(open_ones, None)


def _may_be_late(request: HttpRequest, league: League) -> bool:
    """Whether somebody may enter results of a season that is closing."""
    return access.is_allowed(access.principal_of(request), Action.CORRECT, league)


def show_problems(form: ResultForm, problems: tuple[Problem, ...]) -> None:
    """Put what a service refused at the field it is about."""
    for problem in problems:
        field = form.PROBLEM_FIELDS.get(problem.field, problem.field)
        error = ValidationError(problem.message, problem.code)
        form.add_error(field if field in form.fields else None, error)


def _first_day(request: HttpRequest, league: League, *, has_start: bool) -> date:
    """The day that a form begins with: that of the evening, still in the small hours.

    A match that was started has its result on a day on which it was open.
    """
    try:
        return date.fromisoformat(request.GET.get("on", ""))
    except ValueError:
        now = timezone.now()
        return day_of(now, league.zone) if has_start else evening_of(now, league.zone)


def _next_address(
    request: HttpRequest,
    league: League,
    look: BoardSelection,
    mode: Mode,
    form: ResultForm,
    match: Match,
    shape: EntryShape,
) -> str:
    """The address after a recorded result: its page, or the next empty form."""
    if not wants_another(request):
        return match_address(match, league, match.season)
    on = form.cleaned_data["played_on"].isoformat()
    base = reverse("leagues:enter", args=[league.slug])
    # Named only where it was, or is another one: the next result may belong to any by its date.
    is_named = request.GET.get("season") or match.season != look.season
    season = match.season.slug if is_named else ""
    return f"{base}?season={season}&mode={mode.slug}&shape={shape}&on={on}&recorded={match.seq}"


def _recorded_notice(request: HttpRequest, season: Season | None, league: League) -> str:
    """What the next empty form says of the result that was recorded before it."""
    number = read_number(request.GET.get("recorded", ""), MOST_MATCHES)
    match = numbered_match(season, number) if season and number else None
    if match is None:
        return ""
    match.league = league
    return entry_notice(match)


def _ending_note(request: HttpRequest, season: Season | None, league: League) -> str:
    """Which started match the result of the form ends."""
    match = start_to_end(request, season)
    return ending_note(match, league) if match else ""


def wants_another(request: HttpRequest) -> bool:
    """Whether an empty form is to follow, also where something had to be asked first."""
    return bool(request.POST.get("another"))


def _entry_page(
    request: HttpRequest,
    league: League,
    form: ResultForm,
    context: dict[str, Any],
    *,
    status: int = 200,
    part: str = "enter.html#preview",
) -> HttpResponse:
    choice: EntryChoice = context["choice"]
    usual, other = choice.shape_choices()
    day = form["played_on"]
    if hint := evening_hint(day.value(), league.zone, timezone.now()):
        day.help_text = f"{hint} {_('Choose today for a time after midnight.')}"
    context |= {
        **league_context(request, league, "enter"),
        "form": form,
        **{"mode": choice.mode, "shape": choice.shape},
        **{"modes": choice.mode_choices(), "shapes": usual, "other_shapes": other},
        "typed_places": form.initial.get(TYPED_PLACES) or request.POST.get(TYPED_PLACES, ""),
        "ending": _ending_note(request, context["season"], league),
        "names": known_names(league),
        "recorded": "" if form.is_bound else _recorded_notice(request, context["season"], league),
        "another": wants_another(request),
        "is_previewed": wants_preview(request),
        "answered": sent_answers(request),
    }
    focus_first_error(form)
    template = part if wants_fragment(request) else "enter.html"
    return render(request, f"leagues/{template}", context, status=status)
