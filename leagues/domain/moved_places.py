"""Who stands elsewhere on a board than before, and who of them is named first."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from leagues.domain.ranking import Integers, Mask, RankingRule, ranks_among
from leagues.store.match_columns import Floats, distinct, positions_in
from leagues.store.placed import Placed


@dataclass(frozen=True, slots=True)
class Place:
    """What a player is shown with on a board; without a rank, who is not ranked."""

    value: float
    rank: int | None


@dataclass(frozen=True, slots=True)
class Moves:
    """What differs between two moments of a board, as people see it."""

    players: int
    """How many are shown with another rating or rank, came or went."""
    ratings: int
    ranks: int
    listed: tuple[tuple[int, Place | None, Place | None], ...]
    """The first of them, with where each stood before and stands after."""


def moved_between(
    before: tuple[Placed, RankingRule],
    after: tuple[Placed, RankingRule],
    *,
    first: Collection[int],
    at_most: int,
) -> Moves:
    """Compare two moments; some players come `first`, the others by how far they move."""
    ids = distinct(np.concatenate([before[0].player_id, after[0].player_id]))
    one, other = (_Side.of(placed, rule, ids) for placed, rule in (before, after))
    is_rated_anew = (one.is_there != other.is_there) | (one.place_value != other.place_value)
    is_ranked_anew = one.rank != other.rank
    moved = np.flatnonzero(is_rated_anew | is_ranked_anew)
    order = moved[_order(one, other, moved, np.isin(ids[moved], np.array([*first], np.int64)))]
    return Moves(
        players=len(moved),
        ratings=int(np.count_nonzero(is_rated_anew)),
        ranks=int(np.count_nonzero(is_ranked_anew)),
        listed=tuple(
            (int(ids[row]), one.place(row), other.place(row)) for row in order[:at_most].tolist()
        ),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """One of two moments, by the players of both; parallel columns, 0 where there is nothing."""

    is_there: Mask
    value: Floats
    place_value: Integers
    rank: Integers

    @classmethod
    def of(cls, placed: Placed, rule: RankingRule, ids: Integers) -> _Side:
        ranked = rule.ranked(placed.games, placed.last_at)
        best_first = -np.sort(-placed.place_value[ranked])
        rank = np.where(ranked, ranks_among(placed.place_value, best_first), 0)
        where = positions_in(ids, placed.player_id)
        side = cls(
            np.zeros(len(ids), np.bool_),
            np.zeros(len(ids)),
            np.zeros(len(ids), np.int64),
            np.zeros(len(ids), np.int64),
        )
        side.is_there[where] = True
        side.value[where] = placed.value
        side.place_value[where] = placed.place_value
        side.rank[where] = rank
        return side

    def place(self, row: int) -> Place | None:
        """Where a player stands; None where nowhere."""
        if not self.is_there[row]:
            return None
        return Place(float(self.value[row]), int(self.rank[row]) or None)


def _order(one: _Side, other: _Side, moved: Integers, is_first: Mask) -> Integers:
    """The order of movers: by shown points, then by ranks; who comes or goes stands first."""
    comes, goes = ~one.is_there[moved], ~other.is_there[moved]
    value = other.place_value[moved]
    points = np.abs(value - one.place_value[moved]).astype(np.float64)
    ranks = np.abs(other.rank[moved] - one.rank[moved])
    ranks[(one.rank[moved] == 0) | (other.rank[moved] == 0)] = 1
    points[comes | goes] = np.inf
    within = np.where(goes, 0, np.where(comes, value, ranks))
    order: Integers = np.lexsort((moved, -within, -points, ~is_first))
    return order
