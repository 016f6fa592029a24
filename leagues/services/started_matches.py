"""Matches that begin: starting them, letting players go, and taking their results.

A start is a match without a result, with a place and versions as every match. What becomes of it
follows from the other facts, and is written with each of them (`start_verdicts`). Its result is an
ordinary match between the same players, entered by whichever way: `finish_match` is one of them.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _

from leagues.domain.civil_days import day_of
from leagues.domain.started_matches import TICK, deadline_for, is_lost, moment_in
from leagues.jobs.queue import Claim
from leagues.models import Job, Match, Mode, Participant, Player, Revision, Season
from leagues.models.match import STARTED_KINDS
from leagues.services.challenges import challenge_problems
from leagues.services.drafts import MatchDraft, SideDraft, StartDraft, players_of, with_members
from leagues.services.entry import Entered, Enterer, enter_results
from leagues.services.entry_drafts import (
    Answers,
    MatchEntry,
    PlayerEntry,
    SideEntry,
    draft_entries,
)
from leagues.services.errors import Conflict, Problem, Refused, refuse
from leagues.services.external_ids import known_matches
from leagues.services.leagues import ensure_boards
from leagues.services.matches import check_drafts, lock_match, rewrite_matches, store_matches
from leagues.services.revisions import LockedSeason, commit_to, lock_season
from leagues.services.start_verdicts import overdue_starts, result_of_start, settle_overdue
from leagues.services.stored_drafts import draft_of
from leagues.services.validation import EXTERNAL_ID_LENGTH, backdated_problem, date_problem
from ratings.files.names import fold_name

log = logging.getLogger(__name__)

START_ID = "start:"
"""How the id of a start begins, whose result may have the same id at its source."""
Leaving = Participant.Leaving


@dataclass(frozen=True, slots=True)
class Started:
    """A match that has begun, and those that its players left for it."""

    match: Match
    left: tuple[Match, ...]
    is_new: bool
    """Whether it was not there before."""


@dataclass(frozen=True, slots=True)
class SideResult:
    """What one side of a started match reached, in the order in which its sides were started.

    None as the handicap is that of the start.
    """

    rank: int
    score: int | None = None
    handicap: int | None = None

    def handicap_of(self, members: Sequence[Participant]) -> int:
        """What these players of the start were given."""
        return members[0].handicap if self.handicap is None else self.handicap


def start_match(
    *,
    season: Season,
    mode: Mode,
    entry: MatchEntry,
    enterer: Enterer,
    answers: Answers,
    is_dated: bool = True,
    seen_open: Collection[int] | None = None,
) -> Started:
    """Store that a match has begun; who left another one for it loses that one now.

    One revision. Holds the season from the first look on. A start that is sent again does nothing:
    the same sides under the same id, or at the same moment. Without `is_dated` it begins when it
    has the season: a result that came through while it waited was played before it. `seen_open` has
    the numbers of the open matches of which somebody knows that they are lost by it: any other one
    refuses it.
    """

    def attempt() -> Started:
        with transaction.atomic():
            held = lock_season(season.pk)
            held.league = season.league
            return _start(held, mode, entry, enterer, answers, is_dated, seen_open)

    try:
        return attempt()
    except IntegrityError:
        # Another season's request created the same player first.
        return attempt()


def _start(
    season: LockedSeason,
    mode: Mode,
    entry: MatchEntry,
    enterer: Enterer,
    answers: Answers,
    is_dated: bool,
    seen_open: Collection[int] | None,
) -> Started:
    now = timezone.now()
    if not is_dated:
        entry = replace(entry, played_at=now)
    own_id = entry.external_id and START_ID + entry.external_id
    if own_id and len(own_id) > EXTERNAL_ID_LENGTH:
        words = _("The id must have at most %(most)d characters.")
        most = {"most": EXTERNAL_ID_LENGTH - len(START_ID)}
        raise Refused([Problem("external_id", "external_id", words % most)])
    known = known_matches(season.league_id, enterer.source, [own_id]).get(own_id or "")
    if not enterer.may_backdate and known is None:
        dated = backdated_problem(entry.played_at, league=season.league, now=now)
        refuse([replace(dated, field="started_at")] if dated else [])
    entry = replace(entry, external_id=own_id)
    (drafted,), _newcomers = draft_entries([entry], league=season.league, answers=answers)
    draft = _as_started(drafted, season, mode)
    check_drafts([draft], season=season, now=now)
    if known is not None:
        _require_same(known, draft, mode, is_dated=is_dated)
        return Started(known, (), False)
    same = _start_at_same_moment(season, mode, draft)
    if same is not None:
        return Started(same, (), False)
    if seen_open is not None:
        _require_seen(season, mode, draft, seen_open)
    # Who may not challenge whom need not begin.
    as_result = replace(draft, kind=Match.Kind.PLAYED.value)
    refuse(challenge_problems([as_result], season=season, mode=mode))
    ensure_boards(season=season, mode=mode)
    with commit_to(
        season,
        kind=Revision.Kind.START,
        author=enterer.author,
        source=enterer.source,
        late=enterer.may_be_late,
    ) as commit:
        (match,) = store_matches(commit, mode, [draft], enterer.source, enterer.author)
    match.refresh_from_db()
    touched = Match.objects.in_any_mode(season.pk).filter(touched_in_revision=commit.number)
    left = touched.lost()
    return Started(match, tuple(left.exclude(pk=match.pk).order_by("seq")), True)


def _require_seen(
    season: LockedSeason, mode: Mode, draft: MatchDraft, seen_open: Collection[int]
) -> None:
    """Refuse a start by which an open match is lost that nobody has seen."""
    players = [player.pk for player in players_of(draft)]
    open_now = Match.objects.started().filter(
        season=season.pk,
        mode=mode.pk,
        participants__player__in=players,
        participants__leaving__isnull=True,
    )
    if open_now.exclude(seq__in=seen_open).exists():
        words = _(
            "Another match of these players was started in the meantime. Starting this one as well "
            "would count it as lost: see below, and press again if that is meant."
        )
        raise Refused([Problem("sides", "open_since", words)])


def _as_started(draft: MatchDraft, season: Season, mode: Mode) -> MatchDraft:
    """A draft of a match that begins when it is said to be played, by the rules of now."""
    sides = tuple(
        SideDraft(rank=1, members=side.members, handicap=side.handicap) for side in draft.sides
    )
    at = draft.played_at
    try:
        deadline = deadline_for(at, mode, season)
    except OverflowError:
        raise Refused([date_problem()]) from None
    return replace(
        draft,
        kind=Match.Kind.STARTED.value,
        start=StartDraft(at, deadline, mode.start_rungs),
        date_only=False,
        sides=sides,
    )


def _require_same(known: Match, draft: MatchDraft, mode: Mode, *, is_dated: bool) -> None:
    """Refuse an id under which something else is stored than this start."""
    stored = draft_of(known)
    is_same = (
        stored.start is not None
        and draft.start is not None
        and known.mode_id == mode.pk
        and _sides_of(stored) == _sides_of(draft)
        and stored.weight == draft.weight
        and (not is_dated or stored.start.at == draft.start.at)
    )
    if not is_same:
        words = _("The id “%(id)s” belongs to another match.")
        shown = str(draft.external_id).removeprefix(START_ID)
        raise Refused([Problem("external_id", "id_reused", words % {"id": shown})])


def _sides_of(draft: MatchDraft) -> set[tuple[frozenset[int], int]]:
    """The players of each side, of whom some may have been merged since, and its handicap."""
    return {
        (frozenset(Player.survivor(member.player).pk for member in side.members), side.handicap)
        for side in draft.sides
    }


def _start_at_same_moment(season: LockedSeason, mode: Mode, draft: MatchDraft) -> Match | None:
    """The same start, if it is stored; Refused is another one of its players at this moment."""
    players = {player.pk for player in players_of(draft)}
    rows = Match.objects.starts().filter(
        season=season.pk,
        mode=mode.pk,
        started_at=draft.played_at,
        participants__player__in=players,
    )
    for match in rows.select_related("season__league", "mode").distinct().order_by("seq"):
        if _sides_of(draft_of(match)) == _sides_of(draft):
            return match
        words = _("A player of this match has started another one at the same moment.")
        raise Refused([Problem("started_at", "started_twice", words)])
    return None


def finish_match(
    *,
    match: Match,
    results: Sequence[SideResult],
    enterer: Enterer,
    kind: str,
    played_at: datetime | None = None,
    version: int | None = None,
) -> Entered:
    """Enter the result of a started match; the same result sent again does nothing.

    It is entered as every result is, with the same checks. It is played now, or where its match
    counts as lost before that, at the last moment at which that was open.
    """
    with transaction.atomic():
        _held, stored = lock_match(match, None)
        _require_start(stored)
        rows = _rows_of(stored)
        if len(results) != len(rows):
            words = _("Give a result for each side of the match.")
            raise Refused([Problem("sides", "sides", words)])
        now = timezone.now()
        there = result_of_start(stored, now)
        if there is not None:
            _require_same_result(there, rows, results)
            return Entered(there.revision, (there,), 1)
        if version is not None and stored.version != version:
            raise Conflict(stored)
        if stored.kind == Match.Kind.ENDED:
            words = _("All players of this match were let go, so it has no result.")
            raise Refused([Problem("match", "not_open", words)])
        moment = _moment_of_result(stored, played_at, now)
        sides = tuple(
            SideEntry(
                result.rank,
                result.score,
                tuple(
                    PlayerEntry(key=row.player.key, playing_share=row.playing_share)
                    for row in members
                ),
                result.handicap_of(members),
            )
            for members, result in zip(rows, results, strict=True)
        )
        return enter_results(
            season=stored.season,
            mode=stored.mode,
            entries=[MatchEntry(moment, sides, weight=stored.weight)],
            enterer=enterer,
            kind=kind,
            answers=Answers(),
        )


def _require_start(match: Match) -> None:
    if match.kind not in STARTED_KINDS or match.status != Match.Status.LIVE:
        words = _("This is not a started match, or it does not count.")
        raise Refused([Problem("match", "not_started", words)])


def _rows_of(match: Match) -> list[list[Participant]]:
    """The players of a match, side by side."""
    sides: dict[int, list[Participant]] = {}
    for row in match.participants.select_related("player").order_by("side", "player__key"):
        sides.setdefault(row.side, []).append(row)
    return list(sides.values())


def _require_same_result(
    there: Match, rows: Sequence[Sequence[Participant]], results: Sequence[SideResult]
) -> None:
    """Refuse another result than the one that a started match has already."""
    stored = {
        row.player_id: (row.rank, row.score, row.handicap) for row in there.participants.all()
    }
    said = {
        row.player_id: (result.rank, result.score, result.handicap_of(members))
        for members, result in zip(rows, results, strict=True)
        for row in members
    }
    if stored != said:
        words = _("This match has another result already, match %(number)d. Correct that one.")
        raise Refused([Problem("match", "has_result", words % {"number": there.seq})])


def as_result_of(match: Match, entry: MatchEntry) -> MatchEntry:
    """The entry of a result that somebody enters for a start, at a moment at which that was open.

    One without a time needs such a day; with other players it is another match's result. Sent
    again it says the same, though the start has ended since.
    """
    players = {fold_name(row.player.name) for row in match.participants.select_related("player")}
    named = {fold_name(one.name or "") for side in entry.sides for one in side.players}
    if players != named:
        return entry
    started_at, _last = _open_span(match)
    moment = moment_in(started_at, entry.played_at.astimezone(UTC))
    if match.kind == Match.Kind.ENDED:
        return entry if entry.date_only else replace(entry, played_at=moment)
    if not entry.date_only:
        return replace(entry, played_at=_moment_of_result(match, moment, timezone.now()))
    zone = match.league.zone
    first, last = (day_of(at, zone) for at in _open_span(match))
    if not first <= day_of(entry.played_at, zone) <= last:
        raise Refused([_not_while_open()])
    return entry


def _open_span(match: Match) -> tuple[datetime, datetime]:
    """The first and the last moment at which a start was open."""
    started_at, deadline = match.started_at, match.deadline_at
    assert started_at is not None  # noqa: S101
    assert deadline is not None  # noqa: S101
    if match.kind == Match.Kind.LEFT and match.played_at < deadline:
        return started_at, max(match.played_at - TICK, started_at)
    return started_at, deadline


def _not_while_open() -> Problem:
    words = _("The result of a started match is played while that match is open.")
    return Problem("played_at", "not_while_open", words)


def _moment_of_result(match: Match, said: datetime | None, now: datetime) -> datetime:
    """When the result of a start was played, which is while that was open."""
    started_at, last = _open_span(match)
    if said is None:
        return max(min(now, last), started_at)
    said = moment_in(started_at, said)
    if not started_at <= said <= last:
        raise Refused([_not_while_open()])
    return said


def release_players(
    *,
    match: Match,
    released: Collection[str],
    version: int | None,
    author: User | None,
    is_organizer: bool,
    reason: str = "",
    source: str = "browser",
) -> Revision | None:
    """Let players of a started match go, by key: they do not lose it by leaving.

    Who may let whom go is for `leagues.access` to say; what it has cost already, only organizers
    take back. None: nothing to change.
    """
    with transaction.atomic():
        held, stored = lock_match(match, version)
        _require_start(stored)
        before = draft_of(stored)
        strangers = set(released) - {player.key for player in players_of(before)}
        if strangers:
            words = _("%(name)s is not in this match.") % {"name": min(strangers)}
            raise Refused([Problem("released", "event_player", words)])
        draft = with_members(
            before,
            lambda member: (
                replace(member, leaving=int(Leaving.RELEASED))
                if member.player.key in released
                else member
            ),
        )
        if draft == before:
            return None
        if stored.kind == Match.Kind.ENDED:
            words = _("This match has ended, so leaving it costs nothing.")
            raise Refused([Problem("match", "not_open", words)])
        if is_lost(stored, timezone.now()) and not is_organizer:
            words = _("This match counts as lost already. Only organizers can change that.")
            raise Refused([Problem("match", "not_open", words)])
        with commit_to(
            held, kind=Revision.Kind.RELEASE, author=author, source=source, reason=reason
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

    Each loss is dated at its deadline, so it makes no difference when this is called. Where one
    season refuses it, the others go on.
    """
    takes_results = (Season.State.OPEN, Season.State.CLOSING)
    rows = Match.objects.started().filter(deadline_at__lte=now, season__state__in=takes_results)
    count = 0
    for season_id in sorted(set(rows.order_by().values_list("season_id", flat=True))):
        try:
            count += lose_overdue_of(season_id, now)
        except Refused:
            log.exception("Season %s: started matches stay open after their deadline", season_id)
    return count


@transaction.atomic
def lose_overdue_of(season_id: int, now: datetime) -> int:
    """Store the losses of one season, as one revision."""
    held = lock_season(season_id)
    count = overdue_starts(season_id, now).count()
    if not count or not held.takes_late_results:
        return 0
    with commit_to(
        held, kind=Revision.Kind.LEFT, author=None, source="time limit", now=now
    ) as commit:
        settle_overdue(commit)
    return count
