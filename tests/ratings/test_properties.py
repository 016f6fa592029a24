"""What must hold of every system, whatever the match and the states."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pytest import approx

from ratings import Glicko2, Side, create
from ratings.log import DAY
from ratings.registry import list_systems
from ratings.system import Reach
from tests.ratings.logs import match_log

RATING = [info.name for info in list_systems() if info.reach is not Reach.BATCH]
PREDICTING = [name for name in RATING if name != "ladder"]
SKILLS = ("trueskill", "wenglin")

every_system = pytest.mark.parametrize("name", RATING)
every_predicting_system = pytest.mark.parametrize("name", PREDICTING)
# `RUNGS_HYPOTHESIS=thorough` asks for 1,500.
usual = settings().max_examples
examples = settings(max_examples=min(2 * usual, max(200, usual)))

ratings_of = {
    "elo": st.tuples(st.floats(-3000, 6000), st.integers(0, 500).map(float)),
    "zerosum": st.tuples(st.floats(-50, 50)),
    "becker": st.tuples(st.floats(0, 5000)),
    "glicko2": st.tuples(st.floats(-6, 6), st.floats(0.2, 2), st.floats(0.04, 0.08), st.just(0.0)),
    "glicko": st.tuples(st.floats(-9, 9), st.floats(0.05, 2.0), st.just(0.2), st.just(0.0)),
    "trueskill": st.tuples(st.floats(-100, 150), st.floats(0.1, 8.3)),
    "wenglin": st.tuples(st.floats(-100, 150), st.floats(0.1, 8.3)),
}


@st.composite
def matches(draw, name, most_sides=4, most_members=3, own_sizes=True, ties=True):
    """Draw sides with states and ranks."""
    sides = draw(st.integers(2, most_sides))
    most = 1 if name == "ladder" else most_members
    size = draw(st.integers(1, most))
    sizes = [draw(st.integers(1, most)) if own_sizes else size for _ in range(sides)]
    keys = iter("abcdefghijklmnop")
    ranks = draw(st.lists(st.integers(0, 3), min_size=sides, max_size=sides))
    if not ties:
        ranks = list(draw(st.permutations(range(sides))))
    if name == "ladder":
        rungs = iter(draw(st.permutations(range(1, sides + 1))))
        state = st.builds(lambda: (float(next(rungs)),))
    else:
        state = ratings_of[name]
    made = []
    for count in sizes:
        names = tuple(next(keys) for _ in range(count))
        made.append(Side(tuple(draw(state) for _ in names), names))
    return made, ranks


def rated(system, sides, ranks, at=0, **match):
    log = match_log([{"at": at, "sides": [side.keys for side in sides], "ranks": ranks, **match}])
    states = {k: s for side in sides for k, s in zip(side.keys, side.states, strict=True)}
    result = system.rate(log, [states[key] for key in log.keys])
    return dict(zip(log.keys, result.states, strict=True))


@every_system
@examples
@given(data=st.data())
def test_the_order_of_sides_and_members_does_not_matter(name, data):
    system = create(name)
    sides, ranks = data.draw(matches(name))
    order = data.draw(st.permutations(range(len(sides))))
    turned = [Side(sides[i].states[::-1], sides[i].keys[::-1]) for i in order]
    assert rated(system, turned, [ranks[i] for i in order]) == rated(system, sides, ranks)


@every_system
@examples
@given(data=st.data())
def test_nothing_becomes_infinite_or_no_number(name, data):
    system = create(name)
    sides, ranks = data.draw(matches(name))
    weight = data.draw(st.floats(1e-300, 10))
    after = rated(system, sides, ranks, weight=weight)
    assert all(math.isfinite(value) for state in after.values() for value in state)


@pytest.mark.parametrize("name", ["elo", "trueskill", "wenglin", "zerosum", "becker"])
@examples
@given(data=st.data())
def test_not_even_inputs_at_the_edge_of_the_numbers_do(name, data):
    system = create(name)
    huge = st.sampled_from([0.0, 1e-300, 1e150, 1e300])
    sign = st.sampled_from([-1.0, 1.0]) if name != "becker" else st.just(1.0)
    sides, ranks = data.draw(matches(name))
    moved = [
        Side(
            tuple((data.draw(huge) * data.draw(sign), *state[1:]) for state in side.states),
            side.keys,
        )
        for side in sides
    ]
    after = rated(system, moved, ranks)
    assert all(math.isfinite(value) for state in after.values() for value in state)
    prediction = system.predict(moved, at=0)
    assert all(0.0 <= value <= 1.0 for value in prediction.expected)


@pytest.mark.parametrize("name", PREDICTING)
@examples
@given(data=st.data())
def test_a_winner_of_two_sides_never_falls_and_a_loser_never_rises(name, data):
    system = create(name)
    sides, _ = data.draw(matches(name, most_sides=2))
    after = rated(system, sides, (0, 1))
    slack = 1e-9
    for side, sign in zip(sides, (1.0, -1.0), strict=True):
        for key, before in zip(side.keys, side.states, strict=True):
            assert sign * (after[key][0] - before[0]) >= -slack


@pytest.mark.parametrize("name", PREDICTING)
@examples
@given(data=st.data())
def test_the_better_the_result_the_better_the_rating(name, data):
    system = create(name)
    sides, _ = data.draw(matches(name, most_sides=2))
    lost, drawn, won = (rated(system, sides, ranks) for ranks in ((1, 0), (0, 0), (0, 1)))
    for key in sides[0].keys:
        assert lost[key][0] <= drawn[key][0] + 1e-9
        assert drawn[key][0] <= won[key][0] + 1e-9


@examples
@given(data=st.data(), k=st.floats(1, 400))
def test_elos_sum_is_kept_with_one_k_and_equal_sizes(data, k):
    sides, ranks = data.draw(matches("zerosum", own_sizes=False))
    after = rated(create("elo", {"policy": "constant", "k": k}), sides, ranks)
    before = math.fsum(state[0] for side in sides for state in side.states)
    assert math.fsum(state[0] for state in after.values()) == approx(before, abs=1e-9)


@examples
@given(data=st.data())
def test_the_zero_sum_is_kept(data):
    sides, ranks = data.draw(matches("zerosum"))
    after = rated(create("zerosum"), sides, ranks)
    before = math.fsum(state[0] for side in sides for state in side.states)
    assert math.fsum(state[0] for state in after.values()) == approx(before, abs=1e-9)


@examples
@given(data=st.data(), tau=st.floats(0.1, 2), weight=st.floats(0.01, 10))
def test_the_bounds_of_inversus_hold(data, tau, weight):
    sides, ranks = data.draw(matches("glicko2"))
    after = rated(Glicko2(tau=tau), sides, ranks, at=900 * DAY, weight=weight)
    for mean, deviation, volatility, _ in after.values():
        assert -6.045 <= mean <= 6.045
        assert 0.175 <= deviation <= 2.015
        assert 0.04 <= volatility <= 0.08


@pytest.mark.parametrize("name", SKILLS)
@examples
@given(data=st.data())
def test_a_match_never_adds_more_uncertainty_than_tau(name, data):
    system = create(name)
    sides, ranks = data.draw(matches(name))
    after = rated(system, sides, ranks)
    for side in sides:
        for key, before in zip(side.keys, side.states, strict=True):
            assert after[key][1] ** 2 <= before[1] ** 2 + system.parameters.tau**2 + 1e-9


@pytest.mark.parametrize(
    "system",
    [
        Glicko2(),
        Glicko2(preset="glickman"),
        create("glicko"),
        create("trueskill", {"idle_variance": 0.01}),
        create("becker", {"decay": 3}),
    ],
    ids=lambda system: f"{system.name}-{len(system.columns)}",
)
@examples
@given(data=st.data(), days=st.lists(st.integers(0, 3000), min_size=2, max_size=2))
def test_absence_is_monotone(system, data, days):
    state = data.draw(ratings_of[system.name])
    state = (*state, *[0.0] * (len(system.columns) - len(state)))
    sooner, later = (system.idle(state, day * DAY) for day in sorted(days))
    if system.name == "becker":
        assert 0.0 <= later[0] <= sooner[0] <= state[0]
    else:
        assert state[1] <= sooner[1] <= later[1]
        assert later[0] == state[0]


@every_predicting_system
@examples
@given(data=st.data())
def test_probabilities_add_to_one_whatever_the_sides(name, data):
    system = create(name)
    sides, _ = data.draw(matches(name))
    prediction = system.predict(sides, at=0)
    assert math.fsum(prediction.expected) == approx(len(sides) / 2)
    for row in (*prediction.places, *zip(*prediction.places, strict=True)):
        assert math.fsum(row) == approx(1.0, abs=1e-6)
    if prediction.win is not None:
        total = prediction.win + prediction.draw + prediction.loss
        assert total == approx(1.0, abs=1e-12)
    assert 0.0 <= system.quality(sides, at=0) <= 1.0 + 1e-12


@every_predicting_system
@examples
@given(data=st.data())
def test_swapping_the_sides_mirrors_the_prediction(name, data):
    system = create(name)
    sides, _ = data.draw(matches(name, most_sides=2))
    there, back = system.predict(sides, at=0), system.predict(sides[::-1], at=0)
    assert there.win == approx(back.loss, abs=1e-12)
    assert there.draw == approx(back.draw, abs=1e-12)
