"""A board in numbers: how ratings are distributed, whether they told the truth, who surprised
them, and when was played.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import pairwise
from urllib.parse import urlencode

import numpy as np
from django.urls import reverse
from django.utils import formats
from django.utils.translation import gettext as _
from numpy.typing import NDArray

from leagues import bridge, charts, wording
from leagues.domain.activity import Activity
from leagues.domain.civil_days import day_of
from leagues.models import Board, Player, Trial
from leagues.pages.encounters import EncounterTable, encounter_table, no_encounter_table
from leagues.pages.judgement import describe_news
from leagues.pages.matches import Side, explained_address, sides_of, verb_of
from leagues.pages.point_accounts import AccountsTable, accounts_table
from leagues.pages.ratings import shown_as
from leagues.selectors.backtests import SystemReport, backtest_of
from leagues.selectors.statistics import activity_on, live_matches, own_place, place_counts
from leagues.services.trials import newest_backtest

MOST_UPSETS = 12
LEAST_PLAYERS = 8
"""Fewer ratings are no distribution."""

CALIBRATION_LEVEL = 0.6
"""The sentence is about seventy of a hundred, or what is next to it."""

FAR = 3.2
"""Deviations to which the normal curve is drawn."""

WITHIN_ONE = 0.6827
"""What part of a normal distribution lies within one deviation."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """How many players have which rating, with the normal curve of the same mean and width."""

    chart: charts.BarChart
    label: str
    sentence: str
    mine: str
    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Calibration:
    chart: charts.CalibrationChart
    label: str
    sentence: str
    rows: tuple[tuple[str, str, str, str], ...]
    """What was said, how often on average, how often it came true, and over how many results."""


@dataclass(frozen=True, slots=True)
class Upset:
    url: str
    day: str
    sides: tuple[Side, ...]
    verb: str
    expected: str


@dataclass(frozen=True, slots=True)
class ActivityChart:
    chart: charts.BarChart
    label: str
    heading: str
    sentence: str
    column: str
    rows: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class StatisticsPage:
    distribution: Distribution | None
    no_distribution: str
    calibration: Calibration | None
    no_calibration: str
    upsets: tuple[Upset, ...]
    activity: ActivityChart | None
    no_activity: str
    analysis: str
    """When the predictions were looked through, and how many."""
    shown_as: str
    encounters: EncounterTable | None
    """What static strengths are computed from; other systems have none."""
    no_encounters: str
    point_accounts: AccountsTable | None


def statistics_address(board: Board) -> str:
    """The address of a board's statistics."""
    base = reverse("leagues:statistics", args=[board.league.slug])
    return f"{base}?{urlencode({'season': board.season.slug, 'board': board.slug})}"


def statistics_page(*, board: Board, me: Player | None, now: datetime) -> StatisticsPage:
    """The numbers of a board, drawn and as tables."""
    trial = newest_backtest(board.season_id, board.mode_id)
    test = backtest_of(trial) if trial else None
    report = test.of(board) if test else None
    today = day_of(now, board.league.zone)
    played = activity_on(board, trial)
    distribution = _distribution(board, me)
    return StatisticsPage(
        distribution=distribution,
        no_distribution="" if distribution else _no_distribution(board),
        calibration=_calibration(report) if report else None,
        no_calibration=_no_calibration(board, test is not None, report),
        upsets=_upsets(board, report, today) if report else (),
        activity=_activity_chart(played, today) if played else None,
        no_activity=""
        if played
        else _("Results over time will appear after the next comparison of systems."),
        analysis=_analysis_sentence(board, trial, report, now) if trial and report else "",
        shown_as=shown_as(board),
        encounters=encounter_table(board),
        no_encounters=no_encounter_table(board),
        point_accounts=accounts_table(board),
    )


