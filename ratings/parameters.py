"""Parameters that check and describe themselves.

A system's parameters are a frozen dataclass derived from `Parameters` whose fields are made by
`number`, `integer`, `choice`, `flag` and `values`. Settings pages, rules pages, the API and the
command line are generated from `describe`; nothing else may know a parameter's range.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

from ratings.own_words import read_values, write_values

_INTEGER = re.compile(r"[+-]?[0-9]{1,15}", re.ASCII)
_NUMBER = re.compile(
    r"[+-]?([0-9]{1,15}(\.[0-9]{0,17})?|\.[0-9]{1,17})([eE][+-]?[0-9]{1,3})?", re.ASCII
)
_YES = {"yes": True, "true": True, "1": True, "on": True}
_NO = {"no": False, "false": False, "0": False, "off": False}


def figures(value: float) -> str:
    """A number as people read it: thousands set apart, and never with an exponent."""
    text = f"{value:.12g}" if 0 < abs(value) < 1 else f"{value:,.12g}"
    if "e" in text:
        text = f"{value:,.12f}".rstrip("0").rstrip(".")
    return text.replace(",", "\N{NARROW NO-BREAK SPACE}").replace("-", "\N{MINUS SIGN}")


@dataclass(frozen=True, slots=True)
class Description:
    """What a reader must know of one parameter."""

    name: str
    kind: str
    """`number`, `integer`, `choice`, `flag` or `values`."""
    label: str
    meaning: str
    default: object
    symbol: str = ""
    least: float | None = None
    over: float | None = None
    """The value must be greater than this."""
    most: float | None = None
    under: float | None = None
    """The value must be less than this."""
    choices: tuple[str, ...] = ()
    optional: bool = False
    """Whether the value may be absent (`None`); `meaning` says what that means."""
    is_offered: bool = True
    """Whether forms offer it: not where it does nothing unless the caller does something too."""

    @property
    def range(self) -> str:
        """Say in words which values are allowed."""
        if self.kind == "choice":
            return " or ".join(", ".join(self.choices).rsplit(", ", 1))
        if self.kind == "flag":
            return "yes or no"
        parts = []
        if self.over is not None:
            parts.append(f"over {figures(self.over)}")
        if self.least is not None:
            parts.append(f"at least {figures(self.least)}")
        if self.most is not None:
            parts.append(f"at most {figures(self.most)}")
        if self.under is not None:
            parts.append(f"under {figures(self.under)}")
        words = ", ".join(parts) or "any number"
        if self.kind == "values":
            return f"words with their values, each {words}"
        return f"{words}, or none" if self.optional else words


class ParameterError(ValueError):
    """Parameters were refused; `problems` names each field, its value and the reason."""

    def __init__(self, problems: list[tuple[str, object, str]]) -> None:
        super().__init__("; ".join(f"{name}: {reason}" for name, _, reason in problems))
        self.problems = problems


class Parameters:
    """Base of every parameter class: refuses what is outside its description."""

    def __post_init__(self) -> None:
        problems = []
        for description in describe(type(self)):
            try:
                value = _accepted(description, getattr(self, description.name))
            except ValueError as reason:
                problems.append((description.name, getattr(self, description.name), str(reason)))
            else:
                object.__setattr__(self, description.name, value)
        problems = problems or self.conflicts()
        if problems:
            raise ParameterError(problems)

    def conflicts(self) -> list[tuple[str, object, str]]:
        """Name the fields that are fine by themselves but not together."""
        return []

    def effective(self, name: str) -> object:
        """Return a parameter's value, in place of an absent one what it stands for, if anything."""
        return getattr(self, name)


P = TypeVar("P", bound=Parameters)


def number(
    default: float | None,
    label: str,
    meaning: str,
    *,
    symbol: str = "",
    least: float | None = None,
    over: float | None = None,
    most: float | None = None,
    under: float | None = None,
    optional: bool = False,
    is_offered: bool = True,
) -> Any:
    """Declare a real parameter."""
    return _declared(
        "number",
        default,
        label=label,
        meaning=meaning,
        symbol=symbol,
        least=least,
        over=over,
        most=most,
        under=under,
        optional=optional,
        is_offered=is_offered,
    )


