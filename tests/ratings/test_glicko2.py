from __future__ import annotations

import json
import math
import random

import numpy as np
import pytest
from pytest import approx

from ratings import Glicko2, ParameterError, Side
from ratings.log import DAY
from ratings.system import FOREVER, Level
from ratings.systems.glicko2.period import grown, new_volatility, reduction
from ratings.systems.glicko2.points import rank_points
from ratings.systems.glicko2.scale import CENTRE, MOST_DEVIATION, SCALE
from tests.ratings.logs import GOLDEN, duel_log, generated_log, match_log

GLICKMAN = json.loads((GOLDEN / "glicko2_glickman.json").read_text())
INVERSUS = json.loads((GOLDEN / "glicko2_inversus.json").read_text())

FIRST_DELTA_TOLERANCE = 6e-4
"""Glickman rounds v before he multiplies; the reference page allows his printed Delta this much."""


def cases(vectors, kind):
    return [case for case in vectors["cases"] if case["kind"] == kind]


def internal(rating, deviation, volatility=0.06):
    return ((rating - CENTRE) / SCALE, deviation / SCALE, volatility)


def public(state):
    return {"rating": CENTRE + SCALE * state[0], "rd": SCALE * state[1], "vol": state[2]}


def check(values, expected, tolerance):
    for name in set(values) & set(expected):
        assert values[name] == approx(expected[name], abs=tolerance[name]), name


@pytest.mark.parametrize("case", [c for c in cases(GLICKMAN, "period") if c["in"]["opponents"]])
def test_a_period_agrees_with_glickmans_example(case):
    given = case["in"]
    glicko2 = Glicko2(preset="glickman", period="calendar", period_days=1)
    results = [("me", f"them-{i}", float(score)) for i, score in enumerate(given["scores"])]
    log = duel_log(results, at=0)
    sums = (0.0, 0.0, 0.0, 0.0)
    start = np.array([[*internal(*p), *sums] for p in (given["player"], *given["opponents"])])
    inside = glicko2.replay(log, np.insert(start, 3, 0.0, axis=1)[:, :8]).final[0]
    after = glicko2.idle(tuple(inside.tolist()), at=DAY)
    own = inside[0]
    opponents = [internal(*opponent) for opponent in given["opponents"]]
    v = 1 / inside[5]
    g = [reduction(phi) for _, phi, _ in opponents]
    values = public(after) | {
        "v": v,
        "delta": v * inside[6],
        "phi_star": math.sqrt(inside[1] * inside[1] + after[2] * after[2]),
        "mu_prime": after[0],
        "phi_prime": after[1],
        "g": g,
        "E": [
            1 / (1 + math.exp(-weight * (own - mu)))
            for weight, (mu, _, _) in zip(g, opponents, strict=True)
        ],
    }
    check(values, case["out"], case["tol"] | {"delta": FIRST_DELTA_TOLERANCE})


@pytest.mark.parametrize("surprise", [0.0, 1.0, 3.0, 12.0, 60.0])
@pytest.mark.parametrize("tau", [0.1, 0.5, 2.0])
def test_the_volatility_is_the_root_of_step_5_within_a_millionth(surprise, tau):
    source = random.Random(int(10 * surprise + tau))
    for _ in range(300):
        phi, sigma = source.uniform(0.05, 3.0), source.choice((1e-3, 0.04, 0.06, 0.5))
        v = source.choice((1e-3, 0.5, 4.0, 1e4))
        delta = surprise * math.sqrt(phi * phi + v) * source.uniform(0.5, 1.5)

        def f(x, phi=phi, sigma=sigma, v=v, delta=delta):
            e = math.exp(x)
            told = e * (delta**2 - phi**2 - v - e) / (2.0 * (phi**2 + v + e) ** 2)
            return told - (x - math.log(sigma**2)) / tau**2

        root = math.log(new_volatility(phi, sigma, v, delta, tau) ** 2)
        assert f(root - 1e-6) > 0.0 > f(root + 1e-6)


@pytest.mark.parametrize("case", [c for c in cases(GLICKMAN, "period") if not c["in"]["opponents"]])
def test_a_period_without_matches_only_grows_the_deviation(case):
    glicko2 = Glicko2(preset="glickman", period="calendar", period_days=1)
    state = (*internal(*case["in"]["player"]), 0.0, 0.0, 0.0, 0.0, 0.0)
    check(public(glicko2.idle(state, at=DAY)), case["out"], case["tol"])


