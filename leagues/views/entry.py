"""Entering a result, and correcting one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from leagues import access, wording
from leagues.access import Action
from leagues.forms.fields import focus_first_error
from leagues.forms.results import (
    Correction,
    ListForm,
    PairForm,
    ResultForm,
    first_values,
    fits_pair,
    focus_next_result,
    initial_of,
    new_form_id,
    read_answers,
    read_form_id,
)
from leagues.models import League, Match, Mode, Player, Season
from leagues.pages.boards import Choice, Look
from leagues.pages.doubts import Doubt, doubts_about
from leagues.pages.matches import match_address, meeting_of
from leagues.selectors.names import Guess, known_names, similar_players
from leagues.services.errors import Conflict, Problem, Refused
from leagues.services.matches import correct_match, draft_of, record_matches
from leagues.services.revisions import lock_season
from leagues.services.rosters import Roster
from leagues.services.validation import backdated_problem, season_problem
from leagues.views.boards import look_of
from leagues.views.common import league_context, read_number
from leagues.views.limits import ENTRIES, limited
from leagues.views.results import address_after
from ratings.files.names import fold_name

SHAPES: dict[str, type[ResultForm]] = {"pair": PairForm, "list": ListForm}
FIELDS = {"played_at": "played_on", "sides": None, "rank": "outcome", "score": "score_one"}
DATED = frozenset(("played_on", "played_time"))
NEW = "new"
MOST_MATCHES = 10**12


@dataclass(frozen=True, slots=True)
class Question:
    """A name that belongs to nobody yet: who may be meant, and what was answered so far."""

    name: str
    guesses: tuple[Guess, ...]
    answer: str


class Doubtful(Exception):
    """A result may be a mistake; whoever entered it is asked, and says that it is none."""

    def __init__(self, doubts: tuple[Doubt, ...]) -> None:
        self.doubts = doubts
        super().__init__(", ".join(doubt.code for doubt in doubts))


class Unknown(Exception):
    """Some questions have no answer yet; those that have stay among them."""

    def __init__(self, questions: tuple[Question, ...]) -> None:
        self.questions = questions
        super().__init__(", ".join(question.name for question in questions))


@require_http_methods(["GET", "HEAD", "POST"])
@limited(ENTRIES, method="POST")
def enter(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a result; the same form sent twice records it once."""
    league = access.league(request, slug, Action.ENTER)
    look = look_of(request, league)
    season, mode = look.season, _mode_of(request, look, league)
    shape = SHAPES.get(request.GET.get("shape", ""), PairForm)
    context: dict[str, Any] = {"season": season, "mode": mode, **_closed(request, look)}
    if request.method != "POST" or season is None:
        form = shape(league, initial=first_values(_day_of(request, league)))
        if request.GET.get("recorded"):
            focus_next_result(form)
        return _entry_page(request, league, look, form, context | {"form_id": new_form_id()})
    form = shape(league, request.POST)
    context["form_id"] = read_form_id(request.POST.get("form_id", ""))
    if form.is_valid() and _may_date(request, league, form):
        season = _season_of(request, look, form) or season
        try:
            match = _record(request, league, season, mode, form, context["form_id"])
            _say_which_time(request, form)
            return HttpResponseRedirect(_next_address(request, league, look, mode, form, match))
        except Unknown as unknown:
            context["questions"] = unknown.questions
        except Doubtful as doubtful:
            context["doubts"] = doubtful.doubts
        except Refused as refused:
            if "id_reused" in refused.codes:
                context["form_id"] = new_form_id()
                context["again"] = True
            else:
                show_problems(form, refused.problems)
    return _entry_page(request, league, look, form, context, status=422)


def _record(
    request: HttpRequest,
    league: League,
    season: Season,
    mode: Mode,
    form: ResultForm,
    form_id: str,
) -> Match:
    with transaction.atomic():
        lock_season(season.pk)
        draft = replace(form.draft(_players(request, league, form)), external_id=form_id)
        settled = request.POST.get("settled", "").split()
        doubts = doubts_about(draft, season=season, mode=mode, now=timezone.now())
        if any(doubt.code not in settled for doubt in doubts):
            raise Doubtful(doubts)
        recorded = record_matches(
            season=season,
            mode=mode,
            drafts=[draft],
            author=access.signed_in(request),
            late=_may_be_late(request, league),
        )
    return recorded.matches[0]


