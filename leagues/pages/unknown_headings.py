"""A line of a night sheet that names what is not played in the league, and how to add it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

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

    def advice(self, line: SheetLine) -> HeadingAdvice | None:
        """What to say of a line that would be a heading; None of every other line.

        Without a colon it may be the name of a player: such a line is one only if it is nearly
        the name of something that is played.
        """
        name = name_in(line.text)
        if not name or not line.problems or line.match is not None:
            return None
        near = similar_names([name], [mode.name for mode in self.modes]).get(name, [])
        meant = next((mode for mode in self.modes if mode.name in near), None)
        if meant is None and not line.text.strip().endswith(MARK):
            return None
        sentences = [_("“%(name)s” is not played here.") % {"name": name}]
        if meant is not None:
            sentences.append(_("Do you mean “%(heading)s”?") % {"heading": heading(meant)})
        elif not self.may_add:
            sentences.append(_("An organizer can add it to what is played."))
        can_add = self.may_add and meant is None
        return HeadingAdvice(
            message=" ".join(sentences),
            add_url=named_add_address(self.league, name, self.mode) if can_add else "",
            add_label=_("Add “%(name)s” to what is played") % {"name": name} if can_add else "",
        )


def named_add_address(league: League, name: str, like: Mode) -> str:
    """The page that adds a mode under a name, for who plays another one; it leads to the sheet."""
    words = {"name": name} | ({"for": like.shape.value} if like.shape else {})
    return f"{reverse('leagues:settings_modes', args=[league.slug])}?{urlencode(words)}#add"
