"""Why a player's shown value changed by so much in one match: ordered substitution.

The first share is what the result gives a settled player against an equal, settled opponent.
Then the causes are put in one after the other, each worth the difference it makes; so the shares
add up to the change, and a cause that is absent is worth nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

import numpy as np

from ratings.log import DAY, Events
from ratings.sequential import Sequential, one_match, shares_of
from ratings.system import Reach, Side, State, System, Unanswerable


class Cause(Enum):
    """What a share of a change is due to, in the order of substitution."""

    RESULT = "result"
    OPPONENT_STRENGTH = "opponent_strength"
    OPPONENT_UNCERTAINTY = "opponent_uncertainty"
    OWN_UNCERTAINTY = "own_uncertainty"
    TEAM = "team"
    """Team-mates, the sizes of the sides and partial play."""
    HANDICAP = "handicap"
    SCORE = "score"
    WEIGHT = "weight"
    BOUNDS = "bounds"


@dataclass(frozen=True, slots=True)
class Share:
    """A part of a change, in units of the shown value."""

    cause: Cause
    amount: float


def explain(
    system: System,
    sides: Sequence[Side],
    ranks: Sequence[int],
    player: str,
    at: int,
    day: int | None = None,
    *,
    weight: float = 1.0,
    scores: Sequence[float] | None = None,
    events: Events | None = None,
    board: State | None = None,
) -> tuple[Share, ...]:
    """Decompose what one match changed for one of its players, as shown on `board`.

    Newcomers (all NaN) join as they would on `board`, from whose periods only the match's own
    counts: states are as of its beginning. `events` stand in place of ranks and scores where the
    system rates them; its players are positions in the members, side by side. A system without a
    cause has no line for it: no uncertainty in a zero-sum rating, no score where only results
    count, no bounds where there are none. Handicaps have one if there are any. Raises Unanswerable
    for a system of order alone, ValueError for a player who did not take part.
    """
    if not isinstance(system, Sequential) or system.reach is Reach.BATCH or system.orders_only:
        raise Unanswerable(f"{system.title} cannot break a rating change down into causes")
    own = next((index for index, side in enumerate(sides) if player in side.keys), None)
    if own is None:
        raise ValueError(f"{player!r} did not take part in this match")
    day = at // DAY if day is None else day
    unbounded = system.unbounded()
    free = unbounded or system
    present = [_as_of(system, side, at, day, board) for side in sides]
    place = present[own].keys.index(player)
    me = present[own].states[place]
    births = present[own].birth_years
    settled = system.settled(me)
    others = [index for index in range(len(sides)) if index != own]
    stand_ins = {index: _mean_state(present[index]) for index in others}
    strong = {index: (state[0], *settled[1:]) for index, state in stand_ins.items()}
    between_two = None if events is None else _of_stand_ins(events, sides, own, place)

    def change(
        judge: Any, line_up: Sequence[Side], *, full: bool = False, points: bool = False
    ) -> float:
        match, states = one_match(
            line_up,
            ranks,
            at,
            day,
            weight=weight if full else 1.0,
            scores=scores if points else None,
            events=events if line_up is present else between_two,
        )
        index = match.keys.index(player)
        before = states[index]
        after = judge.rate(match, states).states[index]
        return float(judge.display(after, board).value - judge.display(before, board).value)

    def duel(mine: State, theirs: dict[int, State]) -> list[Side]:
        return [
            Side((mine,), (player,), birth_years=births and (births[place],))
            if index == own
            else Side((theirs[index],), (f"{player}\x00{index}",))
            for index in range(len(sides))
        ]

    has_deviation = "deviation" in system.columns
    has_uncertainty = settled != me or system.settled(system.new_player()) != system.new_player()
    steps = [
        (Cause.RESULT, change(free, duel(settled, dict.fromkeys(others, settled)))),
        (Cause.OPPONENT_STRENGTH, change(free, duel(settled, strong))),
    ]
    if has_deviation:
        steps.append((Cause.OPPONENT_UNCERTAINTY, change(free, duel(settled, stand_ins))))
    if has_uncertainty:
        steps.append((Cause.OWN_UNCERTAINTY, change(free, duel(me, stand_ins))))
    if events is None and any(side.handicap for side in present):
        level = [replace(side, handicap=0.0) for side in present]
        steps.append((Cause.TEAM, change(free, level)))
        steps.append((Cause.HANDICAP, change(free, present)))
    else:
        steps.append((Cause.TEAM, change(free, present)))
    if system.uses_scores:
        steps.append((Cause.SCORE, change(free, present, points=True)))
    steps.append((Cause.WEIGHT, change(free, present, full=True, points=True)))
    if unbounded is not None:
        steps.append((Cause.BOUNDS, change(system, present, full=True, points=True)))
    shares = []
    former = 0.0
    for cause, value in steps:
        shares.append(Share(cause, value - former))
        former = value
    return tuple(shares)


def _as_of(system: Any, side: Side, at: int, day: int, board: State | None) -> Side:
    """Return the side with absence applied and newcomers joined, so that no step does it again."""
    unseen = system.new_player(board)
    states = np.array(
        [unseen if all(value != value for value in state) else state for state in side.states],
        dtype=np.float64,
    )
    idle = system.idle_many(states, at, day).copy()
    # What was settled up to this match says so, also of the newcomers, who have no earlier one.
    if "last_at" in system.columns:
        idle[:, system.columns.index("last_at")] = float(at)
    if "period" in system.columns:
        period = float(day // system.parameters.period_days)
        idle[:, system.columns.index("period")] = period
    return replace(side, states=tuple(tuple(row) for row in idle.tolist()))


def _of_stand_ins(events: Events, sides: Sequence[Side], own: int, place: int) -> Events:
    """Return the events as of a match of the one player against one stand-in for each side.

    An event of which they cannot tell (it was a team-mate's, or within another side) stays, so
    that the match is still told by events, but is worth nothing.
    """
    side_of = np.array(
        [*(number for number, side in enumerate(sides) for _ in side.keys), -1], dtype=np.int64
    )
    one = sum(len(side.keys) for side in sides[:own]) + place
    actor, target = np.asarray(events.actor), np.asarray(events.target)
    by, to = side_of[actor], side_of[target]
    is_lost = ((by == own) & (actor != one)) | ((to == own) & (target != one)) | (by == to)
    value = np.ones(len(actor)) if events.value is None else np.asarray(events.value, np.float64)
    return replace(events, actor=by, target=to, value=np.where(is_lost, 0.0, value))


def _mean_state(side: Side) -> State:
    """Return a single player who stands for a side: the mean of its members."""
    if len(side.states) == 1:
        return side.states[0]
    weights = np.array(shares_of(side))
    return tuple((weights @ np.array(side.states) / weights.sum()).tolist())
