"""Why a match moved its players by so much, in numbers that add up.

The shares are those of `ratings.explanation`, taken from the exact states before the match and
rounded so that the shown ones sum to the shown change.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from leagues.bridge.display import shown_of
from leagues.bridge.draws import may_draw
from leagues.bridge.match_effects import RatedMatch, RatingChange
from leagues.bridge.systems import board_state
from ratings.explanation import Cause, Share, explain
from ratings.system import State, Unanswerable

CAUSES = tuple(cause.value for cause in Cause)


@dataclass(frozen=True, slots=True)
class Reason:
    """One share of a change: `units` counts the last digit that is shown."""

    cause: str
    amount: float
    units: int


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why one player's shown value changed; without reasons where the system has none to tell."""

    player_id: int
    change: float
    units: int
    decimals: int
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Alternative:
    """How a match could have ended, and the shown value of each player, by player id, after it."""

    side: int
    """Position of the side whose outcome it is."""
    place: int
    is_shared: bool
    is_real: bool
    after: dict[int, float]


def explanation_of(rated: RatedMatch, account: RatingChange) -> Explanation:
    """The explanation of why a match changed one of its players by as much as is shown."""
    before, after = account.before, account.after
    decimals = after.decimals
    units = in_units(after.value, decimals) - in_units(before.value, decimals)
    key = next(
        mover.row.player.key for mover in rated.movers if mover.row.player_id == account.player_id
    )
    shares = _shares_of(rated, key)
    rounded = rounded_to([share.amount for share in shares], units, decimals)
    return Explanation(
        player_id=account.player_id,
        change=after.value - before.value,
        units=units,
        decimals=decimals,
        reasons=tuple(
            Reason(share.cause.value, share.amount, count)
            for share, count in zip(shares, rounded, strict=True)
        ),
    )


def _shares_of(rated: RatedMatch, key: str) -> tuple[Share, ...]:
    """The shares of a change by cause; what each event gave is no share of one result."""
    if rated.events:
        return ()
    try:
        return explain(
            rated.system,
            rated.sides,
            rated.ranks,
            key,
            rated.at,
            rated.day,
            weight=rated.match.weight,
            scores=rated.scores,
            board=board_state(rated.board),
        )
    except Unanswerable:
        return ()


def in_units(value: float, decimals: int) -> int:
    """A shown number as a count of its last digit."""
    unit: int = 10**decimals
    return round(float(f"{value:.{decimals}f}") * unit)


def shown_step(before: float, after: float, decimals: int) -> float:
    """The difference of two numbers as they are shown."""
    unit: int = 10**decimals
    return (in_units(after, decimals) - in_units(before, decimals)) / unit


def rounded_to(amounts: Sequence[float], total: int, decimals: int) -> list[int]:
    """Round shares to counts of the last digit that sum to `total`.

    What rounding leaves over goes to the shares it changes least; a share of nothing stays that,
    unless all are.
    """
    exact = [amount * 10**decimals for amount in amounts]
    counts = [round(value) for value in exact]
    able = [index for index, value in enumerate(exact) if abs(value) > 1e-9] or [*range(len(exact))]
    while able and (missing := total - math.fsum(counts)):
        step = 1 if missing > 0 else -1
        nearest = max(able, key=lambda index: step * (exact[index] - counts[index]))
        counts[nearest] += step
    return counts


def alternatives_of(rated: RatedMatch, own: int) -> tuple[Alternative, ...]:
    """The effects of every outcome: win, draw, loss of a side, or all its places.

    With the weight of the match, and without a score where another outcome had to invent one. On
    more than two sides the others keep their order and the places they share.
    """
    if rated.is_fitted or rated.events:
        return ()
    ranks = rated.ranks
    if len(ranks) == 2:
        drawn = may_draw(rated.board) or ranks[0] == ranks[1]
        endings = [(0, 1), (0, 0), (1, 0)] if drawn else [(0, 1), (1, 0)]
        lines = [list(ending) if own == 0 else list(ending)[::-1] for ending in endings]
    else:
        lines = list(_endings(ranks, own))
    alternatives = []
    for line in lines:
        is_real = line == ranks
        states = (
            {mover.row.player.key: mover.after for mover in rated.movers}
            if is_real
            else rated.after(line)
        )
        alternatives.append(
            Alternative(
                side=own,
                place=line[own],
                is_shared=line.count(line[own]) > 1,
                is_real=is_real,
                after={
                    mover.row.player_id: _display(rated, states[mover.row.player.key])
                    for mover in rated.movers
                },
            )
        )
    return tuple(alternatives)


def _endings(ranks: Sequence[int], own: int) -> Iterator[list[int]]:
    """Yield the ranks of several sides for each place of one: alone, or shared as it was."""
    places = sorted({rank for side, rank in enumerate(ranks) if side != own})
    # Twice as many steps as places: the even ones are between them.
    steps = [2 * places.index(rank) + 1 if side != own else 0 for side, rank in enumerate(ranks)]
    for step in range(2 * len(places) + 1):
        if step % 2 == 0 or places[step // 2] == ranks[own]:
            line = [*steps[:own], step, *steps[own + 1 :]]
            yield [sum(other < one for other in line) for one in line]


def _display(rated: RatedMatch, state: State) -> float:
    return shown_of(rated.board, state, 0).value
