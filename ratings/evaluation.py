"""How well a system predicts, for every system alike: each match before it is rated.

Probabilities p leave draws out; pairs of sides of different ranks count, a match's pairs weighing
one together. Draws count in `log_loss_3` only. What there is nothing to judge by is None.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ratings.draws import rao_kupper
from ratings.engine import Engine
from ratings.log import Floats, Integers, MatchLog
from ratings.sidetable import SideTable, pairs_of
from ratings.system import DrawingSystem, Reach, Replay, State, System, Unanswerable

_LEAST: Final = 1e-9
_BINS: Final = 10


@dataclass(frozen=True, slots=True)
class Bin:
    """One line of a calibration table: how often p in this range came true."""

    low: float
    high: float
    predicted: float
    observed: float
    pairs: float


@dataclass(frozen=True, slots=True)
class Evaluation:
    """How well the matches were predicted.

    None where no match was decided, and where a system gives no probabilities: log-loss and Brier
    score.
    """

    matches: int
    log_loss: float | None
    brier: float | None
    accuracy: float | None
    prediction_error: float | None
    """The share of pairs ordered wrongly, an equal prediction counting half."""
    prediction_error_strict: float | None
    """The same, an equal prediction counting as wrong."""
    log_loss_3: float | None
    """Of win, draw and loss, over the matches of two sides; None without such."""
    calibration: tuple[Bin, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Predictions:
    """Every pair of sides of a log, better ranked first, with what was expected of it."""

    match: Integers
    one: Integers
    other: Integers
    weight: Floats
    chance: Floats
    """The probability of what happened (of either side where it was a draw)."""
    is_draw: NDArray[np.bool_]
    strength_lead: Floats
    """How far the better ranked side was ahead in what the system orders sides by."""
    win: Floats
    """The probability that the better ranked side wins, a draw being possible; `draw` likewise.
    NaN in matches of more than two sides, and where a system leaves draws to the board."""
    draw: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Losses:
    """The log-loss of each match of a log, in sum over its pairs that were not drawn."""

    total: Floats
    weight: Floats
    """What those pairs weigh: 0 where all was drawn."""


@dataclass(frozen=True, slots=True)
class Margin:
    """How much higher the log-loss of one system is than another's, over the same matches."""

    mean: float
    error: float
    """The standard error of `mean`, matches being independent of each other."""
    matches: int


def predictions(
    system: System,
    log: MatchLog,
    engine: Engine = "auto",
    *,
    start: Floats | None = None,
    board: State | None = None,
) -> Predictions:
    """Predict every match of a log before it is rated; `start` is what its players bring."""
    if system.reach is Reach.BATCH:
        raise Unanswerable(
            f"{system.title} rates all matches at once, so it cannot predict them beforehand"
        )
    return predictions_of(system, system.replay(log, start, engine, board=board))


def predictions_of(system: System, replay: Replay) -> Predictions:
    """Say what a replay expected of each of its matches before it rated it."""
    log, table = replay.log, table_before(system, replay)
    one, other, weight = pairs_of(log)
    chance = system.chances(table, one, other)
    lead = chance - 0.5
    if getattr(system.parameters, "teams", "") == "duel":
        # S4 orders sides by the sum of their members' ratings, not by the mean duel.
        total = table.total_of(table.states[:, 0])
        lead = total[one] - total[other]
    match = log.match_of_side()[one]
    win, draw = np.full(len(one), np.nan), np.full(len(one), np.nan)
    if isinstance(system, DrawingSystem):
        two = np.diff(log.side_start)[match] == 2
        win[two], draw[two] = system.outcomes(table, one[two], other[two])
    return Predictions(
        match=match,
        one=one,
        other=other,
        weight=weight,
        chance=chance,
        is_draw=log.rank[one] == log.rank[other],
        strength_lead=lead,
        win=win,
        draw=draw,
    )


def table_before(system: System, replay: Replay) -> SideTable:
    """Return the sides of a replay's matches with the states its members brought, absence applied.

    Newcomers stand where they joined, by the board of that moment; on a ladder, which lets them
    join below whoever is there, nowhere (NaN).
    """
    return _table_before(system, replay, replay.previous(), 0, len(replay.log))


def tables_before(system: System, replay: Replay, at_once: int) -> Iterator[SideTable]:
    """Yield the same of so many matches at a time, which takes less memory."""
    previous = replay.previous()
    for first in range(0, len(replay.log), at_once):
        yield _table_before(system, replay, previous, first, min(first + at_once, len(replay.log)))


def _table_before(
    system: System, replay: Replay, previous: Integers, first: int, last: int
) -> SideTable:
    log = replay.log.part(first, last)
    members = [int(replay.log.member_start[replay.log.side_start[end]]) for end in (first, last)]
    before = replay.states_before(previous, *members)
    unseen = np.isnan(before).all(axis=1)
    if unseen.any() and not system.orders_only:
        before[unseen] = system.new_player()
        if replay.joined is not None:
            before[unseen, 0] = replay.joined[log.player[unseen]]
    match = log.match_of()
    return SideTable(log, system.idle_many(before, log.at[match], log.day[match]))


