"""The changes of a league: results and settings in one line of time, and who changed what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from leagues import wording
from leagues.access import Action
from leagues.domain.civil_days import day_of
from leagues.models import AuditEntry, League, Revision
from leagues.pages.authors import is_from_file, revision_author_label
from leagues.pages.changes import ACTIONS, Change, action_name, changes_between
from leagues.pages.contents import line_of, lines_between
from leagues.pages.merges import merge_sentences
from leagues.pages.moves import move_sentences
from leagues.pages.revisions import (
    change_words,
    is_undoing,
    redo_label,
    revision_address,
    undoing_words,
    undone_change,
)
from leagues.selectors.authors import Authors, authors_of
from leagues.selectors.contents import contents_of
from leagues.selectors.leaving import leaving_undoing
from leagues.selectors.log import FACTS, SETTINGS, LogFilter, log_entries, place_of, read_place
from leagues.selectors.player_groups import groups_undoing
from leagues.selectors.revisions import (
    link_undos,
    matches_of_revisions,
    reach_closed_seasons,
    times_of_entries,
    undoings_of,
)
from leagues.selectors.spellings import name_undoing, spelling_undoing
from leagues.selectors.starts import starts_undoing
from leagues.services.player_changes import PLAYERS_CHANGED, REVISION
from leagues.services.tried_changes import matches_of_undo

PAGE_SIZE = 50
MOST_MATCHES = 3
"""Revisions of more results say how many; each is on the revision's own page."""
UNDOES = "undoes"
"""What is sent with the undo of a setting, so that the answer says that it was one."""


@dataclass(frozen=True, slots=True)
class LogRow:
    """One entry; `subject` is what it is about, and `url` where that is."""

    day: date
    is_automatic: bool
    """Whether a program did it, and no person."""
    when: str
    instant: str
    who: str
    what: str
    subject: str
    url: str
    reason: str
    changes: tuple[Change, ...]
    undone: str
    undo_label: str
    undo_url: str
    undo_words: Mapping[str, str]
    """What the address that undoes it is sent."""

    @property
    def is_new(self) -> bool:
        """Whether it only tells how something was made, which fits on a line."""
        return len(self.changes) > 1 and not any(change.old for change in self.changes)


@dataclass(frozen=True, slots=True)
class LogDay:
    """The entries of a day in the league's zone: people's, then what programs did."""

    rows: tuple[LogRow, ...]
    automatic: tuple[LogRow, ...]
    automatic_count: str


@dataclass(frozen=True, slots=True)
class LogPage:
    rows: tuple[LogRow, ...]
    older_url: str

    @property
    def days(self) -> tuple[LogDay, ...]:
        """The same rows by days, newest first."""
        return tuple(_day(tuple(rows)) for _day_of_rows, rows in groupby(self.rows, _day_of_row))


def kind_choices(*, with_settings: bool) -> list[tuple[str, Any]]:
    """The kinds of entries for a select; those of settings are for organizers."""
    results = [(kind.value, str(kind.label)) for kind in Revision.Kind]
    if not with_settings:
        return [("", _("Everything")), *results]
    return [
        ("", _("Everything")),
        (_("Results"), [(FACTS, _("all changes of results")), *results]),
        (
            _("Settings"),
            [
                (SETTINGS, _("all changes of settings")),
                *(
                    (action, str(words))
                    for action, words in sorted(ACTIONS.items())
                    if not action.startswith("account.")
                ),
            ],
        ),
    ]


