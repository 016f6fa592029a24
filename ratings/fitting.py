"""Parameters chosen by how well they predict: the search never sees what is held out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ratings.engine import Engine, numba_is_installed
from ratings.evaluation import Evaluation, evaluate
from ratings.log import MatchLog
from ratings.parameters import ParameterError, Parameters, describe
from ratings.registry import create
from ratings.system import System, Unanswerable

_WARM_UP: Final = 5
_FAILED: Final = 1e9
_NEXT_TO_NOTHING: Final = 1e-6


@dataclass(frozen=True, slots=True)
class Fit:
    """Parameters fitted by the log-loss of the earlier matches, judged on the later ones."""

    parameters: Mapping[str, object]
    fitted_on: int
    log_loss_before: float
    log_loss_after: float
    """Never more than before: where nothing better is found, the parameters stay as they were."""
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
    Nelder and Mead's, within the parameters' ranges. Raises `ParameterError` for what cannot be
    fitted, `Unanswerable` where there is nothing to fit to.
    """
    from scipy.optimize import minimize

    given = dict(parameters or {})
    start = create(name, given)
    scales = _scales(start, over)
    split = len(log) * 4 // 5 if first_held_out is None else first_held_out
    earlier = log.part(0, split)
    warm_up = split // _WARM_UP
    engine: Engine = "compiled" if numba_is_installed() else "plain"

    def evaluated(trial: Mapping[str, object]) -> float | None:
        system = create(name, trial)
        return evaluate(system, earlier, score_from=warm_up, engine=engine).log_loss

    def at(point: Sequence[float]) -> dict[str, object]:
        return given | {s.name: s.value(x) for s, x in zip(scales, point, strict=True)}

    def loss(trial: Mapping[str, object]) -> float:
        try:
            found = evaluated(trial)
        except (ValueError, ArithmeticError):
            return _FAILED
        return _FAILED if found is None else found

    before = evaluated(given)
    if before is None:
        raise Unanswerable(
            f"none of the {split - warm_up} matches to fit to had a winner"
            if not start.orders_only
            else f"{start.title} gives no probabilities, so there is nothing to fit"
        )
    origin = [scale.start for scale in scales]
    simplex = [origin] + [
        [x + (0.4 if i == j else 0.0) for j, x in enumerate(origin)] for i in range(len(origin))
    ]
    found = minimize(
        lambda point: loss(at(point)),
        origin,
        method="Nelder-Mead",
        options={
            "initial_simplex": simplex,
            "xatol": 0.01,
            "fatol": 2e-6,
            "maxfev": 60 * len(origin) + 40,
        },
    )
    best, least = at(found.x), float(found.fun)
    # A scale of logarithms has no place for nothing, where some of them begin.
    for scale in scales:
        if scale.begins_at_nothing:
            trial = best | {scale.name: 0}
            without = loss(trial)
            if without <= least:
                best, least = trial, without
    if before <= least:
        best = given | {name: getattr(start.parameters, name) for name in over}
        least = before
    return Fit(
        parameters=best,
        fitted_on=split,
        log_loss_before=before,
        log_loss_after=least,
        held_out=len(log) - split,
        held_out_before=evaluate(start, log, score_from=split, engine=engine),
        held_out_after=evaluate(create(name, best), log, score_from=split, engine=engine),
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
    start: float
    """Where the search begins on the scale."""
    begins_at_nothing: bool

    @classmethod
    def of(cls, parameters: Parameters, name: str) -> _Scale:
        """Make the scale of a parameter; raises ValueError, in words, where there is none."""
        found = {description.name: description for description in describe(type(parameters))}
        description = found.get(name)
        if description is None:
            raise ValueError("there is no such parameter")
        if description.kind not in ("number", "integer"):
            raise ValueError("is not a number, so it cannot be fitted")
        value = parameters.effective(name)
        if not isinstance(value, int | float):
            raise ValueError("has no value to start the search from; set one")
        least = description.over if description.over is not None else description.least
        most = description.most if description.most is not None else description.under
        low = -math.inf if least is None else least
        unit = max(abs(value), 1.0)
        is_positive = low >= 0.0
        return cls(
            name=name,
            is_whole=description.kind == "integer",
            is_positive=is_positive,
            least=low,
            most=math.inf if most is None else most,
            unit=unit,
            start=math.log(max(value, _NEXT_TO_NOTHING * unit)) if is_positive else value / unit,
            begins_at_nothing=is_positive and value == 0.0,
        )

    def value(self, position: float) -> float:
        """Return the value at a place on the scale, inside the range."""
        raw = math.exp(min(position, 50.0)) if self.is_positive else position * self.unit
        if self.is_whole:
            return float(min(max(round(raw), self.least), self.most))
        edge = 1e-9 * self.unit
        return min(max(raw, self.least + edge), self.most - edge)


def _scales(start: System, over: Sequence[str]) -> list[_Scale]:
    """Return the scale of each parameter to fit; raises ParameterError with all that is wrong."""
    if not over:
        raise ParameterError(
            [("over", "", f"{start.title} has no parameters to fit, or none were named")]
        )
    scales, problems = [], []
    for position, name in enumerate(over):
        try:
            if name in over[:position]:
                raise ValueError("is listed twice")
            scales.append(_Scale.of(start.parameters, name))
        except ValueError as reason:
            problems.append((name or "over", name, str(reason)))
    if problems:
        raise ParameterError(list(problems))
    return scales
