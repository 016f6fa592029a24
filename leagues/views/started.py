"""Started matches in the browser: starting one, and letting players go."""

from __future__ import annotations

from itertools import chain, repeat
from typing import Final

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from leagues import access
from leagues.access import Action
from leagues.forms.results import read_form_id
from leagues.forms.started import StartForm, release_form
from leagues.models import League
from leagues.pages.matches import match_address
from leagues.pages.sides import compare_address, read_sides, typed_sides
from leagues.services.entry_drafts import Answers, MatchEntry, PlayerEntry, SideEntry
from leagues.services.errors import Conflict, Refused
from leagues.services.started_matches import release_players, start_match
from leagues.views.common import look_of, read_number
from leagues.views.entry import enterer_of
from leagues.views.limits import ENTRIES, limit_requests

MOST_NUMBER: Final = 2**31 - 1
"""Of a match, in a database."""


@require_POST
@limit_requests(ENTRIES)
def start(request: HttpRequest, slug: str) -> HttpResponse:
    """Start a match between the two sides that were compared."""
    league = access.league(request, slug, Action.ENTER)
    look = look_of(request, league)
    board = look.board
    if board is None:
        return _back(request, league, _("There is no open season with a board."))
    sides = read_sides(board, typed_sides(request.POST), only_public=False).sides
    keys = [[player.key for player in side] for side in sides]
    form = StartForm("", request.POST)
    if not form.is_valid():
        return _show_errors(request, form, compare_address(board, keys))
    entry = MatchEntry(
        played_at=timezone.now(),
        sides=tuple(
            SideEntry(1, None, tuple(PlayerEntry(key=key) for key in side), handicap)
            for side, handicap in zip(keys, chain(form.handicaps(), repeat(0)), strict=False)
        ),
        external_id=read_form_id(request.POST.get("form_id", "")),
    )
    try:
        started = start_match(
            season=board.season,
            mode=board.mode,
            entry=entry,
            enterer=enterer_of(request, league),
            answers=Answers(),
            is_dated=False,
            seen_open=_seen_open(request),
        )
    except Refused as refused:
        for problem in refused.problems:
            messages.error(request, problem.message)
        return HttpResponseRedirect(compare_address(board, keys))
    messages.success(request, _("The match has started."))
    return HttpResponseRedirect(match_address(started.match, league, board.season))


@require_POST
@limit_requests(ENTRIES)
def release(request: HttpRequest, slug: str, season: str, seq: int) -> HttpResponse:
    """Let players of a started match go."""
    match, keys = access.started_match(request, slug, season, seq)
    form = release_form(match, keys, request.POST)
    if not form.is_valid():
        return _show_errors(request, form, match_address(match, match.league, match.season))
    held = access.rights(access.principal_of(request), match.league)
    try:
        release_players(
            match=match,
            released=form.released(),
            version=form.cleaned_data["version"],
            author=access.signed_in(request),
            is_organizer=Action.CORRECT in held,
            reason=form.cleaned_data["reason"],
        )
    except Refused as refused:
        for problem in refused.problems:
            messages.error(request, problem.message)
    except Conflict:
        messages.error(request, _("Someone else changed this first."))
    return HttpResponseRedirect(match_address(match, match.league, match.season))


def _seen_open(request: HttpRequest) -> list[int]:
    """The open matches of which the page said that they are lost by another start."""
    numbers = (read_number(one, MOST_NUMBER) for one in request.POST.getlist("seen_open"))
    return [number for number in numbers if number is not None]


def _back(request: HttpRequest, league: League, words: str) -> HttpResponse:
    messages.error(request, words)
    return HttpResponseRedirect(reverse("leagues:compare", args=[league.slug]))


def _show_errors(request: HttpRequest, form: Form, address: str) -> HttpResponse:
    """Back to where a form was, saying what is wrong with it."""
    for errors in form.errors.values():
        for error in errors:
            messages.error(request, str(error))
    return HttpResponseRedirect(address)
