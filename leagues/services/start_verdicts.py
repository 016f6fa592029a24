"""What becomes of started matches by a revision; it belongs to that revision.

`domain/started_matches.py` says what follows from which facts. Here these are read, of the starts
that a revision can bear on, and what has become of those otherwise than stored is written.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import chain, groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from django.db.models import Max, Min, Q, QuerySet
from django.utils.translation import gettext as _

from leagues.domain.civil_days import day_of, start_of_day
from leagues.domain.started_matches import (
    ResultFact,
    StartFact,
    Verdict,
    verdicts_of,
)
from leagues.models import Match, Participant, Season
from leagues.models.league import MAX_START_HOURS
from leagues.services.batches import batches
from leagues.services.drafts import MatchDraft, MemberDraft, with_members
from leagues.services.errors import Problem, Refused
from leagues.services.match_rewriting import rewrite_rows
from leagues.services.stored_drafts import drafts_of
from leagues.store.hashes import micros
from leagues.store.prepared import prepare

if TYPE_CHECKING:
    from leagues.services.revisions import Commit

BATCH = 500
_DAY = timedelta(days=1)
_TICK = timedelta(microseconds=1)
_LONGEST = timedelta(hours=MAX_START_HOURS)
Leaving = Participant.Leaving


@dataclass(frozen=True, slots=True)
class _StoredStart:
    """A start with what is stored of what has become of it."""

    fact: StartFact
    kind: str
    at: datetime
    leavers: frozenset[int]
    revision_id: int
    """The revision that brought it."""

    @property
    def is_lost(self) -> bool:
        return self.kind == Match.Kind.LEFT

    def is_as(self, verdict: Verdict) -> bool:
        """Whether a verdict is the stored one."""
        return (self.kind, self.at, self.leavers) == (verdict.kind, verdict.at, verdict.leavers)


@dataclass(frozen=True, slots=True)
class _Span:
    """The moments between which a revision has changed something."""

    first: datetime
    last: datetime


def settle_starts(commit: Commit) -> None:
    """Write what becomes of started matches by what a revision has changed.

    One query at most for a season in which no match was ever started.
    """
    if not commit.modes or commit.has_no_starts or not has_starts(season=commit.season.pk):
        return
    for mode_id in sorted(commit.modes):
        touched = Match.objects.filter(
            season=commit.season.pk, mode=mode_id, touched_in_revision=commit.number
        ).order_by()
        span = _span_of(commit, touched)
        if span is None:
            continue
        players = Participant.objects.filter(match__in=touched.values("pk")).values("player")
        theirs = Q(participants__player__in=players)
        # Those of an import are many, and all in the matches touched.
        if others := commit.players - commit.counting:
            theirs |= Q(participants__player__in=others)
        first, last = (
            _day_of(commit.season, span.first),
            _day_after(commit.season, span.last),
        )
        near = _open_between(commit.season, mode_id, first, last).filter(theirs)
        _settle(commit, mode_id, set(near.values_list("pk", flat=True)))


def settle_overdue(commit: Commit) -> None:
    """Write the loss of all started matches of a season whose time limit has passed."""
    overdue: dict[int, set[int]] = defaultdict(set)
    rows = overdue_starts(commit.season.pk, commit.now)
    for match_id, mode_id in rows.values_list("pk", "mode_id"):
        overdue[mode_id].add(match_id)
    for mode_id, match_ids in sorted(overdue.items()):
        _settle(commit, mode_id, match_ids)


def overdue_starts(season_id: int, now: datetime) -> QuerySet[Match]:
    """The started matches of a season whose time limit has passed and whose loss is not stored."""
    return Match.objects.started().filter(season=season_id, deadline_at__lte=now).order_by()


def result_of_start(match: Match, now: datetime) -> Match | None:
    """The result that has ended a started match, if one has."""
    starts = _read_starts({match.pk})
    verdicts = _verdicts(match.season, match.mode_id, starts, now)
    verdict = verdicts.get(match.pk)
    if verdict is None or verdict.result is None:
        return None
    return Match.objects.select_related("season", "mode", "revision").get(pk=verdict.result)


@prepare
def _starts(*, season: int) -> QuerySet[Match, tuple[int]]:
    rows = Match.objects.filter(season=season).starts_or_void()
    return rows.order_by().values_list("pk")[:1]


def has_starts(*, season: int) -> bool:
    """Whether a match of a season was ever started."""
    return bool(_starts(season=season))


def _span_of(commit: Commit, touched: QuerySet[Match]) -> _Span | None:
    """When what a revision has changed was started or played, before it or after it."""
    moments = touched.aggregate(
        Min("played_at"), Max("played_at"), Min("started_at"), Max("started_at")
    )
    known = [at for at in (*moments.values(), *commit.former_moments) if at is not None]
    return _Span(min(known), max(known)) if known else None


def _open_between(season: Season, mode_id: int, first: datetime, last: datetime) -> QuerySet[Match]:
    """The starts of a mode that were open at some time between two moments, or may have been."""
    starts = Match.objects.starts().filter(season=season.pk, mode=mode_id).order_by()
    return starts.filter(
        started_at__gte=first - _LONGEST, started_at__lt=last, deadline_at__gte=first
    )


def _day_of(season: Season, at: datetime) -> datetime:
    """The first instant of the day of a moment."""
    zone = season.league.zone
    return start_of_day(day_of(at, zone), zone)


def _day_after(season: Season, at: datetime) -> datetime:
    """The first instant of the day after that of a moment."""
    zone = season.league.zone
    return start_of_day(day_of(at, zone) + _DAY, zone)


def _settle(commit: Commit, mode_id: int, match_ids: Collection[int]) -> None:
    """Write what has become of some starts, where that is not what is stored."""
    if not match_ids:
        return
    stored = _read_starts(match_ids)
    verdicts = _verdicts(commit.season, mode_id, stored, commit.now)
    changed = {
        one.fact.match_id: verdicts[one.fact.match_id]
        for one in stored
        if not one.is_as(verdicts[one.fact.match_id])
    }
    if not commit.may_correct:
        older = [one for one in stored if one.revision_id != commit.revision.pk]
        _refuse_corrections(
            [one for one in older if one.fact.match_id in changed], verdicts, commit.now
        )
    for part_ids in batches(changed, BATCH):
        rows = Match.objects.filter(pk__in=part_ids).select_related("season__league", "mode")
        part = list(rows.order_by("seq"))
        drafts = [
            _with_verdict(draft, changed[match.pk])
            for match, draft in zip(part, drafts_of(part), strict=True)
        ]
        statuses = [match.status for match in part]
        rewrite_rows(commit, part, drafts, statuses, are_counted=False)


def _with_verdict(draft: MatchDraft, verdict: Verdict) -> MatchDraft:
    """A start as it is stored with what has become of it."""
    is_lost = verdict.kind == Match.Kind.LEFT

    def with_leaving(member: MemberDraft) -> MemberDraft:
        if member.leaving == Leaving.RELEASED:
            return member
        stays = Leaving.STAYED if is_lost else None
        is_leaver = member.player.pk in verdict.leavers
        return replace(member, leaving=Leaving.LEFT if is_leaver else stays)

    # Who starts a match can lose two by it at one moment: the one that began first comes first.
    order = micros(draft.start.at) if is_lost and draft.start else 0
    draft = replace(draft, kind=verdict.kind, played_at=verdict.at, same_time_order=order)
    return with_members(draft, with_leaving)


def _refuse_corrections(
    changed: Iterable[_StoredStart], verdicts: dict[int, Verdict], now: datetime
) -> None:
    """Refuse to change what a start has cost already without the right to correct results.

    A time limit that has passed has cost it, be that stored yet or not.
    """
    for one in changed:
        verdict = verdicts[one.fact.match_id]
        by_limit = Verdict(Match.Kind.LEFT.value, one.fact.deadline, one.fact.bound)
        is_over = not one.is_lost and one.fact.deadline <= now
        if one.is_lost or (is_over and verdict != by_limit):
            words = _(
                "This would take back the loss of a match that was left. Only organizers can do "
                "that."
            )
            raise Refused([Problem("played_at", "takes_back_loss", words)])


def _read_starts(match_ids: Collection[int]) -> list[_StoredStart]:
    """Starts with their players, in their order."""
    stored = chain.from_iterable(map(_read_some_starts, batches(match_ids, BATCH)))
    return sorted(stored, key=lambda one: one.fact.place)


def _read_some_starts(match_ids: Sequence[int]) -> Iterator[_StoredStart]:
    columns = ("match_id", "player_id", "leaving", "match__seq", "match__kind", "match__revision")
    moments = ("match__played_at", "match__started_at", "match__deadline_at")
    rows: dict[int, list[tuple[int, int | None]]] = defaultdict(list)
    matches = {}
    participants = Participant.objects.filter(match__in=match_ids)
    for match_id, player_id, leaving, *match in participants.values_list(*columns, *moments):
        rows[match_id].append((player_id, leaving))
        matches[match_id] = match
    for match_id, (seq, kind, revision_id, played_at, started_at, deadline) in matches.items():
        people = rows[match_id]
        fact = StartFact(
            match_id,
            seq,
            started_at,
            deadline,
            players=frozenset(player for player, _leaving in people),
            released=frozenset(pk for pk, leaving in people if leaving == Leaving.RELEASED),
        )
        leavers = frozenset(pk for pk, leaving in people if leaving == Leaving.LEFT)
        yield _StoredStart(fact, kind, played_at, leavers, revision_id)


def _verdicts(
    season: Season, mode_id: int, stored: Sequence[_StoredStart], now: datetime
) -> dict[int, Verdict]:
    """What has become of starts of a mode, by all that bears on them."""
    if not stored:
        return {}
    players = _at_most(set(chain.from_iterable(one.fact.players for one in stored)))
    first = _day_of(season, min(one.fact.at for one in stored))
    last = _day_after(season, max(one.fact.deadline for one in stored))
    near = _open_between(season, mode_id, first, last).filter(_theirs(players))
    around = _read_starts(set(near.values_list("pk", flat=True)))
    facts = [_with_limit(one, now) for one in around]
    groups = {one.fact.players for one in around}
    results = _read_results(season, mode_id, players, groups, first, last)
    return verdicts_of(facts, results, now)


def _at_most(players: set[int]) -> set[int] | None:
    """Some players; None for everyone, where naming all of them would take too long."""
    return players if len(players) <= BATCH else None


def _theirs(players: Collection[int] | None) -> Q:
    """The matches of some players, or of everyone."""
    return Q() if players is None else Q(participants__player__in=players)


def _with_limit(one: _StoredStart, now: datetime) -> StartFact:
    """The fact of a start; a limit that has passed once stays so, by whichever clock."""
    is_past = one.is_lost and one.at == one.fact.deadline > now
    return replace(one.fact, is_past=True) if is_past else one.fact


def _read_results(
    season: Season,
    mode_id: int,
    players: Collection[int] | None,
    groups: Collection[frozenset[int]],
    first: datetime,
    last: datetime,
) -> list[ResultFact]:
    """The results of a mode between two moments that are of some players, and exactly of a group.

    One after the other: an import can have a million, of which a few end a start.
    """
    played = (
        Match.objects.live()
        .results()
        .filter(
            _theirs(players),
            season=season.pk,
            mode=mode_id,
            played_at__gte=first,
            played_at__lt=last,
        )
    )
    columns = ("match_id", "player_id", "match__seq", "match__played_at", "match__date_only")
    rows = (
        Participant.objects.filter(match__in=played.order_by().values("pk"))
        .order_by("match_id")
        .values_list(*columns, "match__recorded_at")
    )
    results = []
    for match_id, theirs in groupby(rows.iterator(), key=itemgetter(0)):
        members = list(theirs)
        people = frozenset(player_id for _match_id, player_id, *_match in members)
        if people not in groups:
            continue
        seq, at, date_only, recorded_at = members[0][2:]
        until = _day_after(season, at) - _TICK if date_only else at
        results.append(ResultFact(match_id, seq, at, until, recorded_at, people))
    return results