def play(glicko2, one, other, scores):
    match = duel_log([("a", "b", float(score)) for score in scores], at=0)
    start = np.array([[*internal(*one), 0.0], [*internal(*other), 0.0]])
    return [public(state) for state in glicko2.replay(match, start).final.tolist()]


@pytest.mark.parametrize("case", cases(GLICKMAN, "1v1") + cases(GLICKMAN, "1v1_streak"))
def test_matches_one_by_one_agree_with_the_peers(case):
    given = case["in"]
    scores = given["scores"] if "scores" in given else [given["score"]]
    after = play(Glicko2(preset="glickman"), given["a"], given["b"], scores)
    for values, expected in zip(after, (case["out"]["a"], case["out"]["b"]), strict=True):
        check(values, dict(zip(("rating", "rd", "vol"), expected, strict=False)), case["tol"])


@pytest.mark.parametrize("case", cases(GLICKMAN, "expected"))
def test_expectation_takes_both_deviations(case):
    expected = Glicko2().expected(case["in"]["a"], case["in"]["b"])
    assert expected == approx(case["out"]["p"], abs=case["tol"])


@pytest.mark.parametrize("case", cases(GLICKMAN, "decay") + cases(INVERSUS, "inactive"))
def test_the_deviation_grows_with_absence(case):
    given = case["in"]
    rd, volatility = given["player"][1:] if "player" in given else (given["rd"], given["vol"])
    phi = grown(rd / SCALE, volatility, given["periods"], 0.0, math.inf)
    assert SCALE * phi == approx(case["out"]["rd"], abs=case["tol"])


@pytest.mark.parametrize("case", cases(INVERSUS, "inactive_composes"))
def test_absence_in_two_stretches_is_absence_in_one(case):
    phi = case["in"]["rd"] / SCALE
    for periods in case["in"]["split"]:
        phi = grown(phi, case["in"]["vol"], periods, 0.0, math.inf)
    assert SCALE * phi == approx(case["out"]["rd"], abs=case["tol"])


@pytest.mark.parametrize("case", cases(INVERSUS, "inactive_bounded"))
def test_absence_stops_at_the_bound(case):
    low, high = (bound / SCALE for bound in case["in"]["bounds"]["rd"])
    phi = grown(case["in"]["rd"] / SCALE, case["in"]["vol"], case["in"]["periods"], low, high)
    assert SCALE * phi == approx(case["out"]["rd"], abs=case["tol"])


@pytest.mark.parametrize("case", cases(INVERSUS, "sequence_each_t1"))
def test_every_match_a_period_agrees_with_the_vector(case):
    """The vector's bounds are wider than INVERSUS's; none of either is touched here."""
    given = case["in"]
    glicko2 = Glicko2(tau=given["tau"], match_periods=given["period_fraction"])
    results = [("me", f"them-{i}", float(score)) for i, score in enumerate(given["scores"])]
    start = np.array([[*internal(*p), 0.0] for p in (given["player"], *given["opponents"])])
    check(public(glicko2.replay(duel_log(results, at=0), start).final[0]), case["out"], case["tol"])


def test_a_newcomer_is_bounded_by_the_preset():
    assert Glicko2().new_player()[:3] == (0.0, MOST_DEVIATION, 0.06)
    assert SCALE * Glicko2(preset="glickman").new_player()[1] == approx(350.0)


def test_less_than_a_day_away_changes_nothing_and_two_weeks_are_a_period():
    glicko2 = Glicko2()
    state = (0.0, 0.5, 0.06, 0.0)
    assert glicko2.idle(state, DAY - 1) == state
    assert glicko2.idle(state, 14 * DAY)[1] == approx(math.sqrt(0.25 + 0.0036))


def test_a_composite_team_gives_the_match_to_the_difference_between_the_sides():
    """A strong player beside a weak one gains as much as the weak one: the sides are even."""
    glicko2 = Glicko2()
    match = match_log([{"at": 0, "sides": [["a", "b"], ["c", "d"]], "ranks": (0, 1)}])
    states = [(*internal(rating, 80), 0.0) for rating in (1700, 1300, 1500, 1500)]
    after = glicko2.rate(match, states).states
    gains = [state[0] - before[0] for state, before in zip(after, states, strict=True)]
    assert gains[0] == approx(gains[1], abs=1e-12)


