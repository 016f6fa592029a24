from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from ratings.parameters import ParameterError, build, describe, figures
from ratings.registry import create, list_systems
from ratings.systems.elo import EloParameters

EVERY_SYSTEM = pytest.mark.parametrize("info", list_systems(), ids=lambda info: info.name)


@EVERY_SYSTEM
def test_every_parameter_has_a_label_a_meaning_and_an_acceptable_default(info):
    for description in info.descriptions:
        assert description.label and description.meaning.endswith(".")
        build(info.parameters, {description.name: description.default})


@EVERY_SYSTEM
def test_every_parameter_refuses_what_is_no_value_of_its_kind(info):
    for description in info.descriptions:
        for value in (float("nan"), float("inf"), True, "1_000", "٣", object()):
            if description.kind == "flag" and value is True:
                continue
            with pytest.raises(ParameterError):
                build(info.parameters, {description.name: value})


@EVERY_SYSTEM
def test_every_limit_refuses_what_lies_beyond(info):
    for description in info.descriptions:
        if description.most is not None:
            with pytest.raises(ParameterError, match="at most"):
                beyond = description.most + 1
                value = f"goal {beyond}" if description.kind == "values" else beyond
                build(info.parameters, {description.name: value})
        if description.over is not None:
            with pytest.raises(ParameterError, match="over"):
                build(info.parameters, {description.name: description.over})


def test_values_may_be_written_as_a_form_gives_them():
    elo = build(EloParameters, {"k": "24", "games": "12", "cap_400": "yes", "floor": ""})
    assert (elo.k, elo.games, elo.cap_400, elo.floor) == (24.0, 12, True, None)


def test_everything_that_is_wrong_is_named_at_once():
    with pytest.raises(ParameterError) as refused:
        build(EloParameters, {"k": 0, "games": 2.5, "curve": "cubic", "kk": 1})
    assert {name for name, _, _ in refused.value.problems} == {"k", "games", "curve", "kk"}


def test_parameters_check_themselves_however_they_are_made():
    with pytest.raises(ParameterError):
        EloParameters(k=401)
    with pytest.raises(FrozenInstanceError):
        EloParameters().k = 3.0  # type: ignore[misc]


def test_a_description_says_its_range_in_words():
    ranges = {description.name: description.range for description in describe(EloParameters)}
    assert ranges["k"] == "over 0, at most 400"
    assert (
        ranges["floor"]
        == "at least \u22121\u202f000\u202f000, at most 1\u202f000\u202f000, or none"
    )
    assert ranges["teams"] == "mean or duel"
    assert ranges["cap_400"] == "yes or no"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (20.0, "20"),
        (-1e6, "\u22121\u202f000\u202f000"),
        (1234567.25, "1\u202f234\u202f567.25"),
        (1e15, "1\u202f000\u202f000\u202f000\u202f000\u202f000"),
        (1e-6, "0.000001"),
        (0.999, "0.999"),
    ],
)
def test_a_bound_is_written_as_people_read_numbers(value, text):
    assert figures(value) == text


def test_an_unknown_system_is_refused_with_the_names_of_the_known():
    with pytest.raises(ParameterError, match="elo"):
        create("chess")
