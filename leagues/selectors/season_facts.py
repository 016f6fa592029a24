"""What a season was made of, on one board: nights, places over time, streaks, upsets, pairs.

Small boards only: all of their results are read once and remembered as long as nothing changes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

import numpy as np
from django.db import connection

from leagues.domain.absence import last_instant
from leagues.domain.activity import spans_between
from leagues.domain.civil_days import day_of
from leagues.domain.ranking import ranking_rule_of_day
from leagues.models import Board, Match, Participant, RatingSegment
from leagues.selectors.people import Viewer
from leagues.selectors.standings import standings_of_table
from leagues.selectors.tables import cached_or, read_tables
from leagues.store import segments
from leagues.store.match_columns import (
    instants,
    moment,
    played_instant,
    rated_matches,
    results_by_day,
)
from leagues.store.standing_columns import is_read_whole, true_days

MOST_MOMENTS = 14
CACHE_BYTES = 200_000
"""About how many bytes the facts of a board take."""


@dataclass(frozen=True, slots=True)
class Upset:
    """A result that was least expected: who won against whom, and how likely it was."""

    seq: int
    at: datetime
    winners: tuple[int, ...]
    losers: tuple[int, ...]
    expected: float


@dataclass(frozen=True, slots=True)
class Run:
    player: int
    length: int


@dataclass(frozen=True, slots=True)
class Pair:
    one: int
    other: int
    matches: int


@dataclass(frozen=True, slots=True)
class Favourites:
    """What was expected of the favourites of all matches, and what they reached."""

    predicted: float
    came: float
    matches: int


@dataclass(frozen=True, slots=True)
class Moment:
    """The end of a day with results, and the places then."""

    day: date
    ranks: dict[int, int]


@dataclass(frozen=True, slots=True)
class SeasonFacts:
    days: tuple[tuple[date, int], ...]
    """Of each day with results, how many."""
    moments: tuple[Moment, ...] = ()
    run: Run | None = None
    pair: Pair | None = None
    upset: Upset | None = None
    favourites: Favourites | None = None


def season_facts(board: Board) -> SeasonFacts:
    """The facts of a board's season; of a large one only when it was played."""
    computed = board.computed_at.timestamp() if board.computed_at else 0.0
    ranked = board.ranked_after, board.active_days
    key = (
        "season facts",
        board.pk,
        board.generation,
        board.rated_through_revision,
        computed,
        *ranked,
    )
    return cached_or(key, lambda: _read(board), lambda _: CACHE_BYTES)


def spans_of(days: Sequence[tuple[date, int]]) -> tuple[list[tuple[date, int]], str]:
    """Results by week, of longer seasons by month or year, empty ones too, and the unit."""
    if not days:
        return [], "week"
    starts, unit = spans_between(days[0][0], days[-1][0])
    counts = [0] * len(starts)
    for day, count in days:
        counts[bisect_right(starts, day) - 1] += count
    return list(zip(starts, counts, strict=True)), unit


def _read(board: Board) -> SeasonFacts:
    if not is_read_whole(board):
        return SeasonFacts(days=_days(board))
    rows = _Rows.read(board)
    zone = board.league.zone
    days = Counter(day_of(moment(at), zone) for at in rows.match_at)
    expected = _expected_scores(board)
    return SeasonFacts(
        days=tuple(sorted(days.items())),
        moments=_moments(board, sorted(days)),
        run=rows.longest_run(),
        pair=rows.most_frequent_pair(),
        upset=rows.upset(expected),
        favourites=rows.favourites(expected),
    )


def _days(board: Board) -> tuple[tuple[date, int], ...]:
    """Count by day: what a job has counted, and what came after it."""
    counted = true_days(board).filter(played__isnull=False).defer("changes")
    last = counted.order_by("-at").first()
    if last is None:
        return results_by_day(board)
    before = ((date.fromisoformat(day), count) for day, count in last.played or ())
    return (*before, *results_by_day(board, since=last.at))


