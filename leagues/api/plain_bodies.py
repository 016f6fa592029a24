"""Reading a body that is plainly right, without a serializer's work on each field.

Nearly all bodies are right, and a serializer takes some twenty calls for each value of theirs. What
is not plainly right is left to it, and it words the refusal: nothing is taken here that it would
refuse, and what is taken has the values that it would give.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any, Final, TypeAlias

from django.core.validators import (
    MaxLengthValidator,
    MaxValueValidator,
    MinLengthValidator,
    MinValueValidator,
    ProhibitNullCharactersValidator,
)
from rest_framework import serializers
from rest_framework.validators import ProhibitSurrogateCharactersValidator

from leagues.api.fields import Body, Flag, Number, NumberOrName, Text, Whole

Reader: TypeAlias = Callable[[Any], Any]

MAX_EXACT: Final = 2**53
"""Whole numbers up to here are the same as floats."""
_NOT_PLAIN: Final = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
"""Control characters, and halves of characters."""
_LIMITS: Final = {
    MaxLengthValidator: "max_length",
    MinLengthValidator: "min_length",
    MaxValueValidator: "max_value",
    MinValueValidator: "min_value",
}
"""Validators that come from a setting of their field, which its reader looks at."""
_NEVER_PLAIN: Final = (ProhibitNullCharactersValidator, ProhibitSurrogateCharactersValidator)
"""Validators of characters that are left to the serializer anyway."""
_REQUIRED: Final = object()
_LEFT_OUT: Final = object()


class NotPlain(Exception):
    """Whether this can be taken is for the serializer to say."""


@cache
def reader_of(kind: type[serializers.Serializer[Any]]) -> Reader:
    """What reads bodies of a kind; raises NotPlain, or the ValidationError of a field.

    Threads share it and the fields in it. That is safe: a reader keeps settings alone, and of its
    fields and bodies calls `run_validation` and `validate`, which write nothing to them.
    """
    return _reader(kind())


def _reader(field: serializers.Field[Any, Any, Any, Any]) -> Reader:
    """What reads a value that is sent and is not null."""
    if isinstance(field, Body):
        return _body(field)
    if isinstance(field, serializers.ListSerializer | serializers.ListField):
        return _list(field)
    make = _READERS.get(type(field))
    if make is None:
        return field.run_validation
    _refuse_unread(field)
    return make(field)


def _refuse_unread(field: Any) -> None:
    """Raise TypeError for validators that no reader calls: bodies would pass that must not."""
    for validator in field.validators:
        limit = _LIMITS.get(type(validator))
        is_read = type(validator) in _NEVER_PLAIN or (
            limit is not None and getattr(field, limit, None) == validator.limit_value
        )
        if not is_read:
            raise TypeError(f"no reader of bodies calls {validator!r} of {field!r}")


def _body(body: Body) -> Reader:
    _refuse_unread(body)
    for name, field in body.fields.items():
        if hasattr(body, f"validate_{name}") or field.source != name or field.read_only:
            raise TypeError(
                f"{name}: no reader of bodies knows `validate_{name}`, `source` or `read_only`"
            )
    fields = {name: (_reader(field), field.allow_null) for name, field in body.fields.items()}
    defaults = {name: _default(field) for name, field in body.fields.items()}
    required = [name for name, default in defaults.items() if default is _REQUIRED]
    made = {name: default for name, default in defaults.items() if callable(default)}
    usual = {
        name: default
        for name, default in defaults.items()
        if name not in made and default is not _REQUIRED and default is not _LEFT_OUT
    }
    checks = type(body).validate is not serializers.Serializer.validate

    def read(data: Any) -> Any:
        if type(data) is not dict or not all(name in data for name in required):
            raise NotPlain
        values = usual.copy()
        # Of what a body may have most is left out: what is not there is not looked at.
        for name, value in data.items():
            if name not in fields:
                raise NotPlain
            read_value, allows_null = fields[name]
            if value is not None:
                values[name] = read_value(value)
            elif allows_null:
                values[name] = None
            else:
                raise NotPlain
        for name, make in made.items():
            if name not in data:
                values[name] = make()
        return body.validate(values) if checks else values

    return read


def _default(field: serializers.Field[Any, Any, Any, Any]) -> Any:
    if field.required:
        return _REQUIRED
    return _LEFT_OUT if field.default is serializers.empty else field.default


def _list(field: Any) -> Reader:
    _refuse_unread(field)
    read_value, longest = _reader(field.child), field.max_length
    shortest = field.min_length or int(not field.allow_empty)
    allows_null = field.child.allow_null

    def read(data: Any) -> list[Any]:
        if type(data) is not list or len(data) < shortest:
            raise NotPlain
        if (longest is not None and len(data) > longest) or (None in data and not allows_null):
            raise NotPlain
        return [read_value(value) for value in data]

    return read


def _text(field: Text) -> Reader:
    longest, allows_blank = field.max_length, field.allow_blank
    shortest = field.min_length or 0

    def read(value: Any) -> str:
        if type(value) is not str or (longest is not None and len(value) > longest):
            raise NotPlain
        if len(value) < shortest or _NOT_PLAIN.search(value) or not (value or allows_blank):
            raise NotPlain
        return value

    return read


def _whole(field: Whole) -> Reader:
    least, most = field.min_value, field.max_value

    def read(value: Any) -> int:
        if type(value) is not int:
            raise NotPlain
        if (least is not None and value < least) or (most is not None and value > most):
            raise NotPlain
        return value

    return read


def _number(field: Number) -> Reader:
    least, most = field.min_value, field.max_value
    if least is not None or most is not None:
        return field.run_validation

    def read(value: Any) -> float:
        if type(value) is float:
            return value
        if type(value) is int and abs(value) <= MAX_EXACT:
            return float(value)
        raise NotPlain

    return read


def _number_or_name(field: NumberOrName) -> Reader:
    read_number = _number(field)
    return lambda value: value if type(value) is str else read_number(value)


def _flag(_field: Flag) -> Reader:
    def read(value: Any) -> bool:
        if type(value) is not bool:
            raise NotPlain
        return value

    return read


def _choice(field: serializers.ChoiceField) -> Reader:
    choices = field.choice_strings_to_values

    def read(value: Any) -> Any:
        if type(value) is not str or value not in choices:
            raise NotPlain
        return choices[value]

    return read


_READERS: dict[type[Any], Callable[[Any], Reader]] = {
    Text: _text,
    Whole: _whole,
    Number: _number,
    NumberOrName: _number_or_name,
    Flag: _flag,
    serializers.ChoiceField: _choice,
}
