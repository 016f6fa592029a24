"""A revision: what was committed, what it changed, and what undid it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import bridge, wording
from leagues.domain.civil_days import day_of
from leagues.models import League, Match, Revision, Season
from leagues.pages.authors import is_from_file, revision_author_label
from leagues.pages.boards import board_address, link_of_player
from leagues.pages.contents import line_of, lines_between
from leagues.pages.import_players import ChangedPlayer
from leagues.pages.merges import merge_sentences
from leagues.pages.moves import move_sentences, moved_words
from leagues.pages.revision_players import kept_words, players_of_revision
from leagues.pages.seats import format_change
from leagues.selectors.authors import Authors, authors_of
from leagues.selectors.contents import Contents, contents_of
from leagues.selectors.revisions import (
    Moves,
    left_unranked,
    link_undos,
    moves_of,
    newest_matches_of,
    other_parts,
    undoings_of,
)
from leagues.services.moved_matches import Move
from leagues.services.player_changes import PLAYERS_CHANGED
from leagues.services.tried_changes import MAX_MATCHES, matches_of_undo

MOST_MATCHES = 100
MAX_MOVED = 50
CHANGES = frozenset(
    (
        Revision.Kind.CORRECTION,
        Revision.Kind.VOID,
        Revision.Kind.RESTORE,
        Revision.Kind.REVERT,
        Revision.Kind.MERGE,
        Revision.Kind.LEFT,
        Revision.Kind.RELEASE,
    )
)
"""Revisions of results that were there already."""
VOIDING = frozenset((Revision.Kind.VOID, Revision.Kind.REVERT))
"""Revisions that may make results void."""


@dataclass(frozen=True, slots=True)
class MatchChange:
    """A match before and after a revision; an empty `before` means that it was new."""

    url: str
    number: int
    day: str
    before: str
    after: str
    now: str
    """What later changes made of it; empty where it still says `after`."""
    mode: str = ""
    """What it is recorded in, where the matches of the revision are in several."""


@dataclass(frozen=True, slots=True)
class MovedPlayer:
    """A player whose rating a revision moved."""

    name: str
    url: str
    before: str
    after: str
    change: str


@dataclass(frozen=True, slots=True)
class MovedBoard:
    """Whom a revision moved on one board; those who moved farthest first."""

    name: str
    url: str
    headline: str
    rows: tuple[MovedPlayer, ...]
    more: str


@dataclass(frozen=True, slots=True)
class RevisionLink:
    """Another revision, by its number and season."""

    name: str
    url: str


@dataclass(frozen=True, slots=True)
class Undoing:
    """A later revision that undid a revision, or brought it back, in words."""

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class RevisionPage:
    title: str
    kind: str
    at: str
    summary: str
    reason: str
    result_count: str
    can_preview: bool
    """Whether an undo can be shown before it is done."""
    undo_label: str
    undo_words: str
    """What an undo does."""
    undo_url: str
    """The address that undoes it, or, where it is undone, brings it back."""
    joint: str
    """Who was merged into whom by it, or is two again; which result it moved to which season."""
    other_parts: tuple[RevisionLink, ...]
    """Revisions of other seasons that did one thing with it, and are undone with it."""
    rows: tuple[MatchChange, ...]
    more: str
    players: tuple[ChangedPlayer, ...]
    """Of whom it changed something beside results; for organizers."""
    players_kept: str
    """What of players it left as it was, as an undo."""
    moves: tuple[MovedBoard, ...]
    unmoved: str
    """Why a change of older results names nobody whom it moved."""
    unranked: str
    """Who has too few results for a rank since it made some void, in a sentence."""
    announcement: str
    """How many ratings moved, for those who hear the page change."""
    undoes: str
    undoes_url: str
    undoings: tuple[Undoing, ...]
    """What undid it, what brought it back, and so on."""


def revision_address(league: League, season: Season, number: int | None) -> str:
    """The address of a revision's page."""
    return reverse("leagues:revision", args=[league.slug, season.slug, number])


def _origin(row: Revision, authors: Authors | None) -> str:
    if is_from_file(row.author_id, row.source):
        return _("imported from a file")
    return _("by %(who)s") % {"who": revision_author_label(row, authors)}


