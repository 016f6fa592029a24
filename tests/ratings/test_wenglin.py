from __future__ import annotations

import json
import math
import sys
from functools import cache
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest import approx

from ratings import Side, create
from ratings.engine import numba_is_installed
from ratings.log import DAY
from tests.ratings.logs import GOLDEN, match_log, rated, same_bits, sides_of

MODELS = {
    "plackettluce": "plackett-luce",
    "bradleyterryfull": "bradley-terry",
    "thurstonemostellerfull": "thurstone-mosteller",
}
NOT_OFFERED = {"margins", "weights", "balance"}

PUBLISHED = [
    (MODELS[group["model"]], group["params"], case)
    for group in json.loads((GOLDEN / "wenglin_openskillpy.json").read_text())["sets"]
    for case in group["cases"]
    if group["model"] in MODELS and case["kind"] not in NOT_OFFERED
]
RANDOM = json.loads((GOLDEN / "wenglin_random_openskillpy.json").read_text())


def ranks_of(case):
    if "ranks" in case["in"]:
        return case["in"]["ranks"]
    if "scores" in case["in"]:
        return [-score for score in case["in"]["scores"]]
    return list(range(len(case["in"]["teams"])))


def agrees(model, parameters, case):
    system = create("wenglin", parameters | {"model": model})
    after = rated(system, sides_of(case["in"]["teams"]), ranks_of(case))
    return all(
        state == approx(tuple(values), abs=case["tol"])
        for members, expected in zip(after, case["out"]["ratings"], strict=True)
        for state, values in zip(members, expected, strict=True)
    )


@pytest.mark.parametrize(("model", "parameters", "case"), PUBLISHED)
def test_matches_agree_with_the_published_cases(model, parameters, case):
    """In the cases of `limit_sigma` the limit is never reached."""
    assert agrees(model, parameters, case)


@pytest.mark.parametrize("kind", ["PlackettLuce", "BradleyTerryFull"])
def test_random_matches_agree_with_the_peer(kind):
    for case in RANDOM["cases"]:
        if case["kind"] == kind:
            assert agrees(MODELS[kind.lower()], RANDOM["params"], case)


TAILS_CUT_OFF = {10, 12, 14, 15, 17, 24, 27}
"""The random Thurstone-Mosteller cases in which the peer is off by more than its tolerance.

It replaces v of a draw by its asymptote where a draw is less likely than 1e-5, v of a win below
the precision of floats, and takes w = v (v + t) from digits that cancel.
"""

THURSTONE_MOSTELLER = [case for case in RANDOM["cases"] if case["kind"] == "ThurstoneMostellerFull"]


@cache
def nodes_and_weights():
    return np.polynomial.legendre.leggauss(400)


def integrated(lead, low, high):
    """Return v and w of N(lead, 1) cut to low..high, its moments integrated number by number."""
    peak = min(max(lead, low), high)
    near = max(low, peak - 12.0), min(high, peak + 12.0)
    # Far out the density falls within 1/distance.
    width = 40.0 / max(abs(peak - lead), 1.0)
    near = max(near[0], peak - max(width, 0.0)), min(near[1], peak + max(width, 0.0))
    nodes, weights = nodes_and_weights()
    x = 0.5 * (near[1] - near[0]) * nodes + 0.5 * (near[1] + near[0])
    density = weights * np.exp(-0.5 * (x - peak) * (x + peak - 2.0 * lead))
    total = density.sum()
    # From the peak, so that nothing cancels.
    mean = (density * (x - peak)).sum() / total
    variance = (density * np.square(x - peak - mean)).sum() / total
    return peak - lead + mean, 1.0 - variance


def of_the_peer(lead, low, high):
    """Return v and w as openskill 6.2.0 does."""
    exact = NormalDist()
    least = sys.float_info.epsilon
    if high == math.inf:
        past = lead - low
        chance = exact.cdf(past)
        if chance < least:
            return -past, 1.0 if lead < 0 else 0.0
        v = exact.pdf(past) / chance
        return v, v * (v + past)
    size, margin = abs(lead), high
    chance = exact.cdf(margin - size) - exact.cdf(-margin - size)
    v = (exact.pdf(-margin - size) - exact.pdf(margin - size)) / chance if chance >= 1e-5 else 0.0
    v = math.copysign(1.0, lead) * v if chance >= 1e-5 else -lead + math.copysign(margin, lead)
    if chance < least:
        return v, 1.0
    edges = (margin - size) * exact.pdf(margin - size) + (margin + size) * exact.pdf(-margin - size)
    return v, edges / chance + v * v