@dataclass(slots=True)
class _Rows:
    """The matches of two sides of a board, in the order they were rated."""

    match_at: list[int]
    seq: list[int]
    at: list[int]
    sides: list[tuple[tuple[int, ...], tuple[int, ...]]]
    """The better side first, where one was."""
    drawn: list[bool]
    results: dict[int, str]
    """Of each player W, D and L, the oldest first; of matches of any number of sides."""

    @classmethod
    def read(cls, board: Board) -> _Rows:
        where, params = rated_matches(board)
        # Who left a match has met nobody.
        where += " AND m.kind <> %s"
        params.append(Match.Kind.LEFT.value)
        matches, participants = Match._meta.db_table, Participant._meta.db_table
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT m.seq, {played_instant()}, p.player_id, p.side, p.rank "  # noqa: S608
                f"FROM {participants} p JOIN {matches} m ON m.id = p.match_id WHERE {where} "
                "ORDER BY m.played_at, m.same_time_order, m.seq, p.side, p.player_id",
                params,
            )
            records = cursor.fetchall()
        at = instants([row[1] for row in records]).tolist()
        rows = cls([], [], [], [], [], {})
        first = 0
        for index in range(1, len(records) + 1):
            if index < len(records) and records[index][0] == records[first][0]:
                continue
            rows._take(at[first], [(row[0], *row[2:]) for row in records[first:index]])
            first = index
        return rows

    def _take(self, at: int, members: list[tuple[int, int, int, int]]) -> None:
        self.match_at.append(at)
        ranks = {side: rank for _, _, side, rank in members}
        firsts = sum(rank == 1 for rank in ranks.values())
        for _, player, _, rank in members:
            letter = "L" if rank != 1 else "W" if firsts == 1 else "D"
            self.results[player] = self.results.get(player, "") + letter
        if len(ranks) != 2:
            return
        better = min(ranks, key=lambda side: (ranks[side], side))
        sides = (
            tuple(player for _, player, side, _ in members if side == better),
            tuple(player for _, player, side, _ in members if side != better),
        )
        self.seq.append(members[0][0])
        self.at.append(at)
        self.sides.append(sides)
        self.drawn.append(firsts == 2)

    def longest_run(self) -> Run | None:
        runs = [
            Run(player, max(len(run) for run in letters.replace("D", "L").split("L")))
            for player, letters in self.results.items()
        ]
        longest = max(runs, key=lambda run: run.length, default=None)
        return longest if longest and longest.length > 1 else None

    def most_frequent_pair(self) -> Pair | None:
        pairs = Counter(
            (min(one, other), max(one, other))
            for mine, theirs in self.sides
            for one in mine
            for other in theirs
        )
        if not pairs:
            return None
        (one, other), matches = pairs.most_common(1)[0]
        return Pair(one, other, matches) if matches > 1 else None

    def upset(self, expected: dict[tuple[int, int], float]) -> Upset | None:
        least: Upset | None = None
        for seq, at, (winners, losers), drawn in zip(
            self.seq, self.at, self.sides, self.drawn, strict=True
        ):
            share = expected.get((seq, winners[0]))
            if drawn or share is None or share >= (least.expected if least else 0.5):
                continue
            least = Upset(seq, moment(at), winners, losers, share)
        return least

    def favourites(self, expected: dict[tuple[int, int], float]) -> Favourites | None:
        predicted = came = 0.0
        matches = 0
        for seq, (winners, _losers), drawn in zip(self.seq, self.sides, self.drawn, strict=True):
            share = expected.get((seq, winners[0]))
            if share is None or share == 0.5:
                continue
            matches += 1
            predicted += max(share, 1.0 - share)
            came += 0.5 if drawn else float(share > 0.5)
        return Favourites(predicted / matches, came / matches, matches) if matches >= 10 else None


def _expected_scores(board: Board) -> dict[tuple[int, int], float]:
    """The expected score of each player in each match."""
    scores = {}
    rows = RatingSegment.objects.filter(board=board, generation=board.generation)
    for player_id, data, count, beside in rows.values_list(
        "player_id", "data", "count", "expected"
    ):
        points = segments.unpack(data, count, beside)
        known = np.flatnonzero((points.seq > 0) & ~np.isnan(points.expected))
        for seq, share in zip(
            points.seq[known].tolist(), points.expected[known].tolist(), strict=True
        ):
            scores[seq, player_id] = share
    return scores


def _moments(board: Board, days: Sequence[date]) -> tuple[Moment, ...]:
    """The places at the ends of some days with results, the last one among them."""
    league = board.league
    chosen = list(_spread(days))
    ends = {league.midnight(day + timedelta(days=1)): day for day in chosen}
    read = read_tables(board, viewer=Viewer(), newest=False, days=ends)
    moments = []
    for end, day in ends.items():
        table = read.days.get(end)
        if table is None:
            continue
        rule = ranking_rule_of_day(board, end, last_instant(end))
        standings = standings_of_table(board, table, at=end, rule=rule)
        ranked = np.flatnonzero(standings.is_ranked)
        players, ranks = standings.table.player_id[ranked].tolist(), standings.rank[ranked].tolist()
        moments.append(Moment(day, dict(zip(players, ranks, strict=True))))
    return tuple(moments)


def _spread(days: Sequence[date]) -> Iterable[date]:
    if len(days) <= MOST_MOMENTS:
        return days
    last = len(days) - 1
    return (days[round(index * last / (MOST_MOMENTS - 1))] for index in range(MOST_MOMENTS))
