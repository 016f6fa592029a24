"""Revisions of results: which there are, what each touched, and what undid it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, F, Max, Min, Q

from leagues.domain.linked_revisions import parts_of
from leagues.domain.ranking import least_games
from leagues.models import (
    AuditEntry,
    Board,
    League,
    Match,
    MatchVersion,
    Participant,
    Player,
    RevisedRating,
    Revision,
    Season,
    Standing,
)
from leagues.selectors.matches import with_players
from leagues.services.player_undo import entries_of, may_change_players
from leagues.services.revised import before_last_rated


def changes_of_players(revision: Revision, at_most: int) -> list[AuditEntry]:
    """The entries of the log about players that came with a revision, by the players' names."""
    if not may_change_players(revision):
        return []
    entries = entries_of(revision).filter(player__isnull=False).select_related("player")
    return list(entries.order_by("player__folded", "player__key", "number")[:at_most])


def imports_of(league: League, at_most: int) -> list[Revision]:
    """The newest revisions of a league that a file brought."""
    brought = Q(kind=Revision.Kind.IMPORT) | Q(kind=Revision.Kind.PLAYERS)
    rows = league.revisions.filter(brought, state=Revision.State.APPLIED)
    rows = rows.select_related("season", "author", "reverted_by")
    return list(rows.order_by("-created_at", "-pk")[:at_most])


def matches_of_revisions(revisions: Sequence[Revision]) -> list[Match]:
    """The matches that revisions touched, with their players, in the order of their numbers."""
    touched = Match.objects.filter(_touched_by(revisions))
    return list(with_players(touched).order_by("season", "seq"))


def newest_matches_of(revision: Revision, at_most: int) -> list[Match]:
    """The matches that a revision touched, with their players, the newest first."""
    touched = Match.objects.filter(season=revision.season_id).filter(_touched_by([revision]))
    touched = touched.select_related("mode")
    return list(with_players(touched).order_by("-played_at", "-same_time_order", "-seq")[:at_most])


def live_matches_of(revision: Revision, at_most: int) -> list[Match]:
    """The matches that a revision brought and that count, with their players, in their order."""
    brought = Match.objects.live().filter(revision=revision).select_related("mode")
    return list(with_players(brought).order_by("played_at", "same_time_order", "seq")[:at_most])


def times_of_entries(revisions: Sequence[Revision]) -> dict[int, tuple[datetime, datetime]]:
    """When the first and the last result was played of those that people entered, by revision.

    As they were entered, whatever a correction says since. Of a file it would be all that it
    brought.
    """
    entries = [row.pk for row in revisions if row.kind == Revision.Kind.ENTRY]
    if not entries:
        return {}
    versions = MatchVersion.objects.filter(
        match__revision__in=entries, content__has_key="played_at"
    )
    entered: dict[int, tuple[int, datetime]] = {}
    for match, revision, at in versions.order_by("match", "version").values_list(
        "match", "match__revision", "content__played_at"
    ):
        entered.setdefault(match, (revision, datetime.fromisoformat(at)))
    played = Match.objects.filter(revision__in=entries).order_by()
    if entered:
        played = played.exclude(pk__in=versions.order_by().values("match"))
    rows = played.values_list("revision").annotate(Min("played_at"), Max("played_at"))
    times = {revision: [first, last] for revision, first, last in rows}
    for revision, at in entered.values():
        times.setdefault(revision, []).append(at)
    return {revision: (min(moments), max(moments)) for revision, moments in times.items()}


def undoing_of(revision: Revision) -> Revision | None:
    """The revision that undid this one."""
    return Revision.objects.filter(reverts=revision).first()


def link_undos(revisions: Sequence[Revision]) -> dict[int, Revision]:
    """Read in one query what revisions undo, what those undo and so on; what undid each, by id.

    An undo can be undone any number of times.
    """
    undone = Q(reverts__isnull=False) | Q(reverted_by__isnull=False)
    rows = Revision.objects.filter(undone, season__in={row.season_id for row in revisions})
    linked = {row.pk: row for row in rows.only("season_id", "number", "kind", "reverts_id")}
    for row in (*revisions, *linked.values()):
        if row.reverts_id in linked:
            row.reverts = linked[row.reverts_id]
    return {row.reverts_id: row for row in linked.values() if row.reverts_id is not None}


def undoings_of(revision: Revision, undoing: Mapping[int, Revision]) -> list[Revision]:
    """The revision that undid this one, the one that undid that, and so on."""
    undoings: list[Revision] = []
    last = revision
    while (following := undoing.get(last.pk)) is not None:
        undoings.append(following)
        last = following
    return undoings


