from __future__ import annotations

import json
import math

import numpy as np
import pytest
from pytest import approx

from ratings import Side, TrueSkill
from ratings.engine import DidNotConverge, run
from ratings.log import DAY
from ratings.sidetable import SideTable, pairs_of
from ratings.system import FOREVER
from ratings.systems.trueskill import draw_margin
from tests.ratings.logs import GOLDEN, duel_log, generated_log, match_log, rated, sides_of


def vectors(name):
    return json.loads((GOLDEN / f"{name}.json").read_text())


MATH = vectors("trueskill_math")
SUBLEE = [
    (file["params"], case)
    for file in (vectors("trueskill_sublee"), vectors("trueskill_random_sublee"))
    for case in file["cases"]
]
TTT = [case for case in vectors("ttt")["cases"] if case["kind"] == "game"]


@pytest.mark.parametrize("case", MATH["cases"])
def test_the_draw_margin_agrees_with_the_vector(case):
    players = case["in"].get("n_players", MATH["params"]["n_players"])
    margin = draw_margin(case["in"]["draw_probability"], MATH["params"]["beta"], players)
    assert margin == approx(case["out"]["margin"], abs=case["tol"])


@pytest.mark.parametrize(("params", "case"), SUBLEE)
def test_matches_agree_with_the_peer(params, case):
    """The peer's rounding or stopping rule is within each case's tolerance of the fixed point."""
    system = TrueSkill(**(params | case["in"].get("params", {})))
    sides = sides_of(case["in"]["teams"], case["in"].get("weights"))
    if "quality" in case["out"]:
        quality, published = system.quality(sides, at=0), case["out"]["quality"]
        assert quality == approx(quality_of(sides, system.parameters.beta), rel=1e-11)
        # Some are published in three digits, one in four; the others were computed in full.
        digits = 3 if case["tol"] > 1e-3 else 4 if case["tol"] > 2e-5 else None
        if digits is None:
            assert quality == approx(published, rel=1e-9)
        else:
            assert round(quality, digits) == published
    if "ratings" in case["out"]:
        ranks = case["in"].get("ranks", list(range(len(sides))))
        for members, expected in zip(
            rated(system, sides, ranks), case["out"]["ratings"], strict=True
        ):
            for state, values in zip(members, expected, strict=True):
                assert state == approx(values, abs=case["tol"])


def quality_of(sides, beta):
    """Compute the paper's formula with dense matrices: equation by equation, in plain numbers."""
    shares = [side.shares or (1.0,) * len(side.keys) for side in sides]
    means = np.array([mean for side in sides for mean, *_ in side.states])
    variances = np.diag([state[1] * state[1] for side in sides for state in side.states])
    columns = np.zeros((len(means), len(sides) - 1))
    first = 0
    for index, share in enumerate(shares):
        rows = slice(first, first + len(share))
        if index < len(sides) - 1:
            columns[rows, index] = share
        if index:
            columns[rows, index - 1] = -np.array(share)
        first += len(share)
    noise = beta * beta * columns.T @ columns
    whole = noise + columns.T @ variances @ columns
    gap = columns.T @ means
    exponent = -0.5 * gap @ np.linalg.inv(whole) @ gap
    return math.exp(exponent) * math.sqrt(np.linalg.det(noise) / np.linalg.det(whole))


@pytest.mark.parametrize("case", TTT, ids=lambda case: case["name"])
def test_single_games_agree_with_trueskill_through_time(case):
    """Its games add nothing to the variance, and its results rank upwards."""
    given = case["in"]
    spread = given.get("sigma", 25 / 3)
    system = TrueSkill(
        tau=0, beta=given["beta"], draw_probability=given["p_draw"], sigma=max(spread, 6.0)
    )
    sides = sides_of(given["teams"], given.get("weights"))
    result = given.get("result") or list(range(len(sides)))[::-1]
    ranks = [max(result) - value for value in result]
    if "evidence" in case["out"]:
        prediction = system.predict(sides, at=0)
        evidence = prediction.draw if ranks[0] == ranks[1] else prediction.win
        assert evidence == approx(case["out"]["evidence"], abs=case["tol"])
    after = rated(system, sides, ranks)
    for members, expected in zip(after, case["out"].get("posteriors", after), strict=True):
        for state, values in zip(members, expected, strict=True):
            assert state == approx(values, abs=case["tol"])


