"""The back-test as a page shows it: a table, a recommendation, calibration, and how far it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import bridge, charts, wording
from leagues.access import Action
from leagues.domain.civil_days import day_of
from leagues.models import Board, Job, Trial
from leagues.pages.distances import LOSS_DECIMALS, OF_95, Distance, distance
from leagues.selectors.backtests import (
    Backtest,
    Margin,
    SystemReport,
    backtest_of,
    job_of,
    news_since,
    running_and_finished,
)
from leagues.services.trials import LEAST_AUTOMATIC, MOST_AUTOMATIC, backtest_key

LEAST_TO_JUDGE = 30
MOST_CALIBRATIONS = 8
"""The charts are those of the boards and of the best; the table beside them has all systems."""


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """One system in the table of the back-test; `note` stands where it makes no prediction."""

    title: str
    is_used: bool
    log_loss: str
    against: str
    plus_minus: str
    mark: charts.MarginMark | None
    brier: str
    accuracy: str
    refused: str
    note: str


@dataclass(frozen=True, slots=True)
class Calibration:
    """One small chart and its numbers."""

    title: str
    label: str
    chart: charts.CalibrationChart | None
    rows: tuple[tuple[str, str, str], ...]
    """Said, came true, and over how many sides."""


@dataclass(frozen=True, slots=True)
class Advice:
    text: str
    plain: str = ""
    """How often the best system names the winner, in one plain line."""
    url: str = ""
    link: str = ""


@dataclass(frozen=True, slots=True)
class Progress:
    """A back-test under way; `part` is empty before it has begun."""

    stage: str
    done: str
    total: str
    part: str
    has_failed: bool


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a season's back-test says, or how far it is."""

    rows: tuple[JudgedRow, ...]
    calculation: str
    since: str
    advice: Advice | None
    behind: str
    """That the first board is clearly not the best of those in use, if so."""
    calibrations: tuple[Calibration, ...]
    progress: Progress | None
    is_partial: bool
    """The rows are those of the run under way, which has not come to all systems yet."""
    empty: str
    start: str
    """The words of the button, for those who may start one."""


def judgement(*, boards: Sequence[Board], rights: frozenset[Action], now: datetime) -> Judgement:
    """The newest back-test of the boards' season and mode, and the one under way."""
    first = boards[0]
    waiting, finished = running_and_finished(first.season_id, first.mode_id)
    job = job_of(backtest_key(first.season_id, first.mode_id)) if waiting else None
    if waiting and job is None:
        # The job has come to its end since, and what it found with it.
        waiting, finished = running_and_finished(first.season_id, first.mode_id)
    progress = _progress(job) if job else None
    newest = finished or waiting
    test = backtest_of(newest) if newest is not None and newest.report else None
    results = max(board.rated_matches + board.refused_matches for board in boards)
    may_start = Action.SETTINGS in rights
    return Judgement(
        rows=_rows(test) if test else (),
        calculation=_calculation_note(test, first, now) if test and test.is_finished else "",
        since=describe_news(finished, first, results) if finished is not None and test else "",
        advice=_advice(test, first, rights) if test and test.is_finished else None,
        behind=_first_behind(test, first) if test and test.is_finished else "",
        calibrations=_calibrations(test) if test and test.is_finished else (),
        progress=progress,
        is_partial=test is not None and not test.is_finished,
        empty=_empty(results) if test is None and progress is None else "",
        start=_start(results, finished is not None) if results and may_start else "",
    )


def describe_news(trial: Trial, board: Board, results: int) -> str:
    """What has become of results since a back-test, and whether there is a new one under way."""
    news = news_since(trial, board, results)
    if news.is_changed:
        text = _("Results have been changed since.")
    elif news.more:
        text = ngettext(
            "%(count)s result has come since.", "%(count)s results have come since.", news.more
        ) % {"count": wording.count(news.more)}
    else:
        return ""
    return f"{text} {_('All are being analysed again.')}" if news.is_under_way else text


def _progress(job: Job) -> Progress:
    return Progress(
        stage=job.stage,
        done=wording.count(job.done),
        total=wording.count(job.total),
        part=f"{job.done / job.total:.3f}" if job.total else "",
        has_failed=job.state == Job.State.FAILED,
    )


