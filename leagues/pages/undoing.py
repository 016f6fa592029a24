"""Undone changes: why an undo is refused, and the way back to the sheet for their lines."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import wording
from leagues.access import Action
from leagues.models import League, Revision
from leagues.pages.revisions import revision_address
from leagues.services.entered_again import entered_again, sheet_with_lines
from leagues.services.errors import Problem
from leagues.services.tried_changes import matches_of_undo
from leagues.services.undone_lines import LinesAgain, has_undone_lines


@dataclass(frozen=True, slots=True)
class LinesBack:
    """The button that puts the lines of an undone entry on a sheet again, or where they went."""

    change: str = ""
    """The season and the number of the entry, as the sheet is asked for them."""
    label: str = ""
    words: str = ""
    entered: str = ""
    entered_url: str = ""


def lines_back(change: Revision, rights: Set[Action], viewer: int | None) -> LinesBack | None:
    """The way back for the lines of an entry that is undone; None where there is none.

    `rights` are those of the viewer with the entry, who reads whose sheet has the lines only where
    they could be taken from there.
    """
    if not has_undone_lines(change):
        return None
    if again := entered_again(change):
        entered = _("entered again by change %(number)d") % {"number": again.number}
        url = revision_address(change.league, again.season, again.number)
        return LinesBack(entered=entered, entered_url=url)
    if not {Action.ENTER, Action.UNDO} <= rights:
        return None
    sheet = sheet_with_lines(change)
    if sheet is not None and sheet.author_id != viewer:
        words = _("These lines are on the night sheet of %(name)s already.")
        return LinesBack(words=words % {"name": sheet.author.get_username()})
    count = matches_of_undo(change)
    words = _("There you can change the day or a line, and enter them again.")
    return LinesBack(
        f"{change.season.slug}/{change.number}",
        ngettext("Back to the sheet with this line", "Back to the sheet with these lines", count),
        words,
    )


def lines_back_notice(lines: LinesAgain) -> str:
    """That the lines are on the sheet, and which of them do not say all of their results."""
    words = ngettext(
        "%(count)s line is on the sheet again. Change what is wrong, such as the day, and check.",
        "%(count)s lines are on the sheet again. Change what is wrong, such as the day, and check.",
        lines.count,
    ) % {"count": wording.count(lines.count)}
    if not lines.partial:
        return words
    partial = _("These lines do not say all of their results: %(lines)s.")
    return f"{words} {partial % {'lines': '; '.join(lines.partial)}}"


def linked_refusal(problem: Problem, league: League) -> SafeString:
    """Why an undo is refused, where the changes that it names lead to their pages."""
    names = {_("change %(number)d") % {"number": one.number}: one for one in problem.revisions}
    links = {
        name: format_html(
            '<a href="{}">{}</a>', revision_address(league, one.season, one.number), name
        )
        for name, one in names.items()
    }
    # The longest first: “change 12” is not “change 1”.
    return _with_links(problem.message, sorted(links.items(), key=lambda one: -len(one[0])))


def _with_links(text: str, links: Sequence[tuple[str, SafeString]]) -> SafeString:
    """A text as markup, with links in the place of the words that they are for."""
    if not links:
        return conditional_escape(text)
    (words, link), *others = links
    parts = (_with_links(part, others) for part in text.split(words))
    return format_html_join(link, "{}", ((part,) for part in parts))


def refusals_of(problems: Sequence[Problem], league: League) -> list[SafeString]:
    """Why an undo is refused: every reason, with links to the changes that it names."""
    return [linked_refusal(problem, league) for problem in problems]
