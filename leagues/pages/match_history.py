"""The history of a match: entered, corrected, voided, restored."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from django.utils.translation import gettext as _

from leagues import wording
from leagues.domain.civil_days import day_of
from leagues.models import (
    League,
    Match,
    Revision,
    Season,
)
from leagues.pages.authors import revision_author_label
from leagues.pages.contents import line_of, lines_between
from leagues.pages.moves import moved_words
from leagues.pages.revisions import is_undoing, revision_address
from leagues.selectors.authors import Authors, authors_of
from leagues.selectors.contents import contents_of
from leagues.selectors.revisions import link_undos


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One line of a match's history."""

    at: str
    text: str
    says: str
    reason: str
    url: str
    revision: str


def match_history(
    match: Match, *, league: League, season: Season, now: datetime, names_accounts: bool
) -> tuple[HistoryEntry, ...]:
    """The history of a match, oldest first: entered, corrected, voided, restored."""
    today = day_of(now, league.zone)
    all_contents = contents_of([match], league)
    contents = all_contents.by_match[match.pk]
    revisions = [match.revision, *(row.revision for row in all_contents.revisions[match.pk])]
    if any(revision.kind == Revision.Kind.REVERT for revision in revisions):
        link_undos(revisions)
    author_ids = [revision.author_id for revision in revisions]
    authors = None if names_accounts else authors_of(league, author_ids)
    lines = [line_of(contents[0], all_contents.names)]
    for before, after in pairwise(contents):
        lines.append(lines_between(before, after, all_contents.names, league.zone)[1])
    return tuple(
        HistoryEntry(
            at=wording.moment_element(revision.created_at, league.zone, today),
            text=_announcement(revision, authors, is_first=index == 0),
            says=line,
            reason=revision.reason,
            url=revision_address(league, season, revision.number),
            revision=_("change %(number)d") % {"number": revision.number},
        )
        for index, (revision, line) in enumerate(zip(revisions, lines, strict=True))
    )


def _announcement(revision: Revision, authors: Authors | None, *, is_first: bool) -> str:
    words = {
        Revision.Kind.CORRECTION: _("Corrected by %(who)s"),
        Revision.Kind.VOID: _("Voided by %(who)s"),
        Revision.Kind.RESTORE: _("Restored by %(who)s"),
        Revision.Kind.REVERT: _("Undone by %(who)s")
        if is_undoing(revision)
        else _("Brought back by %(who)s"),
        Revision.Kind.MERGE: _("Players merged by %(who)s"),
        Revision.Kind.IMPORT: _("Imported by %(who)s"),
    }
    text = _("Entered by %(who)s") if is_first else _("Changed by %(who)s")
    who = revision_author_label(revision, authors)
    moved = (_("Moved to “%(season)s” by %(who)s"), _("Moved here from “%(season)s” by %(who)s"))
    if words_of_move := moved_words(revision, moved, {"who": who}):
        return words_of_move
    if revision.kind == Revision.Kind.IMPORT and revision.author_id is None:
        return _("Imported from a file")
    return words.get(Revision.Kind(revision.kind), text) % {"who": who}
