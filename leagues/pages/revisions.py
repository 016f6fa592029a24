"""Revisions: what was committed, what each changed, and what undid it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import wording
from leagues.domain.civil_days import day_of
from leagues.models import League, Match, Revision, Season
from leagues.pages.authors import is_from_file, public_author_label
from leagues.pages.contents import line_of, lines_between
from leagues.selectors.authors import Authors, authors_of
from leagues.selectors.contents import Contents, contents_of
from leagues.selectors.revisions import newest_matches_of, revisions_before, undoing_of

PAGE_SIZE = 50
MOST_MATCHES = 100


@dataclass(frozen=True, slots=True)
class RevisionRow:
    number: int
    url: str
    at: str
    kind: str
    who: str
    matches: str
    reason: str
    undone: str


@dataclass(frozen=True, slots=True)
class RevisionList:
    rows: tuple[RevisionRow, ...]
    next_url: str


@dataclass(frozen=True, slots=True)
class MatchChange:
    """A match before and after a revision; an empty `before` means that it was new."""

    url: str
    number: int
    day: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class RevisionPage:
    title: str
    kind: str
    at: str
    summary: str
    reason: str
    result_count: str
    rows: tuple[MatchChange, ...]
    more: str
    undoes: str
    undoes_url: str
    undone: str
    undone_url: str


def revision_address(league: League, season: Season, number: int | None) -> str:
    """The address of a revision's page."""
    return reverse("leagues:revision", args=[league.slug, season.slug, number])


def revision_list(
    *, league: League, season: Season, words: Mapping[str, str], now: datetime
) -> RevisionList:
    """The revisions of a season, newest first, 50 at most."""
    revisions = revisions_before(season, words.get("after", ""), PAGE_SIZE + 1)
    today = day_of(now, league.zone)
    page_revisions = revisions[:PAGE_SIZE]
    authors = authors_of(league, (row.author_id for row in page_revisions))
    more = ""
    if len(revisions) > PAGE_SIZE:
        base = reverse("leagues:revisions", args=[league.slug])
        more = f"{base}?season={season.slug}&after={page_revisions[-1].number}"
    return RevisionList(
        tuple(
            RevisionRow(
                number=row.number or 0,
                url=revision_address(league, season, row.number),
                at=wording.moment_element(row.created_at, league.zone, today),
                kind=str(row.get_kind_display()),
                who=_("imported from a file")
                if is_from_file(row.author_id, row.source)
                else public_author_label(row.author_id, row.source, authors),
                matches=wording.results(int(row.summary.get("matches", 0))),
                reason=row.reason,
                undone=_undone_word(row),
            )
            for row in page_revisions
        ),
        more,
    )


def _origin(row: Revision, authors: Authors) -> str:
    if is_from_file(row.author_id, row.source):
        return _("imported from a file")
    return _("by %(who)s") % {"who": public_author_label(row.author_id, row.source, authors)}


def _undone_word(row: Revision) -> str:
    undoing = getattr(row, "reverted_by", None)
    if undoing is None:
        return ""
    return _("undone by revision %(number)d") % {"number": undoing.number}


def revision_page(*, revision: Revision, now: datetime) -> RevisionPage:
    """The changes of a revision, newest match first, 100 at most."""
    league, season = revision.league, revision.season
    matches = newest_matches_of(revision, MOST_MATCHES + 1)
    page_matches = matches[:MOST_MATCHES]
    contents = contents_of(page_matches, league)
    today = day_of(now, league.zone)
    total = int(revision.summary.get("matches", 0))
    undoing = undoing_of(revision)
    return RevisionPage(
        title=_("Revision %(number)d") % {"number": revision.number},
        kind=str(revision.get_kind_display()),
        at=wording.moment_element(revision.created_at, league.zone, today),
        summary=_origin(revision, authors_of(league, [revision.author_id])),
        reason=revision.reason,
        result_count=wording.results(total),
        rows=tuple(_match_change(match, revision, contents, today) for match in page_matches),
        more=_more(total) if len(matches) > MOST_MATCHES else "",
        undoes=_number_of(revision.reverts),
        undoes_url=_address_of(revision.reverts, league, season),
        undone=_number_of(undoing),
        undone_url=_address_of(undoing, league, season),
    )


def _match_change(
    match: Match, revision: Revision, all_contents: Contents, today: date
) -> MatchChange:
    league = revision.league
    contents = all_contents.by_match[match.pk]
    replaced = [row.revision_id for row in all_contents.revisions[match.pk]]
    if revision.pk in replaced:
        index = replaced.index(revision.pk)
        before, after = lines_between(
            contents[index], contents[index + 1], all_contents.names, league.zone
        )
    else:
        before, after = "", line_of(contents[0], all_contents.names)
    return MatchChange(
        url=reverse("leagues:match", args=[league.slug, revision.season.slug, match.seq]),
        number=match.seq or 0,
        day=wording.day(day_of(match.played_at, league.zone), today),
        before=before,
        after=after,
    )


def _more(total: int) -> str:
    return ngettext(
        "and %(count)s more result", "and %(count)s more results", total - MOST_MATCHES
    ) % {"count": wording.count(total - MOST_MATCHES)}


def _number_of(revision: Revision | None) -> str:
    return "" if revision is None else _("revision %(number)d") % {"number": revision.number}


def _address_of(revision: Revision | None, league: League, season: Season) -> str:
    return "" if revision is None else revision_address(league, season, revision.number)
