"""Reading the facts of a board into columns, in the order of replay.

Plain SQL on purpose: the ORM takes five to ten times as long for a million matches. Nothing here
writes.

One module, because each column is read, cut and joined with all others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any, Self
from zoneinfo import ZoneInfo

import numpy as np
from django.db import connection
from django.db.models import QuerySet
from numpy.typing import NDArray

from leagues.models import Board, Match, MatchEvent, Participant, Player
from leagues.models.match import MatchKind, rated_kinds
from leagues.store.column_reads import INSTANT, INTEGER, TEXT, read_columns, split_text
from leagues.store.id_lists import is_any_of
from leagues.store.prepared import prepare

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
DAY = 86_400_000_000


NOBODY = 0
"""No database gives this number to a player."""

MOST_NAMED = 500
"""Numbers in one query: of more players, all of the league are read."""

MAX_SPARSE = 4
"""So many numbers for each of those asked for are read, or laid out, rather than looked up."""

_STANDING = (
    "p.handicap * CAST(16777216 AS bigint) + p.side * 262144 + p.rank * 4 "
    "+ CASE WHEN p.playing_share = 1.0 THEN 0 ELSE 2 END "
    "+ CASE WHEN p.score IS NULL THEN 0 ELSE 1 END"
)
"""Handicap, side and rank of a participant in one number, whether he played in part, and has a
score. Shifts round down: beside a negative handicap the rest reads as beside any other."""


def _no_integers() -> Integers:
    return np.empty(0, np.int64)


def _no_floats() -> Floats:
    return np.empty(0)


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """The rated matches of a board, oldest first, and their participants in any order."""

    match_id: Integers
    seq: Integers
    at: Integers
    hint: Integers
    day: Integers
    weight: Floats
    match: Integers
    """Position of each participant's match."""
    player_id: Integers
    side: Integers
    rank: Integers
    """1 is best."""
    score: Floats
    handicap: Integers
    """Points of Elo's scale, added to the strength of the side."""
    share: Floats
    event_match: Integers = field(default_factory=_no_integers)
    """Position of each event's match; ascending, the events of a match in their order."""
    event_kind: Integers = field(default_factory=_no_integers)
    """Position among the kinds of `MatchEvent` and `event_words`."""
    event_player: Integers = field(default_factory=_no_integers)
    event_opponent: Integers = field(default_factory=_no_integers)
    """`NOBODY` where there is none."""
    event_points: Floats = field(default_factory=_no_floats)
    event_words: tuple[str, ...] = ()
    """The kinds of the game's own; their positions come after those of `MatchEvent`."""
    starter_match: Integers = field(default_factory=_no_integers)
    """Position of the match of each player who started one that was left; of these matches, the
    participants above are only those who left."""
    starter_id: Integers = field(default_factory=_no_integers)
    starter_side: Integers = field(default_factory=_no_integers)
    starter_at: Integers = field(default_factory=_no_integers)
    """When it was started."""
    starter_day: Integers = field(default_factory=_no_integers)
    starter_rungs: Integers = field(default_factory=_no_integers)
    starter_handicap: Integers = field(default_factory=_no_integers)

    def __len__(self) -> int:
        return len(self.match_id)

    def kinds_among(self, words: Sequence[str]) -> Integers:
        """The number of each kind of event where these are the words of the game."""
        known = [*MatchEvent.Kind.values, *words]
        return np.array(
            [known.index(kind) for kind in (*MatchEvent.Kind.values, *self.event_words)],
            dtype=np.int64,
        )

    @property
    def everyone(self) -> Integers:
        """Those who play, and those to whom somebody loses by leaving."""
        return np.concatenate([self.player_id, self.starter_id])

    def without_losses(self) -> Facts:
        """The facts without matches that were left."""
        if not len(self.starter_match):
            return self
        return self.without(set(self.seq[np.unique(self.starter_match)].tolist()))

    @property
    def last_at(self) -> datetime | None:
        """The instant of the last match."""
        return moment(int(self.at[-1])) if len(self) else None

    @property
    def last_place(self) -> tuple[datetime, int, int] | None:
        """The place of the last match in the order of replay."""
        return (
            (moment(int(self.at[-1])), int(self.hint[-1]), int(self.seq[-1])) if len(self) else None
        )

    def before(self, at: datetime) -> Facts:
        """The matches that were played before a moment."""
        return self.without(set(self.seq[self.at >= micros(at)].tolist()))

    def without(self, seqs: set[int]) -> Facts:
        """The facts but for the matches of these seqs."""
        return self.where(~np.isin(self.seq, list(seqs)))

    def only(self, seqs: set[int]) -> Facts:
        """The facts of the matches of these seqs."""
        return self.where(np.isin(self.seq, list(seqs)))

    def where(self, rest: NDArray[np.bool_]) -> Facts:
        """The facts of some of the matches."""
        rows, happened = rest[self.match], rest[self.event_match]
        started = rest[self.starter_match]
        places = np.cumsum(rest) - 1
        return Facts(
            match_id=self.match_id[rest],
            seq=self.seq[rest],
            at=self.at[rest],
            hint=self.hint[rest],
            day=self.day[rest],
            weight=self.weight[rest],
            match=places[self.match[rows]],
            player_id=self.player_id[rows],
            side=self.side[rows],
            rank=self.rank[rows],
            score=self.score[rows],
            handicap=self.handicap[rows],
            share=self.share[rows],
            event_match=places[self.event_match[happened]],
            event_kind=self.event_kind[happened],
            event_player=self.event_player[happened],
            event_opponent=self.event_opponent[happened],
            event_points=self.event_points[happened],
            event_words=self.event_words,
            starter_match=places[self.starter_match[started]],
            starter_id=self.starter_id[started],
            starter_side=self.starter_side[started],
            starter_at=self.starter_at[started],
            starter_day=self.starter_day[started],
            starter_rungs=self.starter_rungs[started],
            starter_handicap=self.starter_handicap[started],
        )