def revision_page(*, revision: Revision, now: datetime, names_accounts: bool) -> RevisionPage:
    """The changes of a revision, newest match first, 100 at most."""
    league, season = revision.league, revision.season
    matches = newest_matches_of(revision, MOST_MATCHES + 1)
    page_matches = matches[:MOST_MATCHES]
    contents = contents_of(page_matches, league)
    today = day_of(now, league.zone)
    has_modes = len({match.mode_id for match in page_matches}) > 1
    total = matches_of_undo(revision)
    undoings = undoings_of(revision, link_undos([revision]))
    last = undoings[-1] if undoings else revision
    change, undos = undone_change(revision)
    is_undone = (undos + len(undoings)) % 2 == 1
    authors = None if names_accounts else authors_of(league, [revision.author_id])
    moves = tuple(_moved_board(one) for one in moves_of(revision, MAX_MOVED))
    return RevisionPage(
        title=_("Change %(number)d") % {"number": revision.number},
        kind=change_words(revision),
        at=wording.moment_element(revision.created_at, league.zone, today),
        summary=_origin(revision, authors),
        reason=revision.reason,
        result_count=_count_words(revision, total),
        can_preview=total <= MAX_MATCHES,
        undo_label=(redo_label if is_undone else undo_label)(change, total),
        undo_words=(redo_words if is_undone else undo_words)(change, total),
        undo_url=reverse("leagues:undo", args=[league.slug, season.slug, last.number]),
        joint="".join((merge_sentences([revision]) | move_sentences([revision])).values()),
        other_parts=tuple(_link_to(part, league) for part in other_parts(revision)),
        rows=tuple(
            replace(
                _match_change(match, revision, league, contents, today),
                mode=match.mode.name if has_modes else "",
            )
            for match in page_matches
        ),
        more=_more(total) if len(matches) > MOST_MATCHES else "",
        players=players_of_revision(revision) if names_accounts else (),
        players_kept=kept_words(revision),
        moves=moves,
        unmoved="" if moves else _unmoved(revision, total),
        unranked=_unranked(revision, total),
        announcement="; ".join(f"{one.name}: {one.headline}" for one in moves),
        undoes=_number_of(revision.reverts),
        undoes_url=_address_of(revision.reverts, league, season),
        undoings=tuple(
            Undoing(undoing_words(undoings[: index + 1]), _address_of(one, league, season))
            for index, one in enumerate(undoings)
        ),
    )


def match_changes(revision: Revision, league: League, now: datetime) -> tuple[MatchChange, ...]:
    """What a revision of a league makes of its results, newest match first, 100 at most."""
    matches = newest_matches_of(revision, MOST_MATCHES)
    contents = contents_of(matches, league)
    today = day_of(now, league.zone)
    return tuple(
        _match_change(match, revision, league, contents, today, wording.moment) for match in matches
    )


def _count_words(revision: Revision, total: int) -> str:
    """How many results a revision is about, or how many players if it is about no result."""
    players = int(revision.summary.get(PLAYERS_CHANGED, 0))
    created = int(revision.summary.get("players_created", 0))
    return (
        wording.results(total)
        if total or not (players or created)
        else wording.players(max(players, created))
    )


def undone_change(revision: Revision) -> tuple[Revision, int]:
    """The change that an undo, the undo of an undo and so on are about, and how many these are."""
    undos = 0
    while revision.reverts is not None:
        revision, undos = revision.reverts, undos + 1
    return revision, undos


def undoing_words(undoings: Sequence[Revision]) -> str:
    """That a revision was undone by the last of these, or brought back by it."""
    undone = _("undone by change %(number)d")
    words = undone if len(undoings) % 2 else _("brought back by change %(number)d")
    return words % {"number": undoings[-1].number}


def is_undoing(revision: Revision) -> bool:
    """Whether a revision undoes something, so that undoing it brings that back."""
    return undone_change(revision)[1] % 2 == 1


