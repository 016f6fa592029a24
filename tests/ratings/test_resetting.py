"""Soft resets, system by system."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from ratings import registry
from ratings.log import DAY
from ratings.resetting import Reset, carries, kept, kept_board, softened
from ratings.system import Unanswerable
from ratings.systems.zerosum import ZeroSum
from tests.ratings.logs import match_log, same_bits

SOURCE = random.Random(3)
KEYS = [f"player-{number}" for number in range(8)]
LOG = match_log(
    {
        "at": number * 3 * DAY,
        "sides": [[key] for key in SOURCE.sample(KEYS, 2)],
        "ranks": SOURCE.choice(((0, 1), (0, 0))),
    }
    for number in range(60)
)
START = int(LOG.at[-1]) + 10 * DAY
DAY_OF_START = START // DAY
CARRYING = [info.name for info in registry.list_systems() if info.name != "static"]


def final(name: str, **parameters: object):
    system = registry.create(name, parameters)
    return system, system.replay(LOG).final


@pytest.mark.parametrize("name", CARRYING)
def test_a_reset_that_asks_for_nothing_moves_nobody(name: str) -> None:
    system, states = final(name)
    after = softened(system, states, Reset(), START, DAY_OF_START)
    assert np.allclose(after[:, 0], states[:, 0], rtol=0, atol=1e-12)
    assert same_bits(kept(system, system, states), states)


@pytest.mark.parametrize("name", ["glicko", "glicko2", "trueskill", "wenglin"])
def test_means_go_to_a_newcomers_and_deviations_rise_to_a_part_of_one(name: str) -> None:
    system, states = final(name)
    newcomer = system.new_player()
    half = softened(system, states, Reset(0.5, 0.9), START, DAY_OF_START)
    assert np.allclose(half[:, 0] - newcomer[0], (states[:, 0] - newcomer[0]) / 2)
    assert (half[:, 1] >= 0.9 * newcomer[1]).all()
    whole = softened(system, states, Reset(1.0, 1.0), START, DAY_OF_START)
    assert np.allclose(whole[:, :2], newcomer[:2])
    if name == "glicko2":
        assert same_bits(half[:, 2], states[:, 2])


def test_absence_before_the_season_is_reckoned_once() -> None:
    system, states = final("glicko2")
    after = softened(system, states, Reset(), START, DAY_OF_START)
    assert (after[:, 1] > states[:, 1]).any()
    assert same_bits(system.idle_many(after, START, DAY_OF_START), after)


@pytest.mark.parametrize("name", ["zerosum", "becker"])
def test_what_is_exchanged_keeps_its_sum(name: str) -> None:
    system, states = final(name)
    after = softened(system, states, Reset(0.3), START, DAY_OF_START)
    assert math.fsum(after[:, 0]) == pytest.approx(math.fsum(states[:, 0]), abs=1e-9)
    assert np.ptp(after[:, 0]) == pytest.approx(0.7 * np.ptp(states[:, 0]))


def test_anchors_stay_where_they_are() -> None:
    system = ZeroSum(anchors=True)
    states = np.array([system.anchor(3.0), system.new_player(), (1.0, 0.0)])
    after = softened(system, states, Reset(1.0), START, DAY_OF_START)
    assert after[:, 0].tolist() == [3.0, 0.5, 0.5]


@pytest.mark.parametrize("name", ["zerosum", "becker"])
def test_whoever_was_never_seen_has_no_part_in_what_is_exchanged(name: str) -> None:
    system = registry.create(name)
    states = np.array([[4.0], [math.nan], [2.0]])
    after = softened(system, states, Reset(0.5), START, DAY_OF_START)
    assert after[[0, 2], 0].tolist() == [3.5, 2.5]
    assert math.isnan(after[1, 0])


def test_elo_keeps_how_many_games_there_were_and_a_ladder_its_order() -> None:
    system, states = final("elo", policy="fide")
    after = softened(system, states, Reset(0.5), START, DAY_OF_START)
    assert same_bits(after[:, 1:], states[:, 1:])
    system, states = final("ladder")
    assert same_bits(softened(system, states, Reset(0.5, 0.5), START, DAY_OF_START), states)


def test_a_fit_is_not_carried_over() -> None:
    system = registry.create("static")
    assert not carries(system)
    with pytest.raises(Unanswerable):
        kept(system, system, np.zeros((1, len(system.columns))))


def test_other_parameters_get_the_columns_they_need() -> None:
    plain, points = registry.create("glicko2"), registry.create("glicko2", {"display": "points"})
    states = np.array([(0.5, 1.0, 0.05, 7.0)])
    rows = kept(plain, points, states)
    assert rows[0, :4].tolist() == states[0].tolist()
    assert rows[0, 4:].tolist() == list(points.new_player()[4:])
    slow, fast = registry.create("glicko", {"c": 10}), registry.create("glicko", {"c": 60})
    assert kept(slow, fast, np.array([slow.new_player()]))[0, 2] == fast.new_player()[2]


def test_a_board_keeps_what_it_knows_and_begins_the_rest() -> None:
    plain, wide = ZeroSum(), ZeroSum(display="fixed-range")
    assert kept_board(plain, wide, (1.0, 2.0, 3.0)) == (1.0, 2.0, 3.0, wide.new_board()[3])
    assert kept_board(wide, plain, (1.0, 2.0, 3.0, 4.0)) == (1.0, 2.0, 3.0)


def test_a_mark_of_an_anchor_is_not_mistaken_for_a_period() -> None:
    decay, anchors = ZeroSum(decay=0.1), ZeroSum(anchors=True)
    rows = kept(decay, anchors, np.array([(1.5, 2909.0)]))
    assert rows.tolist() == [[1.5, 0.0]]
    assert kept(anchors, decay, np.array([(1.5, 1.0)]))[0, 1] == decay.new_player()[1]


@pytest.mark.parametrize(
    ("days", "period"), [(30, 100.0 * 7 // 30), (1, 700.0), (7, 100.0), (14, 50.0)]
)
def test_periods_of_another_length_are_those_the_old_ones_began_in(
    days: int, period: float
) -> None:
    parameters = {"period": "calendar", "period_days": 7}
    old = registry.create("glicko2", parameters)
    new = registry.create("glicko2", {**parameters, "period_days": days})
    state = np.array([(0.5, 1.0, 0.05, 7.0, 100.0, 0.3, 0.1, 1.0), old.new_player()])
    rows = kept(old, new, state)
    assert rows[:, 4].tolist() == [period, old.new_player()[4]]
    assert same_bits(np.delete(rows, 4, axis=1), np.delete(state, 4, axis=1))
    weeks, others = ZeroSum(decay=0.1), ZeroSum(decay=0.1, period_days=days)
    assert kept_board(weeks, others, (0.0, 4.0, 100.0)) == (0.0, 4.0, period)


def test_the_results_of_a_running_period_are_not_lost_with_it() -> None:
    calendar, plain = final("glicko2", period="calendar")[0], registry.create("glicko2")
    states = calendar.replay(LOG).final
    assert (states[:, 7] > 0.0).any()
    shown = calendar.display_many(states)
    assert kept(calendar, plain, states)[:, 0].tolist() == pytest.approx(
        ((shown.value - 1500.0) / 173.7178).tolist(), abs=1e-6
    )


def test_decay_that_begins_after_points_were_won_takes_nothing_for_the_time_before() -> None:
    plain, decay = registry.create("becker"), registry.create("becker", {"decay": 4.0})
    states, match = plain.replay(LOG).final, LOG.part(0, 1)
    after = decay.replay(match, kept(plain, decay, states)).final
    assert same_bits(after[:, 0], plain.replay(match, states).final[:, 0])


@pytest.mark.parametrize(("share", "deviation"), [(-0.1, 0.0), (0.0, 1.1), (math.nan, 0.0)])
def test_parts_are_parts(share: float, deviation: float) -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        Reset(share, deviation)
