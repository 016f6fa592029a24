"""The standings of a board at a moment as columns: read, and carried forward.

Plain SQL and arrays on purpose: a board of 100,000 players is ranked, filtered and compared with
an earlier day within a request. Nothing here writes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, NamedTuple

import numpy as np
from django.db import connection
from django.db.models import Q, QuerySet
from numpy.typing import NDArray

from leagues.domain.civil_days import day_of
from leagues.models import (
    Board,
    BoardDay,
    League,
    Match,
    Participant,
    Player,
    RatingSegment,
    Standing,
)
from leagues.models.checks import LAST_INSTANT
from leagues.store.column_reads import INTEGER, read_columns
from leagues.store.match_columns import Floats, Integers, instants, micros, rated_matches
from leagues.store.standing_rows import StandingRow

MOST_READ_WHOLE = 10_000
"""Boards of up to so many matches are read whole; of larger ones, jobs prepare moments."""

NEWEST = LAST_INSTANT
"""The moment of the `BoardDay` that is the present."""

NEVER = -(1 << 62)
FORM_LENGTH = 10
Keys = Mapping[int, str]
"""The keys of players by their ids."""

_LETTERS = np.frombuffer(b"LDW", dtype="S1")


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class StandingTable:
    """The players of a board, best first, equal ones in the order of keys; parallel columns."""

    player_id: Integers
    place: Integers
    """The shown value in units of its last digit, negated where lower is better."""
    games: Integers
    won: Integers
    drawn: Integers
    lost: Integers
    streak: Integers
    last_at: Integers
    fairly_sure_until: Integers
    sure_until: Integers
    form: NDArray[np.bytes_]
    state: Floats

    def __len__(self) -> int:
        return len(self.player_id)

    @property
    def size(self) -> int:
        """The number of bytes it holds."""
        return sum(getattr(self, column.name).nbytes for column in fields(self))

    def sort_by_place(self, keys: Sequence[str]) -> StandingTable:
        """The same players, best first, whose keys are given in the present order."""
        # By the second first: pairs of both take three times as long to compare.
        by_key = np.array(sorted(range(len(self)), key=keys.__getitem__), np.int64)
        return self.take(by_key[np.argsort(-self.place[by_key], kind="stable")])

    def take(self, rows: Integers) -> StandingTable:
        """Some of the players, in the order of `rows`."""
        # Rows of bytes are taken six times as fast as they are indexed, numbers twice.
        columns = {each.name: getattr(self, each.name).take(rows, axis=0) for each in fields(self)}
        return StandingTable(**columns)


def carry_forward(
    table: StandingTable, rows: Sequence[StandingRow], read_keys: Callable[[list[int]], Keys]
) -> StandingTable:
    """A table after some standings have changed, as reading all of them would give it.

    `read_keys` gives the keys of players; it may give those of others too.
    """
    if not rows:
        return table
    changed = _table_of(rows)
    stays = np.flatnonzero(~np.isin(table.player_id, changed.player_id))
    place, player = -table.place[stays], table.player_id[stays]
    first, last = (np.searchsorted(place, -changed.place, side) for side in ("left", "right"))
    keys = dict(read_keys(changed.player_id.tolist()))
    own = [keys[each] for each in changed.player_id.tolist()]

    def read_more(players: set[int]) -> Keys:
        if missing := players - keys.keys():
            keys.update(read_keys([*missing]))
        return keys

    before = _places_among(player, own, first.tolist(), last.tolist(), read_more)
    # Those who changed, best first, each behind the row of the others that he comes after.
    comes = sorted(
        range(len(rows)),
        key=lambda row: (before[row], -rows[row].place_value, keys[rows[row].player_id]),
    )
    order = np.insert(stays, [before[row] for row in comes], len(table) + np.array(comes, np.int64))
    return join(table, changed, order)


def _places_among(
    player: Integers,
    own: Sequence[str],
    low: list[int],
    high: list[int],
    keys_of: Callable[[set[int]], Keys],
) -> list[int]:
    """Where each key of `own` comes among players `low` to `high` - 1, whose keys ascend.

    Hundreds stand level on a large board. All searches halve their range together, so that of each
    hundreds ten keys are read, and those of one step at once. Uses up `low` and `high`.
    """
    while searching := [row for row in range(len(own)) if low[row] < high[row]]:
        middle = {row: (low[row] + high[row]) // 2 for row in searching}
        beside = {row: int(player[place]) for row, place in middle.items()}
        keys = keys_of({*beside.values()})
        for row in searching:
            if keys[beside[row]] < own[row]:
                low[row] = middle[row] + 1
            else:
                high[row] = middle[row]
    return low


def join(table: StandingTable, other: StandingTable, order: Integers) -> StandingTable:
    """Rows of two tables in an order; those of the other are counted on from the first's."""
    columns = {
        each.name: np.concatenate([getattr(table, each.name), getattr(other, each.name)])
        for each in fields(StandingTable)
    }
    return StandingTable(**columns).take(order)


