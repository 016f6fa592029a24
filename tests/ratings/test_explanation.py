from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest import approx

from ratings import Side, Unanswerable, create
from ratings.explanation import Cause, explain
from ratings.sequential import one_match
from tests.ratings.test_properties import PREDICTING, matches

BOARDS = [
    *((name, {}) for name in PREDICTING),
    ("zerosum", {"shares": True}),
    ("becker", {"use": "scores"}),
    ("elo", {"floor": 1400.0}),
    ("glicko2", {"display": "points"}),
]


def told(system, sides, ranks, player, **match):
    return {
        share.cause: share.amount for share in explain(system, sides, ranks, player, 0, **match)
    }


@pytest.mark.parametrize(("name", "settings"), BOARDS)
@given(data=st.data())
def test_the_shares_add_up_to_the_change(name, settings, data):
    system = create(name, settings)
    sides, ranks = data.draw(matches(name))
    if settings.get("display") == "points":
        sides = [
            Side(tuple((*state, 3000.0, 0.3) for state in side.states), side.keys) for side in sides
        ]
    weight = data.draw(st.sampled_from([0.3, 1.0, 4.0]))
    scores = [float(10 - rank) for rank in ranks]
    log, states = one_match(sides, ranks, 0, None, weight=weight, scores=scores)
    after = system.rate(log, states).states
    for key in log.keys:
        index = log.keys.index(key)
        change = system.display(after[index]).value - system.display(states[index]).value
        shares = told(system, sides, ranks, key, weight=weight, scores=scores)
        assert math.fsum(shares.values()) == approx(change, abs=1e-9)


def settled_duel(system):
    state = system.settled(system.new_player())
    if "last_at" in system.columns:
        state = tuple(
            0.0 if c == "last_at" else v for c, v in zip(system.columns, state, strict=True)
        )
    return [Side((state,), ("a",)), Side((state,), ("b",))]


@pytest.mark.parametrize(("name", "settings"), BOARDS)
def test_between_settled_equals_the_result_is_all_there_is(name, settings):
    system = create(
        name, settings | ({"preset": "glickman"} if name == "glicko2" and not settings else {})
    )
    shares = told(system, settled_duel(system), (0, 1), "a")
    for cause, amount in shares.items():
        assert (amount == 0.0) == (cause is not Cause.RESULT), cause


def test_each_cause_has_its_line_only_where_it_is_there():
    system = create("trueskill")
    one, other = settled_duel(system)
    stronger = Side(((35.0, one.states[0][1]),), ("b",))
    unsure = Side(((25.0, 8.0),), ("b",))
    newcomer = Side(((25.0, 8.0),), ("a",))
    pair = Side((one.states[0], (24.0, 3.0)), ("a", "c"))
    cases = {
        Cause.OPPONENT_STRENGTH: ([one, stronger], {}),
        Cause.OPPONENT_UNCERTAINTY: ([one, unsure], {}),
        Cause.OWN_UNCERTAINTY: ([newcomer, other], {}),
        Cause.TEAM: ([pair, other], {}),
        Cause.WEIGHT: ([one, other], {"weight": 2.0}),
    }
    for cause, (sides, match) in cases.items():
        shares = told(system, sides, (0, 1), "a", **match)
        moved = {found for found, amount in shares.items() if amount and found is not Cause.RESULT}
        assert moved == {cause}


def test_a_system_without_a_cause_has_no_line_for_it():
    state = Side(((0.3,),), ("a",)), Side(((0.1,),), ("b",))
    causes = set(told(create("zerosum"), state, (0, 1), "a"))
    assert causes == {Cause.RESULT, Cause.OPPONENT_STRENGTH, Cause.TEAM, Cause.WEIGHT}
    assert Cause.SCORE in told(create("zerosum", {"shares": True}), state, (0, 1), "a")
    for name in ("ladder", "static"):
        with pytest.raises(Unanswerable):
            told(create(name), state, (0, 1), "a")


def test_bounds_have_a_line_where_they_bind():
    low = Side(((1401.0, 50.0),), ("a",)), Side(((1401.0, 50.0),), ("b",))
    shares = told(create("elo", {"floor": 1400.0}), low, (1, 0), "a")
    assert shares[Cause.BOUNDS] == approx(9.0)