def test_individual_opponents_are_a_match_each():
    glicko2 = Glicko2(teams="individual", period="calendar", preset="glickman")
    match = match_log([{"at": 0, "sides": [["a"], ["b", "c"]], "ranks": (0, 1)}])
    single = match_log(
        [{"at": 0, "sides": [["a"], [other]], "ranks": (0, 1)} for other in ("b", "c")]
    )
    together = glicko2.replay(match).final[0]
    apart = glicko2.replay(single).final[0]
    assert together[5:7].tolist() == approx(apart[5:7].tolist())


def test_a_composite_opponent_is_the_opponents_mean():
    glicko2 = Glicko2(teams="composite-opponent")
    team = match_log([{"at": 0, "sides": [["a"], ["b", "c"]], "ranks": (0, 1)}])
    duel = match_log([{"at": 0, "sides": [["a"], ["b"]], "ranks": (0, 1)}])
    a, b, c = ((*internal(*player), 0.0) for player in ((1500, 90), (1400, 60), (1700, 120)))
    mean = (*internal(1550, 90), 0.0)
    assert glicko2.rate(team, [a, b, c]).states[0] == approx(
        glicko2.rate(duel, [a, mean]).states[0]
    )


def test_the_pairs_of_a_match_weigh_one_together_unless_full():
    match = match_log([{"at": 0, "sides": [["a"], ["b"], ["c"]], "ranks": (0, 1, 2)}])
    one, full = (
        Glicko2(period="calendar", pairs=pairs).rate(match, [None] * 3).states[0]
        for pairs in ("mean", "full")
    )
    assert full[5] == approx(2 * one[5])


def test_a_calendar_board_compares_everybody_as_of_the_start_of_the_period():
    glicko2 = Glicko2(period="calendar", period_days=7)
    results = [("a", "b", 1.0), ("b", "c", 1.0), ("a", "c", 0.0)]
    forward = glicko2.replay(duel_log(results, at=0)).final
    backward = glicko2.replay(duel_log(results[::-1], at=0)).final
    assert forward == approx(backward)


def test_a_calendar_board_shows_what_ending_the_period_now_would_give():
    glicko2 = Glicko2(period="calendar", period_days=7)
    state = tuple(glicko2.replay(duel_log([("a", "b", 1.0)], at=0)).final[0].tolist())
    shown = glicko2.display(state)
    ended = glicko2.display(glicko2.idle(state, 7 * DAY))
    assert shown.provisional and not ended.provisional
    assert (shown.value, shown.low, shown.high) == (ended.value, ended.low, ended.high)
    assert shown.value > 1500.0


def test_looking_at_a_calendar_state_seldom_or_often_gives_the_same_bits():
    glicko2 = Glicko2(period="calendar", period_days=7, display="points")
    log = generated_log(matches=60)
    replay = glicko2.replay(log)
    at = int(log.at[-1])
    for state in replay.final.tolist():
        once = glicko2.idle(tuple(state), at + 21 * DAY)
        twice = glicko2.idle(glicko2.idle(tuple(state), at + 3 * DAY), at + 21 * DAY)
        assert once[:2] == approx(twice[:2], abs=1e-12)


def test_points_start_at_nothing_and_need_the_bounds():
    with pytest.raises(ParameterError, match="need the bounds"):
        Glicko2(preset="glickman", display="points")
    assert Glicko2(display="points").new_player()[4] == 0.0


def points_after(glicko2, state, score):
    match = duel_log([("a", "b", score)], at=0)
    return glicko2.rate(match, [state, (*internal(1500, 80), 0.0, 3000.0, 0.4)]).states[0]


def test_points_rise_after_a_win_even_where_the_goal_is_below():
    state = (*internal(1500, 200), 0.0, 4000.0, 1.0)
    assert points_after(Glicko2(display="points"), state, 1.0)[4] == 4001.0


def test_points_fall_after_a_loss_even_where_the_goal_is_above():
    state = (*internal(2200, 60), 0.0, 100.0, 0.3)
    assert points_after(Glicko2(display="points"), state, 0.0)[4] == 99.0
    assert points_after(Glicko2(display="points"), (*state[:4], 0.4, 0.3), 0.0)[4] == 0.0


