"""The columnar match log every rating system reads.

Never knows where the matches come from. Times are integers of microseconds since
1970-01-01T00:00Z; nothing here reads a clock.

One module, because whatever builds or cuts a log keeps the same invariants of its columns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ratings.arranging import Rows, arrange_columns, ranges_of, sorted_keys_of, starts_of
from ratings.one_pass import arrange_in_one_pass
from ratings.reading import read_floats, read_integers

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
_State = tuple[float, ...]

DAY: Final = 86_400_000_000
"""Microseconds of a day of 24 hours."""

MOST_WEIGHT: Final = 10.0
"""What a match can weigh at most."""

LEAST_SHARE: Final = 1e-12
"""The least part of a match that counts as played; squares of less vanish."""

MAX_MOMENT: Final = 1 << 60
"""Microseconds from 1970 to the latest moment, and to the earliest: 36,000 years."""

MAX_HANDICAP: Final = 1e7
"""The largest handicap of any system; each refuses what is too large for itself."""

MAX_EVENT_VALUE: Final = 1e9
"""What an event is worth at most, beside the system's own value of its kind."""

LAST_BIRTH_YEAR: Final = 9999


def constant(value: float, length: int) -> NDArray[Any]:
    """A column of one value throughout, which takes no memory and cannot be written."""
    return np.broadcast_to(np.array(value), length)


class EventKind(IntEnum):
    """What happened in one atomic event of a match."""

    FRAG = 0
    CAPTURE = 1
    SUICIDE = 2
    TEAM_KILL = 3
    DAMAGE = 4
    ASSIST = 5
    FLAG_TAKEN = 6
    FLAG_RETURNED = 7
    OWN = 8
    """Of a kind of the game's own. In a log that has words for such kinds, the numbers after this
    one are those words."""


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A match that was started, and lost later by those who left it: nobody else is moved.

    In the log it is the match at which they lose: one side, of those who left. What they lose they
    lose to stand-ins: the other side as it stood when the match began.
    """

    at: int
    """When the match was started, microseconds; `day` is its civil day."""
    day: int
    sides: tuple[tuple[int, ...], tuple[int, ...]]
    """The player indices of the two sides that started it."""
    handicaps: tuple[float, float] = (0.0, 0.0)
    """What was added to the strength of each side, in the rating system's units."""
    rungs: int = 0
    """How many rungs those who left fall on a ladder."""
    stand_ins: tuple[_State, ...] | None = None
    """The opponent's state for each who left, where the log begins after the start."""
    place: int = 0
    """How many matches of the log are played before the start."""
    leavers: tuple[int, ...] = ()
    """Who left, as the match of the log says; `MatchLog.build` knows this and the place."""


