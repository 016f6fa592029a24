"""What one more result costs a league, and everything that follows from it, however large it is.

Processor time of this process and, on PostgreSQL, of the server's process that works for it; and
the statements that were sent. What is measured ends when nothing waits any more but the checks
that come later, which are measured apart. Leagues of all sizes take turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.costs import Cost, measured
from benchmarks.pages import installation
from benchmarks.report import Report, Row

if TYPE_CHECKING:
    from benchmarks.world import World
    from leagues.models import Player

SIZES = (300, 3_000, 30_000, 300_000)
MATCHES_PER_PLAYER = 10
SYSTEMS_AT = 100_000
SYSTEMS: dict[str, dict[str, Any]] = {"elo": {}, "ladder": {}, "zerosum": {"decay": 0.05}}
DAYS, RESULTS_A_DAY, MANY = 6, 3, 500
MOST_GROWTH, MOST_FOR_MANY, MOST_OF_ELO = 1.5, 20.0, 3.0
GROWTH_FROM = 3_000
"""Matches of the league whose cost the others are held against: a club of some hundreds."""
CHECKS = ("verify_board", "verify_boards", "verify_changes", "check_record")
"""Kinds of jobs that come later."""


@dataclass(slots=True)
class Appends:
    """What appends to one league cost, each with all that followed."""

    world: World
    matches: int
    players: list[Player]
    at: datetime
    """When the last result was played."""
    first_of_day: list[Cost] = field(default_factory=list)
    later: list[Cost] = field(default_factory=list)
    many: list[Cost] = field(default_factory=list)
    whole_check: Cost = field(default_factory=Cost)
    """Of its boards and its record, as at night."""
    check: Cost = field(default_factory=Cost)
    """After one more result."""


def measure(report: Report, size: int | None = None) -> None:
    """Measure leagues of all sizes by the two systems of a new league, then single systems."""
    with installation():
        sizes = [each for each in SIZES if size is None or each < size]
        leagues = {f"{each:,} matches": _made(each) for each in (*sizes, *([size] if size else ()))}
        _measure_in_turns(list(leagues.values()))
        _report_growth(report, leagues)
        most = min(size or SYSTEMS_AT, SYSTEMS_AT)
        by_system = {name: _made(most, name) for name in SYSTEMS}
        _measure_in_turns(list(by_system.values()))
        _report_systems(report, by_system, most)


def _made(matches: int, system: str | None = None) -> Appends:
    """A league that is rated and prepared; by one system alone, or by those of a new league."""
    from benchmarks.world import make_world
    from leagues.models import Player
    from leagues.services.leagues import add_board

    world = make_world(
        f"{system or 'league'}-{matches}",
        players=matches // MATCHES_PER_PLAYER,
        matches=matches,
        days_ago=DAYS + 1,
    )
    if system is not None:
        world.season.boards.all().delete()
        mode = world.league.modes.get()
        parameters = SYSTEMS[system]
        add_board(season=world.season, mode=mode, system=system, name=system, parameters=parameters)
    _settle()
    players = list(Player.objects.filter(league=world.league).order_by("key"))
    return Appends(world, matches, players, world.days[1])


def _measure_in_turns(leagues: Sequence[Appends]) -> None:
    random = np.random.default_rng(2)
    for _day in range(DAYS):
        for number in range(RESULTS_A_DAY):
            for league in leagues:
                cost = _append(league, random, 1, is_new_day=number == 0)
                (league.later if number else league.first_of_day).append(cost)
    for _time in range(3):
        for league in leagues:
            league.many.append(_append(league, random, MANY, is_new_day=False))
    for league in leagues:
        with measured(league.whole_check):
            _check_whole(league.world)
        _append(league, random, 1, is_new_day=False)
        with measured(league.check):
            _run_checks(league.world)


def _append(league: Appends, random: np.random.Generator, count: int, *, is_new_day: bool) -> Cost:
    """Enter results after all others, and do all that follows."""
    from leagues.services.drafts import MatchDraft, MemberDraft, SideDraft
    from leagues.services.matches import record_matches

    if is_new_day:
        league.at = league.at.replace(hour=12) + timedelta(days=1)
    drafts = []
    for _number in range(count):
        league.at += timedelta(seconds=10)
        pair = random.choice(len(league.players), 2, replace=False).tolist()
        sides = (
            SideDraft(rank=rank + 1, score=None, members=(MemberDraft(league.players[place]),))
            for rank, place in enumerate(pair)
        )
        drafts.append(MatchDraft(played_at=league.at, sides=tuple(sides)))
    mode = league.world.league.modes.get()
    cost = Cost()
    with measured(cost):
        record_matches(season=league.world.season, mode=mode, drafts=drafts)
        _settle()
    return cost


def _settle() -> None:
    """Do everything that waits, but for the checks that come later."""
    from leagues.jobs.queue import claim_job, due_jobs
    from leagues.jobs.runner import run_claim

    while waiting := due_jobs().exclude(kind__in=CHECKS).values_list("pk", flat=True).first():
        claim = claim_job(only=waiting)
        if claim is not None:
            run_claim(claim)


def _check_whole(world: World) -> None:
    """Check all boards of a league and its record, as every night."""
    from leagues.services.ratings import enqueue_record_check, enqueue_verification

    for board in world.season.boards.all():
        enqueue_verification(board)
    enqueue_record_check(world.league.pk)
    _run_checks(world)


def _run_checks(world: World) -> None:
    """Do the checks of a league that wait for their time."""
    from leagues.jobs.queue import claim_job, start_now
    from leagues.jobs.runner import run_claim
    from leagues.models import Job

    checks = Job.objects.filter(league=world.league, kind__in=CHECKS, state=Job.State.QUEUED)
    for job_id in list(checks.values_list("pk", flat=True)):
        start_now(job_id)
        claim = claim_job(only=job_id)
        if claim is not None:
            run_claim(claim)


def _report_growth(report: Report, leagues: dict[str, Appends]) -> None:
    base_name, base = min(leagues.items(), key=lambda named: abs(named[1].matches - GROWTH_FROM))
    for name, league in leagues.items():
        one, first = _typical(league.later), _typical(league.first_of_day)
        _note(report, f"{name}: one more", one)
        _note(report, f"{name}: the first of a day", first)
        _note(report, f"{name}: {MANY} more", _typical(league.many))
        _note(report, f"{name}: checking one more, later", league.check)
        _note(report, f"{name}: checking all of it, at night", league.whole_check)
        for what, cost, bar in (
            (f"one more, to one at {base_name}", one, MOST_GROWTH),
            (f"the first of a day, to one at {base_name}", first, MOST_GROWTH),
        ):
            ratio = cost.seconds / _typical(base.later).seconds
            report.add(Row(f"{name}: {what}", ratio, "", bar, "at most"))
        ratio = _typical(league.many).seconds / one.seconds
        report.add(Row(f"{name}: {MANY} at once, to one", ratio, "", MOST_FOR_MANY, "at most"))


def _report_systems(report: Report, by_system: dict[str, Appends], matches: int) -> None:
    elo = _typical(by_system["elo"].later)
    for name, league in by_system.items():
        title = f"{name}, {matches:,} matches"
        one, costs = _typical(league.later), [*league.later, *league.first_of_day]
        _note(report, f"{title}: one more", one)
        _note(report, f"{title}: the dearest", max(costs, key=lambda cost: cost.seconds))
        ratio = one.seconds / elo.seconds
        report.add(Row(f"{title}: one more, to Elo", ratio, "", MOST_OF_ELO, "at most"))


def _typical(costs: Sequence[Cost]) -> Cost:
    return Cost(
        median(cost.seconds for cost in costs), int(median(cost.statements for cost in costs))
    )


def _note(report: Report, name: str, cost: Cost) -> None:
    report.note(f"{name}: processor time", 1000 * cost.seconds, "ms")
    report.note(f"{name}: statements", cost.statements, "")