def joined_facts(one: Facts, other: Facts) -> Facts:
    """The matches of both, oldest first."""
    at = np.concatenate([one.at, other.at])
    hint, seq = np.concatenate([one.hint, other.hint]), np.concatenate([one.seq, other.seq])
    order = np.lexsort((seq, hint, at))
    place = np.argsort(order)
    match = np.concatenate([one.match, other.match + len(one)])
    event_match = place[np.concatenate([one.event_match, other.event_match + len(one)])]
    by_match = np.argsort(event_match, kind="stable")

    def column(name: str) -> NDArray[Any]:
        return np.concatenate([getattr(one, name), getattr(other, name)])

    words = tuple(sorted({*one.event_words, *other.event_words}))
    kinds = [facts.kinds_among(words)[facts.event_kind] for facts in (one, other)]
    return Facts(
        match_id=column("match_id")[order],
        seq=seq[order],
        at=at[order],
        hint=hint[order],
        day=column("day")[order],
        weight=column("weight")[order],
        match=place[match],
        player_id=column("player_id"),
        side=column("side"),
        rank=column("rank"),
        score=column("score"),
        handicap=column("handicap"),
        share=column("share"),
        event_match=event_match[by_match],
        event_kind=np.concatenate(kinds)[by_match],
        event_player=column("event_player")[by_match],
        event_opponent=column("event_opponent")[by_match],
        event_points=column("event_points")[by_match],
        event_words=words,
        starter_match=place[np.concatenate([one.starter_match, other.starter_match + len(one)])],
        starter_id=column("starter_id"),
        starter_side=column("starter_side"),
        starter_at=column("starter_at"),
        starter_day=column("starter_day"),
        starter_rungs=column("starter_rungs"),
        starter_handicap=column("starter_handicap"),
    )


@dataclass(frozen=True, slots=True, eq=False)
class People:
    """The players of some facts: parallel columns, ascending by key."""

    player_id: Integers
    keys: tuple[str, ...]
    birth_year: Integers

    def joined_by(self, newcomers: Mapping[str, int]) -> People:
        """These and some who are not stored yet, by key with a number that nobody has."""
        if not newcomers:
            return self
        known = zip(self.keys, self.player_id.tolist(), self.birth_year.tolist(), strict=True)
        everybody = sorted([*known, *((key, number, 0) for key, number in newcomers.items())])
        keys, numbers, years = zip(*everybody, strict=True)
        return People(np.array(numbers, np.int64), tuple(keys), np.array(years, np.int64))

    def positions(self, player_ids: Integers) -> Integers:
        """The position of each player in the order of keys."""
        return positions_in(self.player_id, player_ids)


