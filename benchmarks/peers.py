"""The peers the kernels are measured against: each rates the first matches of a log.

Every function answers the processor seconds per match. Reading the log and making the players
are not counted; what a peer leaves to its user (turning ratings into calls) is.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator

from ratings.log import MatchLog

Peer = Callable[[MatchLog, int], float]
Sides = list[list[int]]


def matches_of(log: MatchLog, count: int) -> list[tuple[Sides, list[int]]]:
    """Return the first matches as sides of player numbers, with their ranks."""
    return list(_matches(log.part(0, count)))


def _matches(log: MatchLog) -> Iterator[tuple[Sides, list[int]]]:
    starts, members = log.side_start.tolist(), log.member_start.tolist()
    player, rank = log.player.tolist(), log.rank.tolist()
    for first, last in itertools.pairwise(starts):
        sides = [player[members[side] : members[side + 1]] for side in range(first, last)]
        yield sides, rank[first:last]


def elote_elo(log: MatchLog, count: int) -> float:
    """Rate by elote's Elo with its constant K."""
    from elote import EloCompetitor  # type: ignore[import-not-found,import-untyped,unused-ignore]

    matches = matches_of(log, count)
    players = {who: EloCompetitor() for sides, _ in matches for side in sides for who in side}
    began = time.process_time()
    for ((one,), (other,)), ranks in matches:
        if ranks[0] == ranks[1]:
            players[one].tied(players[other])
        else:
            players[one].beat(players[other])
    return (time.process_time() - began) / count


def glicko2_player(log: MatchLog, count: int) -> float:
    """Rate by the package `glicko2`, every match a period."""
    from glicko2 import Player  # type: ignore[import-not-found,import-untyped,unused-ignore]

    matches = matches_of(log, count)
    players = {who: Player() for sides, _ in matches for side in sides for who in side}
    began = time.process_time()
    for ((one,), (other,)), ranks in matches:
        a, b = players[one], players[other]
        a_rating, a_deviation = a.rating, a.rd
        score = 0.5 if ranks[0] == ranks[1] else 1.0
        a.update_player([b.rating], [b.rd], [score])
        b.update_player([a_rating], [a_deviation], [1.0 - score])
    return (time.process_time() - began) / count


def trueskill_rate(log: MatchLog, count: int) -> float:
    """Rate by the package `trueskill` in pure Python."""
    from trueskill import TrueSkill  # type: ignore[import-not-found,import-untyped,unused-ignore]

    environment = TrueSkill()
    matches = matches_of(log, count)
    players = {
        who: environment.create_rating() for sides, _ in matches for side in sides for who in side
    }
    began = time.process_time()
    for sides, ranks in matches:
        groups = environment.rate(
            [tuple(players[who] for who in side) for side in sides], ranks=ranks
        )
        for side, group in zip(sides, groups, strict=True):
            players.update(zip(side, group, strict=True))
    return (time.process_time() - began) / count


def openskill_rate(log: MatchLog, count: int) -> float:
    """Rate by openskill's Plackett-Luce."""
    from openskill.models import PlackettLuce  # type: ignore[import-not-found,import-untyped,unused-ignore]

    model = PlackettLuce()
    matches = matches_of(log, count)
    players = {who: model.rating() for sides, _ in matches for side in sides for who in side}
    began = time.process_time()
    for sides, ranks in matches:
        groups = model.rate(
            [[players[who] for who in side] for side in sides], ranks=[*map(float, ranks)]
        )
        for side, group in zip(sides, groups, strict=True):
            players.update(zip(side, group, strict=True))
    return (time.process_time() - began) / count