def _distribution(board: Board, me: Player | None) -> Distribution | None:
    system = bridge.system_of(board)
    if system.lower_is_better:
        return None
    places, counts = place_counts(board)
    total = int(counts.sum())
    if total < LEAST_PLAYERS or len(places) < LEAST_PLAYERS // 2:
        return None
    decimals = bridge.shown_decimals(board)
    unit = 10.0**-decimals
    values = places * unit
    mean = float(np.average(values, weights=counts))
    deviation = math.sqrt(
        float(np.average(np.square(values - mean), weights=counts)) * total / (total - 1)
    )
    step = _step(int(places[-1] - places[0]), total)
    first = math.floor(int(places[0]) / step) * step
    bins = (places - first) // step
    heights = np.bincount(bins, weights=counts).astype(np.int64).tolist()
    edges = [(first + step * index) * unit for index in range(len(heights) + 1)]
    own = own_place(board, me)
    digits = max(0, decimals if step < 10**decimals else 0)
    inside = np.abs(values - mean) <= deviation
    names = [
        _("%(low)s to %(high)s")
        % {"low": wording.number(low, digits), "high": wording.number(high, digits)}
        for low, high in pairwise(edges)
    ]
    drawn = charts.bar_chart(
        charts.Bars(
            values=heights,
            titles=[
                f"{name}: {wording.players(count)}"
                for name, count in zip(names, heights, strict=True)
            ],
            labels=[(index, wording.number(edge, digits)) for index, edge in enumerate(edges)],
            curve=_normal_curve(mean, deviation, total, edges),
            mine=None if own is None else int((own - first) // step),
            mark=None if own is None else (own - first + 0.5) / step,
            mark_label=""
            if own is None
            else _("You %(value)s") % {"value": wording.number(own * unit, decimals)},
        )
    )
    if drawn is None:
        return None
    return Distribution(
        chart=drawn,
        label=_("How many players have which rating, with the normal curve"),
        sentence=_distribution_sentence(
            total, mean, deviation, float(counts[inside].sum()) / total, decimals
        ),
        mine=_mine(own, places, counts, decimals),
        rows=tuple(
            (name, wording.count(count)) for name, count in zip(names, heights, strict=True)
        ),
    )


def _distribution_sentence(
    total: int, mean: float, deviation: float, inside: float, decimals: int
) -> str:
    return _(
        "%(players)s, on average %(mean)s with a standard deviation of %(deviation)s. %(inside)s "
        "of 100 are within one standard deviation of the average; in a normal distribution, "
        "%(normal)s are."
    ) % {
        "players": wording.players(total),
        "mean": wording.number(mean, decimals),
        "deviation": wording.number(deviation, decimals),
        "inside": wording.of_hundred(inside),
        "normal": wording.of_hundred(WITHIN_ONE),
    }


def _step(extent: int, total: int) -> int:
    """The width of a bar, in units of the last digit: about as many bars as tell anything."""
    bars = min(40.0, max(8.0, 3.0 * total ** (1.0 / 3.0)))
    raw = max(1.0, extent / bars)
    power = 10 ** math.floor(math.log10(raw))
    return next(int(part * power) for part in (1, 2, 5, 10) if part * power >= raw)


def _normal_curve(
    mean: float, deviation: float, total: int, edges: Sequence[float]
) -> list[tuple[float, float]]:
    """The normal curve that has as many players, in bars and players."""
    if not deviation:
        return []
    width = edges[1] - edges[0]
    low, high = max(edges[0], mean - FAR * deviation), min(edges[-1], mean + FAR * deviation)
    points = []
    for index in range(81):
        value = low + (high - low) * index / 80
        z = (value - mean) / deviation
        density = math.exp(-0.5 * z * z) / (deviation * math.sqrt(2.0 * math.pi))
        points.append(((value - edges[0]) / width, total * width * density))
    return points


def _mine(
    own: int | None, places: NDArray[np.int64], counts: NDArray[np.int64], decimals: int
) -> str:
    if own is None:
        return ""
    others = max(1, int(counts.sum()) - 1)
    below = int(counts[places < own].sum())
    return _(
        "You are at %(value)s, above %(below)s of 100 other players, including inactive ones."
    ) % {
        "value": wording.number(own * 10.0**-decimals, decimals),
        "below": wording.whole_of_hundred(below, others),
    }


def _no_distribution(board: Board) -> str:
    if bridge.system_of(board).lower_is_better:
        return _(
            "On a ladder, every player has their own rung, so there is no distribution to show."
        )
    return _("There are too few players to show a distribution.")


def _calibration(report: SystemReport) -> Calibration | None:
    if not report.calibration or not report.gives_chances:
        return None
    lines = report.calibration
    total = math.fsum(line.pairs for line in lines)
    off = math.fsum(line.pairs * abs(line.observed - line.predicted) for line in lines) / total
    likely = [line for line in lines if line.low >= CALIBRATION_LEVEL] or list(lines)
    best = next((line for line in likely if line.low > CALIBRATION_LEVEL), likely[0])
    return Calibration(
        chart=charts.calibration_chart(
            (line.predicted, line.observed, line.pairs) for line in lines
        ),
        label=_("Predicted and actual frequency"),
        sentence=_(
            "Of sides predicted to win %(low)s to %(high)s of 100 matches, %(came)s of 100 won. On "
            "average the result was %(off)s percentage points away from the prediction."
        )
        % {
            "low": wording.of_hundred(best.low),
            "high": wording.of_hundred(best.high),
            "came": wording.of_hundred(best.observed),
            "off": wording.number(100.0 * off, 1),
        },
        rows=tuple(
            (
                wording.span(wording.of_hundred(line.low), wording.of_hundred(line.high)),
                wording.percent(line.predicted),
                wording.percent(line.observed),
                wording.count(line.sides),
            )
            for line in lines
        ),
    )


def _no_calibration(board: Board, is_tested: bool, report: SystemReport | None) -> str:
    if not bridge.gives_chances(board.system):
        return _("This system shows who is ahead, not how likely a result is.")
    if not is_tested or report is None:
        return _("The predictions of this board have not been analysed yet.")
    return "" if report.calibration else _("There are too few results to judge the predictions.")


def _upsets(board: Board, report: SystemReport, today: date) -> tuple[Upset, ...]:
    """The results that were expected least and still count, the greatest first."""
    expected = {row.seq: row.expected for row in report.upsets[:MOST_UPSETS]}
    matches = live_matches(board, expected)
    zone = board.league.zone
    rows = []
    for seq, share in expected.items():
        match = matches.get(seq)
        if match is None:
            continue
        sides = sides_of(match, board)
        rows.append(
            Upset(
                url=explained_address(match, board),
                day=wording.day(day_of(match.played_at, zone), today),
                sides=sides,
                verb=verb_of(sides),
                expected=wording.percent(share),
            )
        )
    return tuple(rows)


def _analysis_sentence(board: Board, trial: Trial, report: SystemReport, now: datetime) -> str:
    """When the predictions were analysed, over what, and what has changed since."""
    zone = board.league.zone
    sentence = _("Last analysed on %(moment)s, over %(results)s.") % {
        "moment": wording.moment(trial.finished_at or trial.created_at, zone, day_of(now, zone)),
        "results": wording.results(report.matches),
    }
    since = describe_news(trial, board, board.rated_matches + board.refused_matches)
    return f"{sentence} {since}".strip()


def _activity_chart(activity: Activity, today: date) -> ActivityChart | None:
    names = [wording.span_of_time(activity.unit, span.first, today) for span in activity.spans]
    drawn = charts.bar_chart(
        charts.Bars(
            values=[span.results for span in activity.spans],
            titles=[
                f"{name}: {wording.results(span.results)}, {wording.players(span.players)}"
                for name, span in zip(names, activity.spans, strict=True)
            ],
            labels=_axis(activity),
        )
    )
    if drawn is None:
        return None
    heading, column = {
        "week": (_("Results per week"), _("Week from")),
        "month": (_("Results per month"), _("Month")),
        "year": (_("Results per year"), _("Year")),
    }[activity.unit]
    return ActivityChart(
        chart=drawn,
        label=heading,
        heading=heading,
        sentence=_played_sentence(activity, names),
        column=column,
        rows=tuple(
            (name, wording.count(span.results), wording.count(span.players))
            for name, span in reversed(list(zip(names, activity.spans, strict=True)))
            if span.results
        ),
    )


def _played_sentence(activity: Activity, names: Sequence[str]) -> str:
    """How much was played, and when most, if there was such a time."""
    busiest = max(range(len(names)), key=lambda index: activity.spans[index].results)
    most = activity.spans[busiest].results
    words = {
        "results": wording.results(sum(span.results for span in activity.spans)),
        "players": wording.players(activity.players),
        "when": names[busiest],
        "most": wording.results(most),
    }
    if len(names) == 1:
        sentence = _("%(results)s by %(players)s.")
    elif all(span.results == most for span in activity.spans):
        sentence = {
            "week": _("%(results)s by %(players)s; every week had %(most)s."),
            "month": _("%(results)s by %(players)s; every month had %(most)s."),
            "year": _("%(results)s by %(players)s; every year had %(most)s."),
        }[activity.unit]
    else:
        sentence = {
            "week": _(
                "%(results)s by %(players)s; the busiest week was the one from %(when)s: %(most)s."
            ),
            "month": _("%(results)s by %(players)s; the busiest month was %(when)s: %(most)s."),
            "year": _("%(results)s by %(players)s; the busiest year was %(when)s: %(most)s."),
        }[activity.unit]
    return sentence % words


def _axis(activity: Activity) -> list[tuple[float, str]]:
    """The labels below the bars: months below weeks, years below months."""
    labels = []
    for index, span in enumerate(activity.spans):
        if activity.unit == "week":
            last = span.first + timedelta(days=6)
            if index == 0 or last.day <= 7:
                pattern = "M Y" if last.month == 1 or index == 0 else "M"
                labels.append((index + 0.5, formats.date_format(last, pattern)))
        elif activity.unit == "month":
            if span.first.month in (1, 7) or len(activity.spans) <= 14:
                pattern = "Y" if span.first.month == 1 else "M"
                labels.append((index + 0.5, formats.date_format(span.first, pattern)))
        else:
            labels.append((index + 0.5, str(span.first.year)))
    return labels
