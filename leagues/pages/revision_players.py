"""What a revision changed of players, for organizers: who, and what became of what."""

from __future__ import annotations

from itertools import groupby

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues.models import AuditEntry, League, Revision
from leagues.pages.changes import Change, changes_between
from leagues.pages.import_players import ChangedPlayer
from leagues.selectors.revisions import changes_of_players
from leagues.services.player_changes import REVISION
from leagues.services.player_undo import STARTS_KEPT, YEARS_KEPT
from leagues.services.spellings import REMEMBERED, REMOVED

MOST_ENTRIES = 300


def players_of_revision(revision: Revision) -> tuple[ChangedPlayer, ...]:
    """The players whom a revision changed, with what it changed of each."""
    entries = changes_of_players(revision, MOST_ENTRIES)
    return tuple(
        ChangedPlayer(
            rows[0].subject if rows[0].player is None else rows[0].player.name,
            tuple(change for row in rows for change in _changes(row, revision.league)),
        )
        for rows in (list(own) for _key, own in groupby(entries, lambda row: row.person_key))
    )


def kept_words(revision: Revision) -> str:
    """What an undo left as it was, in sentences; empty where it left nothing."""
    starts = int(revision.summary.get(STARTS_KEPT, 0))
    years = int(revision.summary.get(YEARS_KEPT, 0))
    sentences = []
    if starts:
        words = ngettext(
            "%(count)d starting rating stays as it is: its season is closed.",
            "%(count)d starting ratings stay as they are: their seasons are closed.",
            starts,
        )
        sentences.append(words % {"count": starts})
    if years:
        words = ngettext(
            "%(count)d year of birth stays as it is: a sealed season was rated by it.",
            "%(count)d years of birth stay as they are: a sealed season was rated by them.",
            years,
        )
        sentences.append(words % {"count": years})
    return " ".join(sentences)


def _changes(row: AuditEntry, league: League) -> tuple[Change, ...]:
    before, after = dict(row.before or {}), dict(row.after or {})
    after.pop(REVISION, None)
    if row.action in (REMEMBERED, REMOVED):
        return (Change(_("other name"), str(before.get("name", "")), str(after.get("name", ""))),)
    return changes_between(before, after, league.zone)