@dataclass(frozen=True, slots=True, eq=False)
class Positions:
    """Where ids stand among some that are distinct, for whoever asks more than once."""

    first: int
    """The least of the ids."""
    places: Integers
    """The place of each number from the least to the greatest, -1 for those between two, with one
    more on either side; or of the ids by size, where few lie far apart."""
    ids: Integers | None
    """The ids themselves, where few lie far apart."""

    @classmethod
    def among(cls, ids: Integers) -> Self:
        """Those among some ids. To sort a million takes ten times as long as to place them."""
        if not len(ids):
            return cls(0, np.full(2, -1), None)
        first, last = int(ids.min()), int(ids.max())
        if last - first >= MAX_SPARSE * len(ids):
            return cls(first, np.argsort(ids), ids)
        places = np.full(last - first + 3, -1)
        places[ids - first + 1] = np.arange(len(ids))
        return cls(first, places, None)

    def of(self, wanted: Integers) -> Integers:
        """Where each wanted id stands; -1 for those that do not."""
        if self.ids is None:
            return self.places[np.clip(wanted - self.first + 1, 0, len(self.places) - 1)]
        by_id = np.searchsorted(self.ids, wanted, sorter=self.places)
        place = self.places[np.minimum(by_id, len(self.ids) - 1)]
        return np.where(self.ids[place] == wanted, place, -1)


def positions_in(ids: Integers, wanted: Integers) -> Integers:
    """Where each wanted id stands among distinct ids; -1 for those that do not."""
    return Positions.among(ids).of(wanted)


def distinct(ids: Integers) -> Integers:
    """Each of the ids once, ascending."""
    if len(ids):
        first, last = int(ids.min()), int(ids.max())
        if last - first < MAX_SPARSE * len(ids):
            is_there = np.zeros(last - first + 1, bool)
            is_there[ids - first] = True
            return np.flatnonzero(is_there) + first
    return np.unique(ids)


def micros(moment: datetime) -> int:
    """An instant as whole microseconds since 1970, without passing through a float."""
    return (moment - EPOCH) // timedelta(microseconds=1)


def moment(value: int) -> datetime:
    """The instant of whole microseconds since 1970."""
    return EPOCH + timedelta(microseconds=int(value))


def is_behind(board: Board) -> bool:
    """Whether the board has not computed everything about its matches yet."""
    return has_results_since(board, board.rated_through_revision)


def has_results_since(board: Board, revision: int) -> bool:
    """Whether a later revision has brought or changed any of a board's results."""
    return bool(_results_since(season=board.season_id, mode=board.mode_id, revision=revision))


@prepare
def _results_since(*, season: int, mode: int, revision: int) -> QuerySet[Match, tuple[int]]:
    later = Match.objects.filter(season=season, mode=mode).touched_after(revision)
    return later.order_by().values_list("pk")[:1]


def read_facts(
    board: Board,
    *,
    after_revision: int = 0,
    since: datetime | None = None,
    before: datetime | None = None,
    players: Sequence[int] | None = None,
    with_events: bool = True,
) -> Facts:
    """Read what the board rates, or only what is asked for.

    That is matches that a later revision touched, played from a moment on or before one, or in
    which some players took part.
    """
    participants = Participant._meta.db_table
    where, params = rated_matches(board)
    for limit, sign in ((since, ">="), (before, "<")):
        if limit is not None:
            where += f" AND m.played_at {sign} %s"
            params.append(connection.ops.adapt_datetimefield_value(limit))
    where += " AND m.touched_in_revision > %s"
    params.append(after_revision)
    if players is not None:
        marks = ", ".join(["%s"] * len(players)) or "NULL"
        where += f" AND m.id IN (SELECT match_id FROM {participants} WHERE player_id IN ({marks}))"  # noqa: S608
        params += players
    return _read_facts(board, where, params, with_events=with_events and board.mode.rates_events)


