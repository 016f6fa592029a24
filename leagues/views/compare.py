"""Comparing players and sides before they meet, and finding somebody to play."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from leagues import access, bridge
from leagues.access import Action
from leagues.forms.results import new_form_id
from leagues.forms.started import StartForm
from leagues.models import Board, League, Player
from leagues.pages.boards import board_tabs
from leagues.pages.compare import compare_page, opponent_of
from leagues.pages.opponents import opponents_address, opponents_page
from leagues.pages.sides import (
    LETTERS,
    compare_address,
    join_names,
    read_sides,
    typed_sides,
)
from leagues.pages.started_matches import start_notes
from leagues.selectors.board_selection import BoardSelection
from leagues.selectors.names import known_names
from leagues.selectors.people import search_people
from leagues.selectors.standing_rows import default_sides
from leagues.store.planned import restartable_snapshot
from leagues.views.common import league_context, look_of, read_number, wants_fragment
from leagues.views.limits import SEARCHES, limit_requests, slow
from leagues.views.me import hides_ratings, me, picker

LONGEST_LINE = 600
"""Letters of a side that are read to complete its last name."""


@require_safe
def compare(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Compare the sides that the address names, or complete the name that is being typed."""
    return (_offers if wants_fragment(request) else _comparison)(request, slug)


@slow
@restartable_snapshot
def _comparison(request: HttpRequest, slug: str) -> HttpResponse:
    """Compare the sides; without any, the visitor with who is next."""
    league = access.league(request, slug, Action.VIEW)
    look = look_of(request, league)
    context = league_context(request, league, "compare") | {"look": look}
    if look.board:
        context |= _compare_sides(request, league, look, look.board)
    return render(request, "leagues/compare.html", context)


@require_safe
@slow
@restartable_snapshot
def opponents(request: HttpRequest, slug: str) -> HttpResponse:
    """Show whom the visitor, or the player in the address, should play."""
    league = access.league(request, slug, Action.VIEW)
    look = look_of(request, league)
    context = league_context(request, league, "compare") | {"look": look}
    if look.board:
        context |= _worth_playing(request, look, look.board)
    return render(request, "leagues/opponents.html", context)


@limit_requests(SEARCHES)
@restartable_snapshot
def _offers(request: HttpRequest, slug: str) -> HttpResponse:
    """Complete the name that is being typed, behind those that stand before it."""
    league = access.league(request, slug, Action.VIEW)
    typed = request.GET.get(request.headers.get("HX-Trigger-Name", ""), "").replace("\x00", "")
    before, plus, last = typed[:LONGEST_LINE].rpartition("+")
    people = search_people(league=league, query=last.strip(), only_playing=True)
    start = f"{before}{plus} " if plus else ""
    names = [start + join_names([person.name]) for person in people.rows]
    return render(request, "leagues/_names.html", {"names": names})


def _sees_public_names_only(request: HttpRequest, league: League) -> bool:
    return not access.is_allowed(access.principal_of(request), Action.ENTER, league)


def _worth_playing(request: HttpRequest, look: BoardSelection, board: Board) -> dict[str, Any]:
    league = board.league
    own = me(request, league)
    player_key = request.GET.get("player", "").replace("\x00", "")[:128]
    lines = read_sides(
        board,
        [[player_key.strip()]] if player_key.strip() else [],
        address=lambda where, sides: opponents_address(where, sides[0][0]),
        only_public=_sees_public_names_only(request, league),
    )
    player = own
    if player_key.strip():
        player = next((one for side in lines.sides for one in side), None)
    now = timezone.now()
    page = None
    if player:
        page = opponents_page(
            board=board,
            player=player,
            me=own,
            moment=bridge.display_moment(board, now),
            now=now,
        )
    key = player.key if player else ""
    return {
        "page": page,
        "player": player,
        "player_name": player.name if player else player_key,
        "problems": lines.problems,
        "names": known_names(league),
        "picker": picker(request, league),
        "hides": hides_ratings(request),
        "tabs": board_tabs(look, lambda other: opponents_address(other, key)),
    }


@dataclass(frozen=True, slots=True)
class SideField:
    """The field of one side, and what stands in it."""

    letter: str
    label: str
    value: str


def _compare_sides(
    request: HttpRequest, league: League, look: BoardSelection, board: Board
) -> dict[str, Any]:
    own = me(request, league)
    now = timezone.now()
    lines = read_sides(
        board,
        typed_sides(request.GET),
        only_public=_sees_public_names_only(request, league),
    )
    sides: list[list[Player]]
    if lines.problems:
        sides, texts = [], list(lines.texts)
    else:
        sides = _complete_sides(board, [list(side) for side in lines.sides], own, now)
        texts = [join_names(player.name for player in side) for side in sides]
    page = None
    if len(sides) > 1:
        page = compare_page(
            board=board,
            boards=look.boards,
            sides=sides,
            me=own,
            moment=bridge.display_moment(board, now),
            now=now,
        )
    keys = [[player.key for player in side] for side in sides]
    wanted = read_number(request.GET.get("sides", ""), len(LETTERS)) or 2
    count = max(len(texts), wanted)
    return {
        "page": page,
        "problems": lines.problems,
        "fields": _fields(texts, count),
        "is_chosen_for_visitor": not any(lines.texts),
        "more_url": f"{compare_address(board, keys)}&sides={count + 1}"
        if count < len(LETTERS) and not lines.problems
        else "",
        "names": known_names(league),
        "picker": picker(request, league),
        "hides": hides_ratings(request),
        "tabs": board_tabs(look, lambda other: compare_address(other, keys)),
        "opponents_url": opponents_address(board, keys[0][0] if keys else ""),
        "can_start": page is not None and page.is_pair and board.season.takes_results,
        "start_notes": start_notes(board, {player.pk for side in sides for player in side}),
        "start_keys": [
            (letter, join_names(side)) for letter, side in zip("ab", keys, strict=False)
        ],
        "start_form": StartForm(texts[0] if texts else ""),
        "start_query": urlencode({"season": board.season.slug, "board": board.slug}),
        "form_id": new_form_id(),
    }


def _complete_sides(
    board: Board, sides: list[list[Player]], own: Player | None, now: datetime
) -> list[list[Player]]:
    """The sides that were named, and the other one where only one player was."""
    if len(sides) > 1 or (sides and len(sides[0]) > 1):
        return sides
    if sides:
        return opponent_of(board, sides[0][0], own, now)
    return default_sides(board, own, now)


def _fields(texts: list[str], count: int) -> list[SideField]:
    labels = (_("One side"), _("The other side")) if count == 2 else ()
    return [
        SideField(
            letter,
            labels[index] if labels else _("Side %(number)d") % {"number": index + 1},
            texts[index] if index < len(texts) else "",
        )
        for index, letter in enumerate(LETTERS[:count])
    ]
