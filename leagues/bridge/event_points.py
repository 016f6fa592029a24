"""What each event of a match gave a player, where a system rates events one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from leagues.bridge.computing import log_kinds
from leagues.bridge.explanations import in_units, rounded_to
from leagues.bridge.match_effects import RatedMatch, RatingChange, event_value_of
from leagues.bridge.systems import board_state
from leagues.models import MatchEvent
from leagues.store.match_columns import event_kinds
from ratings.log import Events, MatchLog

MAX_EVENTS = 3_000
"""Events that are rated again for a page; of more it tells no points."""


@dataclass(frozen=True, slots=True)
class EventPoints:
    """What all events of a kind with one other player gave; `units` counts the last digit shown."""

    kind: str
    other_id: int | None
    is_own: bool
    """Whether the player did it; else it was done to the player, or to the player's side."""
    count: int
    units: int
    value: float
    """How many frags an event of the kind counts for, of damage each point of it."""


def event_points_of(rated: RatedMatch, account: RatingChange) -> tuple[EventPoints, ...]:
    """What the events of a match gave one of its players, so that it adds up to the shown change.

    Nothing where the system tells no points of a single event, or there are too many.
    """
    events = _told_events(rated)
    if not events:
        return ()
    values = _values_after(rated, events)[account.player_id]
    steps = np.diff(values, prepend=account.before.value)
    pays_for = _pays_for(rated, account.player_id)
    groups: dict[tuple[int | None, str, bool], list[float]] = {}
    for event, step in zip(events, steps.tolist(), strict=True):
        if event.player_id == account.player_id:
            key = (event.opponent_id, event.kind, True)
        elif pays_for(event):
            key = (event.player_id, event.kind, False)
        else:
            continue
        groups.setdefault(key, []).append(step)
    others = list(dict.fromkeys(other for other, _kind, _is_own in groups if other is not None))
    keys = sorted(groups, key=lambda key: _place(key, others))
    decimals = account.after.decimals
    total = in_units(account.after.value, decimals) - in_units(account.before.value, decimals)
    units = rounded_to([float(np.sum(groups[key])) for key in keys], total, decimals)
    return tuple(
        EventPoints(
            kind,
            other,
            is_own,
            len(groups[other, kind, is_own]),
            count,
            event_value_of(rated.system, kind),
        )
        for (other, kind, is_own), count in zip(keys, units, strict=True)
    )


@dataclass(frozen=True, slots=True)
class EventStep:
    """An event that a player did or suffered, or paid for, and the shown value after it."""

    event: MatchEvent
    value: float


def event_steps_of(rated: RatedMatch, account: RatingChange) -> tuple[EventStep, ...]:
    """A player's value after each of the own events of a match, in their order.

    Nothing where `event_points_of` tells nothing.
    """
    events = _told_events(rated)
    if not events:
        return ()
    values = _values_after(rated, events)[account.player_id].tolist()
    pays_for = _pays_for(rated, account.player_id)
    return tuple(
        EventStep(event, value)
        for event, value in zip(events, values, strict=True)
        if event.player_id == account.player_id or pays_for(event)
    )


def event_course_of(rated: RatedMatch) -> dict[int, tuple[float, ...]]:
    """The value of every player after each event of a match, by player id; as `event_steps_of`."""
    events = _told_events(rated)
    if not events:
        return {}
    return {
        player_id: tuple(values.tolist())
        for player_id, values in _values_after(rated, events).items()
    }


def _pays_for(rated: RatedMatch, player_id: int) -> Callable[[MatchEvent], bool]:
    """Which events were done to a player, or to the player's side where that pays for them.

    What has no opponent of its own, such as a capture, some systems let the other side pay.
    """
    sides = {mover.row.player_id: mover.row.side for mover in rated.movers}

    def pays_for(event: MatchEvent) -> bool:
        if event.opponent_id is not None or not rated.system.sides_pay:
            return event.opponent_id == player_id
        return sides[event.player_id] != sides[player_id]

    return pays_for


def _told_events(rated: RatedMatch) -> Sequence[MatchEvent]:
    """The events of a match whose points are told one by one, if any are."""
    if len(rated.events) > MAX_EVENTS or rated.is_fitted or rated.system.orders_only:
        return ()
    return rated.events


def _place(key: tuple[int | None, str, bool], others: Sequence[int]) -> tuple[int, bool, int, str]:
    """The order of groups: those with one other player together, the player's own deeds first."""
    other, kind, is_own = key
    place = others.index(other) if other is not None else len(others)
    kinds = MatchEvent.Kind.values
    return place, not is_own, kinds.index(kind) if kind in kinds else len(kinds), kind


def _values_after(
    rated: RatedMatch, events: Sequence[MatchEvent]
) -> dict[int, NDArray[np.float64]]:
    """The shown values of each player after each event: each is rated as a match of its own."""
    movers = rated.movers
    place = {mover.row.player_id: index for index, mover in enumerate(movers)}
    count, width = len(events), len(movers)
    targets = [event.opponent_id for event in events]
    log, _order = MatchLog.build(
        keys=[mover.row.player.key for mover in movers],
        at=np.full(count, rated.at),
        day=np.full(count, rated.day),
        weight=np.full(count, rated.match.weight),
        match=np.repeat(np.arange(count), width),
        side=np.tile([mover.row.side for mover in movers], count),
        rank=np.tile([mover.row.rank - 1 for mover in movers], count),
        player=np.tile(np.arange(width), count),
        share=np.tile([mover.row.playing_share for mover in movers], count),
        birth_year=[mover.row.player.birth_year or 0 for mover in movers],
        events=Events(
            match=np.arange(count),
            actor=[place[event.player_id] for event in events],
            target=[-1 if target is None else place[target] for target in targets],
            value=[event.points for event in events],
            **log_kinds(*event_kinds([event.kind for event in events])),
        ),
    )
    start = np.array([mover.before for mover in movers], dtype=np.float64)
    replay = rated.system.replay(log, start=start, engine="plain")
    shown = rated.system.display_many(replay.after, board=board_state(rated.board)).value
    return {player_id: shown[log.player == index] for player_id, index in place.items()}
