from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest import approx

from ratings import Side, Unanswerable, create
from ratings.explanation import Cause, explain
from ratings.log import DAY, EventKind, Events
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


NAN = math.nan
KINDS = (EventKind.FRAG, EventKind.CAPTURE, EventKind.SUICIDE, EventKind.TEAM_KILL)
APRIL_2020 = 18_353 * DAY

# What a board tells beside the match: its own state, or who was born when.
SETTINGS = [
    ("elo", {"policy": "fide"}, None, [((2250.0, 0.0, 40.0), 2003), ((2150.0, 0.0, 12.0), 0)]),
    ("elo", {"policy": "fide"}, None, [((NAN,) * 3, 2004), ((2405.0, 1.0, 80.0), 2004)]),
    ("zerosum", {}, (5.0, 6.0, 0.0), [((NAN,), 0), ((5.5,), 0)]),
    ("zerosum", {"display": "fixed-range"}, (5.0, 6.0, 0.0, 0.7), [((NAN,), 0), ((4.0,), 0)]),
    ("zerosum", {"anchors": True}, (1.0, 3.0, 0.0), [((1.5, 1.0), 0), ((0.2, 0.0), 0)]),
    ("zerosum", {"decay": 0.1}, (1.0, 3.0, 2621.0), [((NAN, NAN), 0), ((0.2, 2621.0), 0)]),
    ("becker", {"start": 50.0, "decay": 2.0}, (0.0,) * 5, [((NAN, NAN), 0), ((80.0, 611.0), 0)]),
    ("glicko2", {"period": "calendar"}, None, [((NAN,) * 8, 0), ((NAN,) * 8, 0)]),
]


def changes(system, sides, ranks, at, board, **match):
    """Return what rating the match changes of each shown value, newcomers joined by `rate`."""
    log, states = one_match(sides, ranks, at, None, **match)
    rated = system.rate(log, states, board).states
    found = {}
    for key, before, after in zip(log.keys, states, rated, strict=True):
        is_new = before[0] != before[0]
        now = system.idle(system.new_player(board) if is_new else before, at)
        found[key] = system.display(after, board).value - system.display(now, board).value
    return found


@pytest.mark.parametrize(("name", "settings", "board", "players"), SETTINGS)
@pytest.mark.parametrize("size", [1, 2])
@pytest.mark.parametrize("ranks", [(0, 1), (1, 0), (0, 0)])
def test_the_shares_add_up_whoever_plays_on_whatever_board(
    name, settings, board, players, size, ranks
):
    system = create(name, settings)
    sides = [
        Side(
            (state,) * size, tuple(f"{number}{n}" for n in range(size)), birth_years=(born,) * size
        )
        for number, (state, born) in enumerate(players)
    ]
    for key, change in changes(system, sides, ranks, APRIL_2020, board, weight=2.0).items():
        shares = explain(system, sides, ranks, key, APRIL_2020, weight=2.0, board=board)
        assert math.fsum(share.amount for share in shares) == approx(change, abs=1e-9)


@pytest.mark.parametrize("settings", [{}, {"anchors": True}])
@pytest.mark.parametrize("name", ["zerosum", "becker", "elo"])
@given(data=st.data())
def test_the_shares_add_up_where_events_are_rated(name, settings, data):
    if settings and name != "zerosum":
        return
    system = create(name, settings)
    sides, ranks = data.draw(matches(name))
    if settings:
        sides = [Side(tuple((*s, 0.0) for s in side.states), side.keys) for side in sides]
    members = st.integers(0, sum(len(side.keys) for side in sides) - 1)
    happened = data.draw(
        st.lists(st.tuples(st.sampled_from(KINDS), members, members), min_size=1, max_size=6)
    )
    events = Events(
        match=[0] * len(happened),
        kind=[int(kind) for kind, _, _ in happened],
        actor=[one for _, one, _ in happened],
        target=[-1 if one == other else other for _, one, other in happened],
        value=[2.0] * len(happened),
    )
    for key, change in changes(system, sides, ranks, 0, None, events=events).items():
        shares = told(system, sides, ranks, key, events=events)
        assert math.fsum(shares.values()) == approx(change, abs=1e-9)


def test_between_equals_the_events_are_the_result():
    system = create("becker")
    sides = [Side(((400.0,),), (key,)) for key in "ab"]
    frags = Events(match=[0, 0], kind=[0, 0], actor=[0, 0], target=[1, 1])
    shares = told(system, sides, (1, 0), "a", events=frags)
    assert shares[Cause.RESULT] > 3.9
    assert not any(amount for cause, amount in shares.items() if cause is not Cause.RESULT)


def test_what_the_team_mates_fragged_is_the_team_s_share():
    system = create("becker")
    sides = [Side(((400.0,), (400.0,)), ("a", "b")), Side(((400.0,),), ("c",))]
    frag = Events(match=[0], kind=[0], actor=[1], target=[2])
    assert not any(told(system, sides, (0, 1), "a", events=frag).values())
    shares = told(system, sides, (0, 1), "b", events=frag)
    assert shares[Cause.RESULT] == approx(2.0)


def test_the_doubled_k_of_a_junior_is_no_share_of_a_team():
    system = create("elo", {"policy": "fide"})
    sides = [
        Side(((2000.0, 0.0, 50.0),), ("a",), birth_years=(2005,)),
        Side(((2000.0, 0.0, 50.0),), ("b",), birth_years=(0,)),
    ]
    shares = {s.cause: s.amount for s in explain(system, sides, (0, 1), "a", APRIL_2020)}
    assert (shares[Cause.RESULT], shares[Cause.TEAM]) == (20.0, 0.0)


def test_a_stand_in_of_a_newcomer_and_another_has_not_been_away_for_ever():
    system = create("becker", {"decay": 2.0, "period_days": 7})
    week = float(APRIL_2020 // DAY // 7)
    one = Side(((300.0, week),), ("a",))
    pair = Side(((NAN, NAN), (300.0, week)), ("b", "c"))
    shares = {s.cause: s.amount for s in explain(system, [one, pair], (0, 1), "a", APRIL_2020)}
    assert shares[Cause.TEAM] == approx(0.0, abs=1e-12)


def test_who_took_no_part_has_nothing_explained():
    sides = [Side(((1500.0, 9.0),), (key,)) for key in "ab"]
    with pytest.raises(ValueError, match="'c' did not take part in this match"):
        told(create("elo"), sides, (0, 1), "c")


@pytest.mark.parametrize("name", PREDICTING)
def test_a_handicap_is_a_cause_of_its_own_where_there_is_one(name):
    system = create(name)
    one, other = settled_duel(system)
    given = replace(one, handicap=64.0 * system.handicap_unit)
    shares = told(system, [given, other], (0, 1), "a")
    without = told(system, [one, other], (0, 1), "a")
    assert Cause.HANDICAP not in without
    assert shares[Cause.HANDICAP] < 0.0
    assert {cause: amount for cause, amount in shares.items() if cause is not Cause.HANDICAP} == (
        approx(without, abs=1e-9)
    )
