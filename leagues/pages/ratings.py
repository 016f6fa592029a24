"""A rating as pages show it: number, range, certainty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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


def rating(shown: ShownValue) -> Rating:
    """Return a rating in strings."""
    return Rating(
        value=wording.number(shown.value, shown.decimals),
        plus_minus=wording.plus_minus(shown.half, shown.decimals),
        level=wording.certainty(shown.level),
        mark=wording.CERTAINTY.get(shown.level, ""),
    )


def shown_as(board: Board) -> str:
    """Return what a board's number is called: a rating, points, the rung of a ladder."""
    return _(bridge.system_of(board).shown_as)


def change_between(before: ShownValue, after: ShownValue) -> str:
    """Return the difference of two shown numbers."""
    return wording.change(before.value, after.value, after.decimals)


def scale_of(shown: Sequence[ShownValue]) -> charts.Scale | None:
    """Return the scale that several ratings share; None for systems without ranges."""
    return charts.shared_scale(
        [
            (value.low, value.value, value.high)
            for value in shown
            if value.low is not None and value.high is not None
        ]
    )


def rung_of(scale: charts.Scale | None, shown: ShownValue) -> charts.Rung | None:
    """Return the drawing of a rating on a scale, where its system has ranges."""
    if scale is None or shown.low is None or shown.high is None:
        return None
    return charts.rung(scale, shown.value, shown.low, shown.high, is_unsure=shown.level == "unsure")