def change_words(revision: Revision) -> str:
    """What a revision did; of one that undoes another, to which."""
    first, undos = undone_change(revision)
    is_move = Move.of(first) is not None
    kind = _("result moved to another season") if is_move else first.get_kind_display()
    if not undos:
        return str(kind)
    words = {"what": kind, "number": first.number}
    if undos % 2:
        return _("change %(number)d (%(what)s) was undone") % words
    return _("change %(number)d (%(what)s) was brought back") % words


def undo_label(revision: Revision, total: int) -> str:
    """What the button says that undoes a revision: the same words wherever it is offered."""
    match revision.kind:
        case Revision.Kind.ENTRY:
            return _("Undo this result") if total == 1 else _("Undo this night")
        case Revision.Kind.IMPORT | Revision.Kind.PLAYERS:
            return _("Undo this import")
        case Revision.Kind.CORRECTION:
            return _("Undo this correction")
        case Revision.Kind.MERGE:
            return _("Undo this merge")
    return _("Undo this change")


def undo_words(revision: Revision, total: int) -> str:
    """What undoing a revision of so many results does to them, and that it can be taken back."""
    words = {
        Revision.Kind.CORRECTION: _("The result goes back to the season that it was moved from.")
        if Move.of(revision)
        else _("The result will say again what it said before."),
        Revision.Kind.VOID: _("The result will count again."),
        Revision.Kind.RESTORE: _("The result will be void again and no longer count."),
        Revision.Kind.MERGE: _("They will be two players again, each with their own results."),
        Revision.Kind.START: _(
            "The match will be void, and a match that was left for it is open again."
        ),
        Revision.Kind.RELEASE: _("Who leaves the match loses it again."),
        Revision.Kind.PLAYERS: _(
            "What the file said of players is taken back. What a person has changed since stays; "
            "what a later file changed has to be undone first. Players who came with it leave the "
            "lists unless they have a result."
        ),
    }.get(Revision.Kind(revision.kind)) or ngettext(
        "The result will be void: it stays listed but no longer counts. Players who came with it "
        "leave the lists unless they have another result.",
        "These %(count)s results are one change and are undone together: all will be void. They "
        "stay listed but no longer count. Players who came with them leave the lists unless they "
        "have another result.",
        total,
    ) % {"count": wording.count(total)}
    return f"{words} {_('Ratings and ranks follow. You can undo this, too.')}"


def redo_label(revision: Revision, total: int) -> str:
    """What the button says that brings an undone revision back: what comes back by it."""
    count = {"count": wording.count(total)}
    match revision.kind:
        case Revision.Kind.IMPORT | Revision.Kind.PLAYERS:
            return _("Bring this import back")
        case Revision.Kind.CORRECTION:
            return _("Correct the result again")
        case Revision.Kind.VOID:
            return (
                ngettext("Void the result again", "Void the %(count)s results again", total) % count
            )
        case Revision.Kind.RESTORE:
            return _("Restore the result again")
        case Revision.Kind.MERGE:
            return _("Merge the players again")
        case Revision.Kind.START:
            return _("Start the match again")
        case Revision.Kind.RELEASE:
            return _("Let the players go again")
        case Revision.Kind.LEFT:
            return _("Count the match as lost again")
    return ngettext("Bring the result back", "Bring the %(count)s results back", total) % count


def redo_words(revision: Revision, total: int) -> str:
    """What it does to so many results that an undone revision is brought back."""
    count = {"count": wording.count(total)}
    words = {
        Revision.Kind.CORRECTION: _("The result moves to the other season again.")
        if Move.of(revision)
        else _("The result will say again what the correction said."),
        Revision.Kind.VOID: ngettext(
            "The result will be void again and no longer count.",
            "The %(count)s results will be void again and no longer count.",
            total,
        )
        % count,
        Revision.Kind.RESTORE: _("The result will count again."),
        Revision.Kind.MERGE: _("They will be one player again, with the results of both."),
        Revision.Kind.START: _("The match will be open again, as when it was started."),
        Revision.Kind.RELEASE: _("The players who were let go no longer lose the match."),
        Revision.Kind.LEFT: _("The match will count as lost again."),
        Revision.Kind.PLAYERS: _("What the file said of players will hold again."),
    }.get(Revision.Kind(revision.kind)) or ngettext(
        "The result will count again, as it was last corrected.",
        "These %(count)s results will count again, as they were last corrected.",
        total,
    ) % count
    return f"{words} {_('Ratings and ranks follow. You can undo this, too.')}"