def integer(
    default: int,
    label: str,
    meaning: str,
    *,
    least: int,
    most: int,
    symbol: str = "",
    is_offered: bool = True,
) -> Any:
    """Declare a whole parameter."""
    return _declared(
        "integer",
        default,
        label=label,
        meaning=meaning,
        symbol=symbol,
        least=least,
        most=most,
        is_offered=is_offered,
    )


def choice(default: str, choices: tuple[str, ...], label: str, meaning: str) -> Any:
    """Declare a parameter that is one of several words."""
    return _declared("choice", default, label=label, meaning=meaning, choices=choices)


def flag(default: bool, label: str, meaning: str, *, is_offered: bool = True) -> Any:
    """Declare a parameter that is yes or no."""
    return _declared("flag", default, label=label, meaning=meaning, is_offered=is_offered)


def values(label: str, meaning: str, *, least: float, most: float) -> Any:
    """Declare a parameter that is a value for each of some words, written as a list."""
    return _declared("values", "", label=label, meaning=meaning, least=least, most=most)


def describe(cls: type[Parameters]) -> tuple[Description, ...]:
    """Describe every parameter of a class, in the order of their declaration."""
    return tuple(
        Description(name=declared.name, **declared.metadata["description"])
        for declared in fields(cls)  # type: ignore[arg-type]
    )


def build(cls: type[P], mapping: Mapping[str, object] | None) -> P:
    """Make parameters from names and values as a form, a file or a command line gives them.

    Numbers may be written in ASCII digits, flags as yes or no. Raises `ParameterError` naming
    every field that is unknown or refused, not only the first.
    """
    given = dict(mapping or {})
    known = {description.name: description for description in describe(cls)}
    problems: list[tuple[str, object, str]] = [
        (name, value, "there is no such parameter")
        for name, value in given.items()
        if name not in known
    ]
    values = {}
    for name, description in known.items():
        if name in given:
            try:
                values[name] = _accepted(description, _read(description, given[name]))
            except ValueError as reason:
                problems.append((name, given[name], str(reason)))
    if problems:
        raise ParameterError(problems)
    return cls(**values)


def _declared(kind: str, default: object, **words: object) -> Any:
    return field(
        default=default,
        metadata={"description": {"kind": kind, "default": default, **words}},
    )


def _read(description: Description, value: object) -> object:
    """Turn text into the value it stands for; leave everything else as it is."""
    if not isinstance(value, str) or description.kind in ("choice", "values"):
        return value
    text = value.strip()
    if description.kind == "flag":
        return _YES.get(text.lower(), _NO.get(text.lower(), value))
    if description.optional and text.lower() in ("", "none"):
        return None
    if description.kind == "integer" and _INTEGER.fullmatch(text):
        return int(text)
    if description.kind == "number" and _NUMBER.fullmatch(text):
        return float(text)
    raise ValueError("must be a number in the digits 0 to 9")


def _accepted(description: Description, value: object) -> object:
    """Return the value in its own type, or raise ValueError with the reason."""
    if description.kind == "choice":
        if value not in description.choices:
            raise ValueError(f"must be {description.range}")
        return value
    if description.kind == "flag":
        if not isinstance(value, bool):
            raise ValueError("must be yes or no")
        return value
    if description.kind == "values":
        return _accepted_values(description, value)
    if value is None and description.optional:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("must be a number")
    try:
        is_finite = math.isfinite(value)
    except OverflowError:
        # A whole number beyond the range of floats.
        is_finite = False
    if not is_finite:
        raise ValueError("must be a finite number")
    if description.kind == "integer" and value != int(value):
        raise ValueError("must be a whole number")
    if (
        (description.least is not None and value < description.least)
        or (description.over is not None and value <= description.over)
        or (description.most is not None and value > description.most)
        or (description.under is not None and value >= description.under)
    ):
        raise ValueError(f"must be {description.range}")
    return int(value) if description.kind == "integer" else float(value)


def _accepted_values(description: Description, value: object) -> str:
    """A list of values in the one way of writing it, or raise ValueError with the reason."""
    if not isinstance(value, str):
        raise ValueError("must be words with their values")
    found = read_values(value)
    least, most = description.least or 0.0, description.most or 0.0
    for word, number_of in found.items():
        if not least <= number_of <= most:
            bounds = f"at least {figures(least)}, at most {figures(most)}"
            raise ValueError(f"must give {word} a value of {bounds}")
    return write_values(found)
