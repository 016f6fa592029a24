"""Whom the form of a result begins with: players an address names, or those of another match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest
from django.utils import timezone

from leagues.forms.result_values import initial_players
from leagues.models import League, Mode, Season
from leagues.models.match import MAX_HANDICAP
from leagues.pages.entry_stakes import EntryStake, entry_stakes
from leagues.selectors.board_selection import BoardSelection
from leagues.selectors.matches import numbered_match
from leagues.selectors.names import players_by_name
from leagues.services.stored_drafts import draft_of
from leagues.views.common import read_number
from leagues.views.me import hides_ratings

MAX_MATCHES = 10**12
SIDES = {"a": "one_1", "b": "two_1"}
"""The parameters that name a player, and the fields of their sides."""
HANDICAPS = ("handicap_one", "handicap_two")
"""The parameters that are fields of the form too."""


def first_players(request: HttpRequest, league: League, season: Season | None) -> dict[str, Any]:
    """The first values of the fields for players: `again` names a match, `a` and `b` players.

    Of two named players the address may say the handicap of either.
    """
    number = read_number(request.GET.get("again", ""), MAX_MATCHES)
    match = numbered_match(season, number) if season and number else None
    if match is not None:
        return initial_players(draft_of(match))
    given = {
        field: points
        for field in HANDICAPS
        if (points := read_number(request.GET.get(field, ""), MAX_HANDICAP))
    }
    asked = {
        word: text
        for word in SIDES
        if (text := request.GET.get(word, "").replace("\x00", "").strip())
    }
    if not asked:
        return {}
    meant, _shared = players_by_name(league, list(asked.values()))
    players = {SIDES[word]: meant[text].name for word, text in asked.items() if text in meant}
    # What was worked out for two is nothing for others.
    return players | (given if len(players) == len(SIDES) else {})


def stakes_of_form(
    request: HttpRequest, look: BoardSelection, mode: Mode, values: Mapping[str, Any]
) -> tuple[EntryStake, ...]:
    """What is at stake for the two players whom a form begins with; nothing of others."""
    names = [values.get(field) for field in SIDES.values()]
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
