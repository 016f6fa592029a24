"""What a page says of a result that was just saved: which one, and who is a new player by it."""

from __future__ import annotations

from collections.abc import Sequence

from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import wording
from leagues.models import Match, Revision
from leagues.pages.matches import match_address, result_line
from leagues.pages.revision_players import kept_words
from leagues.pages.revisions import (
    change_words,
    is_undoing,
    redo_label,
    revision_address,
    undo_label,
    undone_change,
)
from leagues.selectors.matches import numbered_match
from leagues.selectors.names import newcomers_of
from leagues.services.entry_drafts import UnclearName
from leagues.services.moved_matches import match_left_by
from leagues.services.tried_changes import matches_of_undo


def entry_notice(match: Match) -> SafeString:
    """The result that was entered, read with its players, and the new players of its entry."""
    return format_html("{} {}", _saved(match), newcomers_notice(match.revision, match) or "")


def change_notice(
    match: Match, revision: Revision, short: Sequence[UnclearName] = ()
) -> SafeString:
    """The way back to a match that was changed, as it is now, and the new players of the change.

    Of a correction also who was taken for whom by a `short` name.
    """
    left = match_left_by(revision, match)
    stored = numbered_match(left.season, left.seq or 0) or match
    stored.league = match.league
    notices = [
        _saved(stored, _("Back to the match:") + " "),
        *([short_names_notice(short, stored)] if short else []),
        newcomers_notice(revision, stored) or "",
    ]
    return format_html_join(" ", "{}", ([notice] for notice in notices))


def short_names_notice(short: Sequence[UnclearName], match: Match) -> SafeString:
    """Whom names mean that are short for one player alone, and how to change that."""
    meanings = [
        _("“%(name)s” means %(player)s")
        % {"name": wording.isolated(name.name), "player": wording.isolated(one.name)}
        for name in short
        for one in name.candidates
        if one.key == name.answer
    ]
    words = _(
        '<b>{meanings}.</b> If someone else played, <a href="{correct}">correct the result</a>.'
    )
    return format_html(words, meanings=wording.listing(meanings), correct=_correction_of(match))


def undo_notice(revision: Revision) -> str:
    """What was undone, or is back again, and how to take that back."""
    words = [f"{capfirst(change_words(revision))}."]
    if is_undoing(revision):
        change = undone_change(revision)[0]
        label = redo_label(change, matches_of_undo(change))
        words.append(_("“%(label)s” takes that back.") % {"label": label})
    return " ".join([*words, *filter(None, [kept_words(revision)])])


def newcomers_notice(revision: Revision, match: Match) -> SafeString | None:
    """Who was added as a new player with a match, and how to take that back."""
    names = [player.name for player in newcomers_of(revision)]
    if not names:
        return None
    words = ngettext(
        "<b>{names} was added as a new player.</b> If the name is misspelt, "
        '<a href="{correct}">correct the result</a> or choose “<a href="{undo}">{label}</a>”.',
        "<b>{names} were added as new players.</b> If a name is misspelt, "
        '<a href="{correct}">correct the result</a> or choose “<a href="{undo}">{label}</a>”.',
        len(names),
    )
    return format_html(
        words,
        names=wording.listing(names),
        correct=_correction_of(match),
        undo=revision_address(match.league, match.season, revision.number),
        label=undo_label(revision, 1),
    )


def _correction_of(match: Match) -> str:
    return reverse("leagues:correct", args=[match.league.slug, match.season.slug, match.seq])


def _saved(match: Match, lead: str = "") -> SafeString:
    line = result_line(match)
    return format_html(
        '<b>{}</b> {}<a href="{}"><bdi dir="ltr">{}</bdi></a>{}',
        _("Saved."),
        lead,
        match_address(match, match.league, match.season),
        line,
        # A name may end with a dot of its own.
        "" if line.endswith(".") else ".",
    )
