"""The lines of a night sheet that its mode is not for: what is asked about them, and what to do."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import wording
from leagues.domain.who_plays import EntryShape
from leagues.models import League, Mode
from leagues.pages.entry_warnings import example_name
from leagues.services.line_modes import HeadingGroup, LineGroup
from leagues.services.mode_fit import describe_purpose
from leagues.services.sheet_headings import answer_key

MAX_LINES: Final = 8
"""Lines of a group that are named; of more their number says enough."""


@dataclass(frozen=True, slots=True)
class LineChoice:
    """A mode in which lines can be recorded, and what choosing it says."""

    slug: str
    label: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class LineGroupRow:
    """The lines of one shape, where they can be recorded, and how to add what fits them.

    Or the headings of one name and what they can mean, which have nothing to add.
    """

    line: int
    """The first of the lines."""
    key: str
    """Under what the sheet keeps the answer."""
    title: str
    recorded_in: str
    """The mode in which they are recorded; empty while that is asked."""
    reason: str
    choices: tuple[LineChoice, ...]
    add_label: str = ""
    """What the button says that adds what fits them; empty where it has to be named first."""
    add_url: str = ""
    """The page that adds it, under any name."""
    add_link: str = ""
    advice: str = ""


def line_group_rows(
    groups: Sequence[LineGroup], mode: Mode, *, names: Iterable[str], may_add: bool
) -> list[LineGroupRow]:
    """What is asked about the lines that the mode of a sheet is not for.

    `names` are those of what is played in the league.
    """
    taken = {name.casefold() for name in names}
    return [_row(group, mode, taken, may_add=may_add) for group in groups]


def heading_group_rows(groups: Sequence[HeadingGroup]) -> list[LineGroupRow]:
    """What is asked about headings that can mean several things that are played."""
    return [
        LineGroupRow(
            line=group.numbers[0],
            key=answer_key(group.name),
            title=_("%(lines)s: what is “%(name)s”?")
            % {"lines": describe_lines(group.numbers), "name": group.name},
            recorded_in=group.chosen.name if group.chosen else "",
            reason="",
            choices=tuple(
                LineChoice(one.slug, one.name, one == group.chosen) for one in group.fitting
            ),
        )
        for group in groups
    ]


def _row(group: LineGroup, mode: Mode, taken: Container[str], *, may_add: bool) -> LineGroupRow:
    count = len(group.numbers)
    choices = [
        LineChoice(one.slug, _record_label(one, count), one == group.chosen)
        for one in group.fitting
    ]
    own = _("Record it in “%(mode)s” all the same")
    if count > 1:
        own = _("Record them in “%(mode)s” all the same")
    choices.append(LineChoice(mode.slug, own % {"mode": mode.name}, mode == group.chosen))
    is_unknown = not group.fitting
    name = example_name(group.shape)
    is_free = name.casefold() not in taken
    example = {"name": name}
    add_label = _("Add “%(name)s” to what is played") % example
    return LineGroupRow(
        line=group.numbers[0],
        key=group.shape,
        title=_title(group),
        recorded_in=group.chosen.name if group.chosen else "",
        reason=describe_purpose(mode, mode.shape) if mode.shape else "",
        choices=tuple(choices),
        add_label=add_label if is_unknown and may_add and is_free else "",
        add_url=add_address(group.shape, mode.league) if is_unknown and may_add else "",
        add_link=_("Add it under another name") if is_free else add_label,
        advice=_("An organizer can add “%(name)s” to what is played here.") % example
        if is_unknown and not may_add
        else "",
    )


def _record_label(mode: Mode, count: int) -> str:
    words = ngettext(
        "Record this line in “%(mode)s”", "Record these %(count)s lines in “%(mode)s”", count
    )
    return words % {"mode": mode.name, "count": wording.count(count)}


def _title(group: LineGroup) -> str:
    """Which lines they are, and who plays in them."""
    sides = {
        EntryShape.PAIR: _("%(lines)s: one player a side."),
        EntryShape.TEAMS: _("%(lines)s: two teams, such as a doubles."),
        EntryShape.LIST: _("%(lines)s: three or more sides."),
    }
    return sides[group.shape] % {"lines": describe_lines(group.numbers)}


def describe_lines(numbers: Sequence[int]) -> str:
    """The numbers of some lines, or how many there are."""
    count = len(numbers)
    words = {"count": wording.count(count), "lines": wording.listing(map(str, numbers))}
    lines = (
        _("%(count)s lines")
        if count > MAX_LINES
        else ngettext("Line %(lines)s", "Lines %(lines)s", count)
    )
    return lines % words


def add_address(shape: EntryShape, league: League) -> str:
    """The page that adds what lines of a shape need, and leads back to the sheet."""
    address = reverse("leagues:settings_modes", args=[league.slug])
    return f"{address}?{urlencode({'for': shape.value})}#add"