def test_two_sides_by_messages_are_the_closed_form():
    """A third side too far below to say anything leaves a match of two."""
    system = TrueSkill(draw_probability=0.2)
    pair = [
        Side(((28.0, 6.0),), ("a",), shares=(1.0,)),
        Side(((24.0, 4.0),), ("b",), shares=(1.0,)),
    ]
    far = Side(((-4000.0, 1.0),), ("c",), shares=(1.0,))
    alone, three = rated(system, pair, (0, 1)), rated(system, [*pair, far], (0, 1, 2))
    for one, other in zip(alone, three[:2], strict=True):
        assert one[0] == approx(other[0], abs=1e-6)


def test_a_loss_can_raise_the_shown_value_because_the_deviation_falls():
    system = TrueSkill()
    winner = Side(((36.0, 1.0),), ("a",), shares=(1.0,))
    loser = Side((system.new_player(),), ("b",), shares=(1.0,))
    after = rated(system, [winner, loser], (0, 1))[1][0]
    assert after[0] < 25.0
    assert system.display(after).value > system.display(system.new_player()).value


def test_weight_multiplies_what_a_match_adds_to_the_precision():
    system = TrueSkill(tau=0)
    plain, double = (
        system.replay(duel_log([("a", "b", 1.0)], weight=weight)).final[0] for weight in (1.0, 2.0)
    )
    prior = (25.0, 25.0 / 3.0)
    gained = [1 / (s[1] * s[1]) - 1 / (prior[1] * prior[1]) for s in (plain, double)]
    assert gained[1] == approx(2 * gained[0])
    moved = [s[0] / (s[1] * s[1]) - prior[0] / (prior[1] * prior[1]) for s in (plain, double)]
    assert moved[1] == approx(2 * moved[0])


def test_absence_grows_the_variance_to_no_more_than_the_priors():
    system = TrueSkill(idle_variance=0.5)
    state = (30.0, 2.0, 0.0)
    assert system.idle(state, DAY - 1) == state
    assert system.idle(state, 10 * DAY)[1] == approx(3.0)
    assert system.idle(state, 10_000 * DAY)[1] == approx(25 / 3)


def test_certainty_ends_exactly_where_idling_says():
    system = TrueSkill(idle_variance=0.013)
    for deviation in (0.5, 1.9, 25 / 12, 3.0, 10 / 3):
        state = (25.0, deviation, 777.0)
        for limit, until in zip((10 / 3, 25 / 12), system.certain_until(state, 1), strict=True):
            if until is None:
                assert deviation > limit
                continue
            assert system.idle(state, until)[1] <= limit * (1 + 1e-15)
            assert system.idle(state, until + 1)[1] > limit
    assert TrueSkill().certain_until((25.0, 1.0), 1) == (FOREVER, FOREVER)


def test_prediction_has_a_probability_of_the_draw_and_leaves_tau_out():
    system = TrueSkill(draw_probability=0.25, tau=5.0)
    sides = [Side(((25.0, 0.0),), (key,)) for key in "ab"]
    prediction = system.predict(sides, at=0)
    assert prediction.draw == approx(0.25)
    assert prediction.win == approx(0.375)
    assert prediction.expected == approx((0.5, 0.5))


def test_places_of_several_sides_add_up_where_their_spreads_differ():
    sides = [Side(((25.0 + n, 0.5 + 2.5 * n),), (key,)) for n, key in enumerate("abcd")]
    prediction = TrueSkill().predict(sides, at=0)
    for row in (*prediction.places, *zip(*prediction.places, strict=True)):
        assert math.fsum(row) == approx(1.0, abs=1e-9)