@require_http_methods(["GET", "HEAD", "POST"])
@limited(ENTRIES, method="POST")
def correct(request: HttpRequest, slug: str, season: str, seq: int) -> HttpResponse:
    """Replace what a match says, unless somebody did in the meantime."""
    match = access.match(request, slug, season, seq, Action.CORRECT)
    league = match.league
    before = draft_of(match)
    shape = PairForm if fits_pair(before) else ListForm
    initial = initial_of(before, league)
    context: dict[str, Any] = {"match": match, "title": meeting_of(match)}
    if request.method != "POST":
        form = shape(league, initial=initial)
        context["correction"] = Correction(initial={"version": match.version})
        return _correction_page(request, league, form, context)
    form = shape(league, request.POST, initial=initial)
    correction = Correction(request.POST)
    context["correction"] = correction
    status = 422
    if form.is_valid() and correction.is_valid() and _may_date(request, league, form):
        try:
            with transaction.atomic():
                lock_season(match.season_id)
                revision = correct_match(
                    match=match,
                    draft=form.draft(_players(request, league, form), before),
                    expected_version=correction.cleaned_data["version"],
                    author=access.signed_in(request),
                    reason=correction.cleaned_data["reason"],
                )
            if revision is None:
                messages.info(request, _("Nothing was changed: the match says this already."))
            elif DATED & set(form.changed_data):
                _say_which_time(request, form)
            return HttpResponseRedirect(address_after(match, revision))
        except Unknown as unknown:
            context["questions"] = unknown.questions
        except Refused as refused:
            show_problems(form, refused.problems)
        except Conflict as conflict:
            context["stored"] = conflict.match
            context["stored_title"] = meeting_of(conflict.match)
            context["correction"] = correction.for_version(conflict.match.version)
            status = 409
    return _correction_page(request, league, form, context, status=status)


def _players(request: HttpRequest, league: League, form: ResultForm) -> dict[str, Player]:
    """Return the player of each typed name; raise where one is unknown and not answered for.

    Where there are no players yet, nobody else can be meant: every name is a new player's.
    """
    answers = read_answers(request.POST.getlist("asked"), request.POST.getlist("answer"))
    unanswered = "" if league.players.filter(is_listed=True).exists() else NEW
    roster = Roster.of_names(league, names=form.names(), keys=answers.values())
    players: dict[str, Player] = {}
    asked: dict[str, str] = {}
    shared: dict[str, tuple[Guess, ...]] = {}
    for name in form.names():
        meant = roster.meant_by(name=name)
        if len(meant) == 1:
            players[name] = meant[0]
            continue
        if meant:
            shared[name] = tuple(Guess(one.key, f"{one.name} ({one.key})") for one in meant)
        asked[name] = answers.get(fold_name(name), unanswered)
        if asked[name] == NEW:
            players[name] = roster.bring(name=name)
        elif asked[name] in roster.by_key:
            players[name] = roster.by_key[asked[name]]
    if not set(asked) <= set(players):
        guesses = similar_players(league, [name for name in asked if name not in shared]) | shared
        raise Unknown(
            tuple(
                # Where nobody is called alike, a new player is the one answer there is.
                Question(name, guesses[name], answer or ("" if guesses[name] else NEW))
                for name, answer in asked.items()
            )
        )
    roster.store()
    return players


def answers_sent(request: HttpRequest) -> list[tuple[str, str]]:
    """Return what was answered about names, to be kept while something else is asked."""
    asked, answers = request.POST.getlist("asked"), request.POST.getlist("answer")
    return [pair for pair in zip(asked, answers, strict=False) if all(pair)]


def _say_which_time(request: HttpRequest, form: ResultForm) -> None:
    if form.came_twice():
        words = {"time": wording.clock(form.played_at())}
        messages.info(
            request,
            _("It was %(time)s twice that day: the clocks were put back. The first is taken.")
            % words,
        )


def _closed(request: HttpRequest, look: Look) -> dict[str, Any]:
    """Return what to say of a season that takes no results, and where to enter one instead."""
    if look.season is None:
        return {}
    problem = season_problem(look.season, late=_may_be_late(request, look.season.league))
    if problem is None:
        return {}
    base = reverse("leagues:enter", args=[look.season.league.slug])
    now_open = next((row for row in look.seasons if row.takes_results), None)
    return {
        "season_closed": problem.message,
        "open_season": now_open
        and Choice(now_open.slug, now_open.name, False, url=f"{base}?season={now_open.slug}"),
    }


