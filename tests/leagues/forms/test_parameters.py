"""The fields of a system's parameters: bounds in words, choices that say what they do."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError

from leagues import bridge
from leagues.forms.parameters import parameter_field
from leagues.rulebook.choices import CHOICES
from ratings.parameters import Description

DESCRIPTIONS = [
    pytest.param(description, id=f"{info.name}-{description.name}")
    for info in bridge.systems()
    for description in info.descriptions
]


def described(system: str, name: str) -> Description:
    return next(found for found in bridge.describe_system(system) if found.name == name)


def refusal(description: Description, typed: str) -> str:
    with pytest.raises(ValidationError) as caught:
        parameter_field(description).clean(typed)
    return str(caught.value.messages[0]).replace("\u202f", " ")


@pytest.mark.parametrize("typed", ["1000001", "9" * 30, "1e308", "1e999", "-1E9"])
def test_a_number_out_of_bounds_is_refused_with_the_bounds(typed: str) -> None:
    said = refusal(described("elo", "start"), typed)
    assert said == "This must be at least \u22121 000 000, at most 1 000 000."


def test_a_bound_below_one_is_written_out() -> None:
    said = refusal(described("trueskill", "sigma"), "0")
    assert said == "This must be at least 0.000001, at most 1 000 000."


@pytest.mark.parametrize("typed", ["\u22125", "-5", "1500.25", ".5", "1e3"])
def test_numbers_are_taken_as_people_write_them(typed: str) -> None:
    taken = parameter_field(described("elo", "start")).clean(typed)
    assert bridge.checked_parameters("elo", {"start": taken})


@pytest.mark.parametrize("description", DESCRIPTIONS)
def test_what_a_field_begins_with_is_what_the_system_begins_with(description: Description) -> None:
    field = parameter_field(description)
    initial = field.initial
    assert "e+" not in str(field.help_text)
    if description.kind in ("number", "integer") and initial is not None:
        assert float(field.clean(initial)) == description.default
        assert len(str(initial).strip("-0.")) <= 8


def test_every_choice_is_put_into_words() -> None:
    words = {word for info in bridge.systems() for row in info.descriptions for word in row.choices}
    assert words == set(CHOICES)


@pytest.mark.parametrize("description", DESCRIPTIONS)
def test_two_choices_of_one_parameter_read_differently(description: Description) -> None:
    if description.kind == "choice":
        read = [str(label) for _word, label in parameter_field(description).choices]
        assert len(set(read)) == len(read)
