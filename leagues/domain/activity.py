"""How much was played when: results and players by week, month or year, from facts in columns."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np

from leagues.store.match_columns import Facts, Integers

EPOCH = date(1970, 1, 1)
MOST_WEEKS = 60
MOST_MONTHS = 60


@dataclass(frozen=True, slots=True)
class Span:
    """One week, month or year, by its first day."""

    first: date
    results: int
    players: int


@dataclass(frozen=True, slots=True)
class Activity:
    """Consecutive spans without gaps, oldest first; `unit` is week, month or year."""

    unit: str
    spans: tuple[Span, ...]
    players: int
    """How many different people played in all."""

    def as_report(self) -> dict[str, object]:
        """The activity as a report keeps it."""
        return {
            "unit": self.unit,
            "players": self.players,
            "spans": [[span.first.isoformat(), span.results, span.players] for span in self.spans],
        }


def activity_of(facts: Facts) -> Activity | None:
    """Count results and different players by spans of civil days; None without results.

    By weeks for a little more than a year, by months for five years, else by years.
    """
    if not len(facts):
        return None
    first, last = (EPOCH + timedelta(days=int(day)) for day in (facts.day[0], facts.day[-1]))
    starts, unit = spans_between(first, last)
    edges = np.array([(start - EPOCH).days for start in starts], dtype=np.int64)
    of_match = np.searchsorted(edges, facts.day, side="right") - 1
    results = np.bincount(of_match, minlength=len(starts))
    players = _different(of_match[facts.match], facts.player_id, len(starts))
    spans = zip(starts, results.tolist(), players.tolist(), strict=True)
    return Activity(unit, tuple(Span(*row) for row in spans), len(np.unique(facts.player_id)))


def read_activity(report: dict[str, object]) -> Activity:
    """The activity in a report."""
    spans: list[tuple[str, int, int]] = report["spans"]  # type: ignore[assignment]
    return Activity(
        str(report["unit"]),
        tuple(
            Span(date.fromisoformat(first), results, players) for first, results, players in spans
        ),
        int(str(report["players"])),
    )


def spans_between(first: date, last: date) -> tuple[list[date], str]:
    """The first days of the spans from one day to another, and their unit."""
    if (last - first).days < 7 * MOST_WEEKS:
        monday = first - timedelta(days=first.weekday())
        weeks = (last - monday).days // 7 + 1
        return [monday + timedelta(weeks=number) for number in range(weeks)], "week"
    months = range(12 * first.year + first.month - 1, 12 * last.year + last.month)
    if len(months) <= MOST_MONTHS:
        return [date(month // 12, month % 12 + 1, 1) for month in months], "month"
    return [date(year, 1, 1) for year in range(first.year, last.year + 1)], "year"


def _different(span: Integers, player: Integers, spans: int) -> Integers:
    """The number of different players in each span."""
    _everyone, number = np.unique(player, return_inverse=True)
    count = int(number.max()) + 1 if len(number) else 1
    met = np.unique(span * count + number)
    different: Integers = np.bincount(met // count, minlength=spans)
    return different