def _rows(test: Backtest) -> tuple[JudgedRow, ...]:
    ordered = sorted(
        test.systems,
        key=lambda row: (row.log_loss is None, row.log_loss or 0.0, row.accuracy is None),
    )
    compared = [
        row
        for row in ordered
        if row.log_loss is not None and (row is test.best or row.against_best)
    ]
    margins = [None if row is test.best else _mean_and_half(row.against_best) for row in compared]
    marks = dict(zip(map(id, compared), charts.margin_marks(margins), strict=True))
    return tuple(_row(row, test, marks.get(id(row))) for row in ordered)


def _mean_and_half(margin: Margin | None) -> tuple[float, float] | None:
    return None if margin is None else (margin.mean, OF_95 * margin.error)


def _row(row: SystemReport, test: Backtest, mark: charts.MarginMark | None) -> JudgedRow:
    behind = _behind(row, test)
    return JudgedRow(
        title=_title(row),
        is_used=bool(row.board),
        log_loss="" if row.log_loss is None else wording.number(row.log_loss, LOSS_DECIMALS),
        against=_("best") if row is test.best else behind.words["change"] if behind else "",
        plus_minus=behind.plus_minus if behind else "",
        mark=mark,
        brier="" if row.brier is None else wording.number(row.brier, LOSS_DECIMALS),
        accuracy="" if row.accuracy is None else wording.percent(row.accuracy),
        refused=_refusal_sentence(row),
        note=_note(row),
    )


def _title(row: SystemReport) -> str:
    """The system's name; a board's own where it says more."""
    return row.name if row.board and row.title not in row.name else row.title


def _behind(row: SystemReport, test: Backtest) -> Distance | None:
    """How far a system is behind the best; of the same matches as far as the losses shown."""
    best, margin = test.best, row.against_best
    if best is None or best.log_loss is None or margin is None or row.log_loss is None:
        return None
    is_same = margin.matches == best.matches
    between = (best.log_loss, row.log_loss) if is_same else None
    return distance(margin.mean, margin.error, margin.matches, between)


def _refusal_sentence(row: SystemReport) -> str:
    if not row.refused or row.log_loss is None:
        return ""
    return ngettext(
        "without %(count)s result it cannot rate",
        "without %(count)s results it cannot rate",
        row.refused,
    ) % {"count": wording.count(row.refused)}


def _note(row: SystemReport) -> str:
    if row.log_loss is not None:
        return ""
    if bridge.system_info(row.system).rates_at_once:
        return _("rates all results at once, so it cannot predict them beforehand")
    if row.refused and not row.matches:
        return _("cannot rate any of these results")
    if row.gives_chances or row.accuracy is None:
        return _("has no decided results to be judged by")
    return _("gives an order but no chances")


def _calculation_note(test: Backtest, board: Board, now: datetime) -> str:
    zone = board.league.zone
    return _("Calculated %(moment)s from %(results)s.") % {
        "moment": wording.moment(test.made_at, zone, day_of(now, zone)),
        "results": wording.results(test.results),
    }


def _empty(results: int) -> str:
    if results < LEAST_AUTOMATIC:
        return ngettext(
            "%(count)s result is too few to compare systems by.",
            "%(count)s results are too few to compare systems by.",
            results,
        ) % {"count": wording.count(results)}
    if results > MOST_AUTOMATIC:
        return _(
            "This season has too many results to compare systems automatically; an "
            "organizer can start the comparison."
        )
    return _("The systems have not been compared yet; this happens soon after results are rated.")


def _start(results: int, is_again: bool) -> str:
    words = _("Compare again with %(results)s") if is_again else _("Compare with %(results)s")
    return words % {"results": wording.results(results)}


