"""How often each player of a log scored against each other one, for static strengths."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ratings.arranging import ranges_of
from ratings.event_values import ALONE
from ratings.log import EventKind, Floats, Integers, MatchLog
from ratings.sidetable import pairs_of


def counted(log: MatchLog, value: Floats) -> tuple[Integers, Integers, Floats, Floats]:
    """Triples (winner, loser, count) and each player's suicides, weighted by match.

    Each event counts by its `value`. A match in which no event has a value counts by
    its ranks, whatever else happened in it.
    """
    match = np.repeat(np.arange(len(log)), np.diff(log.event_start))
    worth = log.weight[match] * log.event_value
    kind = np.minimum(log.event_kind, EventKind.OWN)
    suicide = kind == EventKind.SUICIDE
    suicides = np.bincount(
        log.event_actor[suicide], worth[suicide], minlength=len(log.keys)
    ).astype(np.float64)
    worth = worth * value
    between = (value > 0.0) & (log.event_target >= 0)
    alone = (value > 0.0) & (log.event_target < 0) & np.isin(kind, ALONE)
    one, others, parts = _shared_out(log, match[alone], log.event_actor[alone], worth[alone])
    events = np.bincount(match[between | alone], minlength=len(log))
    better, worse, count = _by_ranks(log, events == 0)
    return (
        np.concatenate((log.event_actor[between], better, one)),
        np.concatenate((log.event_target[between], worse, others)),
        np.concatenate((worth[between], count, parts)),
        suicides,
    )


def _by_ranks(log: MatchLog, is_silent: NDArray[np.bool_]) -> tuple[Integers, Integers, Floats]:
    """The triples of the matches without events that count: each opposed pair 1:0, or half."""
    better, worse, _ = pairs_of(log)
    silent = is_silent[log.match_of_side()[better]]
    better, worse = better[silent], worse[silent]
    sizes = np.diff(log.member_start)
    cross = sizes[better] * sizes[worse]
    index = np.arange(int(cross.sum())) - np.repeat(np.cumsum(cross) - cross, cross)
    width = np.repeat(sizes[worse], cross)
    one = log.player[np.repeat(log.member_start[better], cross) + index // np.maximum(width, 1)]
    other = log.player[np.repeat(log.member_start[worse], cross) + index % np.maximum(width, 1)]
    weight = log.weight[np.repeat(log.match_of_side()[better], cross)]
    drawn = np.repeat(log.rank[better] == log.rank[worse], cross)
    count = np.where(drawn, 0.5 * weight, weight)
    return (
        np.concatenate((one, other[drawn])),
        np.concatenate((other, one[drawn])),
        np.concatenate((count, count[drawn])),
    )


def _shared_out(
    log: MatchLog, match: Integers, actor: Integers, worth: Floats
) -> tuple[Integers, Integers, Floats]:
    """The triples of events without an opponent: shared out equally over the opposing players.

    That is their average, whom M. Becker's ranking takes for the opponent.
    """
    q = max(len(log.keys), 1)
    doers, place = np.unique(match * q + actor, return_inverse=True)
    amount = np.bincount(place, worth, len(doers))
    played, who = doers // q, doers % q
    starts = log.member_start[log.side_start]
    row = ranges_of(starts, played)
    doer = np.repeat(np.arange(len(doers)), np.diff(starts)[played])
    side, is_self = log.side_of()[row], log.player[row] == who[doer]
    own_side = side[is_self]
    opposed = side != own_side[doer]
    row, doer = row[opposed], doer[opposed]
    opponents = np.bincount(doer, minlength=len(doers))
    return who[doer], log.player[row], amount[doer] / opponents[doer]