def log_page(
    *,
    league: League,
    filters: LogFilter,
    address_words: Mapping[str, str],
    rights: Set[Action],
    now: datetime,
    most: int = PAGE_SIZE,
) -> LogPage:
    """Entries, newest first, from the place that `before` in the address names.

    Settings and the names of accounts are for those with the right to them.
    """
    is_organizer = Action.AUDIT in rights
    entries = log_entries(
        league,
        filters,
        read_place(address_words.get("before", "")),
        most + 1,
        with_settings=is_organizer,
    )
    page_entries = entries[:most]
    revisions = [row for row in page_entries if isinstance(row, Revision)]
    lines = _match_lines(revisions, league)
    played = _days_of_entries([row for row in revisions if row.pk not in lines], league)
    joint = merge_sentences(revisions) | move_sentences(revisions)
    undone_by = link_undos(revisions) if revisions else {}
    authors = None if is_organizer else authors_of(league, (row.author_id for row in revisions))
    closed = reach_closed_seasons(revisions)
    undoing = _undoing([row for row in page_entries if isinstance(row, AuditEntry)], league)
    rows = tuple(
        _fact_row(
            row,
            league,
            _fact_changes(
                row, joint.get(row.pk, ""), lines.get(row.pk, ()), played.get(row.pk, "")
            ),
            now,
            authors,
            undoings_of(row, undone_by),
            Action.UNDO in rights and row.pk not in closed,
        )
        if isinstance(row, Revision)
        else _setting_row(row, league, now, undoing.get(row.pk))
        for row in page_entries
    )
    older = ""
    if len(entries) > most:
        at, rank, pk = place_of(page_entries[-1])
        words = {name: value for name, value in address_words.items() if value and name != "before"}
        words["before"] = f"{at.isoformat()}_{rank}_{pk}"
        older = f"{reverse('leagues:changes', args=[league.slug])}?{urlencode(words)}"
    return LogPage(rows, older)


def _match_lines(revisions: Sequence[Revision], league: League) -> dict[int, tuple[Change, ...]]:
    """The changes that revisions of few results made in each, before and after."""
    few = [row for row in revisions if 0 < int(row.summary.get("matches", 0)) <= MOST_MATCHES]
    if not few:
        return {}
    touched = matches_of_revisions(few)
    all_contents = contents_of(touched, league)
    wanted = {row.pk for row in few}
    lines: dict[int, list[Change]] = {}
    for match in touched:
        contents = all_contents.by_match[match.pk]
        label = _("match %(number)d") % {"number": match.seq}
        if match.revision_id in wanted:
            new = Change(label, "", line_of(contents[0], all_contents.names))
            lines.setdefault(match.revision_id, []).append(new)
        for index, version in enumerate(all_contents.revisions[match.pk]):
            if version.revision_id in wanted:
                before, after = lines_between(
                    contents[index], contents[index + 1], all_contents.names, league.zone
                )
                lines.setdefault(version.revision_id, []).append(Change(label, before, after))
    return {pk: tuple(changes) for pk, changes in lines.items()}


def _days_of_entries(revisions: Sequence[Revision], league: League) -> dict[int, str]:
    """The days on which the results of nights were played, by the revisions that entered them."""
    return {
        pk: wording.span(*(wording.day(day_of(at, league.zone)) for at in times))
        for pk, times in times_of_entries(revisions).items()
    }


def _day_of_row(row: LogRow) -> date:
    return row.day


def _day(rows: tuple[LogRow, ...]) -> LogDay:
    automatic = tuple(row for row in rows if row.is_automatic)
    count = ngettext(
        "%(count)d automatic change on %(day)s",
        "%(count)d automatic changes on %(day)s",
        len(automatic),
    ) % {"count": len(automatic), "day": wording.day(rows[0].day)}
    return LogDay(tuple(row for row in rows if not row.is_automatic), automatic, count)


def _fact_changes(
    row: Revision, joint: str, lines: tuple[Change, ...], played: str
) -> tuple[Change, ...]:
    """What a revision changed: what it did in several seasons, then its results or their number.

    `played` is when those were that are only counted.
    """
    count = int(row.summary.get("matches", 0))
    changed = int(row.summary.get(PLAYERS_CHANGED, 0))
    created = int(row.summary.get("players_created", 0))
    is_about_players = not count and (changed or created)
    words = wording.players(max(changed, created)) if is_about_players else wording.results(count)
    if played:
        words = _("%(results)s, played on %(day)s") % {"results": words, "day": played}
    changes = lines or (Change(words, "", ""),)
    return (Change(joint, "", ""), *changes) if joint else changes


