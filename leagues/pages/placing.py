"""Several sides with the chance of each place, as pages show it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from leagues import charts, wording


@dataclass(frozen=True, slots=True)
class PlacedSide:
    """One of several sides: its chance of each place, and the range of the first."""

    name: str
    is_me: bool
    places: tuple[str, ...]
    width: str
    span: str


def placed_sides(
    names: Sequence[str],
    mine: Sequence[bool],
    places: Sequence[Sequence[float]],
    spans: Sequence[tuple[float, float]],
) -> tuple[PlacedSide, ...]:
    """Sides with their chances; without doubt in the ratings there are no spans."""
    return tuple(
        PlacedSide(
            name=name,
            is_me=is_me,
            places=wording.percents(chances),
            width=charts.share_width(chances[0]),
            span=wording.span(*(wording.of_hundred(end) for end in spans[index])) if spans else "",
        )
        for index, (name, is_me, chances) in enumerate(zip(names, mine, places, strict=False))
    )


def place_labels(count: int) -> tuple[str, ...]:
    """The heads of the columns of places."""
    return tuple(wording.ordinal(place + 1) for place in range(count))
