"""Back-tests and trials of parameters: what they found, and how far they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from leagues import bridge
from leagues.models import Board, Job, Mode, Season, Trial
from leagues.services.trials import backtest_key, is_revised, newest_backtest, trial_key

JOB_COLUMNS = ("parameters", "options", "report", "rated_through_revision", "finished_at")
"""What the job of a trial writes."""


@dataclass(frozen=True, slots=True)
class Bin:
    """How often what was expected in this range came true; `pairs` is what it rests on."""

    low: float
    high: float
    predicted: float
    observed: float
    pairs: float

    @property
    def sides(self) -> int:
        """The number of sides that were given such a chance: each pair counts half of either."""
        return max(1, round(2.0 * self.pairs))


@dataclass(frozen=True, slots=True)
class Upset:
    """A result that was expected least: the winner's expected score, and the match's seq."""

    seq: int
    expected: float


@dataclass(frozen=True, slots=True)
class Margin:
    """A difference of log-losses over the same matches, with its standard error."""

    mean: float
    error: float
    matches: int


@dataclass(frozen=True, slots=True)
class SystemReport:
    """How well one system predicted; None and nothing where it cannot."""

    board: str
    """Slug of the board; empty for a system that the league does not use."""
    name: str
    system: str
    title: str
    parameters: Mapping[str, Any]
    matches: int
    refused: int
    gives_chances: bool
    log_loss: float | None
    brier: float | None
    accuracy: float | None
    against_best: Margin | None
    calibration: tuple[Bin, ...]
    upsets: tuple[Upset, ...]


@dataclass(frozen=True, slots=True)
class Backtest:
    """Every system of a season and mode, judged by the same results."""

    made_at: datetime
    rated_through_revision: int
    results: int
    is_finished: bool
    systems: tuple[SystemReport, ...]
    best: SystemReport | None

    def of(self, board: Board) -> SystemReport | None:
        """The report on a board, if it had its present parameters."""
        for row in self.systems:
            if row.system == board.system and row.parameters == board.parameters:
                return row
        return None


@dataclass(frozen=True, slots=True)
class News:
    """What has become of results since a back-test, and whether there is a new one under way."""

    is_changed: bool = False
    """Results that it knew were corrected, or made void."""
    more: int = 0
    is_under_way: bool = False


def latest_backtest(season: Season, mode: Mode) -> Backtest | None:
    """The newest finished back-test, with one query; None before the first."""
    trial = newest_backtest(season.pk, mode.pk)
    return None if trial is None else backtest_of(trial)


def backtest_of(trial: Trial) -> Backtest:
    """The results of a trial up to now."""
    report = trial.report or {"results": 0, "systems": [], "best": None}
    systems = tuple(_system(row) for row in report["systems"])
    best = report["best"]
    return Backtest(
        made_at=trial.finished_at or trial.created_at,
        rated_through_revision=trial.rated_through_revision,
        results=report["results"],
        is_finished=trial.finished_at is not None,
        systems=systems,
        best=None if best is None else systems[best],
    )


def news_since(trial: Trial, board: Board, results: int) -> News:
    """What has become of a season's results since a back-test looked them through.

    `results` is how many there are now. Takes two queries where something has happened.
    """
    judged = (trial.report or {}).get("results", 0)
    is_touched = board.season.last_revision > trial.rated_through_revision
    is_changed = (is_touched and is_revised(trial)) or results < judged
    if not is_changed and results == judged:
        return News()
    job = job_of(backtest_key(board.season_id, board.mode_id))
    return News(
        is_changed=is_changed,
        more=max(0, results - judged),
        is_under_way=job is not None and job.state != Job.State.FAILED,
    )


def running_and_finished(season_id: int, mode_id: int) -> tuple[Trial | None, Trial | None]:
    """The back-test under way and the last one finished, of a season and mode."""
    trials = list(
        Trial.objects.filter(
            season_id=season_id, mode_id=mode_id, kind=Trial.Kind.BACKTEST
        ).order_by("-created_at", "-pk")[:4]
    )
    waiting = next((trial for trial in trials if trial.finished_at is None), None)
    return waiting, next((trial for trial in trials if trial.finished_at is not None), None)


def backtest_state(season: Season, mode: Mode) -> tuple[str, Backtest | None]:
    """Whether a back-test is running, has failed, is done or missing; with the newest done."""
    waiting = Trial.objects.filter(
        season=season, mode=mode, kind=Trial.Kind.BACKTEST, finished_at__isnull=True
    )
    job = job_of(backtest_key(season.pk, mode.pk)) if waiting.exists() else None
    # Read last: where the job has come to its end by now, what it found is there.
    finished = latest_backtest(season, mode)
    return _state_of(job) or ("done" if finished else "none"), finished


def latest_trials(board: Board, at_most: int) -> tuple[Trial, ...]:
    """The last trials of other parameters on a board, newest first."""
    return tuple(board.trials.filter(kind=Trial.Kind.RULES)[:at_most])


def trial_state(trial: Trial) -> str:
    """Whether a trial of parameters is running, has failed or is done."""
    job = job_of_trial(trial)
    return "done" if trial.finished_at is not None else _state_of(job) or "failed"


def _state_of(job: Job | None) -> str:
    if job is None:
        return ""
    return "failed" if job.state == Job.State.FAILED else "running"


def job_of_trial(trial: Trial) -> Job | None:
    """The job of a trial under way; a trial that it has left meanwhile is read again."""
    if trial.finished_at is not None:
        return None
    job = job_of(trial_key(trial.pk))
    if job is None:
        trial.refresh_from_db(fields=JOB_COLUMNS)
    return job


def job_of(key: str) -> Job | None:
    """The job of a key that runs, waits or has failed; None where it is done or gone."""
    jobs = Job.objects.filter(key=key).exclude(state=Job.State.DONE)
    # Running stands before waiting, and both before one that failed earlier.
    return jobs.order_by("-state", "-pk").first()


def _system(row: Mapping[str, Any]) -> SystemReport:
    margin = row["against_best"]
    return SystemReport(
        board=row["board"],
        name=row["name"],
        system=row["system"],
        title=bridge.system_info(row["system"]).title,
        parameters=row["parameters"],
        matches=row["matches"],
        refused=row["refused"],
        gives_chances=row["gives_chances"],
        log_loss=row["log_loss"],
        brier=row["brier"],
        accuracy=row["accuracy"],
        against_best=Margin(**margin) if margin else None,
        calibration=tuple(Bin(**line) for line in row["calibration"]),
        upsets=tuple(Upset(**line) for line in row["upsets"]),
    )
