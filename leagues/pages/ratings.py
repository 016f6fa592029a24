"""A rating as pages show it: number, range, certainty."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from leagues import bridge, charts, wording
from leagues.bridge import ShownValue
from leagues.models import Board


@dataclass(frozen=True, slots=True)
class Rating:
    """A number with its doubt: `mark` is the class of the sign of certainty, `level` its word."""

    value: str
    plus_minus: str
    level: str
    mark: str


def rating(value: ShownValue) -> Rating:
    """A rating in strings."""
    return _rating(value, get_language())


def ratings(values: Iterable[ShownValue]) -> list[Rating]:
    """Some ratings in strings."""
    # Threads wait for each other to learn the language: a page that asks for each row is a tenth
    # slower.
    language = get_language()
    return [_rating(value, language) for value in values]


@lru_cache(maxsize=10_000)
def _rating(value: ShownValue, language: str | None) -> Rating:  # noqa: ARG001 - of the words
    return Rating(
        value=wording.number(value.value, value.decimals),
        plus_minus=wording.plus_minus(value.half, value.decimals),
        level=wording.certainty(value.level),
        mark=wording.CERTAINTY.get(value.level, ""),
    )


def shown_as(board: Board) -> str:
    """The name of a board's number: a rating, points, the rung of a ladder."""
    return _(bridge.system_of(board).shown_as)


def change_between(before: ShownValue, after: ShownValue) -> str:
    """The difference of two shown numbers."""
    return wording.change(before.value, after.value, after.decimals)


def scale_of(values: Sequence[ShownValue]) -> charts.Scale | None:
    """The scale that several ratings share; None for systems without ranges."""
    return charts.shared_scale(
        [
            (value.low, value.value, value.high)
            for value in values
            if value.low is not None and value.high is not None
        ]
    )


def rung_of(scale: charts.Scale | None, value: ShownValue) -> charts.Rung | None:
    """The drawing of a rating on a scale, where its system has ranges."""
    if scale is None or value.low is None or value.high is None:
        return None
    return charts.rung(scale, value.value, value.low, value.high, is_unsure=value.level == "unsure")
