"""What became of the lines of a change that was undone: they may be on a sheet, or entered again.

A sheet with them has a key that belongs to the change, and is entered under it: so its results
are not brought back beside those of their own lines.
"""

from __future__ import annotations

from typing import Final
from uuid import UUID, uuid5

from django.utils.translation import gettext as _

from leagues.models import Match, NightSheet, RequestKey, Revision
from leagues.services.errors import Problem, Refused

SOURCE: Final = "browser"
"""The source of results that people enter here, by which keys of requests are told apart."""
_KEYS: Final = UUID("6f0d6a62-2c0b-4c4e-9f7e-0b1d8a3f5c11")


def key_of_lines(revision: Revision) -> UUID:
    """The key under which the lines of an undone change are entered once."""
    return uuid5(_KEYS, f"{revision.season_id}/{revision.number}")


def entered_again(revision: Revision) -> Revision | None:
    """The change by which the lines of an undone one were entered, if its results count."""
    key = str(key_of_lines(revision))
    known = RequestKey.objects.filter(league=revision.league_id, source=SOURCE, key=key)
    request = known.select_related("revision__season").first()
    if request is None or not Match.objects.live().filter(revision=request.revision).exists():
        return None
    return request.revision


def require_not_again(revision: Revision) -> None:
    """Raise Refused where undoing a revision would bring results back beside their own lines."""
    undone = revision.reverts
    if undone is None or undone.kind != Revision.Kind.ENTRY:
        return
    if again := entered_again(undone):
        raise Refused([again_problem(again)])
    sheets = NightSheet.objects.filter(league=undone.league_id, key=key_of_lines(undone))
    if sheets.exclude(text="").exists():
        words = _("These lines are on a night sheet. Enter or discard them there first.")
        raise Refused([Problem("revision", "on_sheet", words)])


def again_problem(again: Revision) -> Problem:
    """Why results stay void whose lines another change has."""
    words = _("These lines were entered again. Undo that first: change %(number)d.")
    message = words % {"number": again.number}
    return Problem("revision", "entered_again", message, revisions=(again,))
