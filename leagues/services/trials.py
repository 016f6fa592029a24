"""Back-tests and trials: what other rules would have made of a season. They change nothing.

A back-test lets every system predict each result of a season before it is told; a trial replays a
board with other parameters beside the present ones. Both are jobs over copies, so whatever dies
is run again from the beginning.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from leagues import bridge
from leagues.bridge import BacktestResult
from leagues.domain.activity import activity_of
from leagues.domain.ranking import ranking_rule
from leagues.jobs.faults import faultpoint
from leagues.jobs.queue import Claim, enqueue, start_now
from leagues.models import Board, Job, Match, Mode, Season, Trial
from leagues.models.checks import FIRST_INSTANT, LAST_INSTANT
from leagues.services.trial_comparison import (
    compare_predictions,
    compare_ranks,
    prediction_scores,
    replay_board,
)
from leagues.store.match_columns import Facts, read_facts
from leagues.store.snapshot import snapshot

MOST_AUTOMATIC = 200_000
"""Larger seasons are back-tested when somebody asks."""

MOST_AT_ONCE = 20_000
"""In larger seasons a correction waits until the last back-test is a day old."""

LEAST_AUTOMATIC = 10
GROWTH = 1.1
DAILY = timedelta(days=1)
MAX_BACKTESTS = 3
MAX_TRIALS = 20
MOST_WAITING = 3
LEAST_SEARCHED = 50
MOST_SEARCHED = 20_000
COMPARABLE = 0.9
"""The share of a season's results that a system must be able to rate to be called the best."""


def backtest_key(season_id: int, mode_id: int) -> str:
    """The key under which a season and mode has one back-test at a time."""
    return f"backtest:{season_id}:{mode_id}"


def trial_key(trial_id: int) -> str:
    """The key of a trial's job."""
    return f"trial:{trial_id}"


@transaction.atomic
def request_backtest(*, season: Season, mode: Mode, actor: User | None = None) -> int:
    """Queue a back-test of all systems, at once; one that waits already is hurried."""
    job_id = enqueue(
        "backtest",
        key=backtest_key(season.pk, mode.pk),
        params={"season": season.pk, "mode": mode.pk},
        league_id=season.league_id,
        author_id=actor.pk if actor else None,
    )
    start_now(job_id)
    # The unfinished row tells pages that there is one under way; the job fills it.
    if not _unfinished_backtests(season.pk, mode.pk).exists():
        _new_backtest(season, mode).save()
    return job_id


def _unfinished_backtests(season_id: int, mode_id: int) -> QuerySet[Trial]:
    return Trial.objects.filter(
        season_id=season_id,
        mode_id=mode_id,
        kind=Trial.Kind.BACKTEST,
        finished_at__isnull=True,
    )


def _new_backtest(season: Season, mode: Mode) -> Trial:
    return Trial(league_id=season.league_id, season=season, mode=mode, kind=Trial.Kind.BACKTEST)


def consider_backtest(board: Board) -> bool:
    """Queue a back-test where the newest one tells too little of the season and mode by now.

    That is: there is none, the boards have changed, results that it knew were corrected, or new
    ones came and it is a day old or a tenth of the season short.
    """
    boards = list(Board.objects.filter(season_id=board.season_id, mode_id=board.mode_id))
    results = max((row.rated_matches for row in boards), default=0)
    if not LEAST_AUTOMATIC <= results <= MOST_AUTOMATIC:
        return False
    latest = newest_backtest(board.season_id, board.mode_id)
    if latest is not None and not _is_outdated(latest, boards, results):
        return False
    request_backtest(season=board.season, mode=board.mode)
    return True


def is_revised(latest: Trial) -> bool:
    """Whether results that a back-test knew were corrected, made void or restored since."""
    return Match.objects.filter(
        season_id=latest.season_id,
        mode_id=latest.mode_id,
        touched_in_revision__gt=latest.rated_through_revision,
        revision__number__lte=latest.rated_through_revision,
    ).exists()


def _is_outdated(latest: Trial, boards: list[Board], results: int) -> bool:
    report = latest.report or {}
    rows = {(row["board"], row["system"], _frozen(row["parameters"])) for row in report["systems"]}
    if any((row.slug, row.system, _frozen(row.parameters)) not in rows for row in boards):
        return True
    if results > GROWTH * report["results"]:
        return True
    if results <= MOST_AT_ONCE and is_revised(latest):
        return True
    is_old = latest.finished_at is None or timezone.now() - latest.finished_at > DAILY
    touched = Match.objects.filter(
        season_id=latest.season_id,
        mode_id=latest.mode_id,
        touched_in_revision__gt=latest.rated_through_revision,
    )
    return is_old and touched.exists()


def _frozen(parameters: Mapping[str, Any]) -> str:
    return repr(sorted(parameters.items()))


def newest_backtest(season_id: int, mode_id: int) -> Trial | None:
    """The last back-test of a season and mode that was finished."""
    return (
        Trial.objects.filter(
            season_id=season_id,
            mode_id=mode_id,
            kind=Trial.Kind.BACKTEST,
            finished_at__isnull=False,
        )
        .order_by("-created_at", "-pk")
        .first()
    )


