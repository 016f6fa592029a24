"""Results: record, correct, void, restore, undo. Each call is one revision or nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from types import MappingProxyType

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import (
    BigIntegerField,
    Exists,
    F,
    JSONField,
    OuterRef,
    QuerySet,
    Value,
)
from django.utils import timezone
from django.utils.translation import gettext as _

from leagues.models import Match, MatchEvent, MatchVersion, Mode, Revision, Season
from leagues.models.match import STARTED_KINDS
from leagues.services.batches import batches
from leagues.services.drafts import MatchDraft, content_of, players_of, positions_by_mode
from leagues.services.entered_again import require_not_counted
from leagues.services.errors import Conflict, Problem, Refused, refuse
from leagues.services.external_ids import known_matches, refuse_reused_ids
from leagues.services.linked_revisions import lock_parts
from leagues.services.listing import list_brought
from leagues.services.match_rewriting import rewrite_rows
from leagues.services.match_rows import store_rows, unsaved_match
from leagues.services.merged_players import (
    Merge,
    merged_problem,
    require_all_renamed,
    require_unmerged,
    turn_merge,
)
from leagues.services.moved_matches import refuse_moved, require_counted_once, turn_move
from leagues.services.player_changes import mark_of, write_changes
from leagues.services.player_undo import hold_for_players, undo_of_players
from leagues.services.rated_boards import RatedBoards
from leagues.services.revertible import require_revertible
from leagues.services.revisions import Commit, LockedSeason, commit_to, lock_season
from leagues.services.stored_drafts import draft_from_content, draft_of
from leagues.services.validation import problems_of
from leagues.store.prepared import prepare

BATCH = 500
"""Matches that are rewritten at once; a merge of players changes many."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """What recording did: the matches in the order given, and which of them were there before."""

    revision: Revision
    matches: tuple[Match, ...]
    already_there: int


def record_matches(
    *,
    season: Season,
    mode: Mode,
    drafts: Sequence[MatchDraft],
    author: User | None = None,
    source: str = "browser",
    kind: str = Revision.Kind.ENTRY,
    reason: str = "",
    late: bool = False,
    at: datetime | None = None,
) -> Recorded:
    """Store matches as one revision, all or none, and let them be rated.

    `late` says that whoever enters them may do so while the season is closing, `at` when they were
    entered where that is not now.

    A match whose `external_id` this source sent before is not stored again; with other content
    it is refused.
    """
    check_drafts(drafts, season=season, now=timezone.now())
    with transaction.atomic():
        held = lock_season(season.pk)
        known = known_matches(season.league_id, source, (one.external_id for one in drafts))
        return record_checked(
            season=held,
            mode=mode,
            drafts=drafts,
            known=known,
            author=author,
            source=source,
            kind=kind,
            reason=reason,
            late=late,
            at=at,
        )


def record_checked(
    *,
    season: LockedSeason,
    mode: Mode,
    drafts: Sequence[MatchDraft],
    known: Mapping[str, Match],
    author: User | None,
    source: str,
    kind: str,
    reason: str = "",
    late: bool = False,
    at: datetime | None = None,
    boards: Mapping[int, RatedBoards] = MappingProxyType({}),
) -> Recorded:
    """Store drafts that `check_drafts` has passed, as `record_matches` does.

    `known` are the matches that this source sent before under an id of theirs, `boards` those of
    modes that were read since the season was locked.
    """
    refuse_reused_ids(drafts, known, mode)
    fresh = [draft for draft in drafts if draft.external_id not in known]
    if not fresh and known:
        matches = tuple(known[str(draft.external_id)] for draft in drafts)
        return Recorded(matches[0].revision, matches, len(matches))
    with commit_to(
        season, kind=kind, author=author, source=source, reason=reason, late=late, at=at
    ) as commit:
        commit.boards = boards
        commit.brings_starts = any(draft.kind in STARTED_KINDS for draft in fresh)
        stored = iter(store_matches(commit, mode, fresh, source, author))
    matches = tuple(known.get(draft.external_id or "") or next(stored) for draft in drafts)
    return Recorded(commit.revision, matches, len(drafts) - len(fresh))


def check_drafts(drafts: Sequence[MatchDraft], *, season: Season, now: datetime) -> None:
    """Refuse the whole batch with every reason, each naming its position."""
    problems = [
        Problem(problem.field, problem.code, problem.message, index)
        for index, draft in enumerate(drafts)
        for problem in problems_of(draft, season=season, now=now)
    ]
    seen: set[str] = set()
    for index, draft in enumerate(drafts):
        if draft.external_id is None:
            continue
        if draft.external_id in seen:
            problems.append(
                Problem(
                    "external_id", "id_twice", _("This id appears twice in one request."), index
                )
            )
        seen.add(draft.external_id)
    if not drafts:
        problems.append(Problem("matches", "empty", _("Send at least one match.")))
    if problems:
        raise Refused(problems)


def correct_match(
    *,
    match: Match,
    draft: MatchDraft,
    expected_version: int,
    author: User | None,
    reason: str = "",
    source: str = "browser",
    at: datetime | None = None,
) -> Revision | None:
    """Replace what a match says; it keeps its place in the order of entry.

    Returns None, and writes nothing, where the draft says what is already stored. `at` is the
    moment of the correction where that is not now.
    """
    check_drafts([draft], season=match.season, now=timezone.now())
    with transaction.atomic():
        held, stored = lock_match(match, expected_version)
        return correct_checked(
            held,
            stored,
            before=draft_of(stored),
            draft=draft,
            author=author,
            reason=reason,
            source=source,
            at=at,
        )


def correct_checked(
    held: LockedSeason,
    stored: Match,
    *,
    before: MatchDraft,
    draft: MatchDraft,
    author: User | None,
    reason: str = "",
    source: str = "browser",
    at: datetime | None = None,
) -> Revision | None:
    """Replace what a match says by a draft that `check_drafts` has passed, as `correct_match`.

    `stored` is the match as `lock_match` read it, and `before` what it says.
    """
    if content_of(draft) == content_of(before):
        return None
    with commit_to(
        held, kind=Revision.Kind.CORRECTION, author=author, source=source, reason=reason, at=at
    ) as commit:
        rewrite_matches(commit, [stored], [draft], [stored.status], before=[before])
    return commit.revision


def void_match(
    *,
    match: Match,
    author: User | None,
    expected_version: int | None = None,
    reason: str = "",
    source: str = "browser",
) -> Revision | None:
    """Take a match out of the ratings; nothing is deleted. None: it was void already."""
    return _set_status(
        match, Match.Status.VOID, Revision.Kind.VOID, author, expected_version, reason, source
    )


def restore_match(
    *,
    match: Match,
    author: User | None,
    expected_version: int | None = None,
    reason: str = "",
    source: str = "browser",
) -> Revision | None:
    """Let a voided match count again, in its old place. None: it counted already."""
    return _set_status(
        match, Match.Status.LIVE, Revision.Kind.RESTORE, author, expected_version, reason, source
    )


def revert_revision(
    *, revision: Revision, author: User | None, reason: str = "", source: str = "browser"
) -> Revision:
    """Undo everything one revision did, as a revision of its own that can be undone too.

    Refused where a later revision touched one of its matches: undo that one first. A merge of
    players, and a move of a result, is undone in all seasons that it reached.
    """
    with transaction.atomic():
        hold_for_players(revision)
        parts = lock_parts(revision)
        for _held, part in parts:
            require_revertible(part)
        players = undo_of_players(revision)
        seasons = [held for held, _part in parts]
        said = turn_merge(revision, seasons) or turn_move(revision, seasons)
        undone: dict[int, Revision] = {}
        for held, part in parts:
            with commit_to(
                held, kind=Revision.Kind.REVERT, author=author, source=source, reason=reason
            ) as commit:
                commit.revision.reverts = part
                commit.revision.save(update_fields=["reverts"])
                if said is not None:
                    said.note_in(commit.revision)
                _undo(commit, part)
                players.note_in(commit.revision)
            undone[part.pk] = commit.revision
        if isinstance(said, Merge):
            require_all_renamed(revision, said)
        for held, part in parts:
            require_counted_once(held, undone[part.pk])
        done = undone[revision.pk]
        write_changes(
            revision.league,
            players.changes,
            mark=mark_of(revision.season, done.number),
            actor=author,
        )
        _list_again(revision)
        return done


def _list_again(revision: Revision) -> None:
    """Take the players whom an undone file of players brought off the list, or bring them back."""
    first, is_back = revision, False
    while first.reverts is not None:
        first, is_back = first.reverts, not is_back
    if first.kind == Revision.Kind.PLAYERS:
        list_brought(first, is_listed=is_back)


def store_matches(
    commit: Commit,
    mode: Mode,
    drafts: Sequence[MatchDraft],
    source: str,
    author: User | None,
) -> list[Match]:
    """Store checked drafts as new matches of a revision; they take their places in this order.

    Those that name no mode of their own are matches of `mode`.
    """
    matches = []
    for draft, seq in zip(drafts, commit.next_seqs(len(drafts)), strict=True):
        match = unsaved_match(
            draft,
            season=commit.season,
            mode=draft.mode or mode,
            source=source,
            revision=commit.revision,
        )
        match.seq = seq
        match.touched_in_revision = commit.number
        matches.append(match)
    store_rows(
        matches,
        drafts,
        status=Match.Status.LIVE,
        author_id=author.pk if author is not None else None,
    )
    for match in matches:
        commit.content.add_match(bytes(match.content_hash))
    for one, positions in positions_by_mode(drafts, mode).items():
        players = chain.from_iterable(players_of(drafts[index]) for index in positions)
        commit.touch(one.pk, len(positions), players=players)
    return matches


def lock_match(match: Match, expected_version: int | None) -> tuple[LockedSeason, Match]:
    """Lock a match's season, and read the match as it is now; raises Conflict for another version.

    What was read before may be changed by somebody else until here.
    """
    held = lock_season(match.season_id)
    for stored in _match_as_it_is(match=match.pk):
        stored.league = stored.season.league
        if expected_version is not None and stored.version != expected_version:
            raise Conflict(stored)
        return held, stored
    raise Match.DoesNotExist


@prepare
def _match_as_it_is(*, match: int) -> QuerySet[Match, Match]:
    events = MatchEvent.objects.filter(match=OuterRef("pk"))
    rows = Match.objects.select_related("season__league", "mode")
    return rows.annotate(has_events=Exists(events)).filter(pk=match).order_by()


def _set_status(
    match: Match,
    status: str,
    kind: str,
    author: User | None,
    expected_version: int | None,
    reason: str,
    source: str,
) -> Revision | None:
    with transaction.atomic():
        held, stored = lock_match(match, expected_version)
        if stored.status == status:
            return None
        if status == Match.Status.LIVE:
            refuse_moved(stored)
            require_not_counted(stored.versions.latest("version").revision, stored)
        with commit_to(held, kind=kind, author=author, source=source, reason=reason) as commit:
            flip_matches(commit, Match.objects.filter(pk=stored.pk), status)
        return commit.revision


def flip_matches(commit: Commit, matches: QuerySet[Match], status: str) -> None:
    """Let the numbered `matches` count, or not; what they were before is kept as a version each.

    Three statements whatever their number: an import can have a million rows. Of each only its
    numbers are read, for the digest of the revision.
    """
    before = Match.Status.VOID if status == Match.Status.LIVE else Match.Status.LIVE
    changing = matches.filter(status=before).order_by()
    if status == Match.Status.LIVE:
        require_unmerged(changing, commit.season.league_id)
    for mode_id, seq, version in changing.values_list("mode_id", "seq", "version").iterator():
        commit.touch(mode_id)
        commit.content.add_change(seq, version + 1, status, None)
    rows = changing.values_list(
        "league_id",
        "pk",
        "version",
        Value({"status": before.value}, JSONField()),
        Value(commit.revision.pk, BigIntegerField()),
    )
    sql, params = rows.query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {MatchVersion._meta.db_table} "
            f"(league_id, match_id, version, content, revision_id) {sql}",
            params,
        )
    changing.update(status=status, version=F("version") + 1, touched_in_revision=commit.number)


def rewrite_matches(
    commit: Commit,
    matches: Sequence[Match],
    drafts: Sequence[MatchDraft],
    statuses: Sequence[str],
    *,
    before: Sequence[MatchDraft] | None = None,
) -> None:
    """Let matches say what drafts say, with these statuses; what they said is kept as versions.

    `before` is what they say, if it has been read under the lock of their season.
    """
    _refuse_merged(drafts, statuses)
    rewrite_rows(commit, matches, drafts, statuses, before=before)


def _refuse_merged(drafts: Sequence[MatchDraft], statuses: Sequence[str]) -> None:
    """Refuse to let a result count for a player who was merged into another one."""
    merged = {
        player.pk: player
        for draft, status in zip(drafts, statuses, strict=True)
        if status == Match.Status.LIVE
        for player in players_of(draft)
        if player.merged_into_id is not None
    }
    refuse([merged_problem(player) for player in merged.values()])


def _undo(commit: Commit, revision: Revision) -> None:
    flip_matches(commit, Match.objects.filter(revision=revision), Match.Status.VOID)
    # A start can be rewritten again by what becomes of it in the same revision. One that it brought
    # is void.
    replaced = MatchVersion.objects.filter(revision=revision)
    earlier = replaced.filter(match=OuterRef("match"), version__lt=OuterRef("version"))
    firsts = replaced.filter(~Exists(earlier)).exclude(match__revision=revision)
    for status in (Match.Status.LIVE, Match.Status.VOID):
        flipped = firsts.filter(content__sides__isnull=True, content__status=status.value)
        flip_matches(commit, Match.objects.filter(pk__in=flipped.values("match_id")), status)
    rewritten = firsts.filter(content__sides__isnull=False).select_related(
        "match__season__league", "match__mode"
    )
    for versions in batches(list(rewritten), BATCH):
        rewrite_matches(
            commit,
            [version.match for version in versions],
            [draft_from_content(version.match, version.content) for version in versions],
            [version.content["status"] for version in versions],
        )