def _table_of(rows: Sequence[StandingRow]) -> StandingTable:
    """Standings in columns, in their order."""

    def integers(values: Iterable[int]) -> Integers:
        return np.array(list(values), np.int64)

    def instant(value: datetime | None) -> int:
        return NEVER if value is None else micros(value)

    return StandingTable(
        player_id=integers(row.player_id for row in rows),
        place=integers(row.place_value for row in rows),
        games=integers(row.games for row in rows),
        won=integers(row.won for row in rows),
        drawn=integers(row.drawn for row in rows),
        lost=integers(row.lost for row in rows),
        streak=integers(row.streak for row in rows),
        last_at=integers(micros(row.last_played_at) for row in rows),
        fairly_sure_until=integers(instant(row.fairly_sure_until) for row in rows),
        sure_until=integers(instant(row.sure_until) for row in rows),
        form=np.array([row.form.encode() for row in rows], f"S{FORM_LENGTH}"),
        state=_states([row.state for row in rows]),
    )


class Person(NamedTuple):
    """What pages name of a player.

    A tuple, as a page makes fifty of them.
    """

    player_id: int
    key: str
    name: str
    user_id: int | None
    birth_year: int | None
    left_at: object
    """Set once organizers said that the player left, whether or not a match was played since."""


_PERSON = "p.id, p.key, p.name, p.user_id, p.birth_year, p.left_at"
_NAMED = len(Person._fields)


def is_read_whole(board: Board) -> bool:
    """Whether a board is small enough to be read whole for a page."""
    return board.rated_matches <= MOST_READ_WHOLE


def is_past(board: Board, at: datetime) -> bool:
    """Whether no match that a board appends can come before a moment any more."""
    return board.last_at is not None and at <= board.last_at


def true_days(board: Board) -> QuerySet[BoardDay]:
    """The days that jobs have prepared of a board and that still hold."""
    as_of = Q(computed_at__isnull=True) | Q(computed_at=board.computed_at)
    return BoardDay.objects.filter(as_of, board=board, generation=board.generation)


def day_began(league: League, at: datetime) -> datetime:
    """The first instant of the league's day of a moment."""
    return league.midnight(day_of(at, league.zone))


def read_newest(
    board: Board, viewer: tuple[int | None, str] = (None, "")
) -> tuple[StandingTable, list[Person]]:
    """Read the present standings with the names in them, and who looks by account or key."""
    standings, players = Standing._meta.db_table, Player._meta.db_table
    numbers = "s.place_value, s.games, s.won, s.drawn, s.lost, s.streak"
    moments = [_micros(f"s.{name}") for name in ("last_played_at", *_UNTIL)]
    width = len(numbers.split(",")) + len(moments)
    where, params = _is_viewer(board, viewer)
    rows = _rows(
        f"SELECT {_PERSON}, s.form, s.state, {numbers}, {', '.join(moments)} "  # noqa: S608
        f"FROM {standings} s JOIN {players} p ON p.id = s.player_id "
        "WHERE s.board_id = %s AND s.generation = %s "
        f"UNION ALL SELECT {_PERSON}, NULL, NULL{', NULL' * width} FROM {players} p WHERE {where}",
        [board.pk, board.generation, *params],
    )
    everyone = [Person(*row[:_NAMED]) for row in rows]
    placed = [row[:1] + row[_NAMED:] for row in rows if row[_NAMED + 1] is not None]
    keys = [one.key for one, row in zip(everyone, rows, strict=True) if row[_NAMED + 1] is not None]
    columns: list[Sequence[Any]] = list(zip(*placed, strict=True)) or [()] * (3 + width)
    place, games, won, drawn, lost, streak = (np.array(c, np.int64) for c in columns[3:9])
    last_at, fairly, sure = (_instants_or_never(column) for column in columns[9:12])
    table = StandingTable(
        player_id=np.array(columns[0], np.int64),
        place=place,
        games=games,
        won=won,
        drawn=drawn,
        lost=lost,
        streak=streak,
        last_at=last_at,
        fairly_sure_until=fairly,
        sure_until=sure,
        form=np.array([form.encode() for form in columns[1]], f"S{FORM_LENGTH}"),
        state=_states(columns[2]),
    )
    return table.sort_by_place(keys), everyone


