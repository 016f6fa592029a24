"""Who met whom, and how it ended: head-to-head, common opponents, crosstables."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Aggregate, Count, F, Max, Q, QuerySet

from leagues.models import Board, Match, Participant
from leagues.models.match import has_result, is_met, is_rated, is_rated_on


@dataclass(frozen=True, slots=True)
class Record:
    """How one player did against another, on different sides of rated matches."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    last_at: datetime | None = None

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> float:
        """Wins, and half of the draws."""
        return self.won + 0.5 * self.drawn


@dataclass(frozen=True, slots=True)
class HeadToHeadMatch:
    """A match of two teams or players against each other, on different sides."""

    seq: int
    played_at: datetime
    rank: int
    other_rank: int
    score: int | None
    other_score: int | None
    is_pair: bool
    """There were no other sides."""


def records(
    board: Board,
    players: Collection[int],
    *,
    against: Collection[int] | None = None,
    is_dated: bool = False,
) -> Mapping[tuple[int, int], Record]:
    """The records of players by (player, opponent), of all opponents or of some.

    With the day of the last match where it is asked for: reading thousands of them takes its time.
    """
    rows = opposing_participations(board).filter(player__in=players)
    if against is not None:
        rows = rows.filter(other__in=against)
    counts: dict[str, Aggregate] = {
        "won": Count("pk", filter=Q(rank__lt=F("other_rank"))),
        "drawn": Count("pk", filter=Q(rank=F("other_rank"))),
        "lost": Count("pk", filter=Q(rank__gt=F("other_rank"))),
    }
    if is_dated:
        counts["last_at"] = Max("match__played_at")
    counted = rows.values_list("player_id", "other").annotate(**counts).order_by()
    return {(player, other): Record(*row) for player, other, *row in counted}


def encounters(board: Board, ones: Sequence[int], others: Sequence[int]) -> list[HeadToHeadMatch]:
    """Every rated match of one player or team against another, newest first.

    Team-mates stood on one side there, whoever else played with them.
    """
    # Asked for the season and the order, SQLite would read all matches of the season by their time.
    rows = Participant.objects.select_related("match")
    for player in (ones[0], others[0]):
        rows = rows.filter(match__in=Participant.objects.filter(player=player).values("match"))
    there: dict[Match, dict[int, Participant]] = {}
    for row in rows:
        match = row.match
        is_here = match.season_id == board.season_id and match.mode_id == board.mode_id
        if not is_here or not is_met(match.kind):
            continue
        if is_rated(match.kind, match.status, board.league, board.season):
            there.setdefault(match, {})[row.player_id] = row
    met = []
    for match, seats in there.items():
        one, other = seats[ones[0]], seats[others[0]]
        if (
            one.side != other.side
            and all(player in seats and seats[player].side == one.side for player in ones)
            and all(player in seats and seats[player].side == other.side for player in others)
        ):
            met.append((match, one, other, len({seat.side for seat in seats.values()})))
    met.sort(key=lambda row: (row[0].played_at, row[0].same_time_order, row[0].seq), reverse=True)
    return [
        HeadToHeadMatch(
            seq=match.seq or 0,
            played_at=match.played_at,
            rank=one.rank,
            other_rank=other.rank,
            score=one.score,
            other_score=other.score,
            is_pair=sides == 2,
        )
        for match, one, other, sides in met
    ]


def opposing_participations(board: Board) -> QuerySet[Any]:
    """Participations of a board's rated matches, once for each opponent in the match."""
    pairs: QuerySet[Any] = (
        # Who left a match did not meet anybody.
        Participant.objects.filter(is_rated_on(board, "match__"), has_result("match__"))
        .alias(other_side=F("match__participants__side"))
        .annotate(
            other=F("match__participants__player_id"),
            other_rank=F("match__participants__rank"),
        )
        .exclude(other_side=F("side"))
    )
    return pairs


def sum_records(rows: Sequence[Record]) -> Record:
    """Add several records up to one."""
    return Record(
        sum(row.won for row in rows), sum(row.drawn for row in rows), sum(row.lost for row in rows)
    )


def record_of(matches: Sequence[HeadToHeadMatch]) -> Record:
    """The record of the first side in matches of two against each other."""
    return Record(
        won=sum(match.rank < match.other_rank for match in matches),
        drawn=sum(match.rank == match.other_rank for match in matches),
        lost=sum(match.rank > match.other_rank for match in matches),
    )


def common_opponents(
    all_records: Mapping[tuple[int, int], Record], players: Sequence[int]
) -> list[tuple[int, tuple[Record, ...]]]:
    """The players whom all of these have met, with each record; those met most often first."""
    shared = [
        (rival, tuple(all_records[player, rival] for player in players))
        for player, rival in all_records
        if player == players[0]
        and rival not in players
        and all((other, rival) in all_records for other in players)
    ]
    shared.sort(key=lambda row: (-min(record.games for record in row[1]), row[0]))
    return shared
