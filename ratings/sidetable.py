"""States summed up side by side, for predicting whole logs at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ratings.log import Floats, Integers, MatchLog


@dataclass(frozen=True, slots=True, eq=False)
class SideTable:
    """The sides of a log with the states their members brought, absence applied."""

    log: MatchLog
    states: Floats

    @property
    def players(self) -> Integers:
        """Return how many members each side has."""
        return np.diff(self.log.member_start)

    @property
    def size(self) -> Floats:
        """Return each side's sum of shares."""
        return self.total_of(np.ones(len(self.log.share)))

    def total_of(self, values: Floats, power: int = 1) -> Floats:
        """Return each side's sum of a value per member, weighted by the share to a power."""
        weighted = values * self.log.share
        if power == 2:
            weighted = weighted * self.log.share
        if len(weighted) == len(self.log.rank):
            return weighted
        return np.add.reduceat(weighted, self.log.member_start[:-1])

    def mean(self, column: int) -> Floats:
        """Return each side's mean of a state column, weighted by the shares."""
        return self.total_of(self.states[:, column]) / self.size

    def advantage(self, per_player: float) -> Floats:
        """Return what each side gains by its size and its handicap."""
        return per_player * self.size + self.log.handicap

    def day(self) -> Integers:
        """Return each side's civil day."""
        return self.log.day[self.log.match_of_side()]


def pairs_of(log: MatchLog) -> tuple[Integers, Integers, Floats]:
    """Return every pair of sides of a match, better ranked first, and what it weighs.

    The pairs of a match weigh one together.
    """
    counts = np.diff(log.side_start)
    firsts, seconds, weights = [], [], []
    # A forfeit has one side, and so no pair.
    for k in np.unique(counts[counts > 1]).tolist():
        starts = log.side_start[:-1][counts == k]
        one, other = np.triu_indices(k, 1)
        firsts.append((starts[:, None] + one).ravel())
        seconds.append((starts[:, None] + other).ravel())
        weights.append(np.full(len(starts) * len(one), 1.0 / len(one)))
    if not firsts:
        nothing = np.empty(0, dtype=np.int64)
        return nothing, nothing, np.empty(0)
    first = np.concatenate(firsts)
    order = np.argsort(first, kind="stable")
    return first[order], np.concatenate(seconds)[order], np.concatenate(weights)[order]
