"""Systems side by side, back-tests, and trials of other parameters."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from leagues import access
from leagues.access import Action
from leagues.api.problems import Invalid
from leagues.api.reports import (
    BacktestShape,
    NothingBody,
    PlacesShape,
    TrialBody,
    TrialShape,
)
from leagues.api.schema import READ_PROBLEMS, WRITE_PROBLEMS
from leagues.api.throttles import slow
from leagues.api.views.base import ApiView, parameter, read, source_of
from leagues.models import Board, League, Mode, Season, Trial
from leagues.pages.systems import MOST_PAGES, PAGE_SIZE
from leagues.selectors.backtests import Backtest, backtest_state, trial_state
from leagues.selectors.side_by_side import side_by_side
from leagues.services.errors import Problem, Refused
from leagues.services.trial_reports import trial_report
from leagues.services.trials import request_backtest, start_trial
from leagues.store.snapshot import snapshot
from leagues.views.common import read_number


class Places(ApiView):
    query = (
        OpenApiParameter("board", str, description="Slug of the board to sort by."),
        OpenApiParameter("page", int, description="Page number from 1; 50 players per page."),
    )

    @extend_schema(
        operation_id="systems_get",
        parameters=list(query),
        responses={200: PlacesShape, **READ_PROBLEMS},
    )
    @slow
    def get(self, request: Request, slug: str, season: str, mode: str) -> Response:
        """The rank of each player on every board of a season and mode."""
        league = access.league(request, slug, Action.VIEW)
        with snapshot():
            boards = _where(request, league, season, mode)[2]
            if not boards:
                raise Http404
            wanted = parameter(request, "board")
            chosen = next((row for row in boards if wanted in ("", row.slug)), None)
            if chosen is None:
                raise Invalid("board", _("There is no such board."), "unknown_board")
            side = side_by_side(
                boards, chosen, page=_page(request), size=PAGE_SIZE, now=timezone.now()
            )
        rows = [
            {
                "key": row[chosen.pk].key,
                "name": row[chosen.pk].name,
                "ranks": {board.slug: side.rank(row, board) for board in boards},
            }
            for row in side.rows
        ]
        told = {
            "season": season,
            "mode": mode,
            "sorted_by": chosen.slug,
            "page": side.page,
            "pages": side.pages,
            "players": side.total,
            "results": rows,
        }
        return Response(PlacesShape(told).data)


class Backtests(ApiView):
    @extend_schema(operation_id="backtests_get", responses={200: BacktestShape, **READ_PROBLEMS})
    def get(self, request: Request, slug: str, season: str, mode: str) -> Response:
        """How well each system predicts the results of a season and mode."""
        league = access.league(request, slug, Action.VIEW)
        with snapshot():
            return _backtest(*_where(request, league, season, mode)[:2])

    @extend_schema(
        operation_id="backtests_start",
        request=NothingBody,
        responses={202: BacktestShape, **WRITE_PROBLEMS},
    )
    def post(self, request: Request, slug: str, season: str, mode: str) -> Response:
        """Start a back-test of all systems, unless one is already waiting."""
        league = access.league(request, slug, Action.SETTINGS)
        read(request, NothingBody)
        where, what, boards = _where(request, league, season, mode)
        if not boards:
            raise Http404
        author = source_of(request)[1]
        request_backtest(season=where, mode=what, actor=author)
        return _backtest(where, what, 202)


class BoardTrials(ApiView):
    @extend_schema(
        operation_id="trials_start",
        request=TrialBody,
        responses={202: TrialShape, **WRITE_PROBLEMS},
    )
    def post(self, request: Request, slug: str, season: str, board: str) -> Response:
        """Replay a board with other parameters on a copy; nothing on the board changes."""
        league = access.league(request, slug, Action.SETTINGS)
        shown = access.board(access.season(request, league, season), board)
        body = read(request, TrialBody)
        day = body.get("effective_on")
        author = source_of(request)[1]
        try:
            started = start_trial(
                board=shown,
                parameters={**shown.parameters, **body["parameters"]},
                actor=author,
                effective_at=league.midnight(day) if day else None,
            )
        except ValidationError as error:
            raise _refusal(error) from error
        return _trial(request, league, started, 202)


class TrialDetail(ApiView):
    @extend_schema(operation_id="trials_get", responses={200: TrialShape, **READ_PROBLEMS})
    def get(self, request: Request, slug: str, number: int) -> Response:
        """A trial, and its report once it is done."""
        league = access.league(request, slug, Action.VIEW)
        return _trial(request, league, access.trial(request, league, number))


def _where(
    request: Request, league: League, season: str, mode: str
) -> tuple[Season, Mode, list[Board]]:
    """The season and mode of an address, with their boards."""
    found = access.season(request, league, season)
    what = next((row for row in league.modes.all() if row.slug == mode), None)
    if what is None:
        raise Http404
    boards = list(found.boards.filter(mode=what).order_by("position", "pk"))
    for board in boards:
        board.league, board.season, board.mode = league, found, what
    return found, what, boards


def _page(request: Request) -> int:
    given = parameter(request, "page") or "1"
    number = read_number(given, MOST_PAGES)
    if number is None:
        raise Invalid("page", _("This must be a whole number of at least 1."))
    return number


def _backtest(season: Season, mode: Mode, status: int = 200) -> Response:
    state, test = backtest_state(season, mode)
    told: dict[str, Any] = {"state": state, **_backtest_values(test)}
    return Response(BacktestShape(told).data, status)


def _backtest_values(test: Backtest | None) -> dict[str, Any]:
    if test is None:
        return {
            "made_at": None,
            "rated_through_revision": 0,
            "results": 0,
            "best": None,
            "systems": (),
        }
    return {
        "made_at": test.made_at,
        "rated_through_revision": test.rated_through_revision,
        "results": test.results,
        "best": None if test.best is None else test.systems.index(test.best),
        "systems": test.systems,
    }


def _trial(request: Request, league: League, trial: Trial, status: int = 200) -> Response:
    row = {"trial": trial, "state": trial_state(trial), "report": trial_report(trial)}
    context = {"request": request, "league": league}
    return Response(TrialShape(row, context=context).data, status)


def _refusal(error: ValidationError) -> Refused:
    """A refusal of parameters, each at its name."""
    if not hasattr(error, "error_dict"):
        return Refused(Problem("parameters", "invalid", message) for message in error.messages)
    return Refused(
        Problem(_field(name), "invalid", message)
        for name, messages in error.message_dict.items()
        for message in messages
    )


def _field(name: str) -> str:
    return "effective_on" if name == "effective_at" else f"parameters.{name}"