@dataclass(frozen=True, slots=True, eq=False)
class PastStandings:
    """Where each player stood after the last change before a moment."""

    player_id: Integers
    keys: tuple[str, ...]
    state: Floats
    games: Integers
    last_at: Integers
    """The last match; a change without one does not count."""
    match_player: Integers
    """Position of the player, for each match played before the moment, oldest first."""
    match_seq: Integers


@dataclass(frozen=True, slots=True, eq=False)
class Histories:
    """The whole history of everybody on a board: all points in columns, a player's in order."""

    people: list[Person]
    """Everyone with a history, and whoever looks."""
    players: list[Person]
    """Everyone with a history."""
    player: Integers
    """Of each point, the position among them."""
    seq: Integers
    at: Integers
    word: Integers
    """Where the first column of each point stands in `words`."""
    apart: Integers
    """How many words behind that each further column of it stands."""
    words: Floats
    width: int
    """The columns of a state, which come after two others."""

    def before(self, moment: int) -> PastStandings:
        """The standings before a moment, without those who came later."""
        known = np.flatnonzero(self.at < moment)
        is_match = self.seq[known] != 0
        played = known[is_match]
        present, last = _last_of_each(self.player[known])
        games = np.bincount(self.player[played], minlength=len(self.players))[present]
        last_at = np.full(len(self.players), NEVER)
        last_at[self.player[played]] = self.at[played]
        return PastStandings(
            player_id=np.array([self.players[one].player_id for one in present], np.int64),
            keys=tuple(self.players[one].key for one in present),
            state=self._states(known[last]),
            games=games.astype(np.int64),
            last_at=last_at[present],
            match_player=np.repeat(np.arange(len(present)), games),
            match_seq=self.seq[played],
        )

    def _states(self, points: Integers) -> Floats:
        """The states of some points as rows."""
        column = 2 + np.arange(self.width)
        return self.words[self.word[points, None] + self.apart[points, None] * column]


def _last_of_each(players: Integers) -> tuple[Integers, Integers]:
    """The players in a column in which equal ones stand together, and where each stands last."""
    last = np.flatnonzero(np.append(players[1:] != players[:-1], True)[: len(players)])
    return players[last], last


def read_histories(board: Board, viewer: tuple[int | None, str] = (None, "")) -> Histories:
    """Read what happened to everybody on a board, and who looks by account or key."""
    players = Player._meta.db_table
    where, params = _is_viewer(board, viewer)
    rows = _rows(
        f"SELECT {_PERSON}, s.number AS place, s.count, s.data "  # noqa: S608
        f"FROM {RatingSegment._meta.db_table} s JOIN {players} p ON p.id = s.player_id "
        "WHERE s.board_id = %s AND s.generation = %s "
        f"UNION ALL SELECT {_PERSON}, -1, 0, NULL FROM {players} p WHERE {where} "
        f"ORDER BY 1, {_NAMED + 1}",
        [board.pk, board.generation, *params],
    )
    everyone: list[Person] = []
    placed: list[Person] = []
    player, counts, parts = [], [], []
    for *named, _place, count, data in rows:
        if not everyone or everyone[-1].player_id != named[0]:
            everyone.append(Person(*named))
        if data is not None:
            if not placed or placed[-1] is not everyone[-1]:
                placed.append(everyone[-1])
            player.append(len(placed) - 1)
            counts.append(count)
            parts.append(bytes(data))
    return _histories_of(everyone, placed, player, np.array(counts, np.int64), parts)


