"""Changes of a rating without a match: what corrections of older results did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from leagues import charts, wording
from leagues.domain.civil_days import day_of
from leagues.models import RevisedRating, Revision
from leagues.pages.authors import public_author_label
from leagues.pages.matches import explained_match
from leagues.pages.moves import moved_words
from leagues.pages.player_profile import Profile
from leagues.pages.revisions import revision_address
from leagues.pages.seats import format_change
from leagues.selectors.authors import Authors

MOST_MARKS = 12
"""Revisions that are marked in the chart."""


@dataclass(frozen=True, slots=True)
class RevisionRow:
    """A change without a match: what a correction of older results did."""

    day: str
    change: str
    text: str
    reason: str
    url: str
    after: str
    is_lasting: bool
    """It was not taken back."""


def revision_marks(profile: Profile) -> list[charts.Mark]:
    """The newest revisions that changed something in the end, oldest first."""
    newest = lasting(profile.revisions)[-MOST_MARKS:]
    return [charts.Mark(row.revision.created_at, _change(profile, row)) for row in newest]


def lasting(revisions: Sequence[RevisedRating]) -> list[RevisedRating]:
    """Revisions given newest first, oldest first, without those that were taken back.

    A void and its undoing together are no change: runs of revisions that follow each other, with
    no match between them, and end where they began.
    """
    kept: list[RevisedRating] = []
    for row in reversed(revisions):
        kept.append(row)
        for first in range(len(kept) - 2, -1, -1):
            if kept[first].after != kept[first + 1].before:
                break
            if kept[first].before == row.after:
                del kept[first:]
                break
    return kept


def _change(profile: Profile, row: RevisedRating) -> str:
    return format_change(
        profile.board, row.before, row.after, profile.standings.shown_values.decimals
    )


def revision_row(
    profile: Profile, row: RevisedRating, authors: Authors, *, is_lasting: bool
) -> RevisionRow:
    """A correction that moved a rating without a match of its player."""
    revision, match = row.revision, row.match
    who = public_author_label(revision.author_id, revision.source, authors)
    if revision.kind == Revision.Kind.MERGE:
        words = _("%(who)s merged two players") % {"who": who}
        url = revision_address(profile.board.league, profile.board.season, revision.number)
    elif match is not None:
        values: dict[str, str | int] = {"number": match.seq or 0, "who": who}
        words = {
            Revision.Kind.CORRECTION: _("%(who)s corrected match %(number)d"),
            Revision.Kind.VOID: _("%(who)s voided match %(number)d"),
            Revision.Kind.RESTORE: _("%(who)s restored match %(number)d"),
            Revision.Kind.REVERT: _("%(who)s undid a change of match %(number)d"),
            Revision.Kind.START: _("match %(number)d was left"),
            Revision.Kind.LEFT: _("match %(number)d was left"),
            Revision.Kind.RELEASE: _("%(who)s let players of match %(number)d go"),
        }.get(Revision.Kind(revision.kind), _("%(who)s entered match %(number)d late"))
        moved = (
            _("%(who)s moved match %(number)d to “%(season)s”"),
            _("%(who)s moved match %(number)d here from “%(season)s”"),
        )
        words = moved_words(revision, moved, values) or words % values
        url = explained_match(match.seq or 0, profile.board)
    else:
        words = _("%(who)s changed older results") % {
            "who": who,
        }
        url = revision_address(profile.board.league, profile.board.season, revision.number)
    return RevisionRow(
        day=wording.day(day_of(revision.created_at, profile.zone), profile.today),
        change=_change(profile, row),
        text=words,
        reason=revision.reason,
        url=url,
        after=wording.number(row.after, profile.standings.shown_values.decimals),
        is_lasting=is_lasting,
    )
