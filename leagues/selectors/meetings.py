"""Who met whom, and how it ended: head-to-head, common opponents, crosstables."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, F, Max, Q, QuerySet

from leagues.facts import rated_kinds
from leagues.models import Board, Match, Participant


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
class Encounter:
    """A match in which two players stood on different sides."""

    seq: int
    played_at: datetime
    rank: int
    other_rank: int
    score: int | None
    other_score: int | None


def records(
    board: Board, players: Collection[int], *, against: Collection[int] | None = None
) -> Mapping[tuple[int, int], Record]:
    """Return the records of players by (player, opponent), of all opponents or of some."""
    rows = opposed(board).filter(player__in=players)
    if against is not None:
        rows = rows.filter(other__in=against)
    counted = rows.values("player_id", "other").annotate(
        won=Count("pk", filter=Q(rank__lt=F("other_rank"))),
        drawn=Count("pk", filter=Q(rank=F("other_rank"))),
        lost=Count("pk", filter=Q(rank__gt=F("other_rank"))),
        last_at=Max("match__played_at"),
    )
    return {
        (row["player_id"], row["other"]): Record(
            row["won"], row["drawn"], row["lost"], row["last_at"]
        )
        for row in counted.order_by()
    }


def encounters(board: Board, one: int, other: int) -> list[Encounter]:
    """Return every rated match of one player against another, newest first."""
    kinds = rated_kinds(board.league, board.season)
    pairs = _pairs(Participant.objects.filter(player=one))
    # Asked for the season and the order, SQLite would read all matches of the season by their time.
    found = [
        row
        for row in pairs.filter(other=other).select_related("match")
        if row.match.season_id == board.season_id
        and row.match.mode_id == board.mode_id
        and row.match.status == Match.Status.LIVE
        and row.match.kind in kinds
    ]
    found.sort(
        key=lambda row: (row.match.played_at, row.match.order_hint, row.match.seq), reverse=True
    )
    return [
        Encounter(
            row.match.seq, row.match.played_at, row.rank, row.other_rank, row.score, row.other_score
        )
        for row in found
    ]


def opposed(board: Board) -> QuerySet[Any]:
    """Return participations of a board's rated matches, once for each opponent in the match."""
    return _pairs(
        Participant.objects.filter(
            match__season=board.season_id,
            match__mode=board.mode_id,
            match__status=Match.Status.LIVE,
            match__kind__in=rated_kinds(board.league, board.season),
        )
    )


def _pairs(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Return participations once for each participant on another side of the match."""
    pairs: QuerySet[Any] = (
        rows.alias(other_side=F("match__participants__side"))
        .annotate(
            other=F("match__participants__player_id"),
            other_rank=F("match__participants__rank"),
            other_score=F("match__participants__score"),
        )
        .exclude(other_side=F("side"))
    )
    return pairs


def added(rows: Sequence[Record]) -> Record:
    """Return several records as one."""
    return Record(
        sum(row.won for row in rows), sum(row.drawn for row in rows), sum(row.lost for row in rows)
    )


def common_opponents(
    found: Mapping[tuple[int, int], Record], one: int, other: int
) -> Sequence[tuple[int, Record, Record]]:
    """Return whom both have met, with both records; whom both met most often first."""
    both = [
        (rival, record, found[other, rival])
        for (player, rival), record in found.items()
        if player == one and rival not in (one, other) and (other, rival) in found
    ]
    both.sort(key=lambda row: (-min(row[1].games, row[2].games), row[0]))
    return both