@dataclass(frozen=True, slots=True, eq=False)
class MatchLog:
    """Chronological matches in columns: n matches, s sides, p participants, q players, e events.

    Invariants: `keys` ascend, so that the order of player indices is the order of keys; the
    sides of a match stand by rank, equal ranks by their smallest key; the members of a side
    stand by key. `build` establishes them from unsorted rows. What it was not given is a
    `constant` column.
    """

    keys: tuple[str, ...]
    at: Integers
    """n: the moment of each match, microseconds; may be negative."""
    day: Integers
    """n: the civil day of each match in its league's time zone, days since 1970-01-01."""
    weight: Floats
    """n: in (0, 10]."""
    side_start: Integers
    """n + 1: match i has the sides side_start[i]:side_start[i + 1]."""
    rank: Integers
    """s: 0 is best, equal ranks are a draw."""
    score: Floats
    """s: points for, NaN where the game has none."""
    handicap: Floats
    """s: added to the side's strength, in the rating system's units."""
    member_start: Integers
    """s + 1: side j has the participants member_start[j]:member_start[j + 1]."""
    player: Integers
    """p: index into `keys`."""
    share: Floats
    """p: the part of the match played, from `LEAST_SHARE` to 1."""
    birth_year: Integers
    """q: 0 where unknown."""
    event_start: Integers
    """n + 1: match i has the events event_start[i]:event_start[i + 1], in their order."""
    event_kind: Integers
    """e: an `EventKind`, or after these the position of one of `own_words`."""
    event_actor: Integers
    """e: the player index of who did it."""
    event_target: Integers
    """e: the player index of whom it was done to; -1 for nobody."""
    event_value: Floats
    """e: what it is worth, beside the system's own value of the kind; 1 as a rule."""
    forfeits: Mapping[int, Forfeit] = field(default_factory=dict)
    """By match, the started matches that were left; those that are lost after the end of this log
    have the number that they would have in a longer one."""
    own_words: tuple[str, ...] = ()
    """Words by which the game names kinds of events of its own."""

    @classmethod
    def build(
        cls,
        *,
        keys: Sequence[str],
        at: ArrayLike,
        match: ArrayLike,
        side: ArrayLike,
        rank: ArrayLike,
        player: ArrayLike,
        day: ArrayLike | None = None,
        weight: ArrayLike | None = None,
        score: ArrayLike | None = None,
        handicap: ArrayLike | None = None,
        share: ArrayLike | None = None,
        birth_year: ArrayLike | None = None,
        events: Events | None = None,
        forfeits: Mapping[int, Forfeit] | None = None,
    ) -> tuple[MatchLog, Integers]:
        """Put participant rows in any order into a log, and say where each row went.

        `at`, `day` and `weight` have one element per match, in chronological order; `birth_year`
        one per key; the others one per participant row, `match` being the position of the row's
        match, `side` any integer label, `player` a position in `keys` (unique, in any order).
        Rank, score and handicap are the side's and stand on each of its rows. `forfeits` name by
        their match which are started matches that were left; their sides are positions in `keys`,
        too. Without `day`, the days of UTC are meant. Returns the log and `order`: log participant
        k is row `order[k]`.
        Raises ValueError, with the match or the column and its row, for whatever no log can hold:
        no rating system asks again but for what it refuses itself (`System.refusals`).
        """
        sorted_keys, position = sorted_keys_of(keys)
        q = len(sorted_keys)
        moments = read_integers("at", at, most=MAX_MOMENT)
        n = len(moments)
        later = np.flatnonzero(moments[1:] < moments[:-1])
        if len(later):
            raise ValueError(f"match {later[0] + 1} of the log is earlier than the one before it")
        rows = Rows(n, sorted_keys, position, match, side, rank, player)
        table = arrange_in_one_pass(rows) or arrange_columns(rows)
        matches, order = table.row_match, table.order
        p = len(matches)
        weights = constant(1.0, n) if weight is None else read_floats("weight", weight, n)
        shares = constant(1.0, p) if share is None else read_floats("share", share, p)
        if weight is not None:
            fine = (weights > 0.0) & (weights <= MOST_WEIGHT)
            _require(
                fine,
                np.arange(n),
                weights,
                f"weight: it must be over 0 and at most {MOST_WEIGHT:g}",
            )
        if share is not None:
            _require(
                (shares >= LEAST_SHARE) & (shares <= 1.0),
                matches,
                shares,
                f"share: it must be from {LEAST_SHARE:g} to 1",
            )

        counts = np.diff(table.side_start)
        left = _forfeits(forfeits or {}, moments, position, q)
        is_alone = counts < 2
        is_alone[list(left)] = False
        if is_alone.any():
            raise ValueError("every match needs at least two sides")
        if (counts[list(left)] != 1).any():
            raise ValueError("a forfeit has one side: those who left")

        scores = handicaps = None
        if score is not None or handicap is not None:
            # What is the side's stands on each of its rows; the first one's counts.
            head = order[table.member_start[:-1]]
        if score is not None:
            scores = read_floats("score", score, p)[head]
            _require(~np.isinf(scores), matches[head], scores, "score: it must be finite")
        if handicap is not None:
            handicaps = read_floats("handicap", handicap, p)[head]
            fine = np.abs(handicaps) <= MAX_HANDICAP
            wanted = f"handicap: it must be between −{MAX_HANDICAP:,.0f} and {MAX_HANDICAP:,.0f}"
            _require(fine, matches[head], handicaps, wanted)
        event_columns = _event_columns(events, n, position, matches, table.row_player, q)
        days = moments // DAY if day is None else read_integers("day", day, n, MAX_MOMENT // DAY)
        log = cls(
            keys=sorted_keys,
            at=moments,
            day=days,
            weight=weights,
            side_start=table.side_start,
            rank=table.rank,
            score=constant(np.nan, len(table.rank)) if scores is None else scores,
            handicap=constant(0.0, len(table.rank)) if handicaps is None else handicaps,
            member_start=table.member_start,
            player=table.player,
            share=shares if share is None else shares[order],
            birth_year=_birth_years(birth_year, q, position),
            forfeits=left,
            own_words=() if events is None else tuple(events.own_words),
            **event_columns,
        )
        return replace(log, forfeits=_with_leavers(log)), order

    def __len__(self) -> int:
        return len(self.at)

    def columns(self) -> tuple[NDArray[Any], ...]:
        """Return the columns a rating body unpacks, in their fixed order."""
        return (
            self.at,
            self.day,
            self.weight,
            self.side_start,
            self.rank,
            self.score,
            self.handicap,
            self.member_start,
            self.player,
            self.share,
            self.birth_year,
        )

    def event_columns(self) -> tuple[NDArray[Any], ...]:
        """Return the columns of the events, in their fixed order; their kinds without words."""
        return (
            self.event_start,
            np.minimum(self.event_kind, EventKind.OWN) if self.own_words else self.event_kind,
            self.event_actor,
            self.event_target,
            self.event_value,
        )

    def part(
        self, first: int, last: int, stand_ins: Mapping[int, tuple[_State, ...]] | None = None
    ) -> MatchLog:
        """Return the matches first:last; the keys stay, so player indices keep their meaning.

        `stand_ins` are those that a replay of the matches before has taken, by match of this log:
        a part without the start of a match that is lost in it needs them.
        """
        known = stand_ins or {}
        sides = slice(int(self.side_start[first]), int(self.side_start[last]))
        members = slice(int(self.member_start[sides.start]), int(self.member_start[sides.stop]))
        events = slice(int(self.event_start[first]), int(self.event_start[last]))
        return replace(
            self,
            at=self.at[first:last],
            day=self.day[first:last],
            weight=self.weight[first:last],
            side_start=self.side_start[first : last + 1] - sides.start,
            rank=self.rank[sides],
            score=self.score[sides],
            handicap=self.handicap[sides],
            member_start=self.member_start[sides.start : sides.stop + 1] - members.start,
            player=self.player[members],
            share=self.share[members],
            event_start=self.event_start[first : last + 1] - events.start,
            event_kind=self.event_kind[events],
            event_actor=self.event_actor[events],
            event_target=self.event_target[events],
            event_value=self.event_value[events],
            forfeits={
                match - first: replace(
                    left,
                    place=left.place - first,
                    stand_ins=known.get(match, left.stand_ins),
                )
                for match, left in self.forfeits.items()
                if first <= match and (match < last or left.place < last)
            },
        )

    def compact(self) -> tuple[MatchLog, Integers]:
        """Return the log with only the players who occur in it, and their former indices."""
        started = [who for left in self.forfeits.values() for side in left.sides for who in side]
        named = np.concatenate(
            (self.player, self.event_actor, self.event_target, np.array(started, dtype=np.int64))
        )
        present = np.unique(named[named >= 0])
        renumbered = np.full(len(self.keys) + 1, -1, dtype=np.int64)
        renumbered[present] = np.arange(len(present))
        return replace(
            self,
            keys=tuple(self.keys[index] for index in present.tolist()),
            player=renumbered[self.player],
            birth_year=self.birth_year[present],
            event_actor=renumbered[self.event_actor],
            event_target=renumbered[self.event_target],
            forfeits={
                match: replace(
                    left,
                    sides=_renumbered(left.sides, renumbered),
                    leavers=tuple(renumbered[list(left.leavers)].tolist()),
                )
                for match, left in self.forfeits.items()
            },
        ), present

    def match(self, index: int) -> MatchLog:
        """Return the one match at `index`, with only its own players' keys."""
        return self.part(index, index + 1).compact()[0]

    def without(self, matches: Sequence[int]) -> tuple[MatchLog, Integers]:
        """Return the log without the given matches, and the indices of the matches kept."""
        stays = np.ones(len(self), dtype=bool)
        stays[list(matches)] = False
        kept = np.flatnonzero(stays)
        sides = ranges_of(self.side_start, kept)
        members = ranges_of(self.member_start, sides)
        events = ranges_of(self.event_start, kept)
        return replace(
            self,
            at=self.at[kept],
            day=self.day[kept],
            weight=self.weight[kept],
            side_start=starts_of(np.diff(self.side_start)[kept]),
            rank=self.rank[sides],
            score=self.score[sides],
            handicap=self.handicap[sides],
            member_start=starts_of(np.diff(self.member_start)[sides]),
            player=self.player[members],
            share=self.share[members],
            event_start=starts_of(np.diff(self.event_start)[kept]),
            event_kind=self.event_kind[events],
            event_actor=self.event_actor[events],
            event_target=self.event_target[events],
            event_value=self.event_value[events],
            forfeits={
                # A start before the beginning of this log stays before it.
                int(np.searchsorted(kept, match)): replace(
                    left, place=min(left.place, int(np.searchsorted(kept, left.place)))
                )
                for match, left in self.forfeits.items()
                if match < len(self) and stays[match]
            },
        ), kept

    def lost(self) -> list[int]:
        """Return the matches of this log that are forfeits, in their order."""
        return sorted(match for match in self.forfeits if match < len(self))

    def side_of(self) -> Integers:
        """Return for each participant the index of its side."""
        return np.repeat(np.arange(len(self.rank), dtype=np.int64), np.diff(self.member_start))

    def match_of_side(self) -> Integers:
        """Return for each side the index of its match."""
        return np.repeat(np.arange(len(self), dtype=np.int64), np.diff(self.side_start))

    def match_of(self) -> Integers:
        """Return for each participant the index of its match."""
        return self.match_of_side()[self.side_of()]


