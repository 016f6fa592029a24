"""How well a system predicts, for every system alike: each match before it is rated.

Probabilities p leave draws out; pairs of sides of different ranks count, a match's pairs weighing
one together. Draws count in `log_loss_3` only.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ratings.curves import normal_many
from ratings.draws import rao_kupper
from ratings.engine import Engine, numba_is_installed
from ratings.log import Floats, Integers, MatchLog
from ratings.parameters import Parameters, describe
from ratings.registry import create
from ratings.sidetable import SideTable, pairs_of
from ratings.system import Reach, Replay, State, System, Unanswerable

_LEAST: Final = 1e-9
_BINS: Final = 10
_CHALLENGE: Final = 0.2
_WARM_UP: Final = 5


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
    """How well the matches were predicted."""

    matches: int
    log_loss: float
    brier: float
    accuracy: float
    prediction_error: float
    """The share of pairs ordered wrongly, an equal prediction counting half."""
    prediction_error_strict: float
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
        raise Unanswerable(f"{system.title} rates all matches at once and predicts none before")
    return predictions_of(system, system.replay(log, start, engine, board=board))


def predictions_of(system: System, replay: Replay) -> Predictions:
    """Say what a replay expected of each of its matches before it rated it."""
    log, before = replay.log, replay.before
    unseen = np.isnan(before).all(axis=1)
    if unseen.any() and system.name != "ladder":
        before[unseen] = system.new_player()
    match = log.match_of()
    states = system.idle_many(before, log.at[match], log.day[match])
    one, other, weight = pairs_of(log)
    table = SideTable(log, states)
    chance = system.chances(table, one, other)
    lead = chance - 0.5
    if getattr(system.parameters, "teams", "") == "duel":
        # S4 orders sides by the sum of their members' ratings, not by the mean duel.
        total = table.total_of(states[:, 0])
        lead = total[one] - total[other]
    return Predictions(
        match=log.match_of_side()[one],
        one=one,
        other=other,
        weight=weight,
        chance=chance,
        is_draw=log.rank[one] == log.rank[other],
        strength_lead=lead,
    )


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
    matches = int(counted.sum())
    if not total:
        return Evaluation(matches, 0.0, 0.0, 0.0, 0.0, 0.0, None, ())

    def mean(values: NDArray[Any]) -> float:
        return math.fsum((weight * values).tolist()) / total

    wrong = mean(np.where(lead == 0.0, 0.5, lead < 0.0))
    return Evaluation(
        matches=matches,
        log_loss=mean(-np.log(np.clip(p, _LEAST, 1.0 - _LEAST))),
        brier=mean(np.square(1.0 - p)),
        accuracy=1.0 - wrong,
        prediction_error=wrong,
        prediction_error_strict=mean(lead <= 0.0),
        log_loss_3=_log_loss_3(system, log, made, counted),
        calibration=_calibration(p, weight),
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


def challenge_sets(
    one: tuple[System, MatchLog, Predictions], other: tuple[System, MatchLog, Predictions]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return for each of two systems the 20 % of matches the other thought tightest (S4)."""
    return _tightest(*other), _tightest(*one)


def _tightest(system: System, log: MatchLog, made: Predictions) -> NDArray[np.bool_]:
    """Choose the matches of highest quality, or of the smallest difference of summed ratings."""
    gap = np.abs(made.strength_lead)
    if system.name == "trueskill":
        gap = -_qualities(system, log, made)
    widest = np.full(len(log), -np.inf)
    np.maximum.at(widest, made.match, gap)
    chosen = np.zeros(len(log), dtype=bool)
    chosen[np.argsort(widest, kind="stable")[: round(_CHALLENGE * len(log))]] = True
    return chosen


def _qualities(system: Any, log: MatchLog, made: Predictions) -> Floats:
    """Return TrueSkill's quality of every pair of sides, in closed form for two sides."""
    before = system.replay(log).before
    match = log.match_of()
    table = SideTable(log, system.idle_many(before, log.at[match], log.day[match]))
    beta_squared = system.parameters.beta * system.parameters.beta
    mean = table.total_of(table.states[:, 0])
    noise = table.total_of(np.full(len(log.player), beta_squared), power=2)
    spread = table.total_of(np.square(table.states[:, 1]), power=2)
    noise_of_pair = noise[made.one] + noise[made.other]
    whole = noise_of_pair + spread[made.one] + spread[made.other]
    lead = mean[made.one] - mean[made.other]
    quality: Floats = np.sqrt(noise_of_pair / whole) * np.exp(-0.5 * lead * lead / whole)
    return quality


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


def _log_loss_3(
    system: System, log: MatchLog, made: Predictions, counted: NDArray[np.bool_]
) -> float | None:
    """Score win, draw and loss of the matches of two sides."""
    two = np.diff(log.side_start)[made.match] == 2
    if not (two & counted[made.match]).any():
        return None
    p = np.clip(made.chance[two], _LEAST, 1.0 - _LEAST)
    drawn = made.is_draw[two]
    if system.name == "trueskill":
        win, draw = _own_draws(system, log, made, two)
    else:
        win, draw = rao_kupper(p, drawn)
    happened = np.where(drawn, draw, win)[counted[made.match[two]]]
    return float(np.mean(-np.log(np.clip(happened, _LEAST, 1.0))))


