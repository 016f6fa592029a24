"""Whatever a log or a question holds: an answer of finite numbers, or the declared error."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings import (
    Elo,
    Events,
    Glicko2,
    MatchLog,
    ParameterError,
    Side,
    TrueSkill,
    Unanswerable,
    create,
    list_systems,
)
from ratings.log import MAX_HANDICAP
from ratings.parameters import Parameters
from ratings.system import Reach
from tests.ratings.logs import match_log

NAMES = [info.name for info in list_systems()]
every_system = pytest.mark.parametrize("name", NAMES)
usual = settings().max_examples
examples = settings(max_examples=min(2 * usual, max(150, usual)))

ODD = [
    math.inf, -math.inf, math.nan, -0.0, 5e-324, 1e308, -1e308, 0.5, -1, 0, 1, 2, 11,
    2**53 + 1, 2**62, 2**63 - 1, 2**63, -(2**63), 2**64, 10**400, True, False, "1", "", "x", b"1",
    None, [], [0], 1j, np.datetime64("2026-01-01"),
]  # fmt: skip
odd_values = st.one_of(st.sampled_from(ODD), st.floats(), st.integers())

COLUMNS = {
    "keys": ["b", "a", "c"],
    "at": [0, 1],
    "day": [0, 0],
    "match": [0, 0, 1, 1],
    "side": [0, 1, 0, 1],
    "rank": [0, 1, 1, 1],
    "player": [0, 1, 1, 2],
    "weight": [1.0, 2.0],
    "score": [3.0, 1.0, math.nan, 0.0],
    "handicap": [0.0, 5.0, 0.0, -5.0],
    "share": [1.0, 1.0, 1.0, 1.0],
    "birth_year": [1990, 0, 2001],
}
EVENTS = {
    "match": [0, 1, 1],
    "kind": [0, 2, 1],
    "actor": [0, 1, 2],
    "target": [1, -1, -1],
    "value": [1.0, 1.0, 0.5],
}


@st.composite
def spoilt(draw, columns):
    """Draw columns of which some hold odd values, are too long, too short or no columns."""
    made = {name: list(values) for name, values in columns.items()}
    for name in draw(st.sets(st.sampled_from(sorted(columns)), min_size=1, max_size=2)):
        how = draw(st.sampled_from(["value", "value", "value", "longer", "shorter", "none", "odd"]))
        if how == "value":
            made[name][draw(st.integers(0, len(made[name]) - 1))] = draw(odd_values)
        elif how == "longer":
            made[name].append(draw(odd_values))
        elif how == "shorter":
            made[name].pop()
        elif how == "none":
            made[name] = []
        elif name != "keys":
            made[name] = draw(odd_values)
    return made


def is_sound(log):
    numbers = (log.weight, log.handicap, log.share, log.event_value)
    return (
        all(np.isfinite(column).all() for column in numbers)
        and not np.isinf(log.score).any()
        and (np.diff(log.at) >= 0).all()
        and (np.diff(log.side_start) >= 2).all()
        and (np.diff(log.member_start) >= 1).all()
    )


@settings(max_examples=min(10 * usual, max(1000, usual)))
@given(columns=spoilt(COLUMNS), events=st.one_of(st.none(), spoilt(EVENTS)))
def test_a_log_is_sound_or_refused(columns, events):
    try:
        log, _ = MatchLog.build(**columns, events=Events(**events) if events else None)
    except ValueError as problem:
        assert str(problem)
    else:
        assert is_sound(log)


@pytest.mark.parametrize(
    ("column", "values", "words"),
    [
        ("at", [math.inf, math.inf], "at, row 0: inf is not a whole number"),
        ("at", [0, 2**61], "at, row 1: 2305843009213693952 is not a whole number"),
        ("at", ["0", "1"], "at, row 0: 0 is not a whole number"),
        ("rank", [math.inf, 1, 0, 0], "rank, row 0: inf is not a whole number"),
        ("rank", [2**63, 0, 0, 1], "rank, row 0: .* is not a whole number"),
        ("rank", [0, 1, 10**400, 1], "rank, row 0: .* is not a whole number"),
        ("rank", [True, False, True, False], "rank, row 0: True is not a whole number"),
        ("rank", [0, 1, 0], "rank must have 4 rows, not 3"),
        ("rank", [[0], [1], [0], [1]], "rank must have one dimension, not 2"),
        ("side", [0, math.nan, 0, 1], "side, row 1: nan is not a whole number"),
        ("match", [0, 0, 1, -1], "a match that does not exist"),
        ("player", [0, -1, 1, 2], "a player who does not exist"),
        ("player", [0, 3, 1, 2], "a player who does not exist"),
        ("player", [0, 0, 1, 2], "'b' takes part twice"),
        ("day", [0, 2**40], "day, row 1: 1099511627776 is not a whole number"),
        ("weight", [1.0, -0.0], "match 1 of the log: 0.0 is not a valid weight"),
        ("weight", [1.0, math.inf], "match 1 of the log: inf is not a valid weight"),
        ("weight", ["1", "1"], "weight, row 0: 1 is not a number"),
        ("weight", [1.0], "weight must have 2 rows, not 1"),
        ("share", [1.0, math.nan, 1.0, 1.0], "match 0 of the log: nan is not a valid share"),
        ("score", [0.0, 0.0, 0.0, -math.inf], "match 1 of the log: -inf is not a valid score"),
        ("score", [None, 0.0, 0.0, 0.0], "score, row 0: None is not a number"),
        ("handicap", [0.0, 1e308, 0.0, 0.0], "match 0 of the log: 1e.308 is not a valid handicap"),
        ("birth_year", [0, -5, 0], "birth_year, row 1: -5 is not a year"),
        ("keys", ["a", "a", "c"], "occurs twice"),
        ("keys", ["a", 1, "c"], "a player key must be text, not 1"),
    ],
)
def test_what_is_wrong_is_named_with_its_column_and_row(column, values, words):
    with pytest.raises(ValueError, match=words):
        MatchLog.build(**(COLUMNS | {column: values}))


def test_nothing_less_than_zero_is_zero():
    rows = {"score": [-0.0, 0.0, 0.0, 0.0], "handicap": [-0.0, 0.0, 0.0, 0.0]}
    log, _ = MatchLog.build(**(COLUMNS | rows))
    assert not np.signbit(log.score).any() and not np.signbit(log.handicap).any()


@every_system
@examples
@given(data=st.data())
def test_parameters_are_taken_or_refused(name, data):
    descriptions = list_systems()[NAMES.index(name)].descriptions
    chosen = data.draw(st.sets(st.sampled_from([d.name for d in descriptions]), max_size=3))
    try:
        system = create(name, {parameter: data.draw(odd_values) for parameter in chosen})
    except ParameterError as problem:
        assert str(problem)
    else:
        assert isinstance(system.parameters, Parameters)


odd_numbers = st.one_of(
    st.sampled_from([value for value in ODD if isinstance(value, float)]),
    st.floats(),
    st.floats(-10, 10),
)


@st.composite
def odd_sides(draw, system):
    """Draw sides of which some have odd states, shares, handicaps, keys, or nobody."""
    made = []
    known = [tuple(system.new_player()), (math.nan,) * len(system.columns)]
    keys = iter("abcdefghijkl")
    for _ in range(draw(st.integers(0, 3))):
        members = draw(st.integers(0, 2))
        states = []
        for _ in range(members):
            state = list(draw(st.sampled_from(known)))
            if draw(st.booleans()):
                state[draw(st.integers(0, len(state) - 1))] = draw(odd_numbers)
            states.append(tuple(state))
        names = [next(keys) for _ in range(members)]
        if names and draw(st.integers(0, 9)) == 0:
            names[0] = "a"
        made.append(
            Side(
                states=tuple(states[: draw(st.integers(0, 20)) or None]),
                keys=tuple(names),
                handicap=draw(st.one_of(st.just(0.0), odd_numbers)),
                shares=draw(st.one_of(st.none(), st.just(tuple(draw(odd_numbers) for _ in names)))),
            )
        )
    return made


def numbers_in(answer):
    """Yield every number of an answer."""
    if isinstance(answer, bool | str) or answer is None:
        return
    if isinstance(answer, int | float):
        yield answer
    elif isinstance(answer, tuple | list):
        for part in answer:
            yield from numbers_in(part)
    elif hasattr(answer, "__slots__"):
        for name in answer.__slots__:
            yield from numbers_in(getattr(answer, name))


@every_system
@examples
@given(data=st.data())
def test_questions_are_answered_in_finite_numbers_or_refused(name, data):
    system = create(name)
    sides = data.draw(odd_sides(system))
    at = data.draw(st.integers(-(2**50), 2**57))
    question = data.draw(st.sampled_from(["predict", "preview", "quality", "pending"]))
    try:
        if question == "pending":
            answer = system.pending(sides, "a", at)
        else:
            answer = getattr(system, question)(sides, at)
    except Unanswerable as problem:
        assert str(problem)
    else:
        assert all(math.isfinite(number) for number in numbers_in(answer))


@every_system
def test_infinite_states_are_refused(name):
    system = create(name)
    if system.reach is Reach.BATCH:
        pytest.skip("it starts from nothing")
    log = match_log([{"sides": [["a"], ["b"]], "ranks": (0, 1)}])
    start = np.full((2, len(system.columns)), math.inf)
    with pytest.raises(ValueError, match="finite"):
        system.replay(log, start)
    with pytest.raises(ValueError, match="finite"):
        system.rate(log, [tuple(row) for row in start.tolist()])


@every_system
def test_nobody_plays_against_themselves(name):
    system = create(name)
    sides = [Side((system.new_player(),), ("a",))] * 2
    for question in (system.predict, system.preview, system.quality):
        with pytest.raises(Unanswerable):
            question(sides, 0)


HANDICAPS = [1e308, -1e308, MAX_HANDICAP, -MAX_HANDICAP, 4001.0, 84.0, 24.0, 10.0, -10.0]


@every_system
@pytest.mark.parametrize("handicap", HANDICAPS)
def test_a_handicap_is_bounded_or_leaves_all_numbers_finite(name, handicap):
    system = create(name)
    sides = [Side((system.new_player(),), ("a",), handicap), Side((system.new_player(),), ("b",))]
    try:
        log = match_log(
            [{"sides": [["a"], ["b"]], "ranks": ranks, "handicaps": [handicap, 0.0]}
             for ranks in ((0, 1), (1, 0), (0, 0))] * 5
        )  # fmt: skip
    except ValueError as problem:
        assert abs(handicap) > MAX_HANDICAP and "not a valid handicap" in str(problem)
        log = None
    is_refused = abs(handicap) > system.max_handicap
    if log is not None:
        assert bool(system.refusals(log)) == is_refused
        if not is_refused and system.reach is not Reach.BATCH:
            assert np.isfinite(system.replay(log).after).all()
    if is_refused:
        with pytest.raises(Unanswerable, match="accepts handicaps from"):
            system.predict(sides, 0)


@pytest.mark.parametrize(
    "system",
    [
        TrueSkill(draw_probability=0.0),
        create("wenglin", {"model": "thurstone-mosteller"}),
        Glicko2(display="points"),
        Elo(curve="gaussian"),
    ],
    ids=lambda system: system.name,
)
def test_the_largest_handicap_of_a_system_is_no_trouble(system):
    most = system.max_handicap
    log = match_log(
        {"sides": [["a"], ["b"]], "ranks": ranks, "handicaps": [sign * most, -sign * most]}
        for sign in (1, -1)
        for ranks in ((0, 1), (1, 0), (0, 0))
    )
    assert not system.refusals(log)
    assert np.isfinite(system.replay(log).after).all()
