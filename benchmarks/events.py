"""What the frags of game logs cost: read, stored, and rated on the boards of a new mode.

Lines are read as `gamelogs` measures it. Storing and rating are measured by processor time, on
PostgreSQL with that of the server's process: the games of an evening in a league that has some,
and then again as many, which are appended.
"""

from __future__ import annotations

import io
import random
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from benchmarks import gamelogs
from benchmarks.costs import Cost, measured
from benchmarks.pages import installation
from benchmarks.report import Report, Row

if TYPE_CHECKING:
    from leagues.services.log_reading import LogContents

EVENINGS: Final = 4
GAMES: Final = 20
EVENTS: Final = 500
STORED_A_SECOND: Final = 10_000
RATED_A_SECOND: Final = 20_000
"""On all boards of the mode together: Becker, zero-sum and TrueSkill."""


def measure(report: Report) -> None:
    """Measure reading by family, then storing and rating on the chosen database."""
    gamelogs.measure(report)
    with installation():
        _measure_ways_in(report)


def _measure_ways_in(report: Report) -> None:
    from django.db import connection

    from leagues.jobs.runner import drain
    from leagues.models import MatchEvent
    from leagues.services.leagues import create_league
    from leagues.services.log_imports import import_logs
    from leagues.services.log_reading import LogOptions

    league = create_league(name="Arena", slug="arena", mode="Blitz")
    season = league.seasons.get()
    stored, rated = Cost(), Cost()
    rng = random.Random(1)
    for number in range(EVENINGS):
        contents = _evening(rng, number)
        # The first makes the mode, its boards and the players.
        costs = (stored, rated) if number else (Cost(), Cost())
        with measured(costs[0]):
            import_logs(season=season, contents=contents, options=LogOptions())
        with measured(costs[1]):
            drain()
    events = EVENINGS * GAMES * EVENTS
    if MatchEvent.objects.count() != events:
        raise RuntimeError("the events are not all stored")
    counted = events * (EVENINGS - 1) / EVENINGS
    for what, cost, bar in (("stored", stored, STORED_A_SECOND), ("rated", rated, RATED_A_SECOND)):
        name = f"events {what}, {connection.vendor}"
        report.add(Row(name, counted / cost.seconds, "events/s", bar, "at least"))
        report.note(f"{name}: statements an evening", cost.statements / (EVENINGS - 1), "")


def _evening(rng: random.Random, number: int) -> LogContents:
    """The games of one evening, read from a log."""
    from leagues.services.log_reading import LogContents, LogOptions, read_log_into

    begin = datetime(2026, 1, 1, 18, tzinfo=UTC) + timedelta(days=number)
    lines = []
    for game in range(GAMES):
        stamp = begin + timedelta(minutes=10 * game)
        first, *rest = gamelogs.quake3(rng, EVENTS)
        lines += [rf"{first}\g_timestamp\{stamp:%Y-%m-%d %H:%M:%S}", *rest]
    contents = LogContents()
    data = "\n".join(lines).encode()
    read_log_into(contents, "games.log", io.BytesIO(data), LogOptions())
    return contents