def _own_draws(
    system: Any, log: MatchLog, made: Predictions, two: NDArray[np.bool_]
) -> tuple[Floats, Floats]:
    before = system.replay(log).before
    match = log.match_of()
    table = SideTable(log, system.idle_many(before, log.at[match], log.day[match]))
    beta_squared = system.parameters.beta * system.parameters.beta
    mean = table.total_of(table.states[:, 0])
    mean = mean + system.parameters.size_advantage * table.players + log.handicap
    spread = table.total_of(np.square(table.states[:, 1]) + beta_squared, power=2)
    one, other = made.one[two], made.other[two]
    c = np.sqrt(spread[one] + spread[other])
    lead = (mean[one] - mean[other]) / c
    players = (table.players[one] + table.players[other]).astype(np.float64)
    margin = system.unit_margin * np.sqrt(players) / c
    win, loss = normal_many(lead - margin), normal_many(-lead - margin)
    return win, np.maximum(1.0 - win - loss, 0.0)


@dataclass(frozen=True, slots=True)
class Fit:
    """Parameters fitted by the log-loss of the earlier matches, judged on the later ones."""

    parameters: Mapping[str, object]
    fitted_on: int
    log_loss_before: float
    log_loss_after: float
    held_out: int
    held_out_before: Evaluation
    held_out_after: Evaluation


def fit(
    name: str,
    log: MatchLog,
    *,
    over: Sequence[str],
    parameters: Mapping[str, object] | None = None,
    first_held_out: int | None = None,
) -> Fit:
    """Choose the parameters `over` by the log-loss of the matches before `first_held_out`.

    By default the last fifth is held out. Held-out matches take no part in the choice, and the
    first fifth of the others, in which everybody is new, is rated but not scored. The search is
    Nelder and Mead's, within the parameters' ranges.
    """
    from scipy.optimize import minimize

    given = dict(parameters or {})
    start = create(name, given)
    split = len(log) * 4 // 5 if first_held_out is None else first_held_out
    earlier = log.part(0, split)
    warm_up = split // _WARM_UP
    engine: Engine = "compiled" if numba_is_installed() else "plain"
    scales = [_Scale.of(start.parameters, field) for field in over]

    def loss(point: Sequence[float]) -> float:
        trial = given | {s.name: s.value(x) for s, x in zip(scales, point, strict=True)}
        try:
            return evaluate(
                create(name, trial), earlier, score_from=warm_up, engine=engine
            ).log_loss
        except ValueError:
            return 1e9

    origin = [scale.position(getattr(start.parameters, scale.name)) for scale in scales]
    simplex = [origin] + [
        [x + (0.4 if i == j else 0.0) for j, x in enumerate(origin)] for i in range(len(origin))
    ]
    found = minimize(
        loss,
        origin,
        method="Nelder-Mead",
        options={
            "initial_simplex": simplex,
            "xatol": 0.01,
            "fatol": 2e-6,
            "maxfev": 60 * len(origin) + 40,
        },
    )
    best = given | {s.name: s.value(x) for s, x in zip(scales, found.x, strict=True)}
    after = create(name, best)
    return Fit(
        parameters=best,
        fitted_on=split,
        log_loss_before=loss(origin),
        log_loss_after=float(found.fun),
        held_out=len(log) - split,
        held_out_before=evaluate(start, log, score_from=split, engine=engine),
        held_out_after=evaluate(after, log, score_from=split, engine=engine),
    )


@dataclass(frozen=True, slots=True)
class _Scale:
    """A parameter on a scale without bounds: logarithmic where it is positive."""

    name: str
    is_whole: bool
    is_positive: bool
    least: float
    most: float
    unit: float

    @classmethod
    def of(cls, parameters: Parameters, name: str) -> _Scale:
        found = {description.name: description for description in describe(type(parameters))}
        description = found.get(name)
        if description is None or description.kind not in ("number", "integer"):
            raise ValueError(f"{name!r} is no number that could be fitted")
        least = description.over if description.over is not None else description.least
        most = description.most if description.most is not None else description.under
        low = -math.inf if least is None else least
        high = math.inf if most is None else most
        value = float(getattr(parameters, name))
        return cls(
            name=name,
            is_whole=description.kind == "integer",
            is_positive=low >= 0.0,
            least=low,
            most=high,
            unit=max(abs(value), 1.0),
        )

    def position(self, value: float) -> float:
        """Return where a value lies on the scale."""
        if self.is_positive:
            return math.log(max(value, 1e-6 * self.unit))
        return value / self.unit

    def value(self, position: float) -> float:
        """Return the value at a place on the scale, inside the range."""
        raw = math.exp(min(position, 50.0)) if self.is_positive else position * self.unit
        if self.is_whole:
            return float(min(max(round(raw), self.least), self.most))
        edge = 1e-9 * self.unit
        return min(max(raw, self.least + edge), self.most - edge)
