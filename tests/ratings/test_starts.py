"""A rating from elsewhere as a state: what each system makes of it, and what it refuses."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ratings import create
from ratings.resetting import kept
from ratings.starts import (
    StartError,
    StartObstacle,
    are_anchors,
    is_anchor,
    newcomer_start,
    start_obstacle,
    start_state,
)

TAKE = ("elo", "glicko", "glicko2", "trueskill", "wenglin")
OBSTACLES = {
    "ladder": StartObstacle.PLACE,
    "static": StartObstacle.FIT,
    "zerosum": StartObstacle.UNANCHORED,
    "becker": StartObstacle.SHARED,
}


@pytest.mark.parametrize("name", TAKE)
def test_a_start_at_what_newcomers_have_is_a_newcomer(name):
    system = create(name)
    newcomer = newcomer_start(system)
    assert start_obstacle(system) is None
    assert start_state(system, newcomer.rating) == system.new_player()
    assert start_state(system, newcomer.rating, newcomer.deviation) == system.new_player()


@pytest.mark.parametrize("name", TAKE)
def test_a_start_is_seen_as_it_was_given_in_the_middle_of_its_range(name):
    system = create(name)
    shown = system.display_many(np.array([start_state(system, 1850.0)]))
    assert shown.center[0] == pytest.approx(1850.0, abs=1e-9)


@pytest.mark.parametrize("name", TAKE)
def test_a_deviation_is_taken_up_to_that_of_a_newcomer(name):
    system = create(name)
    newcomer = newcomer_start(system)
    if newcomer.deviation is None:
        with pytest.raises(StartError) as refused:
            start_state(system, 1500.0, 50.0)
        assert refused.value.field == StartError.DEVIATION
        return
    half = newcomer.deviation / 2.0
    state = start_state(system, newcomer.rating, half)
    assert state[1] == pytest.approx(system.new_player()[1] / 2.0)
    start_state(system, newcomer.rating, newcomer.least_deviation)
    for wrong in (0.0, -1.0, math.nan, math.inf, 1e-300, newcomer.deviation * 1.01):
        with pytest.raises(StartError) as refused:
            start_state(system, newcomer.rating, wrong)
        assert refused.value.field == StartError.DEVIATION


@pytest.mark.parametrize("name", TAKE)
@pytest.mark.parametrize("wrong", [math.nan, math.inf, -math.inf, 1e308, -1e308])
def test_a_rating_out_of_bounds_is_refused(name, wrong):
    with pytest.raises(StartError) as refused:
        start_state(create(name), wrong)
    assert refused.value.field == StartError.RATING


def test_bounds_of_a_system_are_no_silent_change_of_what_was_given():
    with pytest.raises(StartError, match="nearest possible is 2550"):
        start_state(create("glicko2"), 2900.0)
    start_state(create("glicko2", {"preset": "glickman"}), 2900.0)
    with pytest.raises(StartError):
        start_state(create("elo", {"floor": 1000.0}), 900.0)


def test_who_begins_above_2400_has_reached_them():
    system = create("elo", {"policy": "fide"})
    reached = system.columns.index("reached_2400")
    assert start_state(system, 2450.0)[reached] == 1.0
    assert start_state(system, 2350.0)[reached] == 0.0


@pytest.mark.parametrize(("name", "obstacle"), OBSTACLES.items())
def test_other_systems_say_why_they_take_none(name, obstacle):
    assert start_obstacle(create(name)) is obstacle


def test_points_that_are_earned_cannot_be_brought():
    assert start_obstacle(create("glicko2", {"display": "points"})) is StartObstacle.EARNED


def test_a_start_in_no_period_is_kept_by_rules_without_periods():
    calendar = create("glicko2", {"period": "calendar"})
    state = np.array([start_state(calendar, 1700.0, 80.0)])
    per_match = create("glicko2")
    assert tuple(kept(calendar, per_match, state)[0]) == start_state(per_match, 1700.0, 80.0)
    assert tuple(kept(per_match, calendar, kept(calendar, per_match, state))[0]) == tuple(state[0])


def test_a_rating_makes_an_anchor_where_a_zero_sum_board_has_some():
    system = create("zerosum", {"anchors": True, "decay": 0.1})
    assert start_obstacle(system) is None and newcomer_start(system).is_anchor
    state = start_state(system, 1.5)
    assert state == system.anchor(1.5)
    assert is_anchor(system, state) and not is_anchor(system, system.new_player())
    rows = np.array([state, system.new_player()])
    assert are_anchors(system, rows).tolist() == [True, False]
    assert are_anchors(create("elo"), np.array([[1500.0, 0.0]])).tolist() == [False]
    with pytest.raises(StartError) as refused:
        start_state(system, 1.5, 0.1)
    assert refused.value.field == StartError.DEVIATION
    for wrong in (math.nan, math.inf, -math.inf, 1.1e6, -1.1e6, 1e308):
        with pytest.raises(StartError) as refused:
            start_state(system, wrong)
        assert refused.value.field == StartError.RATING