def backtest_job(claim: Claim) -> None:
    """Let every system predict each result before it is told, and keep the report."""
    with snapshot():
        rows = Board.objects.select_related("league", "season", "mode")
        boards = list(
            rows.filter(season=claim.params["season"], mode=claim.params["mode"]).order_by(
                "position", "pk"
            )
        )
        if not boards:
            return
        facts = read_facts(boards[0])
        rated_through_revision = boards[0].season.last_revision
    trial = _open_trial(claim, boards[0], rated_through_revision)
    candidates = [*boards, *bridge.unused_boards(boards)]
    total = len(candidates) * len(facts)
    played = activity_of(facts.without_losses())
    report: dict[str, Any] = {
        "results": len(facts),
        "activity": played.as_report() if played else None,
        "best": None,
        "systems": [],
    }
    results: list[BacktestResult | None] = []
    for number, board in enumerate(candidates):
        result = _predict(board, facts, _report_to(claim, number, len(facts), total, board))
        results.append(result)
        report["systems"].append(_board_report(board, result))
        faultpoint("backtest_system")
        _write(claim, trial, report)
    report |= _comparison(report["systems"], results, len(facts))
    with transaction.atomic():
        claim.fence()
        Trial.objects.filter(pk=trial.pk).update(report=report, finished_at=timezone.now())
        _forget(trial, MAX_BACKTESTS, kind=Trial.Kind.BACKTEST, mode_id=trial.mode_id)
        claim.finish({"trial": trial.pk})
        faultpoint("before_backtest_commit")


def _open_trial(claim: Claim, board: Board, rated_through_revision: int) -> Trial:
    """The trial to be filled: one that a dead process left behind, else a new one."""
    with transaction.atomic():
        claim.fence()
        left = _unfinished_backtests(board.season_id, board.mode_id).first()
        trial = left or _new_backtest(board.season, board.mode)
        trial.author_id = claim.job.author_id
        trial.rated_through_revision, trial.report, trial.created_at = (
            rated_through_revision,
            None,
            timezone.now(),
        )
        trial.save()
    return trial


def _report_to(
    claim: Claim, number: int, each: int, total: int, board: Board
) -> Callable[[int, int], None]:
    title = bridge.system_info(board.system).title

    def progress(done: int, _all: int) -> None:
        # The last word is for the report: a bar that is full before it would stand still.
        claim.progress(min(number * each + done, total - 1), total, title)

    return progress


def _predict(
    board: Board, facts: Facts, progress: Callable[[int, int], None]
) -> BacktestResult | None:
    progress(0, len(facts))
    return bridge.foresight(board, facts, progress=progress) if len(facts) else None


def _write(claim: Claim, trial: Trial, report: dict[str, Any]) -> None:
    with transaction.atomic():
        claim.fence()
        Trial.objects.filter(pk=trial.pk).update(report=report)


def _board_report(board: Board, result: BacktestResult | None) -> dict[str, Any]:
    report: dict[str, Any] = {
        "board": board.slug,
        "name": board.name,
        "system": board.system,
        "parameters": board.parameters,
        "gives_chances": bridge.gives_chances(board.system),
        "matches": 0,
        "refused": 0,
        "against_best": None,
        "calibration": [],
        "upsets": [],
        **prediction_scores(result),
    }
    if result is not None:
        report |= {
            "matches": result.evaluation.matches,
            "refused": result.refused,
            "calibration": [asdict(line) for line in result.evaluation.calibration],
            "upsets": [{"seq": seq, "expected": expected} for seq, expected in result.upsets],
        }
    return report


def _comparison(
    rows: list[dict[str, Any]], predictions: list[BacktestResult | None], results: int
) -> dict[str, Any]:
    """Name the system that predicts best, and say of each other how far behind it is."""
    able = [
        index
        for index, row in enumerate(rows)
        if row["log_loss"] is not None and row["matches"] >= COMPARABLE * results
    ]
    best = min(able, key=lambda index: rows[index]["log_loss"], default=None)
    if best is not None:
        leader = predictions[best]
        for row, result in zip(rows, predictions, strict=True):
            if leader and result and result is not leader and row["log_loss"] is not None:
                margin = bridge.margin_between(result, leader)
                row["against_best"] = margin and asdict(margin)
    return {"systems": rows, "best": best}


def start_trial(
    *,
    board: Board,
    parameters: Mapping[str, Any],
    actor: User | None,
    effective_at: datetime | None = None,
) -> Trial:
    """Queue a replay of a board's season with other parameters, from a moment on if given.

    Raises ValidationError, by parameter, where one is not valid.
    """
    return _queue_trial(board, checked_trial(board, parameters, effective_at), effective_at, actor)


def start_search(*, board: Board, actor: User | None) -> Trial:
    """Queue a search for parameters that predict better, and their trial.

    Raises ValidationError where there is nothing to search for, or too little or much to search in.
    """
    if not bridge.system_info(board.system).fitted or not bridge.gives_chances(board.system):
        raise ValidationError(_("This system has no parameters that can be fitted to results."))
    if not LEAST_SEARCHED <= board.rated_matches <= MOST_SEARCHED:
        words = _("A search needs between %(least)d and %(most)d results.")
        raise ValidationError(words % {"least": LEAST_SEARCHED, "most": MOST_SEARCHED})
    return _queue_trial(board, board.parameters, None, actor, search=True)


