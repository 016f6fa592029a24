from __future__ import annotations

import math

import pytest
from pytest import approx

from ratings import create
from ratings.engine import numba_is_installed
from ratings.log import DAY, EventKind
from tests.ratings.logs import duel_log, every_kind_of_event, generated_events, match_log

FRAG, CAPTURE, SUICIDE, TEAM_KILL, DAMAGE, ASSIST, *_ = EventKind


def becker(**settings):
    return create("becker", settings)


def played(system, events, states, sides=(("a",), ("b",))):
    match = match_log(
        [{"sides": [list(side) for side in sides], "ranks": list(range(len(sides)))}],
        events=[(0, *event) for event in events],
    )
    return system.rate(match, [(value,) for value in states])


def test_equals_exchange_half_of_k_and_nobody_falls_below_zero():
    rated = becker().rate(duel_log([("a", "b", 1.0)]), [None, None])
    assert rated.states == ((16.0,), (0.0,))
    assert rated.board == (16.0, 0.0, 0.0, 0.0, 0.0)


def test_one_can_win_and_go_down():
    match = match_log([{"sides": [["a"], ["b"]], "ranks": (0, 1), "scores": (10.0, 9.0)}])
    after = becker(use="scores").rate(match, [(800.0,), (0.0,)]).states
    assert after[0][0] < 800.0 and after[1][0] > 0.0


def test_a_frag_is_a_duel_of_one_to_nothing_in_the_order_of_the_log():
    rated = played(becker(), [(FRAG, "a", "b"), (FRAG, "b", "a")], (100.0, 100.0))
    back = 4 / (1 + 10 ** (-4 / 400))
    assert rated.states == (approx((102 - back,)), approx((98 + back,)))


def test_a_suicide_costs_half_of_k_and_nobody_gains():
    rated = played(becker(), [(SUICIDE, "a", None)], (100.0, 100.0))
    assert rated.states == ((98.0,), (100.0,))
    assert rated.board[1] == 2.0


def test_a_team_kill_costs_the_killer_alone_by_the_victims_strength():
    rated = played(
        becker(), [(TEAM_KILL, "a", "b")], (500.0, 100.0, 0.0), sides=(("a", "b"), ("c",))
    )
    cost = 4 / (1 + 10**-1)
    assert rated.states == (approx((500 - cost,)), (100.0,), (0.0,))
    assert rated.board[2] == approx(cost)


def test_a_capture_is_played_against_the_mean_of_the_other_side():
    rated = played(
        becker(), [(CAPTURE, "a", None)], (100.0, 0.0, 200.0), sides=(("a",), ("b", "c"))
    )
    assert rated.states == (approx((100 + 7 * 4 / 2,)), (0.0,), (200.0,))
    assert rated.board[3] == approx(14.0)


WORTHS = {"damage": 0.01, "assist": 0.5, "flag_taken": 2.0, "flag_returned": 1.0, "own": 3.0}


@pytest.mark.parametrize("worths", [{}, WORTHS, {"damage": 3.0}])
def test_every_kind_gives_the_same_bits_compiled_and_in_parts_and_adds_up(worths):
    log = every_kind_of_event()
    plain = becker(**worths).replay(log, engine="plain")
    if numba_is_installed():
        compiled = becker(**worths).replay(log, engine="compiled")
        assert plain.final.tobytes() == compiled.final.tobytes()
        assert plain.board == compiled.board
    first = becker(**worths).replay(log.part(0, 20))
    rest = becker(**worths).replay(log.part(20, 60), first.final, board=first.board)
    assert rest.final.tobytes() == plain.final.tobytes()
    clamped, suicides, team_kills, unopposed, _decayed = plain.board
    balance = clamped - suicides - team_kills + unopposed
    assert math.fsum(plain.final[:, 0]) == approx(balance)


@pytest.mark.parametrize("kind", [DAMAGE, ASSIST])
def test_a_kind_without_a_value_leaves_the_result_to_count(kind):
    by_result = played(becker(), [], (100.0, 100.0))
    assert played(becker(), [(kind, "a", "b")], (100.0, 100.0)).states == by_result.states
    assert not becker().rates_event(kind, has_target=True)
    with_frag = [(kind, "a", "b"), (FRAG, "b", "a")]
    assert played(becker(), with_frag, (100.0, 100.0)).states == ((98.0,), (102.0,))


def test_the_accounts_explain_the_sum():
    log = generated_events(matches=200)
    for settings in ({}, {"decay": 2.0}, {"decay": 1.0, "who": "all"}, {"use": "scores"}):
        replay = becker(**settings).replay(log)
        clamped, suicides, team_kills, unopposed, decayed = replay.board
        balance = clamped - suicides - team_kills + unopposed - decayed
        assert math.fsum(replay.final[:, 0]) == approx(balance, abs=1e-7)


def test_decay_takes_points_at_period_ends_and_never_below_zero():
    idle = becker(decay=5.0, period_days=7)
    everybody = becker(decay=5.0, period_days=7, who="all")
    state = (12.0, 0.0)
    for at, left in (
        (6 * DAY, 12.0),
        (7 * DAY, 12.0),
        (14 * DAY, 7.0),
        (21 * DAY, 2.0),
        (28 * DAY, 0.0),
    ):
        assert idle.idle(state, at)[0] == left
    assert [everybody.idle(state, week * 7 * DAY)[0] for week in (1, 2, 3)] == [7.0, 2.0, 0.0]


@pytest.mark.parametrize("who", ["all", "idle"])
def test_looking_seldom_or_often_takes_the_same(who):
    system = becker(decay=0.75, period_days=7, who=who)
    state = (12.0, 3.0)
    step = state
    for day in range(21, 80):
        step = system.idle(step, day * DAY)
        assert step[0] == system.idle(state, day * DAY)[0]
