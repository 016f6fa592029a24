"""The leaderboard of a league."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from leagues import access, wording
from leagues.access import Action
from leagues.domain.civil_days import day_of
from leagues.models import Board, League
from leagues.models.checks import FIRST_INSTANT
from leagues.pages.boards import (
    board_head,
    board_tabs,
    league_address,
    season_choices,
    selection_waiting,
)
from leagues.pages.leaderboard import DAY_PROBLEMS, Leaderboard, leaderboard
from leagues.selectors.board_selection import (
    BoardSelection,
    LeagueRows,
    read_league_rows,
)
from leagues.selectors.standings import bring_up_to_date
from leagues.selectors.standings_query import StandingsQuery
from leagues.services.days import prepare_days
from leagues.store.planned import restartable_snapshot
from leagues.views.common import (
    AFTER_ANSWER,
    league_context,
    look_of,
    version_of,
    wants_fragment,
)
from leagues.views.kept_pages import is_shared, keep_page, kept_page, made_once
from leagues.views.limits import SEARCHES, limit_requests
from leagues.views.me import hides_ratings, looks_as, picker, remember_me, viewer_of
from leagues.views.open_sheets import sheets_to_finish

VISITS = "visits"
"""A cookie of one league: the day of the last visit before today, and today's."""
YEAR = 365 * 24 * 60 * 60


