"""Whom the form of a result begins with: players an address names, or those of another match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest
from django.utils import timezone

from leagues.domain.who_plays import MOST_MEMBERS
from leagues.forms.places import TypedSide, write_places
from leagues.forms.result_values import initial_players
from leagues.forms.results import SIDES
from leagues.models import League, Match, Mode, Season
from leagues.models.match import MAX_HANDICAP, STARTED_KINDS
from leagues.pages.entry_stakes import EntryStake, entry_stakes
from leagues.pages.sides import typed_side
from leagues.selectors.board_selection import BoardSelection
from leagues.selectors.matches import numbered_match
from leagues.selectors.names import players_by_name
from leagues.services.stored_drafts import draft_of
from leagues.views.common import read_number
from leagues.views.me import hides_ratings

MAX_MATCHES = 10**12
LETTERS = ("a", "b")
"""The parameters that name the players of a side."""
FIRST_FIELDS = ("one_1", "two_1")
HANDICAPS = ("handicap_one", "handicap_two")
"""The parameters that are fields of the form too."""


def first_players(request: HttpRequest, league: League, season: Season | None) -> dict[str, Any]:
    """The first values of the fields for players: `again` names a match, `a` and `b` players.

    Of two sides whom it names in full the address may say the handicap of either.
    """
    match = _match_again(request, season)
    if match is not None:
        return initial_players(draft_of(match))
    typed = [typed_side(request.GET, letter) for letter in LETTERS]
    meant, _shared = players_by_name(league, [name for names in typed for name in names])
    sides = [[meant[name].name for name in names if name in meant] for names in typed]
    handicaps = [read_number(request.GET.get(name, ""), MAX_HANDICAP) or 0 for name in HANDICAPS]
    if not all(typed) or [*map(len, sides)] != [*map(len, typed)]:
        # What was worked out for two sides is nothing for others.
        handicaps = [0, 0]
    if max(map(len, sides)) > MOST_MEMBERS:
        rows = enumerate(zip(sides, handicaps, strict=True), start=1)
        places = [TypedSide(rank, tuple(names), None, given) for rank, (names, given) in rows]
        return {"places": write_places([side for side in places if side.names])}
    players = {
        f"{side}_{number}": name
        for side, names in zip(SIDES, sides, strict=True)
        for number, name in enumerate(names, start=1)
    }
    return players | {
        name: given for name, given in zip(HANDICAPS, handicaps, strict=True) if given
    }


def start_to_end(request: HttpRequest, season: Season | None) -> Match | None:
    """The started match whose result the address asks for."""
    match = _match_again(request, season)
    if match is None or match.kind not in STARTED_KINDS or match.status != Match.Status.LIVE:
        return None
    return match


def _match_again(request: HttpRequest, season: Season | None) -> Match | None:
    """The match of the season whose number the address has."""
    number = read_number(request.GET.get("again", ""), MAX_MATCHES)
    return numbered_match(season, number) if season and number else None


def stakes_of_form(
    request: HttpRequest, look: BoardSelection, mode: Mode, values: Mapping[str, Any]
) -> tuple[EntryStake, ...]:
    """What is at stake for the two players whom a form begins with; nothing of others."""
    names = [values.get(field) for field in FIRST_FIELDS]
    if hides_ratings(request) or not all(names) or {"one_2", "two_2"} & values.keys():
        return ()
    boards = (row for row in (look.board, *look.boards) if row and row.mode_id == mode.pk)
    board = next(boards, None)
    if board is None:
        return ()
    meant, _shared = players_by_name(board.league, [str(name) for name in names])
    players = [meant[name] for name in names if name in meant]
    if len(players) != len(names):
        return ()
    one, two = (values.get(field, 0) for field in HANDICAPS)
    return entry_stakes(board, players[0], players[1], timezone.now(), handicap=one - two)
