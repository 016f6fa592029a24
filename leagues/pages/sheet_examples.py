"""What the lines of a night sheet can say: an example each, the league's own kind of play first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from leagues.domain.named_weights import USUAL_WEIGHT, NamedWeight
from leagues.domain.who_plays import EntryShape
from leagues.models import Mode
from leagues.pages.match_kinds import kind_and_weight
from leagues.services.sheet_headings import heading

_LINES: Final = {
    EntryShape.PAIR: "ana bo 3-1",
    EntryShape.TEAMS: "ana+cy bo+di 21-18 19-21 21-15",
    EntryShape.LIST: "ana, bo, cy=di, eve",
}


@dataclass(frozen=True, slots=True)
class Example:
    """A line, and what it means."""

    line: str
    meaning: str


def placeholder(shapes: Sequence[EntryShape]) -> str:
    """The lines that an empty sheet shows: one for each kind of match that is played here."""
    return "\n".join(_LINES[shape] for shape in shapes)


def what_lines_can_say(
    shapes: Sequence[EntryShape],
    *,
    has_draws: bool,
    kinds: Sequence[NamedWeight] = (),
    other_mode: Mode | None = None,
) -> list[Example]:
    """Everything that a line can say; what is not played here comes last.

    `other_mode` is one that a line can name for those below it.
    """
    of_shapes = {
        EntryShape.PAIR: _of_pairs(has_draws=has_draws),
        EntryShape.TEAMS: [
            Example(_LINES[EntryShape.TEAMS], _("doubles, with the score of each set"))
        ],
        EntryShape.LIST: [
            Example(_LINES[EntryShape.LIST], _("a free-for-all, best first, with a tie for third"))
        ],
    }
    played = [one for shape in shapes for one in of_shapes[shape]]
    others = [one for shape in _LINES if shape not in shapes for one in of_shapes[shape]]
    of_modes = []
    if other_mode is not None:
        words = _("the lines below are recorded in “%(mode)s”") % {"mode": other_mode.name}
        of_modes = [Example(heading(other_mode), words)]
    return [*played, *_of_kinds(kinds), *_of_any(), *of_modes, *others]


def _of_pairs(*, has_draws: bool) -> list[Example]:
    sets = Example("ana bo 11-7 9-11 11-5", _("the score of each set: Ana won 2–1"))
    without_score = Example("ana > bo", _("a win without a score"))
    if has_draws:
        without_score = Example("ana > bo · ana = bo", _("a win, a draw, without a score"))
    return [
        Example(_LINES[EntryShape.PAIR], _("Ana beat Bo 3–1")),
        without_score,
        sets,
        Example("ana ruiz - bo li 3-1", _("names of two words, with a dash between the sides")),
    ]


def _of_kinds(kinds: Sequence[NamedWeight]) -> list[Example]:
    """Lines of the kind of match that counts most unlike a usual one."""
    unusual = max(kinds, key=lambda kind: abs(kind.weight - USUAL_WEIGHT), default=None)
    if unusual is None:
        return []
    name = unusual.name.casefold()
    words = _("another kind of match: %(kind)s") % {"kind": kind_and_weight(unusual)}
    return [Example(f"ana bo 3-1 {name} · ana > bo ({name})", words)]


def _of_any() -> list[Example]:
    return [
        Example("ana bo wo · ana bo ret 2-1", _("a walkover for Ana; a retirement of Bo at 2–1")),
        Example("ana bo 3-0 friendly", _("a match that is not rated")),
        Example("ana +64 bo 3-1", _("a handicap of 64 rating points for Ana")),
        Example("19:40 ana bo 3-1", _("with the time")),
        Example("@12.11.", _("the day of the lines below")),
        Example('" 3-2', _("the same two again")),
    ]