def read_games(board: Board, match_ids: Sequence[int]) -> Facts:
    """Read some matches with their events, whether a board rates them or not."""
    marks = ", ".join(["%s"] * len(match_ids)) or "NULL"
    return _read_facts(board, f"m.id IN ({marks})", [*match_ids], with_events=True)


def _read_facts(board: Board, where: str, params: list[Any], *, with_events: bool) -> Facts:
    """The facts of the matches `m` of a condition; days are those of the board's league.

    Of a match that is committed between two of its statements, outside a snapshot, nothing is read.
    """
    ids, numbered, at, hint = read_columns(
        (
            ("m.id", INTEGER),
            (f"m.seq * 4 + {_WAS_LEFT} * 2 + {_is_other_than_one('m.weight')}", INTEGER),
            ("m.played_at", INSTANT),
            ("m.same_time_order", INTEGER),
        ),
        f"{Match._meta.db_table} m WHERE {where}",
        params,
    )
    seq, weight, left = numbered >> 2, np.ones(len(ids)), ids[numbered & 2 == 2]
    if (numbered & 1).any():
        _read_other_weights(where, params, ids, weight)
    order = np.lexsort((seq, hint, at))
    ids = ids[order]
    return Facts(
        match_id=ids,
        seq=seq[order],
        at=at[order],
        hint=hint[order],
        day=civil_days(at[order], board.league.zone),
        weight=weight[order],
        **_read_participants(where, params, ids, has_losses=len(left) > 0),
        **(_read_events(where, params, ids) if with_events else {}),
        **(_read_starters(left, ids, board) if len(left) else {}),
    )


_WAS_LEFT = f"CASE WHEN m.kind = {MatchKind.LEFT.value!r} THEN 1 ELSE 0 END"


def _is_other_than_one(column: str) -> str:
    """The SQL expression that is 0 where a column is 1.0, as it mostly is, and 1 elsewhere."""
    return f"CASE WHEN {column} = 1.0 THEN 0 ELSE 1 END"


def _read_other_weights(where: str, params: list[Any], ids: Integers, weight: Floats) -> None:
    """Write the weights of matches `m` where they are not 1 beside their ids."""
    match_id, other = _columns(
        f"SELECT m.id, m.weight FROM {Match._meta.db_table} m "  # noqa: S608
        f"WHERE {where} AND m.weight <> 1.0",
        params,
        (np.int64, np.float64),
    )
    match = positions_in(ids, match_id)
    weight[match[match >= 0]] = other[match >= 0]


_LOSE = f" AND (p.leaving IS NULL OR p.leaving = {Participant.Leaving.LEFT.value})"
"""Who stayed when somebody else left a match, or was let go, lost nothing and won nothing."""


def _read_participants(
    where: str, params: list[Any], ids: Integers, *, has_losses: bool
) -> dict[str, Any]:
    """The columns of the participants of some matches `m`, which have these ids."""
    participants = Participant._meta.db_table
    lose = _LOSE if has_losses else ""
    source = (
        f"{participants} p JOIN {Match._meta.db_table} m ON m.id = p.match_id WHERE {where}{lose}"
    )
    first, last = (int(ids.min()), int(ids.max())) if len(ids) else (0, -1)
    if last - first < MAX_SPARSE * len(ids):
        # Few others lie between: to leave them out here is cheaper than to join two tables there.
        source = f"{participants} p WHERE p.match_id BETWEEN %s AND %s{lose}"
        params = [first, last]
    elif len(ids) < MOST_NAMED:
        condition, listed = is_any_of("p.match_id", ids.tolist(), connection)
        source, params = f"{participants} p WHERE {condition}{lose}", [listed]
    match_id, player_id, standing, score = read_columns(
        (
            ("p.match_id", INTEGER),
            ("p.player_id", INTEGER),
            (_STANDING, INTEGER),
            ("p.score", INTEGER),
        ),
        source,
        params,
    )
    scores, shares = np.full(len(match_id), np.nan), np.ones(len(match_id))
    has_score = standing & 1 == 1
    scores[has_score] = score
    match = positions_in(ids, match_id)
    among = match >= 0
    partly = np.flatnonzero((standing & 2 == 2) & among)
    if len(partly):
        match_ids, player_ids, share = _columns(
            f"SELECT p.match_id, p.player_id, p.playing_share FROM {source} "  # noqa: S608
            "AND p.playing_share <> 1.0",
            params,
            (np.int64, np.int64, np.float64),
        )
        people = distinct(player_id)
        in_match, who = positions_in(ids, match_ids), positions_in(people, player_ids)
        row = positions_in(
            match[partly] * len(people) + positions_in(people, player_id[partly]),
            in_match * len(people) + who,
        )
        is_known = (in_match >= 0) & (who >= 0) & (row >= 0)
        shares[partly[row[is_known]]] = share[is_known]
    columns = {
        "match": match,
        "player_id": player_id,
        "handicap": standing >> 24,
        "side": standing >> 18 & 63,
        "rank": standing >> 2 & 0xFFFF,
        "score": scores,
        "share": shares,
    }
    if among.all():
        return columns
    return {name: column[among] for name, column in columns.items()}