def _histories_of(
    everyone: list[Person],
    placed: list[Person],
    player: Sequence[int],
    counts: Integers,
    parts: Sequence[bytes],
) -> Histories:
    """Histories from the bytes of segments, whose columns follow each other (`segments.pack`)."""
    sizes = np.array([len(part) // 8 for part in parts], np.int64)
    words = np.frombuffer(b"".join(parts), "<i8")
    begin = np.repeat(np.cumsum(sizes) - sizes, counts)
    apart = np.repeat(counts, counts)
    first = begin + np.arange(len(begin)) - np.repeat(np.cumsum(counts) - counts, counts)
    return Histories(
        people=everyone,
        players=placed,
        player=np.repeat(np.array(player, np.int64), counts),
        seq=words[first],
        at=words[first + apart],
        word=first,
        apart=apart,
        words=words.view("<f8"),
        width=int(sizes[0] // counts[0]) - 2 if len(counts) else 0,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Tallies:
    """How each player of a past had done; parallel columns."""

    won: Integers
    drawn: Integers
    lost: Integers
    streak: Integers
    form: NDArray[np.bytes_]

    @classmethod
    def nothing(cls, count: int) -> Tallies:
        """Columns for those of whom only the place matters."""
        zero = np.zeros(count, np.int64)
        return cls(zero, zero, zero, zero, np.zeros(count, f"S{FORM_LENGTH}"))


def read_tallies(board: Board, past: PastStandings) -> Tallies:
    """Read the results of the matches in a past, and count those that still count.

    While a board is behind, some of what it has rated has been voided or is somebody else's by now.
    """
    if not len(past.match_seq):
        return Tallies.nothing(len(past.player_id))
    are_rated, params = rated_matches(board)
    matches, participants = Match._meta.db_table, Participant._meta.db_table
    seq, player, side, rank, has_left = read_columns(
        (
            ("m.seq", INTEGER),
            ("p.player_id", INTEGER),
            ("p.side", INTEGER),
            ("p.rank", INTEGER),
            (f"CASE WHEN p.leaving = {Participant.Leaving.LEFT.value} THEN 1 ELSE 0 END", INTEGER),
        ),
        f"{participants} p JOIN {matches} m ON m.id = p.match_id WHERE {are_rated}",
        params,
    )
    if not len(seq):
        return Tallies.nothing(len(past.player_id))
    letters = np.where(has_left, 0, _outcomes(seq, side, rank))
    # A match and a player as one number: what was rated is looked up among what was played.
    ids = np.union1d(player, past.player_id)
    played = seq * len(ids) + np.searchsorted(ids, player)
    order = np.argsort(played)
    wanted = past.match_seq * len(ids) + np.searchsorted(ids, past.player_id[past.match_player])
    where = np.searchsorted(played[order], wanted).clip(max=len(order) - 1)
    is_match = played[order][where] == wanted
    result = letters[order][where][is_match]
    return _count_results(past.match_player[is_match], result, len(past.player_id))


def _outcomes(seq: Integers, side: Integers, rank: Integers) -> NDArray[np.int64]:
    """The outcomes: 2 for the only first side of a match, 1 for one of several, 0 for others."""
    match = np.unique(seq, return_inverse=True)[1]
    first = rank == 1
    sides = np.unique(np.stack([match[first], side[first]]), axis=1)[0]
    winners = np.bincount(sides, minlength=len(seq))
    return np.where(first, np.where(winners[match] == 1, 2, 1), 0)


def _count_results(player: Integers, result: Integers, count: int) -> Tallies:
    """Count results, in time order by player."""
    won, drawn, lost = (
        np.bincount(player[result == value], minlength=count).astype(np.int64)
        for value in (2, 1, 0)
    )
    ends = np.cumsum(np.bincount(player, minlength=count))
    begins = np.append(0, ends[:-1])
    # Where the run began that each result goes on with.
    place = np.arange(len(result))
    is_first = np.append(True, (player[1:] != player[:-1]) | (result[1:] != result[:-1]))
    begin_of_run = np.maximum.accumulate(np.where(is_first[: len(place)], place, 0))
    last = np.flatnonzero(ends > begins)
    run = ends[last] - begin_of_run[ends[last] - 1]
    streak = np.zeros(count, np.int64)
    streak[last] = run * np.array([-1, 0, 1])[result[ends[last] - 1]]
    shown = np.maximum(begins, ends - FORM_LENGTH)[:, None] + np.arange(FORM_LENGTH)
    letters = np.append(_LETTERS[result], np.bytes_(b""))
    form = letters[np.where(shown < ends[:, None], shown, len(result))]
    return Tallies(
        won,
        drawn,
        lost,
        streak=streak,
        form=np.ascontiguousarray(form).view(f"S{FORM_LENGTH}").ravel(),
    )


_UNTIL = ("fairly_sure_until", "sure_until")


def _is_viewer(board: Board, viewer: tuple[int | None, str]) -> tuple[str, list[Any]]:
    """The SQL condition of the players of a league that somebody may be."""
    return (
        "p.league_id = %s AND p.is_listed AND (p.user_id = %s OR p.key = %s)",
        [board.league_id, viewer[0] or 0, viewer[1]],
    )


def _micros(column: str) -> str:
    if connection.vendor == "sqlite":
        return f"CAST({column} AS text)"
    return f"(extract(epoch FROM {column}) * 1000000)::bigint"


def _instants_or_never(values: Sequence[Any]) -> Integers:
    known = np.array([value is not None for value in values], bool)
    column = np.full(len(values), NEVER, np.int64)
    column[known] = instants([value for value in values if value is not None])
    return column


def _states(values: Sequence[Any]) -> Floats:
    raw = b"".join(bytes(value) for value in values)
    return np.frombuffer(raw, "<f8").reshape(len(values), -1 if values else 0)


def _rows(sql: str, params: list[Any]) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        return list(cursor.fetchall())
