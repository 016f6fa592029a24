"""A line of a night sheet that names what is not played in the league, and how to add it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from leagues.domain.who_plays import EntryShape, shape_of
from leagues.models import League, Mode
from leagues.services.likeness import similar_names
from leagues.services.night_reading import SheetLine
from leagues.services.sheet_headings import MARK, heading, name_in


@dataclass(frozen=True, slots=True)
class HeadingAdvice:
    """What is wrong with a heading; where it can be added, the page that does so."""

    message: str
    add_url: str = ""
    add_label: str = ""


@dataclass(frozen=True, slots=True)
class KnownHeadings:
    """What is played in a league, of which `mode` is that of the sheet.

    `may_add`: who enters the sheet may add something to it.
    """

    league: League
    mode: Mode
    modes: Sequence[Mode]
    may_add: bool

    def advice(self, line: SheetLine, lines: Sequence[SheetLine]) -> HeadingAdvice | None:
        """What to say of a line that would be a heading, of these lines; None of every other one.

        Without a colon it may be the name of a player: such a line is one only if it is nearly
        the name of something that is played.
        """
        name = name_in(line.text)
        if not name or not line.problems or line.match is not None:
            return None
        near = similar_names([name], [mode.name for mode in self.modes]).get(name, [])
        meant = next((mode for mode in self.modes if mode.name in near), None)
        if meant is None and not line.unknown:
            return self._unmarked(line, lines, name)
        sentences = [_("“%(name)s” is not played here.") % {"name": name}]
        if meant is not None:
            sentences.append(_("Do you mean “%(heading)s”?") % {"heading": heading(meant)})
        elif not self.may_add:
            sentences.append(_("An organizer can add it to what is played."))
        can_add = self.may_add and meant is None
        return HeadingAdvice(
            message=" ".join(sentences),
            add_url=named_add_address(self.league, name, self._shape_below(line, lines))
            if can_add
            else "",
            add_label=_("Add “%(name)s” to what is played") % {"name": name} if can_add else "",
        )

    def _unmarked(
        self, line: SheetLine, lines: Sequence[SheetLine], name: str
    ) -> HeadingAdvice | None:
        """How a name alone becomes a heading, where the line below it is a match."""
        below = next((one for one in lines if one.number > line.number), None)
        names_one_side = line.problems[0].code == "sides"
        if not names_one_side or below is None or below.match is None:
            return None
        words = _("If the lines below were played in “%(name)s”, write “%(heading)s”.")
        hint = words % {"name": name, "heading": f"{name}{MARK}"}
        return HeadingAdvice(message=f"{line.problems[0].message} {hint}")

    def _shape_below(self, line: SheetLine, lines: Sequence[SheetLine]) -> EntryShape | None:
        """Who plays in the matches below a name; of none that is played on the sheet."""
        below = [one for one in lines if one.number > line.number]
        of_name = takewhile(lambda one: not (one.heading or (one.unknown and not one.match)), below)
        shapes = {shape_of(list(map(len, one.match.sides))) for one in of_name if one.match}
        if not shapes:
            return self.mode.shape
        return shapes.pop() if len(shapes) == 1 else None


def named_add_address(league: League, name: str, shape: EntryShape | None) -> str:
    """The page that adds a mode under a name, for who plays in it; it leads to the sheet."""
    words = {"name": name} | ({"for": shape.value} if shape else {})
    return f"{reverse('leagues:settings_modes', args=[league.slug])}?{urlencode(words)}#add"