@dataclass(frozen=True, slots=True, eq=False)
class Events:
    """Events in columns, each match's in the order in which they happened.

    `actor` and `target` are positions in the `keys` given to `MatchLog.build`, of players of the
    match; where nobody was done to, the target is -1. `match` ascends, `value` is finite and at
    least 0. Who was killed by the world alone is the actor of a suicide.
    """

    match: ArrayLike
    kind: ArrayLike
    actor: ArrayLike
    target: ArrayLike
    value: ArrayLike | None = None
    own_words: Sequence[str] = ()
    """Which word of the game a kind means whose number comes after those of `EventKind`."""


def _renumbered(
    sides: tuple[tuple[int, ...], tuple[int, ...]], numbers: Integers
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    one, other = (tuple(int(numbers[who]) for who in side) for side in sides)
    return one, other


def _forfeits(
    given: Mapping[int, Forfeit], moments: Integers, position: Integers | None, q: int
) -> dict[int, Forfeit]:
    """Return forfeits with their places: each start before the matches of the same moment."""
    left: dict[int, Forfeit] = {}
    for match in sorted(given):
        forfeit = given[match]
        where = f"the forfeit that is match {match} of the log"
        if not 0 <= match < len(moments):
            raise ValueError(f"{where} does not exist")
        if forfeit.at > moments[match]:
            raise ValueError(f"{where} is lost before it is started")
        if len(forfeit.sides) != 2 or not all(forfeit.sides):
            raise ValueError(f"{where} needs two sides with at least one player each")
        if not all(0 <= who < q for side in forfeit.sides for who in side):
            raise ValueError(f"{where} names a player who does not exist")
        if not all(abs(handicap) <= MAX_HANDICAP for handicap in forfeit.handicaps):
            raise ValueError(f"{where} has a handicap that is too large, or no number")
        numbers = np.arange(q) if position is None else position
        left[match] = replace(
            forfeit,
            sides=_renumbered(forfeit.sides, numbers),
            place=int(np.searchsorted(moments, forfeit.at)),
        )
    return left


def _with_leavers(log: MatchLog) -> dict[int, Forfeit]:
    """Return the forfeits with who left; refuse those left by players who did not start them."""
    left = {}
    for match, forfeit in log.forfeits.items():
        side = int(log.side_start[match])
        leavers = tuple(log.player[log.member_start[side] : log.member_start[side + 1]].tolist())
        if not set(leavers) <= {who for players in forfeit.sides for who in players}:
            raise ValueError(f"match {match} of the log is left by a player who did not start it")
        left[match] = replace(forfeit, leavers=leavers)
    return left


def _require(fine: NDArray[np.bool_], match: Integers, values: NDArray[Any], wanted: str) -> None:
    """Refuse the first value that is not fine, with the match it belongs to."""
    if not fine.all():
        index = int(np.argmin(fine))
        raise ValueError(
            f"match {match[index]} of the log: {values[index]} is not a valid {wanted}"
        )


def _birth_years(years: ArrayLike | None, q: int, position: Integers | None) -> Integers:
    result = np.zeros(q, dtype=np.int64)
    if years is not None:
        given = read_integers("birth_year", years, q, LAST_BIRTH_YEAR)
        if (given < 0).any():
            raise ValueError(
                f"birth_year, row {np.argmin(given >= 0)}: {given.min()} is not a year"
            )
        result[slice(None) if position is None else position] = given
    return result


def _event_columns(
    events: Events | None,
    n: int,
    position: Integers | None,
    matches: Integers,
    players: Integers,
    q: int,
) -> dict[str, NDArray[Any]]:
    """Return the columns of the events, in which only players of their match occur."""
    none = np.empty(0, dtype=np.int64)
    if events is None:
        return {
            "event_start": constant(0, n + 1),
            "event_kind": none,
            "event_actor": none,
            "event_target": none,
            "event_value": np.empty(0),
        }
    match = read_integers("match of an event", events.match)
    e = len(match)
    if e and ((match[1:] < match[:-1]).any() or match[0] < 0 or match[-1] >= n):
        raise ValueError("events must be in the order of their matches")
    kind = read_integers("kind of an event", events.kind, e)
    actor = read_integers("actor of an event", events.actor, e)
    target = read_integers("target of an event", events.target, e)
    value = np.ones(e)
    if events.value is not None:
        value = read_floats("value of an event", events.value, e)
        _require((value >= 0.0) & (value <= MAX_EVENT_VALUE), match, value, "value of an event")
    kinds = len(EventKind) + len(events.own_words)
    _require((kind >= 0) & (kind < kinds), match, kind, "kind of an event")
    _require((actor >= 0) & (actor < q), match, actor, "actor of an event")
    _require((target >= -1) & (target < q), match, target, "target of an event")
    if position is not None:
        renumbered = np.append(position, -1)
        actor, target = renumbered[actor], renumbered[target]
    present = matches * q + players
    for who, name in ((actor, "actor"), (target, "target")):
        absent = np.flatnonzero(~np.isin(match * q + who, present) & (who >= 0))
        if len(absent):
            where = match[absent[0]]
            raise ValueError(
                f"match {where} of the log: the {name} of an event does not take part in it"
            )
    return {
        "event_start": starts_of(np.bincount(match, minlength=n)),
        "event_kind": kind,
        "event_actor": actor,
        "event_target": target,
        "event_value": value,
    }