def thurstone_mosteller(case, moments):
    """Compute algorithm 3 of the paper, with the moments of truncated normals given."""
    beta, kappa, tau, epsilon = 25 / 6, 1e-4, 25 / 300, 0.1
    ranks = ranks_of(case)
    teams = [
        [(mean, spread * spread + tau * tau) for mean, spread in team]
        for team in case["in"]["teams"]
    ]
    mean = [sum(m for m, _ in team) for team in teams]
    variance = [sum(v for _, v in team) for team in teams]
    after = []
    for i, team in enumerate(teams):
        omega = delta = 0.0
        for q in range(len(teams)):
            if q == i:
                continue
            c = math.sqrt(variance[i] + variance[q] + 2 * beta * beta)
            lead, margin = (mean[i] - mean[q]) / c, epsilon / c
            if ranks[i] == ranks[q]:
                v, w = moments(lead, -margin, margin)
            elif ranks[i] < ranks[q]:
                v, w = moments(lead, margin, math.inf)
            else:
                v, w = moments(-lead, margin, math.inf)
                v = -v
            omega += v / c
            delta += math.sqrt(variance[i]) / c * w / (c * c)
        after.append([(m + v * omega, math.sqrt(v * max(1 - v * delta, kappa))) for m, v in team])
    return after


@pytest.mark.parametrize("case", THURSTONE_MOSTELLER)
def test_random_thurstone_mosteller_matches_agree_with_integrated_moments(case):
    system = create("wenglin", RANDOM["params"] | {"model": "thurstone-mosteller"})
    after = rated(system, sides_of(case["in"]["teams"]), ranks_of(case))
    for members, expected in zip(after, thurstone_mosteller(case, integrated), strict=True):
        for state, values in zip(members, expected, strict=True):
            assert state == approx(values, rel=1e-11, abs=1e-11)


@pytest.mark.parametrize("number", range(len(THURSTONE_MOSTELLER)))
def test_thurstone_mosteller_differs_from_the_peer_where_its_moments_are_off_and_nowhere_else(
    number,
):
    case = THURSTONE_MOSTELLER[number]
    agreed = agrees("thurstone-mosteller", RANDOM["params"], case)
    assert agreed == (number not in TAILS_CUT_OFF)
    by_the_peer = thurstone_mosteller(case, of_the_peer)
    for members, expected in zip(by_the_peer, case["out"]["ratings"], strict=True):
        for state, values in zip(members, expected, strict=True):
            assert state == approx(tuple(values), rel=1e-7, abs=1e-7)


def test_the_prediction_is_by_the_models_own_link():
    sides = [Side(((28.0, 3.0),), ("a",)), Side(((25.0, 4.0),), ("b",))]
    c = (2 * (25 / 6) ** 2 + 9 + 16) ** 0.5
    logistic = 1 / (1 + 2.718281828459045 ** (-3 / c))
    assert create("wenglin").predict(sides, at=0).win == approx(logistic)
    normal = create("wenglin", {"model": "thurstone-mosteller"}).predict(sides, at=0)
    assert normal.win < logistic + 0.2 and normal.win > logistic


@pytest.mark.parametrize("engine", ["plain", "compiled"])
@given(data=st.data())
def test_duels_have_the_same_bits_among_other_matches(engine, data):
    """A log of nothing but duels is rated by a loop of its own."""
    if engine == "compiled" and not numba_is_installed():
        pytest.skip("Numba is not installed")
    keys = ["a", "b", "c", "d"]
    duel = st.fixed_dictionaries(
        {
            "sides": st.permutations(keys).map(lambda chosen: [[key] for key in chosen[:2]]),
            "ranks": st.sampled_from([(0, 1), (1, 0), (0, 0)]),
            "handicaps": st.tuples(*[st.sampled_from([0.0, 1.5, -40.0, 1e5])] * 2),
            "weight": st.sampled_from([1.0, 0.3, 10.0]),
        }
    )
    duels = data.draw(st.lists(duel, min_size=1, max_size=12))
    mean, deviation = st.floats(-1e4, 1e4), st.floats(1e-3, 1e3)
    start = np.array(data.draw(st.lists(st.tuples(mean, deviation), min_size=4, max_size=4)))
    newcomers = np.full((3, 2), np.nan)
    free_for_all = {"at": 400 * DAY, "sides": [["x"], ["y"], ["z"]], "ranks": (0, 1, 2)}
    everyone = {"at": -DAY, "sides": [[key] for key in keys], "ranks": (0, 1, 2, 3)}
    system = create("wenglin", {"size_advantage": 0.7})
    alone = match_log([everyone, *duels]).part(1, len(duels) + 1)
    among = match_log([everyone, *duels, free_for_all]).part(1, len(duels) + 2)
    one = system.replay(alone, start, engine=engine)
    other = system.replay(among, np.concatenate((start, newcomers)), engine=engine)
    assert same_bits(one.after, np.ascontiguousarray(other.after[: len(one.after)]))


def test_weight_multiplies_both_sums():
    system = create("wenglin", {"tau": 0})
    moves = []
    for weight in (1.0, 2.0):
        match = match_log([{"sides": [["a"], ["b"]], "ranks": (0, 1), "weight": weight}])
        mean, deviation = system.rate(match, [None, None]).states[0]
        moves.append((mean - 25.0, 1 - (deviation / (25 / 3)) ** 2))
    assert moves[1] == approx((2 * moves[0][0], 2 * moves[0][1]))


@pytest.mark.parametrize("name", ["wenglin", "glicko"])
def test_partial_play_is_refused_with_the_reason(name):
    match = match_log([{"sides": [["a"], [("b", 0.5)]], "ranks": (0, 1)}])
    assert "partial play" in create(name).refusals(match)[0][1]
