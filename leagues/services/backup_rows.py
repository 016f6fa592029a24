"""One row of a backup: written as a line of JSON, and read back without trusting a character.

A value is taken only in the form that it is written in: a number is no text, an instant has its
zone, nothing is rounded or cut off. Whatever is wrong is said in words with the column's name.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final, NoReturn

from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.db import connection, models

from leagues.models.checks import FIRST_INSTANT, LAST_INSTANT
from leagues.store.stored_words import stored_word

LEFT_OUT_FIELDS: Final[Mapping[str, Mapping[str, str]]] = {
    "auth.user": {
        "groups": "Rungs does not use Django's groups",
        "user_permissions": "Rungs does not use Django's permissions",
    },
}
"""What rows have beside what is written, and why it is not; former formats wrote these."""

MAX_PARTS: Final = 100_000
"""Values in one line; each takes many times the memory of the letters it is written in."""
MAX_DEPTH: Final = 20
MAX_WHOLE: Final = 2**63
"""Whole numbers in a document are smaller."""
_FEW_PARTS: Final = 2_000
_STRING_OR_PART = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|[\[{,]', re.DOTALL)

Fields = dict[str, "models.Field[Any, Any]"]


class RowProblem(Exception):
    """A row cannot be what the program wrote; the message says why, in words."""


@cache
def fields_of(model: type[models.Model]) -> Fields:
    """Every column of a model but its key, by the word that backups have for it."""
    return {
        stored_word(model, field.name): field
        for field in model._meta.concrete_fields
        if not field.primary_key
    }


def pack_row(row: models.Model, cleared: Mapping[str, Any]) -> bytes:
    """A row as a line; columns that are `cleared` are written as told there."""
    fields = {
        name: _plain(cleared[name] if name in cleared else getattr(row, field.attname))
        for name, field in fields_of(type(row)).items()
    }
    return line({"model": row._meta.label_lower, "pk": row.pk, "fields": fields})


def line(value: Mapping[str, Any]) -> bytes:
    """A line of a backup."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode() + b"\n"


def read_line(text: bytes) -> dict[str, Any]:
    """The content of a line; one that nobody can have written is refused."""
    _check_parts(text)
    try:
        value = json.loads(text.decode(), object_pairs_hook=_once, parse_constant=_no_number)
    except MemoryError:
        raise RowProblem("there is not enough memory to read it") from None
    except UnicodeDecodeError:
        raise RowProblem("it is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise RowProblem(f"it is not JSON: {error.msg}") from None
    except (RecursionError, ValueError):
        raise RowProblem("it is not JSON that Rungs writes") from None
    if not isinstance(value, dict):
        raise RowProblem("it is not a row")
    return value


def _check_parts(text: bytes) -> None:
    """Refuse a line of more values than any row has, before they are made."""
    if sum(text.count(sign) for sign in (b"[", b"{", b",")) <= _FEW_PARTS:
        return
    parts = 0
    for token in _STRING_OR_PART.finditer(text):
        parts += text[token.start()] != ord('"')
        if parts > MAX_PARTS:
            raise RowProblem(f"it contains more than {MAX_PARTS:,} values")


def instance_of(
    model: type[models.Model], row: Mapping[str, Any], cleared: Mapping[str, Any]
) -> models.Model:
    """The unsaved row that was written; columns that came later have their defaults.

    What is computed was `cleared` before it was written.
    """
    if set(row) != {"model", "pk", "fields"} or not isinstance(row["fields"], dict):
        raise RowProblem("a row must have a model, a pk and fields, and nothing else")
    fields, row_values = fields_of(model), row["fields"]
    left_out = LEFT_OUT_FIELDS.get(model._meta.label_lower, {})
    unknown = [name for name in row_values if name not in fields and name not in left_out]
    if unknown:
        raise RowProblem(f"this release has no column {unknown[0][:64]!r}")
    key = model._meta.pk
    values = {key.attname: _named_value(key.name, key, row["pk"])}
    for name, field in fields.items():
        if name in row_values:
            values[field.attname] = value = _named_value(name, field, row_values[name])
            if name in cleared and value != cleared[name]:
                raise RowProblem(
                    f"{name}: must have its initial value, because it is computed again"
                )
        elif not (field.has_default() or field.null or field.blank):
            raise RowProblem(f"{name}: is missing")
    return model(**values)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) != len(pairs):
        raise RowProblem("it contains the same name twice")
    return values


def _no_number(name: str) -> NoReturn:
    raise RowProblem(f"{name} is not a number")


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, bytes | bytearray | memoryview):
        return base64.b64encode(bytes(value)).decode()
    return value


def _named_value(name: str, field: models.Field[Any, Any], value: Any) -> Any:
    try:
        return _value(field, value)
    except RowProblem as problem:
        raise RowProblem(f"{name}: {problem}") from None