@pytest.mark.parametrize(
    ("settings", "sides"),
    [
        ({}, 200),
        ({"mu": 2500, "sigma": 2500 / 3, "beta": 2500 / 6}, 70),
        ({"beta": 1e6}, 30),
        ({"beta": 1e-6}, 30),
    ],
    ids=str,
)
def test_a_quality_of_many_sides_is_neither_lost_nor_no_number(settings, sides):
    system = TrueSkill(**settings)
    state = system.new_player()
    quality = system.quality([Side((state,), (f"{index:03}",)) for index in range(sides)], 0)
    share = system.parameters.beta**2 / (system.parameters.beta**2 + system.parameters.sigma**2)
    assert math.log(quality) == approx((sides - 1) / 2 * math.log(share))


def test_a_quality_of_sides_too_far_apart_is_nothing():
    states = [(-1e300, 1.0), (0.0, 1.0), (1e300, 1.0)]
    sides = [Side((state,), (key,)) for state, key in zip(states, "abc", strict=True)]
    assert TrueSkill().quality(sides, 0) == 0.0


def test_without_draws_none_is_expected():
    system = TrueSkill(draw_probability=0)
    for lead in range(2000):
        sides = [Side(((25.0 + lead / 97, 1.0),), ("a",)), Side(((25.0, 2.0),), ("b",))]
        assert system.predict(sides, 0).draw == 0.0


@pytest.mark.parametrize("weight", [1.0, 2.0])
@pytest.mark.parametrize("sides", ["ab", "abc"])
def test_what_a_known_opponent_tells_of_an_unknown_player_leaves_a_deviation(weight, sides):
    system = TrueSkill(beta=1e-6, sigma=1e6, draw_probability=0, tau=0)
    log = match_log(
        [{"sides": [[key] for key in sides], "ranks": [0] * len(sides), "weight": weight}]
    )
    states = [(0.0, 1e6), *[(0.0, 1e-6)] * (len(sides) - 1)]
    for mean, deviation in system.rate(log, states).states:
        assert math.isfinite(mean) and 1e-8 < deviation < 1e-5


def test_not_settling_is_an_error_that_names_the_match():
    def never_settles(log, state, after, scratch, settings):
        return 0

    with pytest.raises(DidNotConverge, match="match 0"):
        run(
            never_settles, duel_log([("a", "b", 1.0)]), np.zeros((2, 1)), (), scratch=0,
            engine="plain",
        )  # fmt: skip


@pytest.mark.parametrize("gap", [0.0, 40.0, 400.0, 4e4, 1e150])
def test_the_most_surprising_results_give_finite_states(gap):
    for draws in (0.0, 0.1, 0.999):
        system = TrueSkill(draw_probability=draws)
        sides = [
            Side(((gap, 1.0),), ("a",), shares=(1.0,)),
            Side(((0.0, 1.0),), ("b",), shares=(1.0,)),
        ]
        for ranks in ((0, 1), (0, 0), (1, 0)):
            for (state,) in rated(system, sides, ranks):
                assert math.isfinite(state[0]) and 0.0 < state[1] <= 1.01


def test_outcomes_and_qualities_of_a_log_are_those_of_each_of_its_matches():
    system = TrueSkill(size_advantage=-1.5, draw_probability=0.2)
    log = generated_log(matches=60, most_sides=2)
    states = system.replay(log).before
    table = SideTable(log, states)
    one, other, _ = pairs_of(log)
    win, draw = system.outcomes(table, one, other)
    quality = system.qualities(table, one, other)
    for match in range(len(log)):
        sides = [
            Side(
                tuple(tuple(states[member]) for member in members),
                tuple(log.keys[log.player[member]] for member in members),
                float(log.handicap[side]),
                tuple(log.share[member] for member in members),
            )
            for side in (one[match], other[match])
            for members in [range(log.member_start[side], log.member_start[side + 1])]
        ]
        predicted = system.predict(sides, at=0)
        assert (win[match], draw[match]) == approx((predicted.win, predicted.draw), abs=1e-12)
        assert quality[match] == approx(system.quality(sides, at=0), abs=1e-12)
