"""A body that is read without its serializer has the values it would give, or is left to it."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest
from django.core.validators import MaxLengthValidator, validate_slug
from hypothesis import given
from hypothesis import strategies as st
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from leagues.api import bodies, reports
from leagues.api.fields import Body, Text, Whole
from leagues.api.plain_bodies import NotPlain, reader_of

KINDS = [
    kind
    for module in (bodies, reports)
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, Body) and kind is not Body
]
MATCH: dict[str, Any] = {
    "played_at": "2025-10-01T19:30:00+01:00",
    "same_time_order": 1,
    "kind": "walkover",
    "weight": 2,
    "detail": "3:1",
    "sets": [[6, 4], [7, 6, 5]],
    "events": [{"kind": "frag", "player": "ana", "opponent": "bo", "milliseconds": 7}],
    "sides": [
        {"rank": 1, "score": 3, "players": [{"key": "ana", "own_score": 2, "playing_share": 0.5}]},
        {"rank": 2, "score": None, "players": [{"name": "Bo"}, {"key": "cy"}]},
    ],
}
PLACE = {"season": "spring", "mode": "singles", "create_players": True}
SENT = MATCH | {"external_id": "a"}
CHANGE = {"version": 1, "reason": "Mistyped"}
OTHERS: dict[str, Any] = {"step": "open", "name": "Ana", "key": "ana", "rank": 1, "players": []}
GOOD: list[dict[str, Any]] = [
    {},
    MATCH,
    SENT | PLACE,
    MATCH | CHANGE,
    CHANGE,
    OTHERS,
    {"matches": [MATCH, SENT], **PLACE},
    {"played_on": "2025-10-01", "sides": MATCH["sides"]},
    *MATCH["sides"],
    *MATCH["events"],
    *MATCH["sides"][1]["players"],
    *({name: value} for name, value in OTHERS.items()),
]
ODD = [
    *(None, True, False, 0, 1, -1, 1.0, 0.1, 2**53, 2**53 + 1, 10**17, 999, 1000),
    *("", " ", "1", "a" * 65, "a" * 129, "a" * 201, "a" * 257, "\x07", "\x7f", "\ud800", "é"),
    *("2025-10-01", "2025-13-01", "2025-10-01T19:30:00", "2025-10-01T19:30:00Z", "played", "frag"),
    *([], {}, [None], [[6, 4]], [[6]], [1], {"key": "ana"}),
]


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every list or object within a value, with each place in it."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    found: list[tuple[Any, Any]] = []
    for place, one in inner:
        found.append((value, place))
        if isinstance(one, dict | list):
            found += places(one)
    return found


def changed(body: dict[str, Any], source: random.Random, changes: int) -> dict[str, Any]:
    """The body with some values left out, put in or replaced by odd ones."""
    body = copy.deepcopy(body)
    for _change in range(changes):
        inner, place = source.choice([(body, "odd"), *places(body)])
        choice = source.randrange(4)
        if choice == 0 and place in inner:
            del inner[place]
        elif choice == 1 and isinstance(inner, dict):
            inner[source.choice(["odd", *SENT, *PLACE, *CHANGE, *OTHERS])] = source.choice(ODD)
        else:
            inner[place] = copy.deepcopy(source.choice(ODD))
    return body


def check_equal(kind: type[serializers.Serializer[Any]], body: Any) -> bool:
    """Whether a body was read plainly; fails where its serializer says something else."""
    try:
        plain = reader_of(kind)(body)
    except (NotPlain, ValidationError):
        return False
    serializer = kind(data=body)
    assert serializer.is_valid(), (body, serializer.errors)
    assert repr(by_name(plain)) == repr(by_name(serializer.validated_data))
    return True


def by_name(value: Any) -> Any:
    """The value, with the fields of every object by their names."""
    if isinstance(value, dict):
        return [(name, by_name(one)) for name, one in sorted(value.items())]
    return [by_name(one) for one in value] if isinstance(value, list) else value


@given(
    st.sampled_from(KINDS),
    st.sampled_from(GOOD),
    st.integers(0, 3),
    st.randoms(use_true_random=False),
)
def test_what_is_read_plainly_is_what_the_serializer_says(
    kind: type[Body], body: dict[str, Any], changes: int, source: random.Random
) -> None:
    check_equal(kind, changed(body, source, changes))


@pytest.mark.parametrize("kind", KINDS)
def test_right_bodies_are_read_plainly(kind: type[Body]) -> None:
    right = [body for body in GOOD if kind(data=body).is_valid()]
    assert right or kind is reports.TrialBody
    assert all(check_equal(kind, body) for body in right)


@pytest.mark.parametrize("odd", [None, [], "", "{}", 1])
def test_what_is_no_object_is_left_to_the_serializer(odd: Any) -> None:
    assert not check_equal(bodies.SubmissionBody, odd)


def body_with(field: serializers.Field[Any, Any, Any, Any], **methods: Any) -> type[Body]:
    return type("OneBody", (Body,), {"one": field, **methods})


@pytest.mark.parametrize(
    "kind",
    [
        body_with(Text(validators=[validate_slug])),
        body_with(Text(max_length=9, validators=[MaxLengthValidator(3)])),
        body_with(serializers.ListField(child=Whole(), validators=[print])),
        body_with(serializers.ListField(child=Text(validators=[validate_slug]))),
        body_with(Text(), validate_one=lambda _body, value: value),
        body_with(Text(source="other")),
        body_with(Text(read_only=True)),
        body_with(Text(), Meta=type("Meta", (), {"validators": [print]})),
    ],
)
def test_what_no_reader_looks_at_is_refused_when_it_is_built(kind: type[Body]) -> None:
    with pytest.raises(TypeError, match="no reader of bodies"):
        reader_of(kind)


@pytest.mark.parametrize("value", ["", "a", "ab", "abc", "abcd"])
def test_texts_are_as_long_as_their_field_says(value: str) -> None:
    kind = body_with(Text(min_length=2, max_length=3))
    assert check_equal(kind, {"one": value}) == (2 <= len(value) <= 3)
