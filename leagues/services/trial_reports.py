"""What a trial of parameters found, read from its stored report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from leagues.models import Trial


@dataclass(frozen=True, slots=True)
class Scores:
    """How well was predicted; None where a system predicts nothing."""

    log_loss: float | None
    brier: float | None
    accuracy: float | None


@dataclass(frozen=True, slots=True)
class Mover:
    """Where a player stands and would stand, with the shown values of both."""

    player: str
    rank: int
    new_rank: int
    value: float
    new_value: float


@dataclass(frozen=True, slots=True)
class Margin:
    """A difference of log-losses over the same matches, with its standard error."""

    mean: float
    error: float
    matches: int


@dataclass(frozen=True, slots=True)
class Some:
    """How many players, and the keys of the first of them."""

    count: int = 0
    players: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class TrialReport:
    """What a trial found; a margin below 0 says that the tried parameters predict better."""

    results: int
    players: int
    moved: int
    movers: tuple[Mover, ...]
    """Who would move furthest, furthest first."""
    entering: Some
    """Who would be ranked and is not."""
    leaving: Some
    """Who is ranked and would not be."""
    before: Scores
    after: Scores
    margin: Margin | None


def trial_report(trial: Trial) -> TrialReport | None:
    """The result of a trial of parameters; None while it is under way."""
    report = trial.report
    if trial.finished_at is None or report is None:
        return None
    margin = report["margin"]
    return TrialReport(
        results=report["results"],
        players=report["players"],
        moved=report["moved"],
        movers=tuple(
            Mover(row["player"], row["from"], row["to"], row["before"], row["after"])
            for row in report["movers"]
        ),
        entering=Some(**report.get("entering", {})),
        leaving=Some(**report.get("leaving", {})),
        before=Scores(**report["before"]),
        after=Scores(**report["after"]),
        margin=Margin(**margin) if margin else None,
    )
