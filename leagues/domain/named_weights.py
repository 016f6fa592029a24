"""The kinds of match that are played in a mode, such as league and cup, each with its weight.

They are names for weights while results are entered and read. A match stores its weight alone, so
another name or weight changes no result that is there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ratings.files.names import fold_kind

LEAST_WEIGHT, MOST_WEIGHT = 1e-9, 10.0
MAX_KINDS = 8
MAX_NAME = 24
USUAL_WEIGHT = 1.0


class NamedWeight(NamedTuple):
    """A kind of match, and how many usual matches one of it counts as."""

    name: str
    weight: float


def known_weights(stored: Iterable[Sequence[Any]]) -> tuple[NamedWeight, ...]:
    """The kinds of match that a mode has stored, in their order."""
    return tuple(NamedWeight(str(name), float(weight)) for name, weight in stored)


def weight_called(weights: Iterable[NamedWeight], name: str) -> float | None:
    """The weight of the kind with this name, whatever its case; None where there is none."""
    folded = fold_kind(name)
    return next((one.weight for one in weights if fold_kind(one.name) == folded), None)


def only_name_of(weights: Iterable[NamedWeight], weight: float) -> str:
    """The name of the one kind with this weight; empty where none or several have it."""
    names = [one.name for one in weights if one.weight == weight]
    return names[0] if len(names) == 1 else ""


def usual_kind(weights: Iterable[NamedWeight]) -> str:
    """The first kind that counts once: what a match is unless somebody says otherwise."""
    return next((one.name for one in weights if one.weight == USUAL_WEIGHT), "")