def _read_events(where: str, params: list[Any], ids: Integers) -> dict[str, Any]:
    """The columns of the events of some matches `m`, which have these ids."""
    match_id, position, kinds, player, opponent, points = _columns(
        "SELECT e.match_id, e.position, e.kind, e.player_id, "  # noqa: S608
        f"COALESCE(e.opponent_id, {NOBODY}), e.points "
        f"FROM {MatchEvent._meta.db_table} e JOIN {Match._meta.db_table} m "
        f"ON m.id = e.match_id WHERE {where}",
        params,
        (np.int64, np.int64, np.object_, np.int64, np.int64, np.float64),
    )
    kind, words = event_kinds(kinds.tolist())
    match = positions_in(ids, match_id)
    order = np.lexsort((position, match))
    order = order[match[order] >= 0]
    return {
        "event_match": match[order],
        "event_kind": kind[order],
        "event_player": player[order],
        "event_opponent": opponent[order],
        "event_points": points[order],
        "event_words": words,
    }


def _read_starters(left: Integers, ids: Integers, board: Board) -> dict[str, Any]:
    """The columns of those who started the matches that were left, among some with these ids."""
    parts = [
        _columns(
            f"SELECT p.match_id, p.player_id, p.side, {instant_of('m.started_at')}, "  # noqa: S608
            f"m.rungs_lost, p.handicap FROM {Participant._meta.db_table} p "
            f"JOIN {Match._meta.db_table} m "
            f"ON m.id = p.match_id WHERE m.kind = {MatchKind.LEFT.value!r} "
            f"AND m.id IN ({', '.join(['%s'] * len(some))})",
            some,
            (np.int64, np.int64, np.int64, instants, np.int64, np.int64),
        )
        for some in (
            left[first : first + MOST_NAMED].tolist() for first in range(0, len(left), MOST_NAMED)
        )
    ]
    match_id, player, side, at, rungs, handicap = map(np.concatenate, zip(*parts, strict=True))
    match = positions_in(ids, match_id)
    known = match >= 0
    return {
        "starter_match": match[known],
        "starter_id": player[known],
        "starter_side": side[known],
        "starter_at": at[known],
        "starter_day": civil_days(at[known], board.league.zone),
        "starter_rungs": rungs[known],
        "starter_handicap": handicap[known],
    }


def event_kinds(values: Sequence[str]) -> tuple[Integers, tuple[str, ...]]:
    """Kinds of events as positions among those of `MatchEvent` and the game's own, and these."""
    words = tuple(sorted(set(values) - set(MatchEvent.Kind.values)))
    known = {kind: position for position, kind in enumerate((*MatchEvent.Kind.values, *words))}
    return np.array([known[value] for value in values], dtype=np.int64), words