def _season_of(request: HttpRequest, look: Look, form: ResultForm) -> Season | None:
    """Return the season that a result belongs to by its date, where the address names none."""
    if request.GET.get("season"):
        return None
    at = form.played_at()
    open_ones = (row for row in look.seasons if row.takes_results and row.holds(at))
    return next(open_ones, None)


def _may_be_late(request: HttpRequest, league: League) -> bool:
    """Say whether somebody may enter results of a season that is closing."""
    return access.allowed(access.principal_of(request), Action.CORRECT, league)


def _may_date(request: HttpRequest, league: League, form: ResultForm) -> bool:
    problem = backdated_problem(form.played_at(), league=league, now=timezone.now())
    may_backdate = access.allowed(access.principal_of(request), Action.BACKDATE, league)
    if problem is None or may_backdate or not DATED & set(form.changed_data):
        return True
    show_problems(form, (problem,))
    return False


def show_problems(form: ResultForm, problems: tuple[Problem, ...]) -> None:
    """Put what a service refused at the field it is about."""
    for problem in problems:
        field = FIELDS.get(problem.field, problem.field)
        form.add_error(field if field in form.fields else None, problem.message)


def _mode_of(request: HttpRequest, look: Look, league: League) -> Mode:
    given = request.POST.get("mode") or request.GET.get("mode", "")
    modes = list(league.modes.all())
    chosen = next((mode for mode in modes if mode.slug == given), None)
    return chosen or (look.board.mode if look.board else modes[0])


def _day_of(request: HttpRequest, league: League) -> date:
    try:
        return date.fromisoformat(request.GET.get("on", ""))
    except ValueError:
        return timezone.now().astimezone(league.zone).date()


def _next_address(
    request: HttpRequest, league: League, look: Look, mode: Mode, form: ResultForm, match: Match
) -> str:
    """Return where a recorded result leads: to its page, or to the next empty form."""
    if not wants_another(request):
        return match_address(match, league, match.season)
    on = form.cleaned_data["played_on"].isoformat()
    base = reverse("leagues:enter", args=[league.slug])
    # Named only where it was, or is another one: the next result may belong to any by its date.
    is_named = request.GET.get("season") or match.season != look.season
    season = match.season.slug if is_named else ""
    shape = getattr(form, "shape", "pair")
    return f"{base}?season={season}&mode={mode.slug}&shape={shape}&on={on}&recorded={match.seq}"


def wants_another(request: HttpRequest) -> bool:
    """Tell whether an empty form is to follow, also where something had to be asked first."""
    return bool(request.POST.get("another"))


def _entry_page(
    request: HttpRequest,
    league: League,
    look: Look,
    form: ResultForm,
    context: dict[str, Any],
    *,
    status: int = 200,
) -> HttpResponse:
    shape = getattr(form, "shape", "pair")
    base = f"{reverse('leagues:enter', args=[league.slug])}?mode={context['mode'].slug}"
    context |= {
        **league_context(request, league, "enter"),
        "form": form,
        "shape": shape,
        "shapes": (
            Choice("pair", _("Two sides"), shape == "pair", url=f"{base}&shape=pair"),
            Choice("list", _("Three or more"), shape == "list", url=f"{base}&shape=list"),
        ),
        "modes": [
            Choice(mode.slug, mode.name, mode == context["mode"]) for mode in league.modes.all()
        ],
        "names": known_names(league),
        "recorded": read_number(request.GET.get("recorded", ""), MOST_MATCHES),
        "another": wants_another(request),
        "answered": answers_sent(request),
    }
    focus_first_error(form)
    return render(request, "leagues/enter.html", context, status=status)


def _correction_page(
    request: HttpRequest,
    league: League,
    form: ResultForm,
    context: dict[str, Any],
    *,
    status: int = 200,
) -> HttpResponse:
    match = context["match"]
    context |= {
        **league_context(request, league, "results"),
        "form": form,
        "shape": getattr(form, "shape", "pair"),
        "names": known_names(league),
        "answered": answers_sent(request),
        "back": match_address(match, league, match.season),
    }
    focus_first_error(form)
    if not form.errors:
        focus_first_error(context["correction"])
    return render(request, "leagues/correct.html", context, status=status)