def _advice(test: Backtest, board: Board, rights: frozenset[Action]) -> Advice | None:
    """Advice in plain words, and how far the numbers support it."""
    best = test.best
    if best is None:
        return None
    if test.results < LEAST_TO_JUDGE:
        return Advice(
            _("%(results)s are too few to tell the systems apart; wait before you change anything.")
            % {"results": wording.results(test.results)}
        )
    plain = _winners_sentence(best)
    if best.board:
        return Advice(_keep(best, _closest(best, test), test), plain)
    own = _closest(best, test, in_use=True)
    behind = _behind(own, test) if own else None
    if own is None or behind is None:
        return Advice(_("%(best)s predicts best.") % {"best": best.title}, plain)
    words = {"best": best.title, "own": _title(own), **behind.words}
    if not behind.mean:
        text = _(
            "%(best)s and %(own)s have the same log loss over %(results)s: they predict equally "
            "well, and no new board is needed."
        )
        return Advice(text % words, plain)
    if not behind.is_clear:
        text = _(
            "%(best)s predicts best, but its log loss is only %(margin)s %(half)s lower than that "
            "of %(own)s over %(results)s. That is within the uncertainty: no new board is needed."
        )
        return Advice(text % words, plain)
    text = _(
        "%(best)s predicts best: its log loss is %(margin)s %(half)s lower than that of %(own)s "
        "over %(results)s. That is more than the uncertainty; consider adding a board with "
        "%(best)s."
    )
    url = link = ""
    if Action.SETTINGS in rights:
        base = reverse("leagues:settings_boards", args=[board.league.slug])
        url = f"{base}?{urlencode({'system': best.system})}"
        link = _("Add a board with %(best)s") % words
    return Advice(text % words, plain, url, link)


def _winners_sentence(best: SystemReport) -> str:
    if best.accuracy is None:
        return ""
    return _(
        "%(best)s predicts the winner in %(right)s of 100 matches. Log loss also counts how "
        "certain each prediction was: being certain and wrong costs most."
    ) % {"best": _title(best), "right": wording.of_hundred(best.accuracy)}


def _closest(best: SystemReport, test: Backtest, *, in_use: bool = False) -> SystemReport | None:
    """The system next to the best, of those in use if asked for."""
    judged = [row for row in test.systems if row is not best and row.against_best]
    return min((row for row in judged if row.board or not in_use), key=_mean, default=None)


def _mean(row: SystemReport) -> float:
    return row.against_best.mean if row.against_best else float("inf")


def _first_behind(test: Backtest, board: Board) -> str:
    """The sentence that the first board is clearly behind the best, and not the best in use."""
    row, best = test.of(board), test.best
    if best is None or row is None or row is best or test.results < LEAST_TO_JUDGE:
        return ""
    first_in_use = best if best.board else _closest(best, test, in_use=True)
    behind = _behind(row, test)
    if first_in_use is row or behind is None or not behind.is_clear:
        return ""
    return _(
        "%(name)s, the first board, is behind the best by %(margin)s %(half)s, more than the "
        "uncertainty: %(best)s predicts this league better."
    ) % {"name": _title(row), "best": _title(best), **behind.words}


def _keep(best: SystemReport, following: SystemReport | None, test: Backtest) -> str:
    """The sentence that the best is in use already, and how far the next is behind."""
    behind = _behind(following, test) if following else None
    if following is None or behind is None:
        return _("%(best)s predicts best, and this league uses it.") % {"best": _title(best)}
    words = {"best": _title(best), "next": _title(following), **behind.words}
    if not behind.mean:
        text = _(
            "%(best)s predicts best, and this league uses it. %(next)s has the same log loss over "
            "%(results)s: both predict equally well."
        )
    elif behind.is_clear:
        text = _(
            "%(best)s predicts best, and this league uses it. %(next)s is next: its log loss is "
            "%(margin)s %(half)s higher over %(results)s, more than the uncertainty."
        )
    else:
        text = _(
            "%(best)s predicts best, and this league uses it. %(next)s is next: its log loss is "
            "%(margin)s %(half)s higher over %(results)s. That is within the uncertainty: both "
            "predict about equally well."
        )
    return text % words


def _calibrations(test: Backtest) -> tuple[Calibration, ...]:
    """The boards first, then the other systems, the best first."""
    rows = [row for row in test.systems if row.log_loss is not None and row.calibration]
    rows.sort(key=lambda row: (not row.board, row.log_loss))
    return tuple(
        Calibration(
            title=_title(row),
            label=_("Calibration of %(system)s; the table below has the same numbers")
            % {"system": _title(row)},
            chart=charts.calibration_chart(
                (line.predicted, line.observed, line.pairs) for line in row.calibration
            )
            if index < MOST_CALIBRATIONS and (row.board or row is test.best)
            else None,
            rows=tuple(
                (
                    wording.percent(line.predicted),
                    wording.percent(line.observed),
                    wording.count(line.sides),
                )
                for line in row.calibration
            ),
        )
        for index, row in enumerate(rows)
    )