def rated_matches(board: Board) -> tuple[str, list[Any]]:
    """The SQL condition of the matches `m` that a board rates, and its parameters."""
    kinds = rated_kinds(board.league, board.season)
    where = "m.season_id = %s AND m.mode_id = %s AND m.status = %s"
    where += f" AND m.kind IN ({', '.join(['%s'] * len(kinds))})"
    return where, [board.season_id, board.mode_id, Match.Status.LIVE.value, *kinds]


def played_instant() -> str:
    """The SQL expression of when a match `m` was played, for `instants`."""
    return instant_of("m.played_at")


def instant_of(column: str) -> str:
    """The SQL expression of a moment, for `instants`."""
    if connection.vendor == "sqlite":
        return f"CAST({column} AS text)"
    return f"(extract(epoch FROM {column}) * 1000000)::bigint"


def results_by_day(
    board: Board, *, since: datetime | None = None, before: datetime | None = None
) -> tuple[tuple[date, int], ...]:
    """Count what a board rates by civil days of its league, from a moment on or before one."""
    where, params = rated_matches(board)
    for limit, sign in ((since, ">="), (before, "<")):
        if limit is not None:
            where += f" AND m.played_at {sign} %s"
            params.append(connection.ops.adapt_datetimefield_value(limit))
    (at,) = read_columns(
        (("m.played_at", INSTANT),), f"{Match._meta.db_table} m WHERE {where}", params
    )
    days, counts = np.unique(civil_days(at, board.league.zone), return_counts=True)
    return tuple(
        ((EPOCH + timedelta(days=day)).date(), count)
        for day, count in zip(days.tolist(), counts.tolist(), strict=True)
    )


def read_people(league_id: int, player_ids: Integers) -> People:
    """Read the keys of players and put them in the order of arithmetic."""
    wanted = player_ids.tolist()
    where, params = "p.league_id = %s", [league_id]
    if len(wanted) < MOST_NAMED:
        condition, listed = is_any_of("p.id", wanted, connection)
        where += f" AND {condition}"
        params.append(listed)
    numbers, years, lengths, whole = read_columns(
        (
            ("p.id", INTEGER),
            ("COALESCE(p.birth_year, 0)", INTEGER),
            ("length(p.key)", INTEGER),
            ("p.key", TEXT),
        ),
        f"{Player._meta.db_table} p WHERE {where}",
        params,
    )
    keys = split_text(whole, lengths)
    among = np.flatnonzero(positions_in(player_ids, numbers) >= 0).tolist()
    among.sort(key=keys.__getitem__)
    return People(numbers[among], tuple(keys[row] for row in among), years[among])


def civil_days(at: Integers, zone: ZoneInfo) -> Integers:
    """The civil day in `zone` of each instant, as days since 1970-01-01.

    The offset is looked up at both ends of each day of UTC; for every instant of those in which
    clocks change, which they have done at any second but never twice in one of them.
    """
    of_each = at // DAY
    utc_days = distinct(of_each)
    which = positions_in(utc_days, of_each)
    begin, end = (_offsets(utc_days * DAY, zone), _offsets((utc_days + 1) * DAY, zone))
    offsets = begin[which]
    changing = np.flatnonzero((begin != end)[which])
    offsets[changing] = _offsets(at[changing], zone)
    days: Integers = (at + offsets) // DAY
    return days


def _offsets(at: Integers, zone: ZoneInfo) -> Integers:
    """The offset of a zone from UTC at each instant, in microseconds."""
    offsets = [
        moment(instant).astimezone(zone).utcoffset() or timedelta() for instant in at.tolist()
    ]
    return np.array([offset // timedelta(microseconds=1) for offset in offsets], dtype=np.int64)


def instants(values: Any) -> Integers:
    """Instants as a database gives them: whole microseconds, or SQLite's text."""
    if values and isinstance(values[0], str):
        return np.array(values, dtype="datetime64[us]").astype(np.int64)
    return np.array(values, dtype=np.int64)


def _columns(sql: str, params: list[Any], kinds: tuple[Any, ...]) -> list[NDArray[Any]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        columns = list(zip(*cursor.fetchall(), strict=True)) or [()] * len(kinds)
    return [
        kind(values) if kind is instants else np.array(values, dtype=kind)
        for kind, values in zip(kinds, columns, strict=True)
    ]
