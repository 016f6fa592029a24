"""The players of an imagined match, with what a board knows of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from leagues import bridge, charts, wording
from leagues.bridge import ShownValue
from leagues.models import Board, Player, Standing
from leagues.pages.boards import player_address
from leagues.pages.ratings import Rating, rating, rung_of, scale_of

MOST_NAMED = 3
"""Larger teams are called by their first player: a list beside has everybody."""


@dataclass(frozen=True, slots=True)
class MatchPlayer:
    """One player of an imagined match; `name` is "You" for the one who looks."""

    player: Player
    value: ShownValue
    rating: Rating
    rung: charts.Rung | None
    name: str
    url: str
    is_me: bool
    results: str
    is_rated: bool
    is_carried: bool
    """Not rated yet, with what was brought from the season before or from elsewhere."""


def side_name(side: Sequence[MatchPlayer]) -> str:
    return wording.team([seat.name for seat in side], MOST_NAMED)


def is_me_alone(side: Sequence[MatchPlayer]) -> bool:
    return len(side) == 1 and side[0].is_me


def within(side: Sequence[MatchPlayer]) -> str:
    """A side as it is called within a sentence."""
    return _("you") if is_me_alone(side) else side_name(side)


def match_players(
    board: Board,
    sides: Sequence[Sequence[Player]],
    standings: Mapping[tuple[int, int], Standing],
    me: Player | None,
    moment: datetime,
) -> tuple[tuple[MatchPlayer, ...], ...]:
    everyone = [player for side in sides for player in side]
    known = [standings.get((board.pk, player.pk)) for player in everyone]
    rated = [row for row in known if row is not None]
    now = bridge.shown_now(board, rated, moment)
    values = {row.player_id: value for row, value in zip(rated, now, strict=True)}
    absent = [player for player in everyone if player.pk not in values]
    entrants = bridge.entrants_of(board, absent, {})
    for pk, entrant in entrants.items():
        values[pk] = bridge.shown_entrant(board, entrant)
    scale = scale_of(list(values.values()))

    def seat(player: Player) -> MatchPlayer:
        standing = standings.get((board.pk, player.pk))
        value = values[player.pk]
        is_me = me is not None and me.pk == player.pk
        return MatchPlayer(
            player=player,
            value=value,
            rating=rating(value),
            rung=rung_of(scale, value),
            name=_("You") if is_me else player.name,
            url=player_address(board, player.key),
            is_me=is_me,
            results=wording.results(standing.games if standing else 0),
            is_rated=standing is not None,
            is_carried=standing is None and entrants[player.pk].state is not None,
        )

    return tuple(tuple(seat(player) for player in side) for side in sides)


def is_low_best(board: Board) -> bool:
    """Whether the first has the lowest number: on a ladder."""
    return bridge.system_of(board).lower_is_better


def format_change(board: Board, before: float, after: float, decimals: int) -> str:
    """A change as it is written: a difference, on a ladder where it leads."""
    return (format_rung_change if is_low_best(board) else wording.change)(before, after, decimals)


def format_rung_change(before: float, after: float, decimals: int = 0) -> str:
    """A move between rungs: a difference would have the sign of a loss where one climbs."""
    if before == after:
        return wording.NOTHING
    return f"{wording.number(before, decimals)} → {wording.number(after, decimals)}"