def _fact_row(
    row: Revision,
    league: League,
    changes: tuple[Change, ...],
    now: datetime,
    authors: Authors | None,
    undoings: Sequence[Revision],
    may_undo: bool,
) -> LogRow:
    can_undo = may_undo and not undoings and row.season.takes_late_results
    subject = _("change %(number)d, %(season)s") % {
        "number": row.number,
        "season": row.season.name,
    }
    return LogRow(
        **_when(row.created_at, league, now),
        is_automatic=row.author_id is None and row.kind == Revision.Kind.API,
        who=_author(row, authors),
        what=change_words(row),
        subject=subject,
        url=revision_address(league, row.season, row.number),
        reason=row.reason,
        changes=changes,
        undone=undoing_words(undoings) if undoings else "",
        undo_label=_undo_label(row),
        undo_url=reverse("leagues:undo", args=[league.slug, row.season.slug, row.number])
        if can_undo
        else "",
        undo_words={},
    )


def _undo_label(revision: Revision) -> str:
    """“Undo”; where the row undoes something, what comes back."""
    change, _undos = undone_change(revision)
    return redo_label(change, matches_of_undo(change)) if is_undoing(revision) else _("Undo")


def _undoing(
    entries: Sequence[AuditEntry], league: League
) -> dict[int, tuple[str, Mapping[str, str]]]:
    """The route that undoes each entry that can be undone, and what it is sent."""
    names = {pk: ("player_names", said) for pk, said in spelling_undoing(entries, league).items()}
    names |= {pk: ("player_names", said) for pk, said in name_undoing(entries).items()}
    groups = {pk: ("player_groups", said) for pk, said in groups_undoing(entries, league).items()}
    left = {pk: ("player_left", said) for pk, said in leaving_undoing(entries, league).items()}
    starts = {pk: ("player_starts", said) for pk, said in starts_undoing(entries, league).items()}
    return {**names, **groups, **left, **starts}


def _setting_row(
    row: AuditEntry, league: League, now: datetime, undoing: tuple[str, Mapping[str, str]] | None
) -> LogRow:
    route, undo_words = undoing or ("", {})
    after = dict(row.after or {})
    reason, mark = after.pop("reason", ""), str(after.pop(REVISION, ""))
    return LogRow(
        **_when(row.created_at, league, now),
        is_automatic=row.actor is None,
        who=row.actor.get_username() if row.actor else pgettext("who did it", "the system"),
        what=action_name(row.action),
        subject=row.player.name if row.player else row.subject,
        url=_address_of(row, league),
        reason=str(reason),
        changes=(
            *changes_between(row.before, after if row.after is not None else None, league.zone),
            *_origin(mark),
        ),
        undone="",
        undo_label=_("Undo"),
        undo_url=reverse(f"leagues:{route}", args=[league.slug, row.subject]) if route else "",
        undo_words={**undo_words, UNDOES: "yes"} if undo_words else {},
    )


def _origin(mark: str) -> Iterator[Change]:
    """With which revision a change of a player came, as the entry names it."""
    season, _slash, number = mark.rpartition("/")
    if season:
        words = _("with change %(number)s of %(season)s")
        yield Change(words % {"number": number, "season": season}, "", "")


def _author(row: Revision, authors: Authors | None) -> str:
    """Who is answerable for a revision; without `authors`, for readers who may know accounts.

    Nobody for a file that a command imported: the kind of the revision says that already.
    """
    if authors is not None and is_from_file(row.author_id, row.source):
        return ""
    return revision_author_label(row, authors)


def _when(at: datetime, league: League, now: datetime) -> dict[str, Any]:
    today = day_of(now, league.zone)
    return {
        "day": day_of(at, league.zone),
        "when": wording.moment(at, league.zone, today),
        "instant": at.astimezone(league.zone).isoformat(timespec="seconds"),
    }


def _address_of(row: AuditEntry, league: League) -> str:
    """The page of what an entry is about."""
    if row.player is not None and row.player.is_listed:
        return reverse("leagues:player", args=[league.slug, row.player.key])
    if row.season is not None and row.action.startswith("season."):
        return reverse("leagues:settings_season", args=[league.slug, row.season.slug])
    route = {
        "league": "settings",
        "board": "settings_boards",
        "member": "settings_members",
        "token": "settings_tokens",
    }.get(row.action.partition(".")[0], "")
    return reverse(f"leagues:{route}", args=[league.slug]) if route else ""
