from __future__ import annotations

import json
import math

import pytest
from pytest import approx

from ratings import create
from ratings.log import DAY
from ratings.systems.glicko2.period import compared, end_period, reduction
from ratings.systems.glicko2.scale import CENTRE, SCALE
from tests.ratings.logs import GOLDEN, duel_log

VECTORS = json.loads((GOLDEN / "glicko1_glickman.json").read_text())


def cases(kind):
    return [case for case in VECTORS["cases"] if case["kind"] == kind]


@pytest.mark.parametrize("case", cases("rate"))
def test_a_period_agrees_with_glickmans_example(case):
    """The paper rates three opponents as one period; a board rates match by match."""
    rating, rd = case["in"]["player"]
    mu, phi = (rating - CENTRE) / SCALE, rd / SCALE
    opponents = [((r - CENTRE) / SCALE, d / SCALE) for r, d in case["in"]["opponents"]]
    told = [
        compared(mu, theirs, deviation, float(score))
        for (theirs, deviation), score in zip(opponents, case["in"]["scores"], strict=True)
    ]
    information, gain = (math.fsum(column) for column in zip(*told, strict=True))
    free = (math.inf, 0.0, math.inf, 0.0, math.inf)
    after = end_period(mu, phi, 0.06, information, gain, 0.0, 0.0, free)
    out, tolerance = case["out"], case["tol"]
    assert CENTRE + SCALE * after[0] == approx(out["rating"], abs=tolerance["rating"])
    assert SCALE * after[1] == approx(out["rd"], abs=tolerance["rd"])
    assert SCALE * SCALE / information == approx(out["d2"], abs=tolerance["d2"])
    g = [reduction(deviation) for _, deviation in opponents]
    assert g == approx(out["g"], abs=tolerance["g"])
    expected = [
        1 / (1 + math.exp(-weight * (mu - theirs)))
        for weight, (theirs, _) in zip(g, opponents, strict=True)
    ]
    assert expected == approx(out["E"], abs=tolerance["E"])


@pytest.mark.parametrize("case", cases("inactivity"))
def test_the_deviation_grows_by_c_per_root_of_a_period(case):
    given = case["in"]
    glicko = create("glicko", {"c": given["c"], "period_days": 1})
    state = (0.0, given["rd"] / SCALE, given["c"] / SCALE, 0.0)
    idle = glicko.idle(state, given["periods"] * DAY)
    assert SCALE * idle[1] == approx(case["out"]["rd"], abs=case["tol"])


@pytest.mark.parametrize("case", cases("c_from_inactivity"))
def test_c_is_what_takes_a_typical_deviation_to_that_of_a_newcomer(case):
    given = case["in"]
    c = case["out"]["c"]
    glicko = create("glicko", {"c": c, "period_days": 1})
    idle = glicko.idle((0.0, given["rd_typical"] / SCALE, c / SCALE, 0.0), given["periods"] * DAY)
    assert SCALE * idle[1] == approx(given["rd_new"], abs=1.0)


def test_a_match_adds_no_uncertainty_of_its_own():
    glicko = create("glicko")
    replay = glicko.replay(duel_log([("a", "b", 1.0)], at=0))
    state = replay.final[0]
    phi = 350 / SCALE
    g = reduction(phi)
    assert state[1] == approx(1 / math.sqrt(1 / phi**2 + g * g / 4))
    assert state[2] == 34.6 / SCALE
