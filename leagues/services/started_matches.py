"""Matches that begin: started, finished, called off, or lost by who left them.

A started match is a match without a result. Whatever becomes of it is a revision of it, so it is
undone, corrected and checked as every match is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _

from leagues.domain.started_matches import deadline_of, lost_at
from leagues.jobs.queue import Claim
from leagues.models import Job, Match, Mode, Player, Revision, Season
from leagues.models.match import STARTED_KINDS
from leagues.services.challenges import challenge_problems
from leagues.services.drafts import MatchDraft, SideDraft, players_of, with_result
from leagues.services.entry import Enterer
from leagues.services.entry_drafts import Answers, MatchEntry, draft_entries
from leagues.services.errors import Problem, Refused, refuse
from leagues.services.external_ids import known_matches, refuse_reused_ids
from leagues.services.leagues import ensure_boards
from leagues.services.matches import (
    check_drafts,
    lock_match,
    rewrite_matches,
    store_matches,
    void_match,
)
from leagues.services.revisions import LockedSeason, commit_to, lock_season
from leagues.services.stored_drafts import draft_of, drafts_of
from leagues.services.validation import backdated_problem


@dataclass(frozen=True, slots=True)
class Started:
    """A match that has begun, and those that its players left for it."""

    match: Match
    left: tuple[Match, ...]
    is_new: bool
    """Whether it was not there before."""


@dataclass(frozen=True, slots=True)
class SideResult:
    """What one side of a started match reached, in the order in which its sides were started."""

    rank: int
    score: int | None = None


def start_match(
    *, season: Season, mode: Mode, entry: MatchEntry, enterer: Enterer, answers: Answers
) -> Started:
    """Store that a match has begun; who left another one for it loses that one now.

    One revision. Holds the season from the first look on. A start sent again under its id does
    nothing.
    """

    def attempt() -> Started:
        with transaction.atomic():
            held = lock_season(season.pk)
            held.league = season.league
            return _start(held, mode, entry, enterer, answers)

    try:
        return attempt()
    except IntegrityError:
        # Another season's request created the same player first.
        return attempt()


def _start(
    season: LockedSeason, mode: Mode, entry: MatchEntry, enterer: Enterer, answers: Answers
) -> Started:
    now = timezone.now()
    known = known_matches(season.league_id, enterer.source, [entry.external_id])
    if not enterer.may_backdate and not known:
        dated = backdated_problem(entry.played_at, league=season.league, now=now)
        refuse([dated] if dated else [])
    (drafted,), _newcomers = draft_entries([entry], league=season.league, answers=answers)
    draft = _as_started(drafted)
    check_drafts([draft], season=season, now=now)
    refuse_reused_ids([draft], known, mode)
    if known:
        return Started(known[str(draft.external_id)], (), False)
    # Who may not challenge whom need not begin.
    as_result = replace(draft, kind=Match.Kind.PLAYED.value)
    refuse(challenge_problems([as_result], season=season, mode=mode))
    ensure_boards(season=season, mode=mode)
    players = {player.pk for player in players_of(draft)}
    busy = _open_matches(season, mode, players)
    refuse(_later_starts(busy, draft))
    with commit_to(
        season,
        kind=Revision.Kind.START,
        author=enterer.author,
        source=enterer.source,
        late=enterer.may_be_late,
    ) as commit:
        before = drafts_of(busy)
        lost = [
            _lost(mode, match, said, at=draft.played_at, leavers=players)
            for match, said in zip(busy, before, strict=True)
        ]
        if busy:
            rewrite_matches(commit, busy, lost, [match.status for match in busy])
        (match,) = store_matches(commit, mode, [draft], enterer.source, enterer.author)
    return Started(match, tuple(busy), True)


def finish_match(
    *,
    match: Match,
    version: int | None,
    results: Sequence[SideResult],
    enterer: Enterer,
    played_at: datetime | None = None,
    reason: str = "",
) -> Revision:
    """Store the result of a started match, or of one that counts as lost since somebody left.

    It is played now; a late result stands where the loss stood, and corrects it.
    """
    with transaction.atomic():
        held, stored = lock_match(match, version)
        _require_without_result(stored)
        before = draft_of(stored)
        if len(results) != len(before.sides):
            words = _("Give a result for each side of the match.")
            raise Refused([Problem("sides", "sides", words)])
        is_late = stored.kind == Match.Kind.LEFT
        now = timezone.now()
        moment = played_at or (before.played_at if is_late else now)
        draft = with_result(
            replace(
                before,
                kind=Match.Kind.PLAYED.value,
                played_at=moment,
                sides=tuple(
                    replace(side, rank=result.rank, score=result.score)
                    for side, result in zip(before.sides, results, strict=True)
                ),
            )
        )
        check_drafts([draft], season=stored.season, now=now)
        if before.started_at is not None and moment < before.started_at:
            words = _("A match ends after it starts.")
            raise Refused([Problem("played_at", "left_before_start", words)])
        kind = Revision.Kind.ENTRY if enterer.is_asked else Revision.Kind.API
        with commit_to(
            held,
            kind=Revision.Kind.CORRECTION if is_late else kind,
            author=enterer.author,
            source=enterer.source,
            reason=reason,
            late=enterer.may_be_late,
        ) as commit:
            rewrite_matches(commit, [stored], [draft], [stored.status])
        return commit.revision


def call_off(
    *,
    match: Match,
    version: int | None,
    author: User | None,
    left_by: Collection[str] = (),
    reason: str = "",
    source: str = "browser",
) -> Revision | None:
    """Let the players of a started match go; who is said to have left it, by key, is not.

    Without anybody who left the match is void. None: nothing to change.
    """
    with transaction.atomic():
        held, stored = lock_match(match, version)
        if stored.kind != Match.Kind.STARTED or stored.status != Match.Status.LIVE:
            words = _("Only a match that is still open can be called off.")
            raise Refused([Problem("match", "not_open", words)])
        before = draft_of(stored)
        strangers = set(left_by) - {player.key for player in players_of(before)}
        if strangers:
            words = _("%(name)s is not in this match.") % {"name": sorted(strangers)[0]}
            raise Refused([Problem("left_by", "event_player", words)])
        draft = _released(before, lambda key: key not in left_by)
        if not _open_players(draft):
            return void_match(
                match=stored, author=author, expected_version=version, reason=reason, source=source
            )
        if draft == before:
            return None
        with commit_to(
            held, kind=Revision.Kind.LEFT, author=author, source=source, reason=reason
        ) as commit:
            rewrite_matches(commit, [stored], [draft], [stored.status])
        return commit.revision


def lose_overdue_job(claim: Claim) -> dict[str, int]:
    """Let those lose whose started matches have passed their time limit."""
    # The database's clock: it is the same one for all machines, and never far off.
    now = Job.objects.filter(pk=claim.job.pk).values_list(Now(), flat=True).get()
    return {"matches": lose_overdue(now)}


def lose_overdue(now: datetime) -> int:
    """Store the loss of all started matches whose time limit has passed; returns how many.

    Each loss is dated at its deadline, so it makes no difference when this is called.
    """
    takes_results = (Season.State.OPEN, Season.State.CLOSING)
    waiting = Match.objects.started().filter(season__state__in=takes_results)
    rows = waiting.select_related("season", "mode").order_by("season_id", "started_at", "seq")
    overdue: dict[int, list[int]] = {}
    for match in rows.iterator():
        if deadline_of(match) <= now:
            overdue.setdefault(match.season_id, []).append(match.pk)
    return sum(_lose(season, keys, now) for season, keys in overdue.items())


@transaction.atomic
def _lose(season_id: int, keys: Iterable[int], now: datetime) -> int:
    held = lock_season(season_id)
    if not held.takes_late_results:
        return 0
    rows = (
        Match.objects.started().filter(pk__in=list(keys)).select_related("season__league", "mode")
    )
    matches = [match for match in rows.order_by("seq") if deadline_of(match) <= now]
    if not matches:
        return 0
    drafts = [
        _lost(match.mode, match, said, at=deadline_of(match), leavers=None)
        for match, said in zip(matches, drafts_of(matches), strict=True)
    ]
    with commit_to(held, kind=Revision.Kind.LEFT, author=None, source="time limit") as commit:
        rewrite_matches(commit, matches, drafts, [match.status for match in matches])
    return len(matches)


def _as_started(draft: MatchDraft) -> MatchDraft:
    """A draft of a match that begins when it is said to be played."""
    sides = tuple(SideDraft(rank=1, members=side.members) for side in draft.sides)
    return replace(
        draft,
        kind=Match.Kind.STARTED.value,
        started_at=draft.played_at,
        date_only=False,
        sides=sides,
    )


def _open_matches(season: LockedSeason, mode: Mode, players: Collection[int]) -> list[Match]:
    """The started matches of a mode that some players have neither finished nor been let go."""
    rows = Match.objects.started().filter(
        season=season.pk,
        mode=mode.pk,
        participants__player__in=players,
        participants__has_left__isnull=True,
    )
    return list(rows.select_related("season__league", "mode").distinct().order_by("seq"))


def _later_starts(busy: Sequence[Match], draft: MatchDraft) -> list[Problem]:
    """Why a match cannot begin before another one that its players have begun since."""
    if all(match.started_at is None or match.started_at <= draft.played_at for match in busy):
        return []
    words = _("A player of this match has started another one since.")
    return [Problem("started_at", "started_since", words)]


def _lost(
    mode: Mode, match: Match, draft: MatchDraft, *, at: datetime, leavers: Collection[int] | None
) -> MatchDraft:
    """A started match as it is lost by those who left it at a moment, all others being let go.

    Without `leavers`, and where its time limit passed before, everyone who is not let go has left.
    """
    moment, is_overdue = lost_at(match, at)
    gone = None if is_overdue else leavers

    def has_left(player: Player, released: bool | None) -> bool:
        return released is None and (gone is None or player.pk in gone)

    sides = tuple(
        replace(
            side,
            members=tuple(
                replace(member, has_left=has_left(member.player, member.has_left))
                for member in side.members
            ),
        )
        for side in draft.sides
    )
    return replace(
        draft,
        kind=Match.Kind.LEFT.value,
        played_at=moment,
        sides=sides,
        rungs_lost=mode.start_rungs,
    )


def _released(draft: MatchDraft, is_let_go: Callable[[str], bool]) -> MatchDraft:
    """A started match some of whose players are let go."""
    sides = tuple(
        replace(
            side,
            members=tuple(
                replace(member, has_left=False) if is_let_go(member.player.key) else member
                for member in side.members
            ),
        )
        for side in draft.sides
    )
    return replace(draft, sides=sides)


def _open_players(draft: MatchDraft) -> list[Player]:
    """Who still loses a started match by leaving it."""
    return [
        member.player for side in draft.sides for member in side.members if member.has_left is None
    ]


def _require_without_result(match: Match) -> None:
    if match.kind not in STARTED_KINDS or match.status != Match.Status.LIVE:
        words = _("This match has a result already, or does not count.")
        raise Refused([Problem("match", "not_open", words)])
