from __future__ import annotations

import math

import numpy as np
import pytest
from pytest import approx

from ratings import ParameterError, Side, create
from ratings.log import DAY
from ratings.shares import score_share
from ratings.system import Reach
from tests.ratings.logs import duel_log, generated_events, generated_log, match_log


def zero_sum(**settings):
    return create("zerosum", settings)


def test_the_winner_takes_what_the_loser_loses_by_the_surprise():
    system = zero_sum(max_gain=0.5, temperature=2)
    match = duel_log([("a", "b", 1.0)])
    after = system.rate(match, [(1.0,), (3.0,)]).states
    gain = 0.5 * (1 - 1 / (1 + math.exp(1)))
    assert after == (approx((1.0 + gain,)), approx((3.0 - gain,)))


@pytest.mark.parametrize("log", [generated_log(), generated_events()])
@pytest.mark.parametrize(
    "settings", [{}, {"shares": True}, {"decay": 0.1}, {"decay": 0.5, "start": 3}]
)
def test_the_sum_over_the_board_is_kept(log, settings):
    system = zero_sum(**settings)
    final = system.replay(log).final[:, 0]
    moved = math.fsum(final) - system.parameters.start * len(final)
    assert abs(moved) <= 1e-9 * len(final)


def test_a_smaller_side_plays_for_its_own_size():
    """Each of three gets a third of what the one on the other side loses."""
    match = match_log([{"sides": [["a", "b", "c"], ["d"]], "ranks": (0, 1)}])
    after = zero_sum(max_gain=0.3).rate(match, [None] * 4).states
    assert [state[0] for state in after] == approx([0.05, 0.05, 0.05, -0.15])


def test_decay_moves_an_absentee_to_the_mean_at_the_players_cost():
    system = zero_sum(decay=0.1, max_gain=1e-9, period_days=7)
    log = match_log(
        [
            {"at": 0, "sides": [["a"], ["b"]], "ranks": (0, 0)},
            {"at": 0, "sides": [["c"], ["d"]], "ranks": (0, 0)},
            {"at": 7 * DAY, "sides": [["a"], ["b"]], "ranks": (0, 0)},
            {"at": 14 * DAY, "sides": [["a"], ["b"]], "ranks": (0, 0)},
        ]
    )
    start = np.array([[2.0, -1e18], [-1.0, -1e18], [-3.0, -1e18], [2.0, -1e18]])
    replay = system.replay(log, start)
    assert replay.final[:, 0] == approx([2.0 - 0.05, -1.05, -2.7, 1.8], abs=1e-6)
    assert set(replay.bystanders.player.tolist()) == {0, 1, 2, 3}


def test_when_nobody_played_everybody_shares():
    system = zero_sum(decay=0.5, max_gain=1e-9, period_days=1)
    log = match_log(
        [
            {"at": 0, "sides": [["a"], ["b"]], "ranks": (0, 0)},
            {"at": 2 * DAY, "sides": [["a"], ["b"]], "ranks": (0, 0)},
        ]
    )
    final = system.replay(log, np.array([[2.0, -1e18], [-1.0, -1e18]])).final[:, 0]
    assert final == approx([1.25, -0.25], abs=1e-6)


def test_an_anchor_keeps_its_rating_and_the_mean_follows_what_it_withholds():
    system = zero_sum(anchors=True, max_gain=0.2)
    match = duel_log([("a", "bot", 1.0), ("b", "a", 0.5)])
    start = np.full((3, 2), np.nan)
    start[2] = system.anchor(0.0)
    replay = system.replay(match, start)
    assert replay.final[2].tolist() == [0.0, 1.0]
    assert replay.after[0, 0] == approx(0.1)
    assert system.reach is Reach.BOARD
    assert replay.board[0] == approx(0.1)
    joined = replay.after[3, 0] + (replay.after[2, 0] - 0.1)
    assert joined == approx(0.1)


def test_the_lottery_keeps_the_mean_exactly():
    drawn = zero_sum(spread=2.0, seed=7, start=1.0).lottery(["c", "a", "b", "d", "e"])
    values = [state[0] - 1.0 for state in drawn.values()]
    assert list(drawn) == ["a", "b", "c", "d", "e"]
    assert values[0] == -values[1] != 0.0 and values[4] == 0.0


def test_scores_count_as_the_source_shares_them():
    assert score_share(6, -2) == 1.0
    assert score_share(-3, -5) == approx(5 / 8)
    assert score_share(0, 0) == 0.5
    assert score_share(1e308, 1e308) == 0.5


def test_the_displays():
    states = np.array([[0.0], [1.0], [-20.0]])
    assert zero_sum().display_many(states).value.tolist() == [1500.0, 1674.0, 100.0]
    assert zero_sum(display="raw").display_many(states).value.tolist() == [0.0, 1.0, -20.0]


def fixed_range_board(system, log):
    replay = system.replay(log)
    return replay.final, replay.board


@pytest.mark.parametrize("settings", [{}, {"decay": 0.1}, {"shares": True, "temperature": 3}])
def test_a_fixed_range_spans_the_board_whoever_is_shown(settings):
    system = zero_sum(display="fixed-range", **settings)
    final, board = fixed_range_board(system, generated_log())
    pq = final[:, 0]
    half_width = 0.5 * float(np.std(pq, ddof=1))
    shown = system.display_many(final, board=board).value
    assert shown == approx(10000 / (1 + np.exp(-(pq - board[0]) / half_width)))
    alone = [system.display(tuple(row), board).value for row in final.tolist()]
    assert alone == shown.tolist()
    assert system.display_many(final[3:5], board=board).value.tolist() == alone[3:5]
    assert system.reach is Reach.BOARD


def test_anchors_are_out_of_the_width_of_a_fixed_range():
    system = zero_sum(display="fixed-range", anchors=True)
    start = np.full((3, 2), np.nan)
    start[2] = system.anchor(100.0)
    replay = system.replay(duel_log([("a", "b", 1.0), ("a", "bot", 0.0)]), start)
    assert replay.board[3] == approx(0.5 * float(np.std(replay.final[:2, 0], ddof=1)))


def test_a_fixed_range_without_any_width_is_as_wide_as_the_temperature():
    system = zero_sum(display="fixed-range", temperature=2.0)
    match = duel_log([("a", "b", 0.5)])
    assert system.replay(match).board[3] == system.new_board()[3] == 2.0


def test_the_shortcut_gives_the_probability_from_shown_values():
    system = zero_sum(display="fixed-range", temperature=2.0)
    final, board = fixed_range_board(system, generated_log())
    shown = system.display_many(final, board=board).value
    sides = [Side(((value,),), (key,)) for value, key in zip(final[:2, 0], "ab", strict=True)]
    shortcut = system.shortcut(shown[0], shown[1], board[3])
    assert shortcut == approx(system.predict(sides, at=0).win)


def test_a_gain_beyond_ten_temperatures_is_refused():
    with pytest.raises(ParameterError, match="ten times"):
        zero_sum(max_gain=11, temperature=1)
