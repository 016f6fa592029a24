"""The rules of a ladder for who may meet whom, which hold for all results of its mode.

A board with a ladder says how many rungs up a challenge goes and after how many days the same two
meet again. A result that breaks it is refused where it is entered; what a file tells has happened.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

import numpy as np
from django.db.models import QuerySet
from django.utils.translation import ngettext

from leagues import wording
from leagues.bridge.ladders import (
    challenge_rules,
    has_challenge_rules,
    rungs_before,
    systems_with_challenges,
)
from leagues.domain.challenges import is_out_of_range, meeting_in_pause
from leagues.domain.civil_days import day_number, day_of, start_of_day_number
from leagues.models import Board, Match, Mode, Participant, Player, Season
from leagues.models.match import is_met, rated_kinds
from leagues.services.drafts import MatchDraft
from leagues.services.errors import Problem
from leagues.store.match_columns import (
    NOBODY,
    Facts,
    civil_days,
    event_kinds,
    joined_facts,
    micros,
    read_facts,
)
from leagues.store.prepared import prepare
from leagues.store.snapshot import snapshot

Pair = frozenset[int]


@dataclass(frozen=True, slots=True)
class _Challenge:
    """A result between two single players that counts, by its position in the call."""

    index: int
    draft: MatchDraft
    one: Player
    other: Player
    day: int
    ids: tuple[int, int]

    @property
    def pair(self) -> Pair:
        return frozenset(self.ids)


def challenge_problems(
    drafts: Sequence[MatchDraft],
    *,
    season: Season,
    mode: Mode,
    stored_ids: Collection[str] = (),
    replaced: Match | None = None,
) -> list[Problem]:
    """The reasons why results may not be entered on the ladders of their mode.

    Each counts after those before it. `stored_ids` are results that are there already, `replaced`
    the match that the one draft corrects.
    """
    ladders = _ladders(season, mode)
    if not ladders:
        return []
    counting = [kind for kind in rated_kinds(season.league, season) if is_met(kind)]
    fresh = [
        (index, draft)
        for index, draft in enumerate(drafts)
        if draft.kind in counting and draft.external_id not in stored_ids
    ]
    newcomers = _newcomers(fresh)
    challenges = list(_challenges(fresh, season, newcomers))
    if not challenges:
        return []
    problems: list[Problem] = []
    for board in ladders:
        problems += _range_problems(board, fresh, challenges, newcomers, replaced)
        problems += _pause_problems(board, challenges, counting, replaced)
    return sorted(problems, key=lambda problem: problem.index or 0)


def has_challenges(season: Season, mode: Mode) -> bool:
    """Whether any ladder of a mode has rules for who may meet whom."""
    return bool(_ladders(season, mode))


def _ladders(season: Season, mode: Mode) -> list[Board]:
    boards = _boards(season=season.pk, mode=mode.pk, systems=systems_with_challenges())
    return [board for board in boards if has_challenge_rules(board)]


@prepare
def _boards(*, season: int, mode: int, systems: list[str]) -> QuerySet[Board, Board]:
    boards = Board.objects.filter(season=season, mode=mode, system__in=systems)
    return boards.select_related("league", "season", "mode")


def _newcomers(drafts: Sequence[tuple[int, MatchDraft]]) -> dict[str, int]:
    """Numbers, which no stored player has, for players of a file who are not stored yet."""
    players = {
        member.player.key: member.player
        for _index, draft in drafts
        for side in draft.sides
        for member in side.members
    }
    fresh = [key for key, player in players.items() if player.pk is None]
    return {key: -number for number, key in enumerate(fresh, start=1)}


def is_same_challenge(one: MatchDraft, other: MatchDraft) -> bool:
    """Whether two drafts are about the same players who met at the same time."""
    return (one.played_at, one.kind, _sides(one)) == (other.played_at, other.kind, _sides(other))


def _sides(draft: MatchDraft) -> set[frozenset[str]]:
    return {frozenset(member.player.key for member in side.members) for side in draft.sides}


def _challenges(
    drafts: Sequence[tuple[int, MatchDraft]], season: Season, newcomers: Mapping[str, int]
) -> Iterator[_Challenge]:
    for index, draft in drafts:
        members = [side.members for side in draft.sides]
        if len(members) == 2 and all(len(side) == 1 for side in members):
            one, other = (side[0].player for side in members)
            ids = (_id(one, newcomers), _id(other, newcomers))
            day = day_number(draft.played_at, season.league.zone)
            yield _Challenge(index, draft, one, other, day, ids)


def _id(player: Player, newcomers: Mapping[str, int]) -> int:
    return newcomers.get(player.key, player.pk)


def _range_problems(
    board: Board,
    drafts: Sequence[tuple[int, MatchDraft]],
    challenges: Sequence[_Challenge],
    newcomers: Mapping[str, int],
    replaced: Match | None,
) -> Iterator[Problem]:
    limits = {
        one.index: limit
        for one in challenges
        if (limit := challenge_rules(board, one.draft.played_at).challenge_range)
    }
    if not limits:
        return
    with snapshot():
        facts = read_facts(board)
    seqs = {index: board.season.last_seq + 1 + index for index, _draft in drafts}
    if replaced is not None and replaced.seq is not None:
        facts = facts.without({replaced.seq})
        seqs = dict.fromkeys(seqs, replaced.seq)
    facts = joined_facts(facts, _facts_of(drafts, seqs, newcomers, board))
    wanted = {seqs[index] for index in limits}
    rungs = rungs_before(board, facts, wanted, newcomers)
    for one in challenges:
        stands = rungs.get(seqs[one.index], {})
        low, high = (stands.get(number) for number in one.ids)
        limit = limits.get(one.index, 0)
        if low is None or high is None or not is_out_of_range(low, high, limit):
            continue
        words = ngettext(
            "On “%(board)s”, players can challenge at most %(limit)d rung up: %(one)s is on "
            "rung %(low)d, %(other)s on rung %(high)d.",
            "On “%(board)s”, players can challenge at most %(limit)d rungs up: %(one)s is on "
            "rung %(low)d, %(other)s on rung %(high)d.",
            limit,
        )
        values = {"board": board.name, "limit": limit, "one": one.one.name, "low": low}
        values |= {"other": one.other.name, "high": high}
        yield Problem("sides", "challenge_range", words % values, one.index)


def _pause_problems(
    board: Board,
    challenges: Sequence[_Challenge],
    counting: Sequence[str],
    replaced: Match | None,
) -> Iterator[Problem]:
    pauses = {
        one.index: days
        for one in challenges
        if (days := challenge_rules(board, one.draft.played_at).rematch_days)
    }
    if not pauses:
        return
    league = board.league
    met = _meetings(board, challenges, max(pauses.values()), counting, replaced)
    for one in challenges:
        days = pauses.get(one.index, 0)
        last = meeting_in_pause(one.day, met[one.pair], days)
        met[one.pair].append(one.day)
        if last is None:
            continue
        words = ngettext(
            "On “%(board)s”, the same two players can play each other again after %(days)d day "
            "at the earliest: %(one)s and %(other)s played on %(day)s.",
            "On “%(board)s”, the same two players can play each other again after %(days)d "
            "days at the earliest: %(one)s and %(other)s played on %(day)s.",
            days,
        )
        day = wording.day(day_of(start_of_day_number(last, league.zone), league.zone))
        values = {"board": board.name, "days": days, "one": one.one.name, "day": day}
        values["other"] = one.other.name
        yield Problem("sides", "rematch_pause", words % values, one.index)


def _meetings(
    board: Board,
    challenges: Sequence[_Challenge],
    days: int,
    counting: Sequence[str],
    replaced: Match | None,
) -> defaultdict[Pair, list[int]]:
    """The days on which the pairs of some challenges met in the mode, also in other seasons."""
    times = [one.draft.played_at for one in challenges]
    window = timedelta(days=days + 1)
    matches = Match.objects.live().filter(
        mode=board.mode_id,
        kind__in=counting,
        played_at__gte=min(times) - window,
        played_at__lte=max(times) + window,
        participants__player__in={pk for one in challenges for pk in one.pair if pk > 0},
    )
    if replaced is not None:
        matches = matches.exclude(pk=replaced.pk)
    people: dict[int, list[int]] = defaultdict(list)
    rows = Participant.objects.filter(match__in=matches.order_by().values("pk"))
    for match_id, player_id in rows.values_list("match_id", "player_id"):
        people[match_id].append(player_id)
    played: Mapping[int, Match] = Match.objects.only("played_at").in_bulk(people)
    met: defaultdict[Pair, list[int]] = defaultdict(list)
    for match_id, players in people.items():
        if len(players) == 2:
            met[frozenset(players)].append(
                day_number(played[match_id].played_at, board.league.zone)
            )
    return met


def _facts_of(
    drafts: Sequence[tuple[int, MatchDraft]],
    seqs: Mapping[int, int],
    newcomers: Mapping[str, int],
    board: Board,
) -> Facts:
    """Drafts as what a board rates."""
    at = np.array([micros(draft.played_at) for _index, draft in drafts], dtype=np.int64)
    rows = [
        (
            *(match, _id(member.player, newcomers), number, side.rank, side.score, side.handicap),
            member.playing_share,
        )
        for match, (_index, draft) in enumerate(drafts)
        for number, side in enumerate(draft.sides)
        for member in side.members
    ]
    match, player_id, side, rank, score, handicap, share = zip(*rows, strict=True)
    happened = [
        (match, event.kind, _id(event.player, newcomers), event.opponent, event.points)
        for match, (_index, draft) in enumerate(drafts)
        for event in draft.events
        if board.mode.rates_events
    ]
    event_kind, event_words = event_kinds([kind for _match, kind, *_ in happened])
    seq = np.array([seqs[index] for index, _draft in drafts], dtype=np.int64)
    return Facts(
        match_id=-1 - np.arange(len(drafts)),
        seq=seq,
        at=at,
        hint=np.array([draft.same_time_order for _index, draft in drafts], dtype=np.int64),
        day=civil_days(at, board.league.zone),
        weight=np.array([draft.weight for _index, draft in drafts]),
        match=np.array(match, dtype=np.int64),
        player_id=np.array(player_id, dtype=np.int64),
        side=np.array(side, dtype=np.int64),
        rank=np.array(rank, dtype=np.int64),
        score=np.array(score, dtype=np.float64),
        handicap=np.array(handicap, dtype=np.int64),
        share=np.array(share, dtype=np.float64),
        event_match=np.array([match for match, *_ in happened], dtype=np.int64),
        event_kind=event_kind,
        event_player=np.array([player for *_, player, _other, _points in happened], dtype=np.int64),
        event_opponent=np.array(
            [NOBODY if one is None else _id(one, newcomers) for *_, one, _points in happened],
            dtype=np.int64,
        ),
        event_points=np.array([points for *_, points in happened], dtype=np.float64),
        event_words=event_words,
    )
