"""Rating systems side by side, back-tests, and trials of other parameters."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from leagues import access
from leagues.access import Action
from leagues.forms.trials import TrialForm
from leagues.models import Board, League
from leagues.pages.boards import season_choices
from leagues.pages.judgement import judgement
from leagues.pages.systems import (
    MOST_PAGES,
    boards_of_mode,
    mode_tabs,
    systems_address,
    systems_page,
)
from leagues.pages.trials import recent_trials, trial_page
from leagues.selectors.board_selection import BoardSelection, select_board
from leagues.services.trials import request_backtest, start_search, start_trial
from leagues.store.planned import restartable_snapshot
from leagues.store.snapshot import snapshot
from leagues.views.common import league_context, read_number, wants_fragment
from leagues.views.limits import slow
from leagues.views.me import me

INVALID = 422
MOST_TRIALS = 1 << 62


@require_safe
@slow
@restartable_snapshot
def systems(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the places of players under every board of a mode, and how well each predicts."""
    league = access.league(request, slug, Action.VIEW)
    look = _look(request, league)
    now = timezone.now()
    number = read_number(request.GET.get("page", ""), MOST_PAGES) or 1
    context = {
        **league_context(request, league, "systems"),
        "look": look,
        "seasons": season_choices(look),
        "tabs": mode_tabs(look),
        "page": systems_page(look=look, own=me(request, league), page=number, now=now),
        **_judgement_context(request, league, look),
    }
    return render(request, "leagues/systems.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def backtest(request: HttpRequest, slug: str) -> HttpResponse:
    """Show how far the back-test is; start one, for organizers."""
    if request.method == "POST":
        league = access.league(request, slug, Action.SETTINGS)
        board = _board(request, league)
        request_backtest(season=board.season, mode=board.mode, actor=access.signed_in(request))
        return redirect(f"{systems_address(board)}#backtest")
    league = access.league(request, slug, Action.VIEW)
    with snapshot():
        look = _look(request, league)
        if look.board is None:
            raise Http404
        context = {
            **league_context(request, league, "systems"),
            "look": look,
            **_judgement_context(request, league, look),
        }
    if not wants_fragment(request):
        return redirect(f"{systems_address(look.board)}#backtest")
    response = render(request, "leagues/systems.html#backtest", context)
    response.headers["Cache-Control"] = "no-store"
    return response


def _judgement_context(
    request: HttpRequest, league: League, look: BoardSelection
) -> dict[str, Any]:
    if look.board is None:
        return {}
    address = reverse("leagues:backtest", args=[league.slug])
    return {
        "judgement": judgement(
            boards=boards_of_mode(look),
            rights=access.rights(access.principal_of(request), league),
            now=timezone.now(),
        ),
        "backtest_url": f"{address}?season={look.board.season.slug}&board={look.board.slug}",
    }


@require_http_methods(["GET", "HEAD", "POST"])
def try_parameters(request: HttpRequest, slug: str) -> HttpResponse:
    """Offer a board's parameters to be changed on a copy, and list what was tried."""
    league = access.league(request, slug, Action.SETTINGS)
    look = _look(request, league)
    board = _board(request, league, look)
    refusal = ""
    former = read_number(request.GET.get("from", ""), MOST_TRIALS)
    form = TrialForm(
        board,
        request.POST if request.method == "POST" else None,
        parameters=access.trial(request, league, former).parameters if former else None,
    )
    if "search" in request.POST:
        try:
            started = start_search(board=board, actor=access.signed_in(request))
        except ValidationError as error:
            form = TrialForm(board)
            refusal = " ".join(error.messages)
        else:
            return redirect("leagues:trial", league.slug, started.pk)
    elif form.is_bound and form.is_valid():
        try:
            trial = start_trial(
                board=board,
                parameters=form.parameters,
                actor=access.signed_in(request),
                effective_at=form.effective_at,
            )
        except ValidationError as error:
            form.refuse(error)
        else:
            return redirect("leagues:trial", league.slug, trial.pk)
    context = {
        **league_context(request, league, "systems"),
        "look": look,
        "board": board,
        "form": form,
        "tabs": [
            {
                "label": row.name,
                "url": f"?season={row.season.slug}&board={row.slug}",
                "is_chosen": row == board,
            }
            for row in look.boards
        ],
        "trials": recent_trials(board, now=timezone.now()),
        "systems_url": systems_address(board),
        "refusal": refusal,
    }
    status = INVALID if form.is_bound or refusal else 200
    return render(request, "leagues/try.html", context, status=status)


@require_safe
@slow
@restartable_snapshot
def trial(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show what a trial of other parameters found, or how far it is."""
    league = access.league(request, slug, Action.VIEW)
    trial = access.trial(request, league, number)
    context = {
        **league_context(request, league, "systems"),
        "page": trial_page(trial, now=timezone.now()),
    }
    template = "leagues/trial.html#outcome" if wants_fragment(request) else "leagues/trial.html"
    response = render(request, template, context)
    if trial.finished_at is None:
        response.headers["Cache-Control"] = "no-store"
    return response


def _look(request: HttpRequest, league: League) -> BoardSelection:
    look = select_board(
        league=league,
        season=request.GET.get("season", "").replace("\x00", ""),
        board=request.GET.get("board", "").replace("\x00", ""),
    )
    if look is None:
        raise Http404
    return look


def _board(request: HttpRequest, league: League, look: BoardSelection | None = None) -> Board:
    chosen = (look or _look(request, league)).board
    if chosen is None:
        raise Http404
    return chosen
