"""Who plays in a match: two players, two teams, or more sides than two."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

MOST_MEMBERS: Final = 4
"""Players for whom the form of two sides has room on each."""


class EntryShape(StrEnum):
    """How a result is entered: by two players, by two teams, or by places."""

    PAIR = "pair"
    TEAMS = "teams"
    LIST = "list"


def shape_called(name: str) -> EntryShape | None:
    """The shape of this name, if there is one."""
    return EntryShape(name) if name in set(EntryShape) else None


def shape_of(sizes: Sequence[int]) -> EntryShape:
    """The shape of a result, of how many players each side has."""
    if len(sizes) > 2:
        return EntryShape.LIST
    return EntryShape.TEAMS if max(sizes) > 1 else EntryShape.PAIR


def form_shape_of(sizes: Sequence[int]) -> EntryShape:
    """The shape of the form for such a result: teams too large for that of two sides are a list."""
    return EntryShape.LIST if max(sizes) > MOST_MEMBERS else shape_of(sizes)
