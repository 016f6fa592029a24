"""What stood before each match of a log: what was expected, and where newcomers joined."""

from __future__ import annotations

import numpy as np

from ratings import starts
from ratings.evaluation import tables_before
from ratings.log import Floats, Integers, MatchLog
from ratings.sidetable import SideTable, pairs_of
from ratings.system import IndirectChanges, Reach, Replay, System

MATCHES_AT_ONCE = 1 << 14
"""What is computed of so many matches stays in the cache of a processor."""
DIGITS = 12
"""Rounded so far, the numbers do not depend on how many of them a machine computes at once."""


def expected_of(system: System, replay: Replay) -> Floats:
    """The expected score of each participant's side, the mean over the other sides.

    NaN where a system predicts nothing: a ladder only orders, a static rating has no before, and
    of a match that was left nobody expected it.
    """
    log = replay.log
    if system.reach is Reach.BATCH or system.orders_only or not len(log):
        return np.full(len(log.player), np.nan)
    tables = tables_before(system, replay, MATCHES_AT_ONCE)
    return np.concatenate([_expected_in(system, table) for table in tables])


def _expected_in(system: System, table: SideTable) -> Floats:
    log = table.log
    one, other, _weight = pairs_of(log)
    chance = system.chances(table, one, other)
    sides = len(log.rank)
    total = np.bincount(one, chance, sides) + np.bincount(other, 1.0 - chance, sides)
    others = (np.diff(log.side_start) - 1)[log.match_of_side()]
    mean: Floats = np.full(sides, np.nan)
    np.divide(total, others, out=mean, where=others > 0)
    mean = np.round(mean, DIGITS)[log.side_of()]
    return mean


def board_entries_of(system: System, replay: Replay) -> IndirectChanges:
    """The match with which each newcomer joined a board, and the state, where it depends on when.

    That is the rung of a ladder, and the mean where anchors move it. Elsewhere a newcomer's state
    is the same at all times.
    """
    if starts.has_anchors(system):
        return _entries_at_a_moved_mean(system, replay)
    return _ladder_entries(system, replay)


def _entries_at_a_moved_mean(system: System, replay: Replay) -> IndirectChanges:
    """Those who joined at another mean than the first, which readers know."""
    usual = system.new_player()
    if replay.joined is None:
        return IndirectChanges.none(len(system.columns))
    joined = np.flatnonzero(~np.isnan(replay.joined) & (replay.joined != usual[0]))
    match, player = _in_order(replay.log, joined)
    state = np.tile(np.array(usual), (len(player), 1))
    state[:, 0] = replay.joined[player]
    return IndirectChanges(match=match, at=replay.log.at[match], player=player, state=state)


def _ladder_entries(system: System, replay: Replay) -> IndirectChanges:
    """Those who stood on no rung; those of one match join in order of key, all at the bottom."""
    unseen = np.flatnonzero(np.isnan(replay.start).all(axis=1))
    if not system.orders_only or replay.board is None or not len(unseen):
        return IndirectChanges.none(len(system.columns))
    match, joined = _in_order(replay.log, unseen)
    stood = replay.board[0] - len(joined)
    return IndirectChanges(
        match=match,
        at=replay.log.at[match],
        player=joined,
        state=stood + np.arange(1.0, len(joined) + 1.0)[:, None],
    )


def _in_order(log: MatchLog, players: Integers) -> tuple[Integers, Integers]:
    """The first match of each of some players, and the players, in the order in which they come.

    Without those who have no match.
    """
    first = np.full(len(log.keys), len(log))
    np.minimum.at(first, log.player, log.match_of())
    present = players[first[players] < len(log)]
    ordered = present[np.lexsort((present, first[present]))]
    return first[ordered], ordered