def evaluate(
    system: System, log: MatchLog, *, score_from: int = 0, engine: Engine = "auto"
) -> Evaluation:
    """Predict and rate a log; score the matches from the position `score_from` on."""
    return judge(system, log, predictions(system, log, engine), score_from=score_from)


def judge(
    system: System,
    log: MatchLog,
    made: Predictions,
    *,
    score_from: int = 0,
    only: NDArray[np.bool_] | None = None,
) -> Evaluation:
    """Score predictions, of the matches from a position on or of those in a mask."""
    counted = np.arange(len(log)) >= score_from if only is None else only
    scored = counted[made.match] & ~made.is_draw
    weight = made.weight[scored]
    p = made.chance[scored]
    lead = made.strength_lead[scored]
    total = math.fsum(weight.tolist())

    def mean(values: NDArray[Any]) -> float | None:
        return math.fsum((weight * values).tolist()) / total if total else None

    wrong = mean(np.where(lead == 0.0, 0.5, lead < 0.0))
    log_loss = brier = log_loss_3 = None
    calibration: tuple[Bin, ...] = ()
    if not system.orders_only:
        log_loss = mean(-np.log(np.clip(p, _LEAST, 1.0 - _LEAST)))
        brier = mean(np.square(1.0 - p))
        log_loss_3 = _log_loss_3(log, made, counted)
        calibration = _calibration(p, weight)
    return Evaluation(
        matches=int(counted.sum()),
        log_loss=log_loss,
        brier=brier,
        accuracy=None if wrong is None else 1.0 - wrong,
        prediction_error=wrong,
        prediction_error_strict=mean(lead <= 0.0),
        log_loss_3=log_loss_3,
        calibration=calibration,
    )


def losses(log: MatchLog, made: Predictions) -> Losses:
    """Return how badly each match of a log was predicted."""
    scored = ~made.is_draw
    weight = made.weight[scored]
    loss = -np.log(np.clip(made.chance[scored], _LEAST, 1.0 - _LEAST))
    found = Losses(np.zeros(len(log)), np.zeros(len(log)))
    np.add.at(found.total, made.match[scored], weight * loss)
    np.add.at(found.weight, made.match[scored], weight)
    return found


def margin(one: Losses, other: Losses) -> Margin | None:
    """Compare the losses of the same matches; None for fewer than two of them.

    A match that happened to be hard was hard for both: the difference is far surer than either.
    """
    both = (one.weight > 0.0) & (other.weight > 0.0)
    matches = int(both.sum())
    if matches < 2:
        return None
    weight = one.weight[both]
    difference = one.total[both] - other.total[both]
    total = math.fsum(weight.tolist())
    mean = math.fsum(difference.tolist()) / total
    spread = math.fsum(np.square(difference - mean * weight).tolist())
    return Margin(mean, math.sqrt(spread * matches / (matches - 1)) / total, matches)


def upsets(log: MatchLog, made: Predictions, most: int) -> list[tuple[int, float]]:
    """Return the matches whose winner was expected to score least, and how little.

    The expected score is the mean over the sides that the winner beat.
    """
    first = np.minimum.reduceat(log.rank, log.side_start[:-1]) if len(log) else log.rank
    won = ~made.is_draw & (log.rank[made.one] == first[made.match])
    match = made.match[won]
    beaten = np.bincount(match, minlength=len(log))
    expected = np.full(len(log), np.inf)
    np.divide(
        np.bincount(match, made.chance[won], minlength=len(log)),
        beaten,
        out=expected,
        where=beaten > 0,
    )
    order = np.argsort(expected, kind="stable")[:most]
    return [(int(index), float(expected[index])) for index in order if expected[index] < 0.5]


def _calibration(p: Floats, weight: Floats) -> tuple[Bin, ...]:
    """Sort pairs into ten bins, each from both of its sides so that no order is preferred."""
    predicted = np.concatenate((p, 1.0 - p))
    came_true = np.concatenate((np.ones(len(p)), np.zeros(len(p))))
    halves = np.concatenate((weight, weight)) * 0.5
    index = np.minimum((predicted * _BINS).astype(np.int64), _BINS - 1)
    bins = []
    for number in range(_BINS):
        inside = index == number
        pairs = math.fsum(halves[inside].tolist())
        if pairs:
            bins.append(
                Bin(
                    low=number / _BINS,
                    high=(number + 1) / _BINS,
                    predicted=math.fsum((halves * predicted)[inside].tolist()) / pairs,
                    observed=math.fsum((halves * came_true)[inside].tolist()) / pairs,
                    pairs=pairs,
                )
            )
    return tuple(bins)


def _log_loss_3(log: MatchLog, made: Predictions, counted: NDArray[np.bool_]) -> float | None:
    """Score win, draw and loss of the matches of two sides."""
    two = np.diff(log.side_start)[made.match] == 2
    if not (two & counted[made.match]).any():
        return None
    drawn = made.is_draw[two]
    win, draw = made.win[two], made.draw[two]
    if np.isnan(draw).any():
        win, draw = rao_kupper(np.clip(made.chance[two], _LEAST, 1.0 - _LEAST), drawn)
    happened = np.where(drawn, draw, win)[counted[made.match[two]]]
    return float(np.mean(-np.log(np.clip(happened, _LEAST, 1.0))))