def other_parts(revision: Revision) -> list[Revision]:
    """The revisions of other seasons that did one thing together with this one."""
    parts = Q(pk__in=())
    for season, number in parts_of(revision):
        parts |= Q(season=season, number=number)
    rows = Revision.objects.filter(parts).exclude(pk=revision.pk).select_related("season")
    return list(rows.order_by("season_id"))


def reach_closed_seasons(revisions: Sequence[Revision]) -> frozenset[int]:
    """Those of some revisions, by id, that are undone in seasons of which one is closed.

    Only of those with parts in several seasons; of others their own season says it.
    """
    reached = {
        row.pk: {season for season, _ in parts} for row in revisions if (parts := parts_of(row))
    }
    if not reached:
        return frozenset()
    seasons = Season.objects.filter(pk__in=set().union(*reached.values()))
    in_play = {season.pk for season in seasons if season.takes_late_results}
    return frozenset(pk for pk, parts in reached.items() if not parts <= in_play)


def revised_ratings(board: Board, player: Player, at_most: int) -> list[RevisedRating]:
    """What the newest revisions changed in a player's past ratings on a board."""
    rows = RevisedRating.objects.filter(
        player=player.pk, board=board.pk, generation__lte=board.generation
    )
    rows = rows.select_related("revision__author", "match")
    return list(rows.order_by("-revision__number")[:at_most])


@dataclass(frozen=True, slots=True)
class Moves:
    """Whom a revision of older results moved on a board: those who moved farthest, of so many."""

    board: Board
    count: int
    farthest: tuple[RevisedRating, ...]


def moves_of(revision: Revision, at_most: int) -> list[Moves]:
    """Whom a revision moved, board by board, where boards have noted it and show it by now."""
    rows = RevisedRating.objects.filter(
        revision=revision, generation__lte=F("board__generation")
    ).select_related("board__league", "board__season", "board__mode", "player")
    by_board: dict[Board, list[RevisedRating]] = {}
    for row in rows.order_by("board__position", "board", "player__key"):
        by_board.setdefault(row.board, []).append(row)
    return [
        Moves(
            board,
            len(moved),
            tuple(sorted(moved, key=lambda row: -abs(row.after - row.before))[:at_most]),
        )
        for board, moved in by_board.items()
    ]


def left_unranked(revision: Revision) -> list[Player]:
    """Who has too few results for a rank since a revision made some of them void, by name.

    Results that were changed once more since do not count.
    """
    gone: set[int] = set()
    for board in revision.season.boards.select_related("league", "season", "mode"):
        voided = Match.objects.void_on(board).filter(touched_in_revision=revision.number)
        rows = Participant.objects.filter(match__in=voided).order_by()
        lost = dict(rows.values_list("player_id").annotate(count=Count("pk")))
        standings = Standing.objects.current(board).filter(player__in=lost)
        games = dict.fromkeys(lost, 0) | dict(standings.values_list("player_id", "games"))
        least = least_games(board)
        gone |= {pk for pk, count in lost.items() if games[pk] < least <= games[pk] + count}
    return list(Player.objects.filter(pk__in=gone))


def is_player_being_rated(board: Board, player: Player) -> bool:
    """Whether a board is about to show another rating of a player.

    By results of the player's own that are not rated yet, or by a change of older ones, which may
    move anybody. `board` comes with its season.
    """
    if _is_up_to(board, board.season.last_revision):
        return False
    own = Participant.objects.filter(player=player.pk).values("match")
    touched = Match.objects.played_on(board).touched_after(board.rated_through_revision)
    return touched.filter(before_last_rated(board) | Q(pk__in=own)).exists()


def is_revision_being_rated(revision: Revision) -> bool:
    """Whether boards are about to show what a revision did to ratings that stood already."""
    boards = Board.objects.filter(season=revision.season_id)
    touched = Match.objects.filter(_touched_by([revision]))
    return any(
        touched.played_on(board)
        .touched_after(board.rated_through_revision)
        .filter(before_last_rated(board))
        .exists()
        for board in boards
        if not _is_up_to(board, revision.number or 0)
    )


def _is_up_to(board: Board, revision: int) -> bool:
    """Whether nothing is to come of what was done up to a revision; a stopped board stays put."""
    return board.state == Board.State.PAUSED or board.rated_through_revision >= revision


def _touched_by(revisions: Sequence[Revision]) -> Q:
    replaced = MatchVersion.objects.filter(revision__in=revisions)
    return Q(revision__in=revisions) | Q(pk__in=replaced.values("match"))