def _link_to(revision: Revision, league: League) -> RevisionLink:
    words = _("change %(number)d, %(season)s")
    return RevisionLink(
        words % {"number": revision.number, "season": revision.season.name},
        revision_address(league, revision.season, revision.number),
    )


def _match_change(
    match: Match,
    revision: Revision,
    league: League,
    all_contents: Contents,
    today: date,
    moment: Callable[[datetime, ZoneInfo], str] = wording.moment_element,
) -> MatchChange:
    contents = all_contents.by_match[match.pk]
    replaced = [row.revision_id for row in all_contents.revisions[match.pk]]
    if revision.pk in replaced:
        index = replaced.index(revision.pk)
        then = contents[index + 1]
        before, after = lines_between(
            contents[index], then, all_contents.names, league.zone, moment
        )
    else:
        then = contents[0]
        before = moved_words(revision, ("", _("in “%(season)s”")), {})
        after = line_of(then, all_contents.names)
    now = line_of(contents[-1], all_contents.names)
    return MatchChange(
        url=reverse("leagues:match", args=[league.slug, revision.season.slug, match.seq]),
        number=match.seq or 0,
        day=wording.day(day_of(datetime.fromisoformat(then["played_at"]), league.zone), today),
        before=before,
        after=after,
        now=now if then != contents[-1] and now != after else "",
    )


def _moved_board(moves: Moves) -> MovedBoard:
    board = moves.board
    decimals = bridge.shown_decimals(board)
    hidden = moves.count - len(moves.farthest)
    return MovedBoard(
        name=board.name,
        url=board_address(board),
        headline=ngettext("%(count)s rating moved", "%(count)s ratings moved", moves.count)
        % {"count": wording.count(moves.count)},
        rows=tuple(
            MovedPlayer(
                name=row.player.name,
                url=link_of_player(board, row.player),
                before=wording.number(row.before, decimals),
                after=wording.number(row.after, decimals),
                change=format_change(board, row.before, row.after, decimals),
            )
            for row in moves.farthest
        ),
        more=ngettext(
            "%(count)s more player is not shown.",
            "%(count)s more players are not shown.",
            hidden,
        )
        % {"count": wording.count(hidden)}
        if hidden
        else "",
    )


def _unranked(revision: Revision, total: int) -> str:
    """Who lost the rank; not of a long undone import, which would read all of its results."""
    is_asked = revision.kind in VOIDING and total <= MAX_MATCHES
    players = left_unranked(revision) if is_asked else []
    if not players:
        return ""
    names = [player.name for player in players[:MAX_MOVED]]
    if len(players) > MAX_MOVED:
        names.append(wording.players(len(players) - MAX_MOVED))
    words = _("No longer ranked, with too few results: %(players)s.")
    return words % {"players": wording.listing(names)}


def _unmoved(revision: Revision, total: int) -> str:
    """Why a change of so many older results names nobody whom it moved; empty for no results."""
    first, undos = undone_change(revision)
    if revision.kind not in CHANGES or not total:
        return ""
    if first.kind not in CHANGES:
        words = (
            _("The results do not count any more, and the ratings of those who played them follow.")
            if undos % 2
            else _("The results count again, and the ratings of those who played them follow.")
        )
        return f"{words} {_('The standings show all ratings as they are now.')}"
    return _(
        "No ratings are listed for this change. Either none changed, as when only a score did, or "
        "they were computed together with a later change, which lists them. The standings show "
        "all ratings as they are now."
    )


def _more(total: int) -> str:
    return ngettext(
        "The newest results; %(count)s more is not shown.",
        "The newest results; %(count)s more are not shown.",
        total - MOST_MATCHES,
    ) % {"count": wording.count(total - MOST_MATCHES)}


def _number_of(revision: Revision | None) -> str:
    return "" if revision is None else _("change %(number)d") % {"number": revision.number}


def _address_of(revision: Revision | None, league: League, season: Season) -> str:
    return "" if revision is None else revision_address(league, season, revision.number)
