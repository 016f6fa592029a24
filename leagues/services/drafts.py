"""A match as somebody says it, before it is checked and stored."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from leagues.domain.set_scores import read_sets, sets_in_order, turned_sets
from leagues.models import Mode, Player
from leagues.store.hashes import Event, Leaving, Side
from leagues.store.stored_words import (
    EVENTS,
    HANDICAP,
    PLAYING_SHARE,
    SAME_TIME_ORDER,
    SETS,
    STARTED,
)

_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False).encode


@dataclass(frozen=True, slots=True)
class MemberDraft:
    """A player on a side; `playing_share` is the part of the match played, in (0, 1].

    `leaving` says of a start what has become of the player, as `Participant.Leaving`.
    """

    player: Player
    own_score: int | None = None
    playing_share: float = 1.0
    leaving: int | None = None


@dataclass(frozen=True, slots=True)
class SideDraft:
    """Players who win or lose together. Rank 1 is best, equal ranks are a draw.

    `handicap` is what was added to their strength, in points of Elo's scale.
    """

    rank: int
    members: tuple[MemberDraft, ...]
    score: int | None = None
    handicap: int = 0


@dataclass(frozen=True, slots=True)
class EventDraft:
    """One happening of a match; without an `opponent` it was done to nobody else.

    `milliseconds` is when it was, since the match began; events stand in their order anyway.
    """

    kind: str
    player: Player
    opponent: Player | None = None
    points: float = 1.0
    milliseconds: int | None = None

    def __post_init__(self) -> None:
        if not self.points:
            # A database may store −0.0 as 0.0, and a hash tells them apart.
            object.__setattr__(self, "points", 0.0)


@dataclass(frozen=True, slots=True)
class StartDraft:
    """The start of a match, with the rules that held for it then.

    Without a result it counts as lost at its deadline; leaving it costs `rungs` on a ladder.
    """

    at: datetime
    deadline: datetime
    rungs: int = 0


@dataclass(frozen=True, slots=True)
class MatchDraft:
    """One match; `external_id` is its name at its source, for sending it twice without harm.

    `sets` are those of two sides, in their order, as `domain/set_scores.py` stores them.
    One with a `start` is no result: it says that a match has begun, and what became of that.
    `mode` is what it is entered in, where that is not what the others of its call are. `is_after`
    says that it was played at some time after `played_at`; that is not stored.
    """

    played_at: datetime
    sides: tuple[SideDraft, ...]
    date_only: bool = False
    same_time_order: int = 0
    kind: str = "played"
    weight: float = 1.0
    detail: str = ""
    external_id: str | None = None
    events: tuple[EventDraft, ...] = ()
    sets: str = ""
    start: StartDraft | None = None
    mode: Mode | None = None
    is_after: bool = False


def positions_by_mode(drafts: Sequence[MatchDraft], mode: Mode) -> dict[Mode, list[int]]:
    """The positions of the drafts of one call, by the mode that each is entered in."""
    positions: dict[Mode, list[int]] = {}
    for index, draft in enumerate(drafts):
        positions.setdefault(draft.mode or mode, []).append(index)
    return positions


def with_members(draft: MatchDraft, change: Callable[[MemberDraft], MemberDraft]) -> MatchDraft:
    """A draft with another member, or the same one, in the place of each."""
    sides = tuple(
        replace(side, members=tuple(change(member) for member in side.members))
        for side in draft.sides
    )
    return replace(draft, sides=sides)


def turned_round(draft: MatchDraft) -> MatchDraft:
    """A match of two sides that was entered the wrong way round: each reached what the other did.

    Pairs of numbers in the details are set scores and are turned with them.
    """
    one, two = draft.sides
    sides = (
        replace(one, rank=two.rank, score=two.score),
        replace(two, rank=one.rank, score=one.score),
    )
    detail = turned_sets(draft.detail) if read_sets(draft.detail) else draft.detail
    return replace(draft, sides=sides, detail=detail, sets=turned_sets(draft.sets))


def sets_for_sides(draft: MatchDraft, sides: Sequence[SideDraft]) -> str:
    """The sets of a match, in the order of other sides that it gets.

    They are turned where its players stand the other way round, and dropped where the sides are
    not two.
    """
    if not draft.sets or len(draft.sides) != 2 or len(sides) != 2:
        return ""
    return sets_in_order(draft.sets, is_turned=are_turned(draft.sides, sides))


def are_turned(sides: Sequence[SideDraft], others: Sequence[SideDraft]) -> bool:
    """Whether the players of two sides stand the other way round among two others."""
    one, two = map(_players_of, sides)
    first, second = map(_players_of, others)
    return len(one & second) + len(two & first) > len(one & first) + len(two & second)


def _players_of(side: SideDraft) -> set[str]:
    return {member.player.key for member in side.members}


def content_of(draft: MatchDraft) -> dict[str, Any]:
    """The content of a draft, as plain data in one canonical form (players by key).

    Events, sets and handicaps are named only where there are some: matches without any keep the
    hashes they had. Sets are in the order of the sides beside them.
    """
    sides: list[dict[str, Any]] = [
        {
            **({HANDICAP: side.handicap} if side.handicap else {}),
            "rank": side.rank,
            "score": side.score,
            "members": sorted(
                (
                    {
                        "player": member.player.key,
                        "own_score": member.own_score,
                        PLAYING_SHARE: member.playing_share,
                    }
                    for member in side.members
                ),
                key=lambda member: str(member["player"]),
            ),
        }
        for side in draft.sides
    ]
    first = sides[0] if sides else None
    sides.sort(key=lambda side: (side["rank"], side["members"][0]["player"]))
    content: dict[str, Any] = {
        "played_at": draft.played_at.astimezone(UTC).isoformat(),
        "date_only": draft.date_only,
        SAME_TIME_ORDER: draft.same_time_order,
        "kind": draft.kind,
        "weight": draft.weight,
        "detail": draft.detail,
        "sides": sides,
    }
    if draft.events:
        content[EVENTS] = [list(event) for event in events_of(draft)]
    if draft.sets:
        content[SETS] = sets_in_order(draft.sets, is_turned=sides[0] is not first)
    if draft.start is not None:
        content[STARTED] = {
            "at": draft.start.at.astimezone(UTC).isoformat(),
            "until": draft.start.deadline.astimezone(UTC).isoformat(),
            "rungs": draft.start.rungs,
            "leaving": dict(sorted(leaving_of(draft))),
        }
    return content


def payload_hash(draft: MatchDraft) -> str:
    """The hash by which the same match sent again is recognised.

    The order within one moment is left out: a longer version of a file may count differently.
    """
    content = content_of(draft)
    del content[SAME_TIME_ORDER]
    return hashlib.sha256(_encode(content).encode()).hexdigest()


def players_of(draft: MatchDraft) -> Iterator[Player]:
    """The players of all sides."""
    for side in draft.sides:
        for member in side.members:
            yield member.player


def with_players(draft: MatchDraft, other: Callable[[Player], Player]) -> MatchDraft:
    """A draft that names another player, or the same one, in the place of each."""
    sides = (
        replace(
            side,
            members=tuple(replace(member, player=other(member.player)) for member in side.members),
        )
        for side in draft.sides
    )
    events = (
        replace(
            event,
            player=other(event.player),
            opponent=None if event.opponent is None else other(event.opponent),
        )
        for event in draft.events
    )
    return replace(draft, sides=tuple(sides), events=tuple(events))


def sides_of(draft: MatchDraft) -> list[Side]:
    """The sides of a draft as `leagues.store.hashes` takes them."""
    return [
        (
            side.rank,
            side.score,
            [
                (member.player.key, member.own_score, member.playing_share)
                for member in side.members
            ],
        )
        for side in draft.sides
    ]


def handicaps_of(draft: MatchDraft) -> list[int]:
    """The handicaps of a draft's sides, as `leagues.store.hashes` takes them."""
    return [side.handicap for side in draft.sides]


