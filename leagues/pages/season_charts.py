"""The results of a season over time and the movement of its places, drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext as _

from leagues import charts, wording
from leagues.models import Board, Player
from leagues.pages.boards import board_address
from leagues.pages.season_highlights import LEAST_MOMENTS
from leagues.selectors.season_facts import Moment, SeasonFacts, spans_of
from leagues.wording import NOTHING

MOST_LINES = 12
TONES = ("ink", "two", "three", "far")
"""The first three stand out, and can be told from each other."""


@dataclass(frozen=True, slots=True)
class ResultsChart:
    """Results by week, month or year; the drawing needs two of them, rows are its table twin."""

    heading: str
    column: str
    chart: charts.WeeksChart | None
    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class MovementRow:
    name: str
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Movement:
    chart: charts.PlacesChart
    titles: tuple[str, ...]
    rows: tuple[MovementRow, ...]


def results_chart(facts: SeasonFacts, today: date) -> ResultsChart | None:
    spans, unit = spans_of(facts.days)
    if not spans:
        return None
    heading, column = {
        "week": (_("Results by week"), _("Week from")),
        "month": (_("Results by month"), _("Month")),
        "year": (_("Results by year"), _("Year")),
    }[unit]
    return ResultsChart(
        heading=heading,
        column=column,
        chart=charts.weeks_chart(
            [
                (wording.span_of_time(unit, first, today, is_short=True), count)
                for first, count in spans
            ]
        ),
        rows=tuple(
            (wording.span_of_time(unit, first, today), wording.count(count))
            for first, count in spans
        ),
    )


def movement_chart(
    board: Board | None,
    facts: SeasonFacts,
    people: Mapping[int, Player],
    own: Player | None,
    today: date,
) -> Movement | None:
    moments = [moment for moment in facts.moments if moment.ranks]
    if board is None or len(moments) < LEAST_MOMENTS:
        return None
    last = moments[-1].ranks
    top = [player for player in sorted(last, key=lambda who: (last[who], who)) if player in people]
    players = top[:MOST_LINES]
    if own is not None and own.pk in last and own.pk not in players:
        players.append(own.pk)
    lines = []
    for index, who in enumerate(players):
        name = people[who].name if who in people else str(own)
        tone = "mine" if own is not None and own.pk == who else TONES[min(index, len(TONES) - 1)]
        ranks = tuple(moment.ranks.get(who) for moment in moments)
        # A dozen lines of points would be a page of their own; the table has them all.
        points = () if tone == "far" else _points(board, name, moments, ranks, today)
        lines.append(charts.PlacedLine(name, ranks, tone, points))
    titles = tuple(wording.day(moment.day, today) for moment in moments)
    depth = max(last[who] for who in players[:MOST_LINES])
    chart = charts.places_chart(titles, lines, depth=max(depth, len(players)), moments=True)
    if chart is None:
        return None
    return Movement(
        chart,
        titles,
        tuple(
            MovementRow(
                line.name,
                tuple(NOTHING if place is None else wording.count(place) for place in line.places),
            )
            for line in lines
        ),
    )


def _points(
    board: Board,
    name: str,
    moments: Sequence[Moment],
    ranks: Sequence[int | None],
    today: date,
) -> tuple[tuple[str, str], ...]:
    """What is said of a rank of each day, with the address of the standings of that day."""
    address = board_address(board)
    return tuple(
        (
            _("%(name)s, %(day)s: %(rank)s")
            % {
                "name": name,
                "day": wording.day(moment.day, today),
                "rank": NOTHING if rank is None else wording.ordinal(rank),
            },
            f"{address}&on={moment.day.isoformat()}",
        )
        for moment, rank in zip(moments, ranks, strict=True)
    )
