"""How a match not yet played would end, and what each of its outcomes would change."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np

from leagues.bridge.display import ShownValue, shown_of
from leagues.bridge.stakes import Entrant, settled_board
from leagues.bridge.systems import board_state, system_of
from leagues.models import Board
from leagues.store.match_columns import civil_days, micros
from ratings.curves import normal
from ratings.draws import DrawRate
from ratings.sequential import INTERVAL, one_match
from ratings.system import Reach, Side, State, System, Unanswerable

Span = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One way a match could end, and the shown value of every player after it."""

    side: int
    """Whose outcome this is."""
    place: int
    """0 is first."""
    ranks: tuple[int, ...]
    after: tuple[tuple[float, ...], ...]
    """By side and member, in the order given."""


@dataclass(frozen=True, slots=True)
class MatchForecast:
    """What a system says of a match before it is played; what it cannot say is None or empty."""

    win: float | None
    draw: float | None
    loss: float | None
    expected: tuple[float, ...]
    """Each side's expected score against the others, draws left out."""
    places: tuple[tuple[float, ...], ...]
    """places[i][r] is the chance that side i takes place r."""
    spans: tuple[Span, ...]
    """Within which each side's chance of finishing first lies, by the doubt in the ratings."""
    quality: float | None
    before: tuple[tuple[ShownValue, ...], ...]
    outcomes: tuple[Outcome, ...]
    refusal: str
    """Why the system would not rate this match, if so."""


def prospect(
    board: Board,
    sides: Sequence[Sequence[Entrant]],
    at: datetime,
    draws: DrawRate | None = None,
) -> MatchForecast:
    """The forecast of a match between sides at a moment not before anybody's last match.

    Where draws are forbidden, no outcome is one. `draws` is what earlier matches say about them.
    """
    system = system_of(board)
    instant, day = moment_of(board, at)
    shared_state = settled_board(system, board, at)
    line_up = [imagined_side(system, side, shared_state) for side in sides]
    refusal = _refusal(system, line_up, instant, day)
    before = tuple(
        tuple(_display(system, board, state, instant, day) for state in side.states)
        for side in line_up
    )
    nothing = MatchForecast(None, None, None, (), (), (), None, before, (), refusal)
    if refusal:
        return nothing
    outcomes = _outcomes(system, board, sides, at)
    if system.orders_only:
        return replace(nothing, outcomes=outcomes)
    try:
        prediction = system.predict(
            line_up, instant, day, draws if board.league.draws_allowed else None
        )
    except Unanswerable as problem:
        return replace(nothing, outcomes=outcomes, refusal=str(problem))
    win, draw, loss = prediction.win, prediction.draw, prediction.loss
    if len(sides) == 2 and not board.league.draws_allowed:
        win, draw, loss = prediction.expected[0], None, prediction.expected[1]
    return MatchForecast(
        win=win,
        draw=draw,
        loss=loss,
        expected=prediction.expected,
        places=prediction.places,
        spans=chance_spans(system, line_up, instant, day),
        quality=system.quality(line_up, instant, day),
        before=before,
        outcomes=outcomes,
        refusal="",
    )


@dataclass(frozen=True, slots=True)
class Stronger:
    """Which of two players is stronger, as far as their ranges tell."""

    chance: float
    """That the first is."""
    common: float
    """What the ranges have in common, as a part of the narrower one; not positive: nothing."""


def stronger(one: ShownValue, other: ShownValue) -> Stronger | None:
    """Compare two ratings with their doubt; None where there is no doubt to compare.

    Strengths are normally distributed within their ranges, which hold 95 of 100 cases.
    """
    if one.low is None or one.high is None or other.low is None or other.high is None:
        return None
    lead = (one.low + one.high - other.low - other.high) / 2.0
    deviation = math.hypot(one.high - one.low, other.high - other.low) / (2.0 * INTERVAL)
    common = min(one.high, other.high) - max(one.low, other.low)
    narrower = min(one.high - one.low, other.high - other.low)
    if not deviation or not narrower:
        return None
    return Stronger(normal(lead / deviation), common / narrower)


def shown_entrant(board: Board, entrant: Entrant) -> ShownValue:
    """The value that people see of somebody who has not played yet."""
    newcomer = system_of(board).new_player(board_state(board))
    return shown_of(board, newcomer if entrant.state is None else entrant.state, 0)


@dataclass(frozen=True, slots=True)
class MatchupForecast:
    """What a match of two would be like for one of them."""

    expected: float
    """The expected score, draws left out."""
    quality: float

    @property
    def gain(self) -> float:
        """S0's expected gain E(1 - E) as a part of the most there can be, against one's equal."""
        return 4.0 * self.expected * (1.0 - self.expected)


