"""The ratings that players begin a season with, board by board."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _

from leagues import wording
from leagues.models import Board, Season
from leagues.pages.openings import opening_origin
from leagues.pages.ratings import shown_as
from leagues.selectors.starting import StartingList, starting_lists


@dataclass(frozen=True, slots=True)
class StartingRow:
    """`source` says where a given rating comes from; empty for one that was carried over."""

    name: str
    source: str
    value: str
    half: str


@dataclass(frozen=True, slots=True)
class StartingTable:
    """One board; `rest` says how many players are not named, where some are not.

    `origin` says where all of it comes from, where that is no former season.
    """

    title: str
    origin: str
    shown_as: str
    has_ranges: bool
    rows: tuple[StartingRow, ...]
    rest: str


def starting_tables(boards: Iterable[Board]) -> tuple[StartingTable, ...]:
    """A table for each board that players brought ratings to; the best first."""
    return tuple(_table(found) for found in starting_lists(boards))


def carryover_sentence(season: Season) -> str:
    """What its players brought, if anything."""
    if season.carryover == Season.Carryover.FRESH or season.follows is None:
        return ""
    words = {"season": season.follows.name}
    if season.carryover == Season.Carryover.KEEP:
        return _("Ratings continue from %(season)s.") % words
    return _(
        "Ratings continue from %(season)s, moved %(share)s of the way to a newcomer’s, with an "
        "uncertainty of at least %(deviation)s of a newcomer’s."
    ) % {
        **words,
        "share": wording.percent(season.carryover_share),
        "deviation": wording.percent(season.carryover_deviation or 0.0),
    }


def _table(found: StartingList) -> StartingTable:
    return StartingTable(
        title=found.board.name,
        origin=opening_origin(found.board),
        shown_as=shown_as(found.board),
        has_ranges=any(rating.half is not None for __, rating in found.rows),
        rows=tuple(
            StartingRow(
                name,
                found.sources.get(rating.player_id, ""),
                wording.number(rating.value, rating.decimals),
                wording.plus_minus(rating.half, rating.decimals),
            )
            for name, rating in found.rows
        ),
        rest=wording.more_players(found.more),
    )
