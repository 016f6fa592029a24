"""What every system refuses to answer, in words and in the same way for every question."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from ratings import Side, Unanswerable, create
from ratings.registry import list_systems
from tests.ratings.logs import match_log

NAMES = [info.name for info in list_systems()]
QUESTIONS = {
    "predict": lambda system, sides: system.predict(sides, 0),
    "preview": lambda system, sides: system.preview(sides, 0),
    "quality": lambda system, sides: system.quality(sides, 0),
    "pending": lambda system, sides: system.pending(sides, "a", 0),
}

every_system = pytest.mark.parametrize("name", NAMES)
every_question = pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)


def duel(system, **changed):
    state = system.new_player()
    return [replace(Side((state,), ("a",)), **changed), Side((state,), ("b",))]


def no_matches(system):
    """Return what is no match, by what is wrong with it."""
    state = system.new_player()
    one, other = duel(system)
    nobody = Side((), ())
    return {
        "nobody": [],
        "one side": [one],
        "a side of nobody": [one, nobody],
        "three sides, one of nobody": [one, other, nobody],
        "a state too few": [Side((), ("a",)), other],
        "a state too many": [Side((state, state), ("a",)), other],
        "a share too many": duel(system, shares=(1.0, 1.0)),
        "a birth year too many": duel(system, birth_years=(1990, 1991)),
        "a state of another system": duel(system, states=((*state, 1.0),)),
        "an infinite state": duel(system, states=((math.inf,) * len(state),)),
        "a handicap that is no number": duel(system, handicap=math.nan),
        "an infinite handicap": duel(system, handicap=math.inf),
        "a share of nothing": duel(system, shares=(0.0,)),
        "a share that is no number": duel(system, shares=(math.nan,)),
    }


@every_system
@every_question
def test_what_is_no_match_is_refused_in_words(name, question):
    system = create(name)
    for what, sides in no_matches(system).items():
        with pytest.raises(Unanswerable, match=r"\w+ \w+"):
            question(system, sides)
            pytest.fail(f"{what} was answered")


@pytest.mark.parametrize("name", ["ladder", "glicko", "wenglin", "static"])
@every_question
def test_partial_play_is_refused_where_a_log_of_it_is(name, question):
    system = create(name)
    sides = duel(system, shares=(0.1,))
    with pytest.raises(Unanswerable):
        question(system, sides)
    match = match_log([{"sides": [[("a", 0.1)], ["b"]], "ranks": (0, 1)}])
    ((_, reason),) = system.refusals(match)
    with pytest.raises(Unanswerable, match=reason):
        system.rate(match, [None, None])


@every_question
def test_a_ladder_refuses_teams_whatever_it_is_asked(question):
    system = create("ladder")
    team = Side(((1.0,), (4.0,)), ("a", "c"))
    with pytest.raises(Unanswerable):
        question(system, [team, Side(((2.0,), (3.0,)), ("b", "d"))])
    match = match_log([{"sides": [["a", "b"], ["c", "d"]], "ranks": (0, 1)}])
    with pytest.raises(Unanswerable, match="not teams"):
        system.rate(match, [(1.0,), (2.0,), (3.0,), (4.0,)])


@every_system
def test_parameters_and_settings_at_once_are_refused(name):
    system = create(name)
    with pytest.raises(TypeError, match="not both"):
        type(system)(system.parameters, k=30)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "static"])
def test_a_player_never_seen_may_be_given_as_such(name):
    system = create(name)
    unseen = (math.nan,) * len(system.columns)
    known = system.predict([Side((system.new_player(),), (key,)) for key in "ab"], 0)
    assert system.predict([Side((unseen,), (key,)) for key in "ab"], 0) == known