def test_points_move_by_at_most_the_largest_step():
    state = (*internal(2200, 60), 0.0, 100.0, 0.3)
    assert points_after(Glicko2(display="points"), state, 1.0)[4] == 600.0
    assert points_after(Glicko2(display="points", max_step=40), state, 0.5)[4] == 140.0


def test_a_draw_moves_points_half_the_way_in_either_direction():
    glicko2 = Glicko2(display="points", max_step=10_000)
    for points in (1000.0, 5000.0):
        after = points_after(glicko2, (*internal(1600, 60), 0.0, points, 0.3), 0.5)
        goal = rank_points(after[0] - 3 * after[1])
        assert after[4] - points == approx(0.25 * (goal - points))


def test_the_win_bonus_counts_the_distance_before_the_match():
    state = (*internal(1200, 60), 0.0, 5000.0, 0.3)
    plain = points_after(Glicko2(display="points"), state, 1.0)[4]
    bonus = points_after(Glicko2(display="points", bonus=250), state, 1.0)[4]
    assert plain in {5000.0, 5001.0}
    assert bonus == approx(5000.0 + 250 * (300 / SCALE) / 12.09)


def test_the_scaled_approach_moves_less_while_the_deviation_is_large():
    state = (*internal(1600, 300), 0.0, 0.0, MOST_DEVIATION)
    usual = points_after(Glicko2(display="points", max_step=10_000), state, 1.0)
    scaled = points_after(
        Glicko2(display="points", max_step=10_000, scaled_approach=True), state, 1.0
    )
    room = (MOST_DEVIATION - usual[1]) / (MOST_DEVIATION - 0.175)
    assert scaled[4] == approx(usual[4] * room)


def test_the_tightest_deviation_keeps_the_goal_up():
    state = (*internal(1800, 200), 0.0, 1000.0, 0.3)
    glicko2 = Glicko2(display="points", max_step=10_000, tightest=True)
    after = points_after(glicko2, state, 1.0)
    assert after[5] == 0.3
    assert after[4] == approx(1000.0 + 0.5 * (rank_points(after[0] - 0.9) - 1000.0))


def test_levels_follow_the_deviation():
    glicko2 = Glicko2()
    levels = [glicko2.confidence((*internal(1500, rd), 0.0), 5).level for rd in (111, 110, 76, 75)]
    assert levels == [Level.UNSURE, Level.FAIRLY_SURE, Level.FAIRLY_SURE, Level.SURE]


def test_the_interval_is_1_96_deviations_wide_on_either_side():
    shown = Glicko2().display((*internal(1600, 50), 0.0))
    assert (shown.value, shown.low, shown.high) == approx((1600, 1502, 1698))


@pytest.mark.parametrize("period", ["per-match", "calendar"])
def test_certainty_ends_exactly_where_idling_says(period):
    glicko2 = Glicko2(period=period)
    for rd in (40.0, 74.999, 75.0, 90.0, 109.9, 110.0):
        played_at = 5 * DAY + 12_345
        state = (*internal(1500, rd), float(played_at))
        if period == "calendar":
            state += (0.0, 0.0, 0.0, 0.0)
        for limit, until in zip((110.0, 75.0), glicko2.certain_until(state, 5), strict=True):
            if until is None:
                assert rd > limit
                continue
            assert SCALE * glicko2.idle(state, until)[1] <= limit
            assert SCALE * glicko2.idle(state, until + 1)[1] > limit


def test_certainty_without_end_is_forever():
    glicko2 = Glicko2(fairly_sure=400, sure=1)
    assert glicko2.certain_until((*internal(1500, 60), 0.0), 3) == (FOREVER, None)


def test_a_prediction_of_several_sides_adds_up():
    sides = [
        Side(((*internal(1500 + 90 * n, 60 + 20 * n), 0.0),), (key,))
        for n, key in enumerate("abcd")
    ]
    prediction = Glicko2().predict(sides, at=DAY)
    for places in prediction.places:
        assert sum(places) == approx(1.0, abs=1e-12)
    for place in zip(*prediction.places, strict=True):
        assert sum(place) == approx(1.0, abs=1e-12)
    assert list(prediction.first) == sorted(prediction.first)
