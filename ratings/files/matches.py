"""A match as a results file tells it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from json.encoder import encode_basestring_ascii as quote
from typing import NamedTuple

from ratings.files.names import fold_name
from ratings.files.scores import Kind

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_NOTHING_KNOWN = ((), (), None, "", "", "", None, None, ())


@dataclass(frozen=True, slots=True)
class StartRow:
    """The rating with which a player begins on a board, and where it comes from."""

    board: str
    rating: float
    deviation: float | None
    source: str
    season: str = ""


@dataclass(frozen=True, slots=True)
class Person:
    """A player as the file names them; `key` is the id the file gives, where it has one."""

    name: str
    key: str | None = None
    own_score: int | None = None
    playing_share: float = 1.0
    aliases: tuple[str, ...] = ()
    private_aliases: tuple[str, ...] = ()
    birth_year: int | None = None
    club: str = ""
    team: str = ""
    """The one that the player belongs to, whatever side the player is on in a match."""
    country: str = ""
    is_active: bool | None = None
    left_at: datetime | None = None
    starts: tuple[StartRow, ...] = ()
    identity: str = field(init=False, repr=False, compare=False)
    """What tells this player from others: the id, else the folded name."""
    is_described: bool = field(init=False, repr=False, compare=False)
    """Whether more is known of the player than the name and what a match has."""

    def __post_init__(self) -> None:
        # A reader keeps its people, and is asked for both with each of their rows.
        identity = f"name:{fold_name(self.name)}" if self.key is None else f"id:{self.key}"
        known = (
            *(self.aliases, self.private_aliases, self.birth_year, self.club, self.team),
            *(self.country, self.is_active, self.left_at, self.starts),
        )
        object.__setattr__(self, "identity", identity)
        object.__setattr__(self, "is_described", known != _NOTHING_KNOWN)


# Tuples, because a file has a million: a frozen data class takes two to four times as long to make.
class SideRow(NamedTuple):
    """One side of a match; `rank` 1 is best and equal ranks are ties.

    `handicap` is in points of Elo's scale.
    """

    rank: int
    score: int | None
    players: tuple[Person, ...]
    handicap: int = 0


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """A row that is about a player and no match."""

    line: int
    person: Person


@dataclass(frozen=True, slots=True)
class EventRow:
    """Something that happened in a match, by and to players who are named by key or name."""

    kind: str
    player: str
    opponent: str | None = None
    points: float = 1.0
    milliseconds: int | None = None


@dataclass(frozen=True, slots=True)
class MatchStart:
    """The start of a match: it has no result and counts as lost at its deadline.

    `released` are the players, by key or name, who do not lose it by leaving; it costs `rungs` on
    a ladder.
    """

    at: datetime
    deadline: datetime
    rungs: int = 0
    released: tuple[str, ...] = ()


class Result(NamedTuple):
    """One match. Ranks are standard competition ranks; scores are given for all sides or none.

    `dated` is False where the file has no date column; `played` is then the day of the import.
    `order` puts matches of one instant in order and may be negative. `warning` is a sentence about
    something odd that was settled by rule. `sets` are those of two sides in their order, as
    `split_sets` writes them. `number` is what a file calls a match that has its id elsewhere.
    """

    line: int
    played: datetime
    date_only: bool
    order: int
    external_id: str | None
    kind: Kind
    sides: tuple[SideRow, ...]
    detail: str = ""
    weight: float = 1.0
    dated: bool = True
    warning: str = ""
    mode: str = ""
    events: tuple[EventRow, ...] = ()
    sets: str = ""
    start: MatchStart | None = None
    number: str = ""


def content_key(result: Result) -> str:
    """Return the SHA-256 of what the match says, for telling rows without an id apart.

    Line, order, id, detail, sets, weight, shares, handicaps and events do not enter, nor does the
    order of sides or of team mates.
    An undated match has no instant, so that the same file read tomorrow says the same.
    """
    sides = sorted([_content_of(side) for side in result.sides])
    instant = str(_micros(result.played)) if result.dated else "null"
    # JSON, written by hand: an encoder takes five times as long for a million rows.
    content = (
        f"[{instant},{'true' if result.date_only else 'false'},{quote(result.kind)},"
        f"[{','.join([_written_side(*side) for side in sides])}]"
        f"{'' if result.start is None else f',{_micros(result.start.at)}'}]"
    )
    return hashlib.sha256(content.encode("ascii")).hexdigest()


@lru_cache(1024)
def _micros(moment: datetime) -> int:
    """Microseconds since 1970; matches of one moment follow each other."""
    return (moment - _EPOCH) // _MICROSECOND


def _content_of(side: SideRow) -> tuple[int, str, list[tuple[str, str]]]:
    players = [
        (one.identity, "" if one.own_score is None else str(one.own_score)) for one in side.players
    ]
    if len(players) > 1:
        players.sort()
    return side.rank, "" if side.score is None else str(side.score), players


def _written_side(rank: int, score: str, players: list[tuple[str, str]]) -> str:
    members = ",".join([f'[{quote(identity)},"{own}"]' for identity, own in players])
    return f'[{rank},"{score}",[{members}]]'


def competition_ranks(keys: list[tuple[int, ...]]) -> list[int]:
    """Return standard competition ranks (1, 2, 2, 4) of these keys; the smallest is best."""
    return [1 + sum(1 for other in keys if other < mine) for mine in keys]
