"""What absence does between matches: the same however often a board is looked at."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from ratings import create
from ratings.log import DAY
from ratings.systems.zerosum import MOST_NOTED
from tests.ratings.logs import generated_log, match_log

ZERO_SUMS = (
    {"decay": 0.1},
    {"decay": 0.02, "period_days": 1},
    {"decay": 0.3, "display": "fixed-range"},
    {"decay": 0.1, "anchors": True},
)


def assert_same(one, other):
    np.testing.assert_array_equal(one.final, other.final)
    assert one.board == other.board
    for column in ("match", "at", "player", "state"):
        np.testing.assert_array_equal(
            getattr(one.indirect_changes, column), getattr(other.indirect_changes, column)
        )


@pytest.mark.parametrize("settings", ZERO_SUMS)
def test_periods_ended_one_by_one_and_at_once_are_the_same(settings):
    system = create("zerosum", settings)
    replay = system.replay(generated_log(matches=60))
    last = int(replay.log.day[-1])
    stepped = replay
    for day in range(last, last + 60, 3):
        stepped = system.apply_decay(stepped, day)
    assert_same(stepped, system.apply_decay(replay, last + 57))
    assert_same(stepped, system.apply_decay(stepped, last))


@pytest.mark.parametrize("settings", ZERO_SUMS)
def test_a_match_finds_what_was_reckoned_before_it(settings):
    system = create("zerosum", settings)
    log = generated_log(matches=120)
    whole = system.replay(log)
    start, board = None, None
    for first in range(0, 120, 40):
        part = system.replay(log.part(first, first + 40), start, board=board)
        until = int(log.day[first + 40]) if first < 80 else int(log.day[-1])
        part = system.apply_decay(part, until)
        start, board = part.final, part.board
    np.testing.assert_array_equal(start, whole.final)
    assert board == whole.board


@pytest.mark.parametrize("settings", ZERO_SUMS)
def test_both_engines_reckon_alike(settings):
    pytest.importorskip("numba")
    system = create("zerosum", settings)
    replay = system.replay(generated_log(matches=60))
    day = int(replay.log.day[-1]) + 500
    plain = system.apply_decay(replay, day)
    system.break_even = 0
    assert_same(plain, system.apply_decay(replay, day))


def test_a_year_of_decay_with_comings_and_goings_keeps_the_sum():
    system = create("zerosum", {"decay": 0.1, "period_days": 7})
    source = random.Random(4)
    keys = [f"player-{index}" for index in range(40)]
    log = match_log(
        {
            "at": day * DAY,
            "sides": [[one], [other]],
            "ranks": source.choice(((0, 1), (0, 0))),
        }
        for day in range(0, 365, 2)
        # Whoever plays changes with the seasons: some come late, some never return.
        for one, other in [source.sample(keys[day // 15 : day // 15 + 16], 2)]
    )
    replay = system.apply_decay(system.replay(log), 365 + 60)
    seen = replay.final[~np.isnan(replay.final[:, 0]), 0]
    assert abs(math.fsum(seen)) <= 1e-9 * len(seen)
    for at in np.unique(replay.indirect_changes.at):
        then = replay.indirect_changes.state[replay.indirect_changes.at == at, 0]
        assert abs(math.fsum(then)) <= 1e-9 * len(then)


def test_each_end_of_a_period_is_noted_on_its_day():
    system = create("zerosum", {"decay": 0.5, "period_days": 7})
    log = match_log([{"at": 3 * DAY, "sides": [["a"], ["b"]], "ranks": (0, 1)}])
    noted = system.apply_decay(system.replay(log), 22).indirect_changes
    assert noted.at.tolist() == [7 * DAY, 7 * DAY, 14 * DAY, 14 * DAY, 21 * DAY, 21 * DAY]
    assert noted.match.tolist() == [1] * 6
    assert noted.state[:2, 0].tolist() == [0.1, -0.1]
    assert noted.state[2:4, 0].tolist() == [0.05, -0.05]


def test_of_centuries_without_a_match_only_the_first_ends_are_noted():
    system = create("zerosum", {"decay": 0.001, "period_days": 1})
    log = match_log(
        {"at": day * DAY, "sides": [["a"], ["b"]], "ranks": (0, 1)} for day in (0, 100_000)
    )
    replay = system.replay(log)
    assert len(replay.indirect_changes.player) == 2 * (MOST_NOTED + 1)
    assert replay.before[2:, 0].tolist() == replay.indirect_changes.state[-2:, 0].tolist()


@pytest.mark.parametrize("who", ["all", "idle"])
def test_beckers_decay_is_settled_for_good_where_other_rules_follow(who):
    system = create("becker", {"decay": 5.0, "period_days": 7, "who": who})
    replay = system.replay(generated_log(matches=50))
    day = int(replay.log.day[-1]) + 30
    assert system.apply_decay(replay, day) is replay
    settled = system.apply_decay(replay, day, for_good=True)
    shown = system.idle_many(replay.final, day * DAY, day)[:, 0]
    np.testing.assert_array_equal(settled.final[:, 0], shown)
    np.testing.assert_array_equal(system.idle_many(settled.final, day * DAY, day)[:, 0], shown)
    later = system.idle_many(settled.final, (day + 70) * DAY, day + 70)[:, 0]
    np.testing.assert_allclose(
        later, system.idle_many(replay.final, (day + 70) * DAY, day + 70)[:, 0]
    )
    assert settled.board[4] > replay.board[4]


@pytest.mark.parametrize("name", ["ladder", "elo", "glicko2", "glicko", "trueskill", "wenglin"])
def test_systems_without_periods_have_nothing_to_reckon(name):
    system = create(name)
    replay = system.replay(match_log([{"sides": [["a"], ["b"]], "ranks": (0, 1)}]))
    assert system.period_days is None
    assert system.apply_decay(replay, 1000, for_good=True) is replay
