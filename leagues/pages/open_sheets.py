"""A night that somebody has typed and not recorded, in words, with the way back to its sheet."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import ngettext

from leagues import wording
from leagues.models import League


@dataclass(frozen=True, slots=True)
class OpenSheet:
    """The lines of a sheet that are not recorded yet."""

    sentence: str
    url: str
    league: str


def open_sheet(league: League, lines: int) -> OpenSheet:
    """The sheet of a league on which so many lines stand."""
    words = ngettext(
        "A night with %(count)s line is not recorded yet.",
        "A night with %(count)s lines is not recorded yet.",
        lines,
    )
    return OpenSheet(
        sentence=words % {"count": wording.count(lines)},
        url=reverse("leagues:night", args=[league.slug]),
        league=league.name,
    )