def checked_trial(
    board: Board, parameters: Mapping[str, Any], effective_at: datetime | None
) -> dict[str, Any]:
    """The parameters of a trial in full, or raise ValidationError."""
    checked = bridge.checked_parameters(board.system, parameters)
    if effective_at is not None and not FIRST_INSTANT <= effective_at <= LAST_INSTANT:
        raise ValidationError({"effective_at": _("The date must be from 1800 to 2199.")})
    if effective_at is not None and (
        obstacle := bridge.rules_obstacle(board.system, board.parameters, checked)
    ):
        raise ValidationError({"effective_at": obstacle})
    return checked


def _queue_trial(
    board: Board,
    parameters: Mapping[str, Any],
    effective_at: datetime | None,
    actor: User | None,
    *,
    search: bool = False,
) -> Trial:
    """Write a trial and its job; of a board only a few wait at once."""
    with transaction.atomic():
        Board.objects.select_for_update(no_key=True).get(pk=board.pk)
        waiting = Trial.objects.filter(
            board=board, kind=Trial.Kind.RULES, finished_at__isnull=True
        ).order_by("-pk")
        for given_up in waiting[MOST_WAITING - 1 :]:
            if _is_under_way(given_up):
                raise ValidationError(
                    _("Other trials of this board are still running. Wait until one is done.")
                )
            given_up.delete()
        trial = Trial.objects.create(
            league_id=board.league_id,
            season_id=board.season_id,
            mode_id=board.mode_id,
            board=board,
            kind=Trial.Kind.RULES,
            system=board.system,
            parameters=parameters,
            options={
                "effective_at": effective_at.isoformat() if effective_at else None,
                "search": search,
            },
            author=actor if actor is not None and actor.pk else None,
        )
        enqueue(
            "trial",
            key=trial_key(trial.pk),
            params={"trial": trial.pk},
            league_id=board.league_id,
            author_id=trial.author_id,
        )
    return trial


def _is_under_way(trial: Trial) -> bool:
    return Job.objects.filter(
        key=trial_key(trial.pk), state__in=(Job.State.QUEUED, Job.State.RUNNING)
    ).exists()


def trial_job(claim: Claim) -> None:
    """Replay a board as it is and with the parameters that are tried, and keep what differs."""
    with snapshot():
        trial = (
            Trial.objects.select_related("board__league", "board__season", "board__mode")
            .filter(pk=claim.params["trial"])
            .first()
        )
        if trial is None or trial.board is None or trial.finished_at is not None:
            return
        board = trial.board
        facts = read_facts(board)
        rated_through_revision = board.season.last_revision
    if trial.options.get("search"):
        claim.progress(0, 0, "search")
        _search(claim, trial, facts)
    tried = bridge.with_parameters(board, trial.parameters, effective_at_of(trial))
    faultpoint("trial_replay")
    # One rule for both, so that a midnight between them moves nobody.
    rule = ranking_rule(board, timezone.now())
    both = [
        replay_board(row, facts, claim, first, rule)
        for row, first in ((board, 0), (tried, len(facts)))
    ]
    report = {"results": len(facts), **compare_ranks(*both), **compare_predictions(board, *both)}
    with transaction.atomic():
        claim.fence()
        Trial.objects.filter(pk=trial.pk).update(
            report=report, rated_through_revision=rated_through_revision, finished_at=timezone.now()
        )
        _forget(trial, MAX_TRIALS, kind=Trial.Kind.RULES, board_id=trial.board_id)
        claim.finish({"trial": trial.pk})


def _search(claim: Claim, trial: Trial, facts: Facts) -> None:
    """Let the search's best parameters be those that are tried; once, also where a try dies."""
    board = trial.board
    if board is None or "found" in trial.options:
        return
    result = bridge.search(board, facts)
    trial.options["found"] = None
    if result is not None:
        trial.parameters = result.parameters
        trial.options["found"] = {
            "searched": result.searched,
            "held_out": result.held_out,
            "before": result.before.log_loss,
            "after": result.after.log_loss,
        }
    with transaction.atomic():
        claim.fence()
        # A board that was removed meanwhile has taken its trials along.
        Trial.objects.filter(pk=trial.pk).update(parameters=trial.parameters, options=trial.options)


def effective_at_of(trial: Trial) -> datetime | None:
    """The moment from which the tried parameters hold; None: from the first match on."""
    text = trial.options.get("effective_at")
    return datetime.fromisoformat(text) if text else None


def _forget(trial: Trial, count: int, **of: Any) -> None:
    """Delete what is older than the last few of the same kind."""
    done = Trial.objects.filter(season_id=trial.season_id, finished_at__isnull=False, **of)
    old = list(done.order_by("-created_at", "-pk").values_list("pk", flat=True)[count:])
    Trial.objects.filter(pk__in=old).delete()
