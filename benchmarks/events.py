"""What the events of game logs cost: read, stored, and rated on the boards of a new mode.

Lines are read as `gamelogs` measures it. Storing and rating are measured by processor time, on
PostgreSQL with that of the server's process: the games of an evening in a league that has some,
and then again as many, which are appended. Once with frags alone, and once with two hits before
each frag, on boards that give damage a value.
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
    from collections.abc import Callable

    from leagues.models import Season
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
        _measure_ways_in(report, "arena", "events", _frags)
        _measure_ways_in(report, "dome", "events with damage", _damage)


def _measure_ways_in(
    report: Report, slug: str, what: str, game: Callable[[random.Random, datetime], list[str]]
) -> None:
    from django.db import connection

    from leagues.jobs.runner import drain
    from leagues.models import MatchEvent
    from leagues.services.leagues import create_league
    from leagues.services.log_imports import GameOptions, import_logs

    league = create_league(name=slug.title(), slug=slug, mode="Blitz")
    season = league.seasons.get()
    stored, rated = Cost(), Cost()
    rng = random.Random(1)
    for number in range(EVENINGS):
        contents = _evening(rng, number, game)
        # The first makes the mode, its boards and the players.
        costs = (stored, rated) if number else (Cost(), Cost())
        with measured(costs[0]):
            import_logs(season=season, contents=contents, options=GameOptions())
        with measured(costs[1]):
            drain()
        if not number:
            _give_damage_a_value(season)
    events = EVENINGS * GAMES * EVENTS
    if MatchEvent.objects.filter(match__season=season).count() != events:
        raise RuntimeError("the events are not all stored")
    counted = events * (EVENINGS - 1) / EVENINGS
    for done, cost, bar in (("stored", stored, STORED_A_SECOND), ("rated", rated, RATED_A_SECOND)):
        name = f"{what} {done}, {connection.vendor}"
        report.add(Row(name, counted / cost.seconds, "events/s", bar, "at least"))
        report.note(f"{name}: statements an evening", cost.statements / (EVENINGS - 1), "")


def _give_damage_a_value(season: Season) -> None:
    """Let damage count on the boards that rate events."""
    from leagues import bridge
    from leagues.jobs.runner import drain
    from leagues.services.rules import change_rules

    for board in season.boards.select_related("league", "season", "mode"):
        if bridge.rates_events(board):
            change_rules(board, parameters={"damage": 0.01}, effective_at=None, actor=None)
    drain()


def _evening(
    rng: random.Random, number: int, write: Callable[[random.Random, datetime], list[str]]
) -> LogContents:
    """The games of one evening, read from a log."""
    from leagues.services.log_reading import LogContents, LogOptions, read_log_into

    begin = datetime(2026, 1, 1, 18, tzinfo=UTC) + timedelta(days=number)
    lines = []
    for game in range(GAMES):
        lines += write(rng, begin + timedelta(minutes=10 * game))
    contents = LogContents()
    data = "\n".join(lines).encode()
    read_log_into(contents, "games.log", io.BytesIO(data), LogOptions())
    return contents


def _frags(rng: random.Random, at: datetime) -> list[str]:
    """A game of Quake 3."""
    first, *rest = gamelogs.quake3(rng, EVENTS)
    return [rf"{first}\g_timestamp\{at:%Y-%m-%d %H:%M:%S}", *rest]


def _damage(rng: random.Random, at: datetime) -> list[str]:
    """A game with hits and frags."""
    return gamelogs.json_lines(
        rng, hits=gamelogs.HITS, events=EVENTS, started_at=at.isoformat(timespec="seconds")
    )
