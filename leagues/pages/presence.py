"""Who is there on a night: the chips beside a night sheet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import ngettext

from leagues import wording
from leagues.selectors.night_sheets import NightNames
from ratings.files.names import fold_name

MAX_OFFERED: Final = 40
"""Chips of players who played lately, beside those who are there and who never played."""

MAX_TAPPED: Final = 30
"""Names that can be tapped instead of typed, beside those who are there or on a line."""


@dataclass(frozen=True, slots=True)
class Chip:
    name: str
    is_present: bool
    was_there: bool
    """Whether the player was there the last time."""


@dataclass(frozen=True, slots=True)
class PresencePane:
    chips: tuple[Chip, ...]
    count: int
    last_label: str
    """The button that takes those of the last time; empty where there was none."""
    arrival: str = ""
    """The name that could not be added, as typed."""
    problem: str = ""
    is_open: bool = False


def presence_pane(present: Sequence[str], names: NightNames) -> PresencePane:
    """The chips of those who are there and of who played last, by name, then of who never played.

    Those are many where a list was imported, and must not push the others out of sight.
    """
    here = {fold_name(name) for name in present}
    recent = dict.fromkeys([*names.last_night, *names.recent[:MAX_OFFERED]])
    played, waiting = (
        [name for name in offered if fold_name(name) not in here]
        for offered in (recent, names.without_results)
    )
    listed = [
        *sorted([*present, *played], key=fold_name),
        *sorted(waiting, key=fold_name),
    ]
    there = set(names.last_night)
    return PresencePane(
        chips=tuple(Chip(name, fold_name(name) in here, name in there) for name in listed),
        count=len(present),
        last_label=_last_label(names),
    )


def tapped_names(
    present: Sequence[str], names: NightNames, on_lines: Sequence[str]
) -> tuple[str, ...]:
    """The names that can be tapped: those who are there, who played last, and whoever is on a line.

    They stay in their places while lines are added.
    """
    here = sorted(present, key=fold_name)
    return tuple(dict.fromkeys([*here, *names.to_complete[:MAX_TAPPED], *on_lines]))


def _last_label(names: NightNames) -> str:
    if names.last_day is None:
        return ""
    count = len(names.last_night)
    words = ngettext(
        "Same as last time (%(day)s, %(count)d player)",
        "Same as last time (%(day)s, %(count)d players)",
        count,
    )
    return words % {"day": wording.day(names.last_day), "count": count}