def leaving_of(draft: MatchDraft) -> list[Leaving]:
    """What became of the players of a start, as `leagues.store.hashes` takes it."""
    if draft.start is None:
        return []
    return [
        (member.player.key, int(member.leaving))
        for side in draft.sides
        for member in side.members
        if member.leaving is not None
    ]


def leaving_of_content(content: dict[str, Any]) -> list[Leaving]:
    """What had become of the players of a start in a stored version."""
    return list(content.get(STARTED, {}).get("leaving", {}).items())


def start_of_content(content: dict[str, Any]) -> StartDraft | None:
    """The start that a stored version tells of, if it does."""
    said = content.get(STARTED)
    if said is None:
        return None
    at, until = (datetime.fromisoformat(said[name]) for name in ("at", "until"))
    return StartDraft(at, until, said["rungs"])


def events_of(draft: MatchDraft) -> list[Event]:
    """The events of a draft as `leagues.store.hashes` takes them, and as contents hold them."""
    return [
        (
            event.kind,
            event.player.key,
            None if event.opponent is None else event.opponent.key,
            event.points,
            event.milliseconds,
        )
        for event in draft.events
    ]


def events_of_content(content: dict[str, Any]) -> list[Event]:
    """The events of a stored version as `leagues.store.hashes` takes them."""
    return [
        (kind, player, opponent, points, milliseconds)
        for kind, player, opponent, points, milliseconds in content.get(EVENTS, ())
    ]


def sides_of_content(content: dict[str, Any]) -> list[Side]:
    """The sides of a stored version as `leagues.store.hashes` takes them."""
    return [
        (
            side["rank"],
            side["score"],
            [
                (member["player"], member["own_score"], member[PLAYING_SHARE])
                for member in side["members"]
            ],
        )
        for side in content["sides"]
    ]


def handicaps_of_content(content: dict[str, Any]) -> list[int]:
    """The handicaps of a stored version's sides, as `leagues.store.hashes` takes them."""
    return [side.get(HANDICAP, 0) for side in content["sides"]]
