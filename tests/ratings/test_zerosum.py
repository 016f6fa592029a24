from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from pytest import approx

from ratings import ParameterError, Side, create
from ratings.log import DAY, EventKind
from ratings.registry import info, list_systems
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
    assert set(replay.indirect_changes.player.tolist()) == {0, 1, 2, 3}


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


def board_of(system, log, start):
    """Return the board after a log, and the mean of those who move counted anew."""
    replay = system.replay(log, start)
    moving = replay.final[:, 0]
    if system.parameters.anchors:
        moving = moving[replay.final[:, 1] == 0.0]
    return replay.board, float(np.mean(moving))


def test_who_comes_with_a_rating_counts_for_the_mean():
    system = zero_sum(anchors=True, spread=2.0, seed=7)
    log = duel_log([("a", "bot", 1.0), ("b", "c", 1.0), ("newcomer", "a", 1.0)])
    start = np.full((5, 2), np.nan)
    for key, state in system.lottery(["a", "b", "c"]).items():
        start[log.keys.index(key)] = state
    start[log.keys.index("bot")] = system.anchor(0.5)
    board, mean = board_of(system, log, start)
    assert board[0] == approx(mean) and board[0] != 0.0
    assert board[1] == 4.0


def test_a_newcomer_joins_at_the_mean_of_those_who_come_with_a_rating():
    log = duel_log([("a", "b", 0.5), ("newcomer", "a", 0.5)])
    replay = zero_sum().replay(log, np.array([[4.0], [6.0], [math.nan]]))
    assert replay.board[0] == 5.0
    assert replay.final[2, 0] > 4.8


def test_a_newcomer_is_expected_at_the_mean_of_the_board():
    system, board = zero_sum(), (5.0, 9.0, -1e18)
    sides = [Side(((math.nan,),), ("n",)), Side(((5.0,),), ("a",)), Side(((4.0,),), ("b",))]
    assert system.predict(sides[:2], 0, board=board).win == 0.5
    assert system.quality(sides[:2], 0, board=board) == 1.0
    expected = system.predict(sides, 0, board=board).expected
    assert expected[0] == expected[1] > expected[2]
    first = system.preview(sides, 0, board=board)[0]
    assert first.ranks == (0, 1, 2)
    assert system.pending(sides[:2], "a", 0, board=board) == (5.0,)


def test_what_a_pending_match_costs_is_withheld_from_the_mean():
    system = zero_sum()
    board = (0.5, 4.0, -1e18)
    lost = system.forfeited((1.0,), (1.0,), 0, board=board)
    assert lost.states == ((0.9,),)
    assert lost.board[:2] == (approx(0.5 - 0.1 / 4), 4.0)
    newcomer = system.forfeited((math.nan,), (0.5,), 0, board=board)
    assert newcomer.states == ((approx(0.4),),)
    assert newcomer.board[:2] == (approx(0.5 - 0.1 / 5), 5.0)
    assert system.forfeited((1.0,), (1.0,), 0).board is None


def test_an_anchor_loses_nothing_by_a_pending_match():
    system = zero_sum(anchors=True)
    board = (0.5, 4.0, -1e18)
    lost = system.forfeited(system.anchor(1.0), (1.0, 0.0), 0, board=board)
    assert lost.states == (system.anchor(1.0),)
    assert lost.board == board


@pytest.mark.parametrize("display", ["raw", "fixed-range"])
def test_an_imagined_match_ends_no_period_and_changes_what_the_real_one_does(display):
    system = zero_sum(decay=0.5, display=display)
    log = duel_log([("a", "b", 1.0), ("c", "d", 1.0)], at=0)
    later = 16 * DAY
    present = system.apply_decay(system.replay(log), 16)
    states = dict(zip(log.keys, present.final.tolist(), strict=True))
    sides = [Side((tuple(states[key]),), (key,)) for key in "ac"]
    won, _, lost = system.preview(sides, later, board=present.board)
    played = match_log([{"at": later, "sides": [["a"], ["c"]], "ranks": (0, 1)}])
    everybody = played.keys + tuple(key for key in log.keys if key not in played.keys)
    match = replace(
        played, keys=tuple(sorted(everybody)), player=np.array([0, 2]), birth_year=np.zeros(4, int)
    )
    real = system.rate(match, [tuple(states[key]) for key in match.keys], present.board)
    assert won.states == ((real.states[0],), (real.states[2],))
    forfeited = system.forfeited(sides[0].states[0], sides[1].states[0], later, board=present.board)
    assert forfeited.states == lost.states[0]
    assert forfeited.board[2] == present.board[2]


def test_a_preview_takes_and_gives_nothing_for_periods_that_ended():
    """Of the whole board only two are named, who must not share out the absence of others."""
    system = zero_sum(decay=0.5)
    replay = system.replay(duel_log([("a", "b", 1.0), ("c", "d", 1.0)], at=0))
    sides = [Side((tuple(replay.final[index].tolist()),), ("ac"[index // 2],)) for index in (0, 2)]
    won, drawn, lost = system.preview(sides, 16 * DAY, board=replay.board)
    assert [state[0] for (state,) in won.states] == [approx(0.2), approx(0.0)]
    assert [state[0] for (state,) in drawn.states] == [approx(0.1), approx(0.1)]
    assert [state[0] for (state,) in lost.states] == [approx(0.0), approx(0.2)]


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
    assert score_share(1.7e308, -1.7e308) == 1.0
    assert score_share(-1.7e308, -1.7e308) == 0.5
    assert score_share(-0.85e308, -1.7e308) == approx(2 / 3)


@pytest.mark.parametrize("name", ["zerosum", "ladder"])
def test_a_match_in_whose_log_nothing_counts_counts_by_its_ranks(name):
    match = {"sides": [["a"], ["b"]], "ranks": (1, 0)}
    events = [(0, EventKind.CAPTURE, "a", None), (0, EventKind.SUICIDE, "b", None)]
    system = create(name)
    final = system.replay(match_log([match])).final
    assert system.replay(match_log([match], events=events)).final.tolist() == final.tolist()
    assert len(set(final[:, 0])) == 2


def test_the_expected_gain_is_highest_against_an_equal():
    states = [(1.0,), (1.0,), (3.0,)]
    one, equal, better = (Side((s,), (k,)) for s, k in zip(states, "abc", strict=True))
    assert zero_sum().predict([one, equal], 0).expected_gain == (0.25, 0.25)
    mine, theirs = zero_sum().predict([one, better], 0).expected_gain
    assert mine == approx(theirs) and mine == approx(math.exp(2) / (1 + math.exp(2)) ** 2)


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


def test_the_shortcut_takes_the_ends_of_the_range_as_just_within():
    system = zero_sum(display="fixed-range")
    assert system.shortcut(10_000.0, 10_000.0, 1.0) == 0.5
    assert system.shortcut(10_000.0, 5_000.0, 1.0) == approx(1.0)
    assert system.shortcut(0.0, 5_000.0, 1.0) == approx(0.0)


def test_a_gain_beyond_ten_temperatures_is_refused():
    with pytest.raises(ParameterError, match="ten times"):
        zero_sum(max_gain=11, temperature=1)


def test_what_does_nothing_by_itself_is_not_offered():
    hidden = {row.name for row in info("zerosum").descriptions if not row.is_offered}
    assert hidden == {"seed"}
    assert all(
        row.is_offered
        for other in list_systems()
        for row in other.descriptions
        if other.name != "zerosum"
    )