def _value(field: models.Field[Any, Any], raw: Any) -> Any:
    if raw is None:
        if field.null:
            return None
        raise RowProblem("must not be empty")
    target = field.target_field if isinstance(field, models.ForeignKey) else field
    for kind, read in _READERS:
        if isinstance(target, kind):
            value = read(target, raw)
            _check_value(field, value)
            return value
    raise TypeError(f"backups cannot hold a {type(target).__name__} yet")


def _check_value(field: models.Field[Any, Any], value: Any) -> None:
    """Refuse what the field itself would refuse in a form."""
    choices, validators = _rules_of(field)
    if value == "":
        if not field.blank:
            raise RowProblem("must not be empty")
        return
    if choices and value not in choices:
        raise RowProblem(f"must be one of: {', '.join(sorted(choices))}")
    for validator in validators:
        try:
            validator(value)
        except ValidationError as error:
            raise RowProblem(words_of(error)) from None


@cache
def _rules_of(
    field: models.Field[Any, Any],
) -> tuple[frozenset[str], tuple[Callable[[Any], None], ...]]:
    """The choices and the validators of a field, but for bounds that its reader knows."""
    if isinstance(field, models.ForeignKey):
        return frozenset(), ()
    validators = tuple(
        validator
        for validator in field._validators  # type: ignore[attr-defined]
        if not isinstance(validator, MaxLengthValidator)
    )
    return (
        frozenset(str(value) for value, _label in field.flatchoices),
        (*field.default_validators, *validators),
    )


def words_of(error: ValidationError) -> str:
    """Why a value was refused, in one line, with the fields that it names."""
    if hasattr(error, "error_dict"):
        parts = [f"{name}: {' '.join(words)}" for name, words in error.message_dict.items()]
        return "; ".join(parts)
    return " ".join(error.messages)


def _truth(_field: Any, value: Any) -> bool:
    if not isinstance(value, bool):
        raise RowProblem("must be true or false")
    return value


def _integer(field: Any, value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise RowProblem("is not a whole number")
    low, high = connection.ops.integer_field_range(field.get_internal_type())
    if (low is not None and value < low) or (high is not None and value > high):
        raise RowProblem("is a number out of range")
    return value


def _number(_field: Any, value: Any) -> float:
    try:
        number = float(value) if isinstance(value, int | float) else math.nan
    except OverflowError:
        number = math.inf
    if isinstance(value, bool) or not math.isfinite(number):
        raise RowProblem("is not a number")
    return number


def _text(field: Any, value: Any) -> str:
    if not isinstance(value, str):
        raise RowProblem("is not a string")
    _check_letters(value)
    if field.max_length is not None and len(value) > field.max_length:
        raise RowProblem(f"is longer than {field.max_length} characters")
    return value


def _instant(_field: Any, value: Any) -> datetime:
    try:
        return read_instant(value)
    except (TypeError, ValueError, OverflowError):
        raise RowProblem("is not a time with a UTC offset") from None


def read_instant(value: Any) -> datetime:
    """An instant as it is written, within the years that the application knows."""
    instant = datetime.fromisoformat(value)
    if instant.tzinfo is None:
        raise ValueError
    instant = instant.astimezone(UTC)
    if not FIRST_INSTANT <= instant <= LAST_INSTANT:
        raise RowProblem("is not within the years 1800 to 2199")
    return instant


def _bytes(_field: Any, value: Any) -> bytes:
    try:
        return base64.b64decode(value, validate=True)
    except (TypeError, ValueError, binascii.Error):
        raise RowProblem("is not base64") from None


def _json(field: Any, value: Any) -> Any:
    kind, words = (list, "a list") if field.default is list else (dict, "an object")
    if not isinstance(value, kind):
        raise RowProblem(f"is not {words}")
    for text in _texts(value):
        _check_letters(text)
    return value


def _texts(value: Any, depth: int = 0) -> Iterable[str]:
    if depth > MAX_DEPTH:
        raise RowProblem("is nested too deeply")
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from _texts(inner, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner, depth + 1)
    elif isinstance(value, int) and abs(value) >= MAX_WHOLE:
        raise RowProblem("contains a number that is too large")
    elif isinstance(value, float) and not math.isfinite(value):
        raise RowProblem("contains something that is not a number")


def _check_letters(text: str) -> None:
    """Refuse what no database can hold: NUL, and halves of letters."""
    if "\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        raise RowProblem("contains a character that cannot be stored")


_READERS: tuple[tuple[Any, Callable[[Any, Any], Any]], ...] = (
    (models.BooleanField, _truth),
    (models.IntegerField, _integer),
    (models.FloatField, _number),
    (models.CharField, _text),
    (models.TextField, _text),
    (models.DateTimeField, _instant),
    (models.BinaryField, _bytes),
    (models.JSONField, _json),
)
