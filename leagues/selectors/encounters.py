"""All matches of one player in a season, read once: who was met, and how it went.

Plain SQL on purpose: a regular of a busy league has thousands of matches, and a profile shows
what they add up to.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db import connection
from django.db.models import Exists, OuterRef

from leagues.models import Board, Match, Participant, Player
from leagues.models.match import is_met, is_rated
from leagues.store.match_columns import instants, moment

WON, DRAWN, LOST = "won", "drawn", "lost"


@dataclass(frozen=True, slots=True)
class OtherPlayer:
    """Somebody else in a match: on the same side or on another."""

    player_id: int
    key: str
    name: str
    side: int
    rank: int
    score: int | None
    is_listed: bool
    handicap: int = 0


@dataclass(slots=True)
class PlayerMatch:
    """One match from the player's side; opponents stand best first."""

    seq: int
    at: datetime
    kind: str
    status: str
    side: int = 0
    rank: int = 0
    score: int | None = None
    has_left: bool = False
    handicap: int = 0
    """What the own side was given; of two sides, beyond the other one."""
    expected: float | None = None
    opponents: list[OtherPlayer] = field(default_factory=list)
    partners: list[OtherPlayer] = field(default_factory=list)
    sides: int = 2
    outcome: str = ""
    """Of more than two sides first alone is won, first shared drawn, the rest lost."""
    points: float = 0.0
    """The score against the other sides, on average: 1, a half or 0 for each."""

    @property
    def is_live(self) -> bool:
        """Whether it counts as a fact."""
        return self.status == Match.Status.LIVE

    def take_in(self, others: list[OtherPlayer]) -> None:
        """Take in who else was there, once the own side is known."""
        self.opponents = [met for met in others if met.side != self.side]
        self.partners = [met for met in others if met.side == self.side]
        ranks = {met.side: met.rank for met in self.opponents}
        self.sides = 1 + len(ranks)
        if self.sides == 2:
            self.handicap -= self.opponents[0].handicap
        if not ranks:
            return
        self.points = sum(_worth(self.rank, rank) for rank in ranks.values()) / len(ranks)
        self.outcome = outcome_of(self.rank, ranks.values())
        if not is_met(self.kind):
            self.points, self.outcome = 0.0, LOST if self.has_left else ""


def outcome_of(own: int, others: Collection[int]) -> str:
    """What a side of some rank did against sides of others; of more than one only first is won."""
    if len(others) == 1:
        return _between(own, *others)
    if own > 1:
        return LOST
    return DRAWN if own in others else WON


def _between(own: int, other: int) -> str:
    return DRAWN if own == other else WON if own < other else LOST


def _worth(own: int, other: int) -> float:
    return 0.5 if own == other else float(own < other)


def first_played_on(boards: Sequence[Board], player: Player) -> Board:
    """The first of a season's boards on which a player has results; the first where on none."""
    modes = {board.mode_id: board for board in reversed(boards)}
    if len(modes) == 1:
        return boards[0]
    for board in reversed(modes.values()):
        results = Match.objects.played_on(board).live().results().filter(pk=OuterRef("match"))
        # By player: there are far more matches of a season than of anyone in it.
        if Participant.objects.filter(Exists(results), player=player).exists():
            return board
    return boards[0]


MOST_MATCHES = 2000
"""Of more matches the newest are told; a page that counts all would be slow."""


