"""Absence is reckoned with at the ends of periods: however often, however late, the same."""

from __future__ import annotations

import io
import json
import math
import random
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings, strategies

from leagues.domain.absence import inactive_before
from leagues.domain.civil_days import day_number, start_of_day_number
from leagues.jobs.runner import drain
from leagues.jobs.schedule import enqueue_periodic
from leagues.models import Board, League, Match, Season, Standing
from leagues.services.backups import write_backup
from leagues.services.inactivity_sweep import MOST_PERIODS, last_period_end, sweep
from leagues.services.integrity import board_digest, check_board
from leagues.services.leagues import add_board
from leagues.services.rules import change_rules
from leagues.services.seasons import Step, take_step
from tests.leagues.play import START, mode_of, new_club, record, result, season_of
from tests.leagues.services.test_access_races import at_once

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
WEEK = timedelta(days=7)
END = START + 16 * 3 * DAY
FOOTBALL = Path(__file__).parents[2] / "golden" / "football_excerpt.csv"
SYSTEMS = {
    "ladder": {},
    "elo": {},
    "glicko2": {},
    "glicko": {},
    "trueskill": {"idle_variance": 0.2},
    "wenglin": {},
    "static": {"least_events": 0, "least_opponents": 0},
    "zerosum": {"decay": 0.1, "period_days": 7},
    "becker": {"decay": 4.0, "period_days": 7, "who": "idle"},
}
DECAYING = ("zerosum", "becker")


def club_with(*systems, slug="club", **settings):
    club = new_club(slug, **settings)
    season_of(club).boards.all().delete()
    for system in systems:
        add_board(
            season=season_of(club), mode=mode_of(club), system=system, parameters=SYSTEMS[system]
        )
    return club