@require_safe
@limit_requests(SEARCHES, parameter="q")
def board(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a board; anonymous visitors who have it already get 304."""
    # Most who have a page need no new one: two statements tell, which need no common snapshot.
    response = _answer_to_known(request, slug) if "If-None-Match" in request.headers else None
    if response is not None:
        return response
    response, page, missing = _board(request, slug)
    if page is not None and missing:
        prepare_days(page, missing)
    return response


@dataclass(frozen=True, slots=True)
class _Question:
    """What is asked for, by whom and when, and the versions of what is there."""

    league: League
    now: datetime
    filters: StandingsQuery
    visited: date | None
    visits: str
    rows: LeagueRows | None
    etag: str
    """The version of the page; empty where it is not told."""
    shared: str
    """The same, where the page may be anybody's."""


def _question_of(request: HttpRequest, slug: str) -> _Question:
    league = access.league(request, slug, Action.VIEW)
    now = timezone.now()
    today = day_of(now, league.zone)
    filters = StandingsQuery.from_address(request.GET.dict(), today)
    visited, visits = _visits(request, today)
    rows = read_league_rows(league) if request.user.is_anonymous else None
    # A search also finds who has no result yet, whom programs add without an entry in the log.
    etag = _etag(request, league, rows, today, visited) if rows and not filters.query else ""
    shared = etag if visited is None and is_shared(request) else ""
    return _Question(league, now, filters, visited, visits, rows, etag, shared)


def _answer_to_known(request: HttpRequest, slug: str) -> HttpResponse | None:
    """That a visitor has the page already, or another one that is kept; None for others.

    Either is found by all rows that it was made of, whenever each of these is read.
    """
    question = _question_of(request, slug)
    response = _known_page(request, question)
    if response is not None:
        _remember_visit(request, response, question.league, question.visits)
    return response


@restartable_snapshot
def _board(
    request: HttpRequest, slug: str
) -> tuple[HttpResponse, Board | None, tuple[datetime, ...]]:
    """The page, and what has to be prepared for the next one."""
    question = _question_of(request, slug)
    response = _known_page(request, question)
    board: Board | None = None
    missing: tuple[datetime, ...] = ()
    if response is None:
        with made_once(question.shared):
            # Another thread may have made it meanwhile.
            response = kept_page(request, question.shared) if question.shared else None
            if response is None:
                response, board, missing = _new_page(request, question)
    _remember_visit(request, response, question.league, question.visits)
    return response, board, missing


def _new_page(
    request: HttpRequest, question: _Question
) -> tuple[HttpResponse, Board | None, tuple[datetime, ...]]:
    """A page that is made now, and kept where it may be anybody's."""
    league, filters, now = question.league, question.filters, question.now
    after_answer = request.META.get(AFTER_ANSWER)
    look = look_of(request, league, filters, question.rows)
    waiting = selection_waiting(look)
    context = {
        **league_context(request, league, "board"),
        "look": look,
        "filters": filters,
        "day_problem": DAY_PROBLEMS[filters.problem] if filters.problem else "",
        "waiting": waiting,
        "is_fragment": wants_fragment(request),
        "open_sheets": () if wants_fragment(request) else sheets_to_finish(request, league),
    }
    missing: tuple[datetime, ...] = ()
    if look.board:
        page = leaderboard(
            board=look.board,
            reading=look.reading,
            filters=filters,
            now=now,
            viewer=viewer_of(request),
            visited=question.visited,
            hides=hides_ratings(request),
            may_be_held=after_answer is not None,
        )
        if page.is_held and after_answer is not None:
            after_answer(partial(bring_up_to_date, look.board.pk))
        missing = page.missing
        if page.page is not None:
            remember_me(request, league, page.me)
        context |= _context_of(request, look, look.board, page, filters, now)
    is_final = not missing and not context.get("is_unready")
    etags = (question.etag, question.shared) if is_final else ("", "")
    response = _render(request, context, *etags)
    return response, look.board, missing


def _context_of(
    request: HttpRequest,
    look: BoardSelection,
    board: Board,
    page: Leaderboard,
    filters: StandingsQuery,
    now: datetime,
) -> dict[str, Any]:
    """What the template shows of a board."""
    league, before = board.league, look.reading.last_before
    return {
        "head": board_head(board=board, now=now, on=filters.on, last_before=before),
        "page": page.page,
        "is_unready": page.is_unready,
        "is_held": page.is_held,
        "opens": _opens(board, day_of(now, league.zone)),
        "hides": hides_ratings(request),
        "picker": picker(request, league),
        "tabs": board_tabs(look),
        "seasons": season_choices(look),
        "here": _address(league, look, filters),
    }


def _render(request: HttpRequest, context: dict[str, Any], etag: str, shared: str) -> HttpResponse:
    """The page or the part that is asked for; kept under its ETag where all may share it."""
    is_part = wants_fragment(request)
    template = "leagues/board.html#standings" if is_part else "leagues/board.html"
    response = render(request, template, context)
    if etag:
        response.headers["ETag"] = etag
        patch_cache_control(response, no_cache=True)
    if is_part and "here" in context:
        response.headers["HX-Push-Url"] = context["here"]
    return keep_page(request, response, shared) if shared else response


def _known_page(request: HttpRequest, question: _Question) -> HttpResponse | None:
    """What needs no more reading: that the visitor has the page, or the page as it was kept."""
    unchanged = _unchanged(request, question.etag) if question.etag else None
    if unchanged is not None or not question.shared:
        return unchanged
    return kept_page(request, question.shared)


def _unchanged(request: HttpRequest, etag: str) -> HttpResponse | None:
    """That the visitor has the page of an ETag; None if not."""
    unchanged = get_conditional_response(request, etag=etag)
    if unchanged is None:
        return None
    # What a browser keeps along with the page is told again (RFC 9110, section 15.4.5).
    unchanged.headers["ETag"] = etag
    patch_cache_control(unchanged, no_cache=True)
    patch_vary_headers(unchanged, ("Accept-Encoding",))
    return unchanged


def _remember_visit(
    request: HttpRequest, response: HttpResponse, league: League, visits: str
) -> None:
    # Its ETag has the day in it: who has the page already was told of today's visit with it.
    is_known = response.status_code == HTTPStatus.NOT_MODIFIED
    if not is_known and visits != request.COOKIES.get(VISITS):
        response.set_cookie(
            VISITS,
            visits,
            max_age=YEAR,
            path=league_address(league),
            samesite="Lax",
            secure=request.is_secure(),
            httponly=True,
        )


def _opens(board: Board, today: date) -> str:
    """The day on which a season begins that has not begun yet."""
    if board.season.starts_at is None:
        return ""
    first = day_of(board.season.starts_at, board.league.zone)
    return wording.day(first, today) if first > today else ""


def _etag(
    request: HttpRequest, league: League, rows: LeagueRows, today: date, visited: date | None
) -> str:
    """The version of the page: of all rows that were read for it, and of who asks when."""
    settings = [getattr(league, field.attname) for field in League._meta.concrete_fields]
    return version_of(request, settings, rows.digest, today, visited, looks_as(request))


def _visits(request: HttpRequest, today: date) -> tuple[date | None, str]:
    """The day of the visit before today's, and what the cookie has to say from now on."""
    days = [_day(text) for text in request.COOKIES.get(VISITS, "").split(".")]
    former, latest = days if len(days) == 2 else (None, None)
    if latest is not None and latest < today:
        former = latest
    if former is not None and former >= today:
        former = None
    return former, f"{former.isoformat() if former else ''}.{today.isoformat()}"


def _day(text: str) -> date | None:
    """A day of which standings can be kept."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if day >= FIRST_INSTANT.date() else None


@require_safe
@restartable_snapshot
def rating_state(request: HttpRequest, slug: str) -> HttpResponse:
    """Whether results wait to be rated; the table asks for itself again when none does."""
    league = access.league(request, slug, Action.VIEW)
    look = look_of(request, league)
    waiting = selection_waiting(look)
    context = {**league_context(request, league, "board"), "look": look, "waiting": waiting}
    response = render(request, "leagues/board.html#pulse", context)
    response.headers["Cache-Control"] = "no-store"
    if waiting is None:
        response.headers["HX-Trigger"] = "rated"
    return response


def _address(league: League, look: BoardSelection, filters: StandingsQuery) -> str:
    """The address of what is shown, without what says nothing."""
    words = {}
    if look.season and look.board:
        words = {"season": look.season.slug, "board": look.board.slug}
    words |= filters.parameters() | ({"page": str(filters.page)} if filters.page > 1 else {})
    return f"{league_address(league)}?{urlencode(words)}"
