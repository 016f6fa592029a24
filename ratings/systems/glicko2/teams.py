"""What a match says of one participant, alone or in a team; bodies."""

from __future__ import annotations

from typing import Final

from ratings.engine import INDEX, Column, Columns, body
from ratings.shares import result_of
from ratings.systems.glicko2.period import compared
from ratings.systems.glicko2.scale import SCALE

_INDIVIDUAL: Final = 0
_COMPOSITE_OPPONENT: Final = 1
_COMPOSITE_TEAM: Final = 2
TEAMS: Final = {
    "individual": _INDIVIDUAL,
    "composite-opponent": _COMPOSITE_OPPONENT,
    "composite-team": _COMPOSITE_TEAM,
}


@body
def side_means(
    first: int,
    last: int,
    member_start: Column,
    player: Column,
    share: Column,
    mean: Column,
    deviation: Column,
    side_mean: Column,
    side_deviation: Column,
    side_size: Column,
) -> None:
    """Fill in mean, mean deviation and size of the sides first:last."""
    for side in range(first, last):
        begin = member_start[side] & INDEX
        end = member_start[side + 1] & INDEX
        if end - begin == 1:
            who = player[begin] & INDEX
            side_mean[side - first] = mean[who]
            side_deviation[side - first] = deviation[who]
            side_size[side - first] = share[begin]
            continue
        total = 0.0
        spread = 0.0
        size = 0.0
        for member in range(begin, end):
            who = player[member] & INDEX
            size += share[member]
            total += share[member] * mean[who]
            spread += share[member] * deviation[who]
        side_mean[side - first] = total / size
        side_deviation[side - first] = spread / size
        side_size[side - first] = size


@body
def evidence(
    member: int,
    side: int,
    first: int,
    last: int,
    log: Columns,
    mean: Column,
    deviation: Column,
    scratch: Columns,
    teams: int,
    pairs_full: bool,
    size_advantage: float,
) -> tuple[float, float, float, float]:
    """Return what a match says of one participant, before weight and share.

    The sums of g^2 E(1-E) and g(s-E) over the comparisons, the mean score and the opponents'
    mean strength.
    """
    _at, _day, _weight, _side_start, rank, _points, handicap, member_start, player, _, _ = log
    side_mean, side_deviation, side_size = scratch
    own = mean[player[member] & INDEX]
    pair_weight = 1.0 if pairs_full else 1.0 / (last - first - 1)
    information = 0.0
    gain = 0.0
    score_sum = 0.0
    opponent_sum = 0.0
    comparisons = 0.0
    for other in range(first, last):
        if other == side:
            continue
        score = result_of(rank[side], rank[other])
        shift = (
            (handicap[other] - handicap[side])
            + size_advantage * (side_size[other - first] - side_size[side - first])
        ) / SCALE
        if teams == _INDIVIDUAL:
            for opponent in range(member_start[other] & INDEX, member_start[other + 1] & INDEX):
                whom = player[opponent] & INDEX
                theirs = mean[whom] + shift
                told, surprise = compared(own, theirs, deviation[whom], score)
                information += pair_weight * told
                gain += pair_weight * surprise
                score_sum += score
                opponent_sum += theirs
                comparisons += 1.0
            continue
        theirs = side_mean[other - first] + shift
        if teams == _COMPOSITE_TEAM:
            theirs = own + (theirs - side_mean[side - first])
        told, surprise = compared(own, theirs, side_deviation[other - first], score)
        information += pair_weight * told
        gain += pair_weight * surprise
        score_sum += score
        opponent_sum += theirs
        comparisons += 1.0
    return information, gain, score_sum / comparisons, opponent_sum / comparisons