def results(club, count=16):
    """Return a match every third day; who plays changes in the course of the time."""
    source = random.Random(3)
    names = ("Ana", "Bo", "Cy", "Dee", "Eve", "Flo")
    return [
        result(
            club,
            *source.sample(names[number // 5 : number // 5 + 3], 2),
            at=START + number * 3 * DAY,
        )
        for number in range(count)
    ]


def swept(now):
    moved = sweep(now)
    drain()
    return moved


def digests(club):
    boards = list(club.boards.select_related("league", "season"))
    assert [check_board(board).differences for board in boards] == [()] * len(boards)
    return [board_digest(board) for board in boards]


def test_a_late_match_gives_what_the_same_match_on_time_gives_on_every_system():
    on_time, late = club_with(*SYSTEMS, slug="one"), club_with(*SYSTEMS, slug="other")
    drafts = results(on_time)
    for first in range(0, len(drafts), 4):
        record(on_time, *drafts[first : first + 4])
        swept(drafts[first + 3].played_at + DAY)
    swept(END + 3 * WEEK)

    missing = results(late)
    record(late, *missing[:9], *missing[10:-1])
    swept(END + 3 * WEEK)
    without = digests(late)
    record(late, missing[9])
    record(late, missing[-1])
    assert digests(late) == digests(on_time)
    assert all(one != other for one, other in zip(without, digests(late), strict=True))


@pytest.mark.parametrize("system", DECAYING)
def test_weekly_sweeps_and_one_after_a_long_pause_give_the_same(system):
    often, once = club_with(system, slug="often"), club_with(system, slug="once")
    for club in (often, once):
        record(club, *results(club))
    for hours in range(0, 24 * 60, 31):
        sweep(END + timedelta(hours=hours))
        if hours % 5 == 0:
            drain()
    drain()
    swept(END + timedelta(days=60))
    assert swept(END + timedelta(days=60)) == 0
    assert digests(often) == digests(once)
    board = often.boards.get()
    assert board.decayed_until == last_period_end(board, board.last_at, END + timedelta(days=60))


@pytest.mark.parametrize("system", DECAYING)
def test_absence_moves_players_when_nobody_plays(system):
    club = club_with(system)
    record(club, *results(club))
    board = club.boards.get()
    before = values(board)
    assert swept(END + 4 * WEEK) == 1
    after = values(board)
    assert all(abs(after[name]) < abs(before[name]) for name in before if abs(before[name]) > 1.0)
    stored = Standing.objects.filter(board=board).order_by("-place_value")
    shown = [row.shown for row in stored]
    assert shown == sorted(shown, reverse=True)
    swept(END + 3 * WEEK)
    swept(END + 4 * WEEK)
    assert values(board) == after


def values(board):
    """Return how far each player is from where everyone begins."""
    board.refresh_from_db()
    rows = Standing.objects.current(board)
    base = 1500.0 if board.system == "zerosum" else 0.0
    return {row.player.name: row.shown - base for row in rows.select_related("player")}


def test_a_match_of_a_week_already_reckoned_takes_its_decay_back():
    club = club_with("zerosum")
    record(club, result(club, "Ana", "Bo"), result(club, "Cy", "Dee", at=START + DAY))
    board = club.boards.get()
    played = values(board)["Ana"]
    swept(START + 2 * WEEK)
    assert values(board)["Ana"] < played
    record(club, result(club, "Ana", "Bo", ranks=(1, 1), at=START + 8 * DAY))
    swept(START + 2 * WEEK)
    digest = digests(club)
    other = club_with("zerosum", slug="other")
    record(other, result(other, "Ana", "Bo"), result(other, "Cy", "Dee", at=START + DAY))
    record(other, result(other, "Ana", "Bo", ranks=(1, 1), at=START + 8 * DAY))
    swept(START + 2 * WEEK)
    assert digests(other) == digest


def test_the_sum_of_a_zero_sum_board_is_kept_over_a_year():
    club = club_with("zerosum")
    source = random.Random(5)
    names = [f"P{number}" for number in range(24)]
    record(
        club,
        *(
            result(club, *source.sample(names[day // 20 : day // 20 + 8], 2), at=START + day * DAY)
            for day in range(0, 330, 4)
        ),
    )
    board = club.boards.get()
    for week in range(52):
        sweep(START + week * WEEK)
    drain()
    board.refresh_from_db()
    states = [np.frombuffer(bytes(row.state), "<f8")[0] for row in Standing.objects.current(board)]
    assert len(states) > 20
    assert abs(math.fsum(states)) <= 1e-9 * len(states)


@pytest.mark.parametrize("system", ["zerosum", "becker"])
def test_decay_that_changes_takes_by_the_rules_under_which_it_happened(system):
    club, kept = club_with(system), club_with(system, slug="kept")
    for each in (club, kept):
        record(each, *results(each))
    change = END + 2 * WEEK
    swept(change)
    before = values(kept.boards.get())
    change_rules(
        club.boards.get(), parameters={"decay": 0.5}, effective_at=change, actor=None, now=change
    )
    drain()
    assert values(club.boards.get()) == pytest.approx(before)
    swept(change + 5 * WEEK)
    digests(club)
    assert values(club.boards.get()) != pytest.approx(values(kept.boards.get()))


def test_seasons_that_are_over_do_not_move():
    club = club_with("zerosum")
    record(club, *results(club))
    before = digests(club)
    Season.objects.update(state="closed")
    assert swept(END + 9 * WEEK) == 0
    Season.objects.update(state="open", ends_at=END + 2 * WEEK)
    assert swept(END + 9 * WEEK) == 1
    board = club.boards.get()
    assert board.decayed_until <= END + 2 * WEEK
    assert digests(club) != before
    assert swept(END + 99 * WEEK) == 0


def test_a_season_that_closes_reckons_with_absence_once_more():
    club = club_with("zerosum")
    record(club, *results(club))
    season = take_step(season_of(club), Step.CLOSE, actor=None, now=END + 2 * WEEK)
    drain()
    board = club.boards.get()
    assert board.decayed_until == last_period_end(board, board.last_at, END + 2 * WEEK)
    digests(club)
    take_step(season, Step.SEAL, actor=None, now=END + 2 * WEEK)
    drain()
    board.refresh_from_db()
    assert board.seal == board_digest(board)
    assert swept(END + 9 * WEEK) == 0


def test_a_board_on_which_nobody_plays_any_more_comes_to_rest():
    club = club_with("zerosum")
    first = START - 30 * 365 * DAY
    record(club, result(club, "Ana", "Bo", at=first))
    assert swept(START) == 1
    assert swept(START + 365 * DAY) == 0
    assert club.boards.get().decayed_until - first <= (MOST_PERIODS + 1) * WEEK
    record(club, result(club, "Ana", "Bo"))
    assert swept(START + WEEK) == 1
    digests(club)


def test_matches_that_are_not_rated_wake_no_board():
    club = club_with("zerosum")
    first = START - 30 * 365 * DAY
    record(club, result(club, "Ana", "Bo", at=first))
    swept(START)
    rests = club.boards.get().decayed_until
    record(club, result(club, "Ana", "Bo", kind=Match.Kind.UNRATED))
    assert swept(START + WEEK) == 0
    assert club.boards.get().decayed_until == rests
    digests(club)


def test_what_was_reckoned_is_part_of_a_backup():
    club = club_with("zerosum")
    record(club, *results(club))
    swept(END + 3 * WEEK)
    (digest,) = digests(club)
    write_backup(io.BytesIO())
    reckoned = club.boards.get().decayed_until
    Board.objects.update(generation=0, rated_through_revision=0, last_at=None, board_state=b"")
    from leagues.services.ratings import enqueue_rating

    enqueue_rating(club.boards.get())
    drain()
    assert club.boards.get().decayed_until == reckoned
    assert digests(club) == [digest]


def test_the_clock_asks_for_sweeps():
    club = club_with("zerosum")
    record(club, *results(club))
    enqueue_periodic("sweep")
    drain()
    assert club.boards.get().decayed_until is not None


@pytest.mark.django_db(transaction=True)
def test_two_sweepers_at_once_move_a_board_once():
    club = club_with("zerosum", "becker")
    record(club, *results(club))
    now = END + 3 * WEEK
    moved = []
    at_once(lambda: moved.append(sweep(now)), lambda: moved.append(sweep(now)))
    assert sum(moved) == 2
    drain()
    digests(club)
    assert swept(now) == 0


ZONES = (
    "UTC",
    "Europe/London",
    "Europe/Berlin",
    "America/New_York",
    "America/Sao_Paulo",
    "America/St_Johns",
    "America/Havana",
    "Africa/Cairo",
    "Asia/Kathmandu",
    "Asia/Beirut",
    "Australia/Lord_Howe",
    "Pacific/Apia",
)


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("days", [1, 7])
def test_periods_end_with_days_of_the_league_through_all_changes_of_its_clock(zone, days):
    """Both changes of each year from 2009 to 2018; Apia had no 30 December 2011."""
    league = League(time_zone=zone)
    board = Board(
        league=league,
        season=Season(league=league),
        system="zerosum",
        parameters={"decay": 0.1, "period_days": days},
    )
    moment = datetime(2009, 1, 2, tzinfo=ZoneInfo("UTC"))
    seen = set()
    while moment.year < 2019:
        local = moment.astimezone(ZoneInfo(zone))
        before = (moment - timedelta(hours=6)).astimezone(ZoneInfo(zone))
        changed = local.utcoffset() != before.utcoffset()
        if changed or moment.day in (1, 15):
            for minutes in range(-16 * 60, 16 * 60, 15 if changed else 240):
                now = moment + timedelta(minutes=minutes)
                end = last_period_end(board, now - 20 * DAY, now)
                day = day_number(end, league.zone)
                # In Newfoundland the last minute of a day came after the first of the next.
                is_repeated = now.astimezone(ZoneInfo(zone)).fold == 1
                assert end <= now
                assert (
                    now < start_of_day_number((day // days + 1) * days, league.zone) or is_repeated
                )
                assert day % days == 0 or (zone, day) == ("Pacific/Apia", 15339)
                assert day_number(end - timedelta(microseconds=1), league.zone) < day
                seen.add(end)
        moment += timedelta(hours=6)
    assert len(seen) > 200


@pytest.mark.parametrize("zone", ZONES)
def test_players_become_inactive_at_a_midnight_of_the_league(zone):
    league = League(time_zone=zone, active_days=3)
    board = Board(league=league, season=Season(league=league))
    last = datetime(2026, 3, 27, 23, 59, tzinfo=ZoneInfo(zone))
    for hours in range(24 * 7):
        now = last + timedelta(hours=hours)
        is_inactive = last < inactive_before(board, now)
        assert is_inactive == (now.astimezone(ZoneInfo(zone)).date() > date(2026, 3, 30))


SETUP = """
import json
from datetime import datetime, UTC, timedelta
from leagues.models import Board, League
from leagues.services.leagues import add_board
from leagues.jobs.runner import drain
league = League.objects.get()
add_board(season=league.seasons.get(), mode=league.modes.get(), system="zerosum",
          parameters={"decay": 0.1, "period_days": 30})
drain()
"""
SWEEP = """
from leagues.services.inactivity_sweep import sweep
from leagues.jobs.runner import drain
from leagues.models import Board
board = Board.objects.get(system="zerosum")
from datetime import timedelta
sweep(board.last_at + timedelta(days=400))
drain()
"""


def test_a_sweep_killed_in_the_middle_is_finished_by_the_next(manage, tmp_path):
    lines = FOOTBALL.read_text(encoding="utf-8").splitlines(keepends=True)
    file = tmp_path / "results.csv"
    file.write_text("".join(lines[:60]), encoding="utf-8")
    manage("import_matches", str(file), "--league", "cup", "--create", "--json")
    manage("shell", "-v0", "-c", SETUP)
    before = verified(manage)
    for point in ("after_decay", "before_swap"):
        killed = manage("shell", "-v0", "-c", SWEEP, fault=point, check=False)
        assert killed.returncode == -9
    manage("shell", "-v0", "-c", SWEEP)
    after = verified(manage)
    assert sum(one != other for one, other in zip(before, after, strict=True)) == 1


def verified(manage):
    found = json.loads(manage("verify", "--json").stdout)
    assert found["differences"] == 0
    assert not any(board["behind"] for board in found["boards"])
    return [board["digest"] for board in found["boards"]]


class Sweeps(NamedTuple):
    """When somebody sweeps, and which results are entered late, as the sweeps go by."""

    hours: list[int]
    late: set[int]


SCHEDULES = strategies.builds(
    Sweeps,
    strategies.lists(strategies.integers(0, 24 * 90), max_size=5),
    strategies.sets(strategies.integers(0, 15), max_size=3),
)


@settings(
    # Each example is two leagues with all their sweeps.
    max_examples=settings().max_examples // 10,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(schedule=SCHEDULES, zone=strategies.sampled_from(ZONES))
def test_any_schedule_of_sweeps_and_late_results_ends_where_one_sweep_does(schedule, zone):
    """T-05: missed, repeated and early sweeps, in every zone, with results that come too late."""
    with transaction.atomic():
        whole, broken = (
            club_with(*DECAYING, slug=slug, time_zone=zone) for slug in ("whole", "broken")
        )
        drafts = results(whole)
        record(whole, *drafts)
        drafts = results(broken)
        record(broken, *(draft for index, draft in enumerate(drafts) if index not in schedule.late))
        for hours in schedule.hours:
            swept(START + timedelta(hours=hours))
        for index in sorted(schedule.late):
            record(broken, drafts[index])
        swept(START + timedelta(days=91))
        assert digests(broken) == digests(whole)
        transaction.set_rollback(True)
