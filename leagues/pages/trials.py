"""Trials of other parameters as pages show them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import bridge, wording
from leagues.domain.civil_days import day_of
from leagues.models import Board, Job, Trial
from leagues.pages.boards import player_address
from leagues.pages.distances import LOSS_DECIMALS, distance
from leagues.pages.rules import said_value
from leagues.pages.seats import format_change
from leagues.selectors.backtests import job_of_trial, latest_trials
from leagues.selectors.names import names_by_key
from leagues.services.trial_reports import Some, TrialReport, trial_report
from leagues.services.trials import effective_at_of

MOST_LISTED = 10
MOST_NAMED = 5
"""Players who would become ranked, or drop out, by name."""


@dataclass(frozen=True, slots=True)
class ParameterChange:
    """One parameter that is tried with another value."""

    label: str
    now: str
    new_value: str


@dataclass(frozen=True, slots=True)
class MoverRow:
    name: str
    url: str
    now: str
    then: str
    step: str
    """How many places, without a sign: `way` says which."""
    way: str
    value: str
    new_value: str
    change: str


@dataclass(frozen=True, slots=True)
class ScoreRow:
    label: str
    now: str
    then: str


@dataclass(frozen=True, slots=True)
class TrialRow:
    """A trial in a list."""

    url: str
    started_on: str
    changes: str
    verdict: str


@dataclass(frozen=True, slots=True)
class TrialPage:
    """A trial: what is tried, how far it is, what it found."""

    board: str
    board_url: str
    systems_url: str
    again_url: str
    when: str
    since: str
    changes: tuple[ParameterChange, ...]
    is_under_way: bool
    has_failed: bool
    stage: str
    part: str
    search_result: str
    """Where the parameters come from a search: how they do on the results left out of it."""
    verdict: str
    moves: str
    movers: tuple[MoverRow, ...]
    scores: tuple[ScoreRow, ...]
    shown_as: str
    parameters: tuple[tuple[str, str], ...]
    """All tried parameters as names and texts, for forms that take them over."""
    effective_on: str


def trial_page(trial: Trial, now: datetime) -> TrialPage:
    """A trial that was read with its board."""
    board = trial.board
    if board is None:
        raise ValueError("a trial of parameters has a board")
    job = job_of_trial(trial)
    report = trial_report(trial)
    has_failed = report is None and (job is None or job.state == Job.State.FAILED)
    since = effective_at_of(trial)
    zone = board.league.zone
    here = {"season": board.season.slug, "board": board.slug}
    systems = reverse("leagues:systems", args=[board.league.slug])
    again = reverse("leagues:try", args=[board.league.slug])
    return TrialPage(
        board=board.name,
        board_url=f"{reverse('leagues:board', args=[board.league.slug])}?{urlencode(here)}",
        systems_url=f"{systems}?{urlencode(here)}",
        again_url=f"{again}?{urlencode({**here, 'from': trial.pk})}",
        when=wording.moment(trial.created_at, zone, day_of(now, zone)),
        since=wording.day(day_of(since, zone)) if since else "",
        changes=_parameter_changes(board, trial),
        is_under_way=report is None and not has_failed,
        has_failed=has_failed,
        stage=_stage(job),
        part=f"{job.done / job.total:.3f}" if job and job.total else "",
        search_result=_headline(trial) if report else "",
        verdict=_verdict(report, board) if report else "",
        moves=_moves_sentence(report, board) if report else "",
        movers=_movers(report, board) if report else (),
        scores=_scores(report) if report else (),
        shown_as=_(bridge.system_of(board).shown_as),
        parameters=tuple(
            (name, "" if value is None else _text(value))
            for name, value in trial.parameters.items()
        ),
        effective_on=day_of(since, zone).isoformat() if since else "",
    )


def recent_trials(board: Board, now: datetime) -> tuple[TrialRow, ...]:
    """The last trials of a board, newest first."""
    zone = board.league.zone
    today = day_of(now, zone)
    return tuple(
        TrialRow(
            url=reverse("leagues:trial", args=[board.league.slug, trial.pk]),
            started_on=wording.moment(trial.created_at, zone, today),
            changes=", ".join(
                f"{row.label} {row.new_value}" for row in _parameter_changes(board, trial)
            )
            or _("the current parameters"),
            verdict=_verdict(report, board) if (report := trial_report(trial)) else _("running"),
        )
        for trial in latest_trials(board, MOST_LISTED)
    )


def _parameter_changes(board: Board, trial: Trial) -> tuple[ParameterChange, ...]:
    now, new = (
        bridge.full_parameters(board.system, stored)
        for stored in (board.parameters, trial.parameters)
    )
    return tuple(
        ParameterChange(
            label=_(description.label),
            now=said_value(description.name, now[description.name]),
            new_value=said_value(description.name, new[description.name]),
        )
        for description in bridge.describe_system(board.system)
        if now[description.name] != new[description.name]
    )


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return repr(value).removesuffix(".0") if isinstance(value, int | float) else str(value)


def _stage(job: Job | None) -> str:
    if job is not None and job.stage == "search":
        return _("Searching: the first four fifths of the results are replayed many times.")
    if job is None or not job.total:
        return _("Waiting to start.")
    return _("%(done)s of %(total)s results rated, with both sets of parameters.") % {
        "done": wording.count(job.done),
        "total": wording.count(job.total),
    }


def _verdict(report: TrialReport, board: Board) -> str:
    """Whether the tried parameters predict better, in one sentence."""
    margin = report.margin
    if margin is None:
        if bridge.gives_chances(board.system):
            return _("There are too few decisive results to compare predictions.")
        return _("This system makes no predictions to compare.")
    before, after = report.before.log_loss, report.after.log_loss
    between = None if before is None or after is None else (before, after)
    apart = distance(margin.mean, margin.error, margin.matches, between)
    if not apart.is_clear:
        text = _(
            "Log loss changes by %(change)s %(half)s over %(results)s. That is within the "
            "uncertainty: these parameters predict about as well as the current ones."
        )
    elif apart.mean < 0:
        text = _(
            "These parameters predict better: log loss falls by %(margin)s %(half)s over "
            "%(results)s, more than the uncertainty."
        )
    else:
        text = _(
            "These parameters predict worse: log loss rises by %(margin)s %(half)s over "
            "%(results)s, more than the uncertainty."
        )
    return text % apart.words


def _headline(trial: Trial) -> str:
    """The result of a search, by the results that it had not seen."""
    if "found" not in trial.options:
        return ""
    result = trial.options["found"]
    if result is None:
        return _("The search found nothing: there are too few decisive results.")
    return _(
        "Found by a search over the first %(searched)s. On the next %(held_out)s, which "
        "the search did not use, log loss goes from %(before)s to %(after)s."
    ) % {
        "searched": wording.results(result["searched"]),
        "held_out": wording.results(result["held_out"]),
        "before": _loss(result["before"]),
        "after": _loss(result["after"]),
    }


def _moves_sentence(report: TrialReport, board: Board) -> str:
    """How many would change places, and who would become ranked or drop out."""
    sentences = []
    if report.moved:
        text = ngettext(
            "%(moved)s of %(players)s would change rank.",
            "%(moved)s of %(players)s would change rank.",
            report.moved,
        )
        words = {
            "moved": wording.count(report.moved),
            "players": wording.players(report.players),
        }
        sentences.append(text % words)
    elif not (report.entering.count or report.leaving.count):
        sentences.append(_("No ranks would change."))
    for some, text in (
        (report.entering, _("%(players)s would become ranked: %(names)s.")),
        (report.leaving, _("%(players)s would no longer be ranked: %(names)s.")),
    ):
        if some.count:
            sentences.append(text % _count_and_names(some, board))
    return " ".join(sentences)


def _count_and_names(some: Some, board: Board) -> dict[str, str]:
    first = some.players[:MOST_NAMED]
    names = names_by_key(board.league_id, first)
    named = [names.get(key, key) for key in first]
    if more := some.count - len(first):
        text = ngettext("%(count)s other", "%(count)s others", more)
        named.append(text % {"count": wording.count(more)})
    return {"players": wording.players(some.count), "names": wording.listing(named)}


def _movers(report: TrialReport, board: Board) -> tuple[MoverRow, ...]:
    names = names_by_key(board.league_id, [mover.player for mover in report.movers])
    decimals = bridge.shown_decimals(board)
    return tuple(
        MoverRow(
            name=names.get(mover.player, mover.player),
            url=player_address(board, mover.player),
            now=wording.count(mover.rank),
            then=wording.count(mover.new_rank),
            step=wording.count(abs(mover.rank - mover.new_rank)),
            way="up" if mover.new_rank < mover.rank else "down",
            value=wording.number(mover.value, decimals),
            new_value=wording.number(mover.new_value, decimals),
            change=format_change(board, mover.value, mover.new_value, decimals),
        )
        for mover in report.movers
    )


def _scores(report: TrialReport) -> tuple[ScoreRow, ...]:
    before, after = report.before, report.after
    if before.log_loss is None or after.log_loss is None:
        return ()
    return (
        ScoreRow(_("Log loss"), _loss(before.log_loss), _loss(after.log_loss)),
        ScoreRow(_("Brier score"), _loss(before.brier), _loss(after.brier)),
        ScoreRow(_("Winners predicted"), _share(before.accuracy), _share(after.accuracy)),
    )


def _loss(value: float | None) -> str:
    return wording.NOTHING if value is None else wording.number(value, LOSS_DECIMALS)


def _share(value: float | None) -> str:
    return wording.NOTHING if value is None else wording.percent(value)
