"""Who is ranked on a board, and at which rank.

Ranked is who has as many results as the league asks for and is not inactive. Ranks count from 1;
players of one place value share the best of their ranks, and the next rank counts all of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from leagues.domain.absence import absent_before, inactive_before
from leagues.models import Board
from leagues.store.hashes import micros
from leagues.store.standing_columns import NEVER

Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]

FEW_RANKED = 5
"""Ranks among so few say little of a board while more of its players wait for theirs."""


@dataclass(frozen=True, slots=True)
class RankingRule:
    """Whom a board ranks at a moment: `Standing.objects.ranked(rule)` asks the database."""

    least_games: int
    active_since: datetime
    """Who played last before this moment is inactive."""

    def ranks(self, games: int, last_played_at: datetime) -> bool:
        """Whether a player of so many results, the last one then, is ranked."""
        return games >= self.least_games and last_played_at >= self.active_since

    def inactive(self, last_at: Integers) -> Mask:
        """Who is inactive, by the microseconds of last matches; not who has never played."""
        inactive: Mask = (last_at != NEVER) & (last_at < micros(self.active_since))
        return inactive

    def ranked(self, games: Integers, last_at: Integers) -> Mask:
        """Who is ranked, by numbers of results and microseconds of last matches."""
        return ~self.inactive(last_at) & (games >= self.least_games)


def ranking_rule(board: Board, now: datetime) -> RankingRule:
    """The rule of a board at a moment, by its newest match."""
    return ranking_rule_of_day(board, board.last_at, now)


def ranking_rule_of_day(board: Board, last_at: datetime | None, now: datetime) -> RankingRule:
    """The rule of a board at a moment by which its last match was played at `last_at`."""
    return RankingRule(least_games(board), absent_before(board, last_at, now))


def final_ranking_rule(board: Board) -> RankingRule | None:
    """The rule of a board once its season is over; None before its first match."""
    if board.last_at is None:
        return None
    return RankingRule(least_games(board), inactive_before(board, board.last_at))


def least_games(board: Board) -> int:
    """How many results rank a player: at least one, as a board has nobody without any."""
    return max(board.ranked_after, 1)


def are_few_ranked(ranked: int, unranked: int) -> bool:
    """Whether hardly any of those who play on a board are ranked yet, as after a first night."""
    return ranked <= FEW_RANKED and ranked < unranked


def ranks_among(place_values: Integers, best_first: Integers) -> Integers:
    """The rank of each place value among those of everyone ranked, who come best first."""
    return 1 + np.searchsorted(-best_first, -place_values, "left")


def ranks_of(place_values: Iterable[int]) -> list[int]:
    """The ranks of ranked players, by their place values in any order."""
    values = np.fromiter(place_values, np.int64)
    ranks: list[int] = ranks_among(values, -np.sort(-values)).tolist()
    return ranks