def chances_against(
    board: Board, me: Entrant, rivals: Sequence[Entrant], at: datetime
) -> list[MatchupForecast | None]:
    """The forecasts of a match of two at a moment, against each of the others.

    None where the system has no chances to tell.
    """
    system = system_of(board)
    if system.orders_only:
        return [None] * len(rivals)
    instant, day = moment_of(board, at)
    shared_state = settled_board(system, board, at)
    own = imagined_side(system, [me], shared_state)
    forecasts: list[MatchupForecast | None] = []
    for rival in rivals:
        other = imagined_side(system, [rival], shared_state)
        try:
            expected = system.predict([own, other], instant, day).expected[0]
            quality = system.quality([own, other], instant, day)
        except Unanswerable:
            forecasts.append(None)
            continue
        forecasts.append(MatchupForecast(expected, quality))
    return forecasts


def chance_spans(system: System, sides: Sequence[Side], at: int, day: int) -> tuple[Span, ...]:
    """The span of each side's chance of finishing first, draws left out.

    The doubt in the ratings is a doubt in the lead of a side: its strength less the mean strength
    of the others, whose variance is that of all members together. At either end of the lead's
    95 % interval (1.96 deviations, put on the members in proportion to what each adds to the
    variance) the chance is asked of the system as if the strengths were known. Systems without
    deviations have no spans.
    """
    if "deviation" not in system.columns or system.reach is Reach.BATCH:
        return ()
    doubt = system.columns.index("deviation")
    others = 1.0 / (len(sides) - 1)
    present = [
        replace(side, states=tuple(system.idle(state, at, day) for state in side.states))
        for side in sides
    ]
    spans = []
    for own in range(len(sides)):
        weights = [
            [weight if index == own else -others * weight for weight in _weights(system, side)]
            for index, side in enumerate(present)
        ]
        variance = math.fsum(
            (weight * state[doubt]) ** 2
            for side, row in zip(present, weights, strict=True)
            for state, weight in zip(side.states, row, strict=True)
        )
        reach = INTERVAL / math.sqrt(variance) if variance else 0.0
        ends = []
        for sign in (-1.0, 1.0):
            shifted = [
                replace(
                    side,
                    states=tuple(
                        _with_known_strength(
                            system, state, sign * reach * weight * state[doubt] ** 2, at
                        )
                        for state, weight in zip(side.states, row, strict=True)
                    ),
                )
                for side, row in zip(present, weights, strict=True)
            ]
            ends.append(system.predict(shifted, at, day).first[own])
        spans.append((ends[0], ends[1]))
    return tuple(spans)


def moment_of(board: Board, at: datetime) -> tuple[int, int]:
    """A moment in microseconds, and its civil day in the league."""
    instant = micros(at)
    return instant, int(civil_days(np.array([instant]), board.league.zone)[0])


def _weights(system: System, side: Side) -> list[float]:
    """The part of each member's strength in the strength of the side."""
    shares = side.shares or (1.0,) * len(side.keys)
    size = 1.0 if system.sums_members else math.fsum(shares)
    return [share / size for share in shares]


def _with_known_strength(system: System, state: State, shift: float, at: int) -> State:
    """A state of known strength: no deviation, nor one that grew since the last match."""
    values = dict(zip(system.columns, state, strict=True))
    values["mean"] += shift
    values["deviation"] = 0.0
    if "last_at" in values:
        values["last_at"] = float(at)
    return tuple(values.values())


def imagined_side(system: System, entrants: Sequence[Entrant], shared_state: State | None) -> Side:
    """Players as a side of a match not yet played; newcomers as they would join."""
    newcomer = system.new_player(shared_state)
    return Side(
        states=tuple(newcomer if one.state is None else one.state for one in entrants),
        keys=tuple(one.key for one in entrants),
        birth_years=tuple(one.birth_year for one in entrants),
    )


def _refusal(system: System, sides: Sequence[Side], at: int, day: int) -> str:
    match, _states = one_match(sides, list(range(len(sides))), at, day)
    return next((reason for _match, reason in system.refusals(match)), "")


def _outcomes(
    system: System, board: Board, sides: Sequence[Sequence[Entrant]], at: datetime
) -> tuple[Outcome, ...]:
    instant, day = moment_of(board, at)
    shared_state = settled_board(system, board, at)
    unseen = (math.nan,) * len(system.columns)
    # Newcomers are shown to the rating as such: on some boards where they begin depends on others.
    line_up = [
        Side(
            states=tuple(unseen if one.state is None else one.state for one in side),
            keys=tuple(one.key for one in side),
            birth_years=tuple(one.birth_year for one in side),
        )
        for side in sides
    ]
    try:
        previews = system.preview(line_up, instant, day, shared_state)
    except Unanswerable:
        return ()
    return tuple(
        Outcome(
            one.side,
            one.place,
            one.ranks,
            tuple(
                tuple(system.display(state, board_state(board)).value + 0.0 for state in one_side)
                for one_side in one.states
            ),
        )
        for one in previews
        if board.league.draws_allowed or len(set(one.ranks)) == len(one.ranks)
    )


def _display(system: System, board: Board, state: State, at: int, day: int) -> ShownValue:
    value = system.display(system.idle(state, at, day), board_state(board))
    return ShownValue(
        value.value + 0.0, value.low, value.high, value.decimals, "", value.provisional
    )