def encounters_of(board: Board, player_id: int) -> list[PlayerMatch]:
    """A player's newest matches in a board's season and mode, newest first, in one query."""
    matches, rows, players = (model._meta.db_table for model in (Match, Participant, Player))
    sqlite = connection.vendor == "sqlite"
    instant = (
        "CAST(m.played_at AS text)"
        if sqlite
        else "(extract(epoch FROM m.played_at) * 1000000)::bigint"
    )
    # Across, not joined: SQLite then begins with the player and not with the whole season.
    sql = (
        f"SELECT m.seq, {instant}, m.kind, m.status, p.player_id, p.side, p.rank, p.score, "  # noqa: S608
        "o.key, o.name, o.is_listed, p.leaving, p.handicap "
        f"FROM (SELECT n.* FROM {rows} mine CROSS JOIN {matches} n "
        "WHERE n.id = mine.match_id AND mine.player_id = %s "
        "AND n.season_id = %s AND n.mode_id = %s AND n.status <> %s AND n.kind <> %s "
        "ORDER BY n.played_at DESC, n.same_time_order DESC, n.seq DESC LIMIT %s) m "
        f"JOIN {rows} p ON p.match_id = m.id JOIN {players} o ON o.id = p.player_id "
        "ORDER BY m.played_at DESC, m.same_time_order DESC, m.seq DESC, p.rank, p.side, o.key"
    )
    with connection.cursor() as cursor:
        cursor.execute(
            sql,
            [
                *(player_id, board.season_id, board.mode_id),
                *(Match.Status.STAGED.value, Match.Kind.ENDED.value, MOST_MATCHES),
            ],
        )
        records = cursor.fetchall()
    encounters: dict[int, PlayerMatch] = {}
    others: dict[int, list[OtherPlayer]] = {}
    for row, at in zip(records, instants([row[1] for row in records]).tolist(), strict=True):
        seq, _at, kind, status, participant, side, rank, score, *person, left, handicap = row
        if seq not in encounters:
            encounters[seq] = PlayerMatch(seq, moment(at), kind, status)
            others[seq] = []
        if participant == player_id:
            one = encounters[seq]
            one.side, one.rank, one.score = side, rank, score
            one.has_left = left == Participant.Leaving.LEFT
            one.handicap = handicap
        else:
            key, name, is_listed = person
            others[seq].append(
                OtherPlayer(participant, key, name, side, rank, score, bool(is_listed), handicap)
            )
    for seq, one in encounters.items():
        one.take_in(others[seq])
    return [one for one in encounters.values() if one.opponents]


def rated_among(board: Board, encounters: Iterable[PlayerMatch]) -> list[PlayerMatch]:
    """The matches that reach the player's ratings by the league's rules, in which somebody met."""
    league, season = board.league, board.season
    return [
        one
        for one in encounters
        if is_met(one.kind) and is_rated(one.kind, one.status, league, season)
    ]


@dataclass(slots=True)
class Opponent:
    """What the rated matches against one other player add up to."""

    player_id: int
    key: str
    name: str
    last_at: datetime
    won: int = 0
    drawn: int = 0
    lost: int = 0
    points: float = 0.0
    expected: float = 0.0
    judged_matches: int = 0
    """Matches of two sides for which something was expected."""

    @property
    def count(self) -> int:
        """The number of their meetings."""
        return self.won + self.drawn + self.lost


def opponents_among(rated: Sequence[PlayerMatch]) -> list[Opponent]:
    """Everybody met, most often first; of more than two sides each pair counts."""
    opponents: dict[int, Opponent] = {}
    for one in rated:
        is_pair = one.sides == 2
        for met in one.opponents:
            row = opponents.get(met.player_id)
            if row is None:
                row = opponents[met.player_id] = Opponent(met.player_id, met.key, met.name, one.at)
            outcome = _between(one.rank, met.rank)
            setattr(row, outcome, getattr(row, outcome) + 1)
            if is_pair and one.expected is not None:
                row.points += _worth(one.rank, met.rank)
                row.expected += one.expected
                row.judged_matches += 1
    return sorted(opponents.values(), key=lambda row: (-row.count, row.key))


@dataclass(frozen=True, slots=True)
class Run:
    """The longest run of equal results."""

    length: int
    first: datetime
    last: datetime


def longest_run(rated: Sequence[PlayerMatch], outcome: str) -> Run | None:
    """The longest run of an outcome in matches given newest first; the latest of equals."""
    best: Run | None = None
    begin = 0
    for index, one in enumerate([*rated, None]):
        if one is not None and one.outcome == outcome:
            continue
        length = index - begin
        if length and (best is None or length > best.length):
            best = Run(length, rated[index - 1].at, rated[begin].at)
        begin = index + 1
    return best


def with_expectations(
    encounters: Sequence[PlayerMatch], expected: Mapping[int, float | None]
) -> None:
    """Put what was expected, by match number, beside each match."""
    for one in encounters:
        one.expected = expected.get(one.seq)
