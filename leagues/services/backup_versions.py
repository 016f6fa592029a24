"""What a backup says of a match beyond its columns: its former versions, and its events."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

from leagues.domain.event_kinds import KINDS_IN_WORDS, has_fitting_opponent, is_event_kind
from leagues.domain.named_weights import LEAST_WEIGHT, MOST_WEIGHT
from leagues.domain.set_scores import are_sets
from leagues.models import Match, MatchEvent, MatchVersion, Participant
from leagues.models.match import (
    EVENT_MILLISECONDS_LIMIT,
    EVENT_POINTS_LIMIT,
    LEAST_SHARE,
    MAX_HANDICAP,
    MAX_RUNGS_LOST,
    SCORE_LIMIT,
    STARTED_KINDS,
)
from leagues.services.backup_rows import RowProblem, read_instant
from leagues.services.validation import (
    HINT_LIMIT,
    KINDS,
    MOST_EVENTS,
    MOST_PLAYERS,
    MOST_SIDES,
)
from leagues.store.stored_words import (
    EVENTS,
    HANDICAP,
    PLAYING_SHARE,
    SAME_TIME_ORDER,
    SETS,
    STARTED,
)


def check_version(version: MatchVersion) -> None:
    """Refuse a former version of a match that `content_of` does not write."""
    content = version.content
    if content.get("status") not in Match.Status.values:
        raise RowProblem("content: status: is not a valid status")
    if "sides" not in content:
        return
    try:
        read_instant(content.get("played_at"))
    except (RowProblem, TypeError, ValueError, OverflowError):
        raise RowProblem("content: played_at: is not a time with a UTC offset") from None
    for name, is_right in _CONTENT.items():
        if not is_right(content.get(name)):
            raise RowProblem(f"content: {name}: is not valid for a match")
    keys = {member["player"] for side in content["sides"] for member in side["members"]}
    if EVENTS in content and not _are_events(content[EVENTS], keys):
        raise RowProblem(f"content: {EVENTS}: is not valid for a match")
    if SETS in content and not (isinstance(content[SETS], str) and are_sets(content[SETS])):
        raise RowProblem(f"content: {SETS}: is not valid for a match")
    is_start = content["kind"] in STARTED_KINDS
    if is_start != (STARTED in content) or (is_start and not _is_start(content[STARTED], keys)):
        raise RowProblem(f"content: {STARTED}: is not valid for a match")


def check_event(event: MatchEvent) -> None:
    """Refuse an event whose kind has an opponent where it has none, or the other way round."""
    if event.position >= MOST_EVENTS:
        raise RowProblem(f"position: a match has at most {MOST_EVENTS} events")
    if not is_event_kind(event.kind):
        raise RowProblem(f"kind: must be one of {KINDS_IN_WORDS}")
    if not has_fitting_opponent(event.kind, has_opponent=event.opponent_id is not None):
        raise RowProblem("opponent: does not fit the kind")
    if event.opponent_id == event.player_id:
        raise RowProblem("opponent: is the player")


def is_whole(value: Any, low: int, high: int) -> bool:
    """Whether a value is a whole number within bounds."""
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _is_number(value: Any, low: float, high: float) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high


def _is_score(value: Any) -> bool:
    return value is None or is_whole(value, -SCORE_LIMIT, SCORE_LIMIT)


def _are_sides(sides: Any) -> bool:
    return (
        isinstance(sides, list)
        and 2 <= len(sides) <= MOST_SIDES
        and all(
            isinstance(side, dict)
            and is_whole(side.get("rank"), 1, MOST_SIDES)
            and _is_score(side.get("score"))
            and is_whole(side.get(HANDICAP, 0), -MAX_HANDICAP, MAX_HANDICAP)
            and _are_members(side.get("members"))
            for side in sides
        )
    )


def _are_members(members: Any) -> bool:
    return (
        isinstance(members, list)
        and 1 <= len(members) <= MOST_PLAYERS
        and all(
            isinstance(member, dict)
            and isinstance(member.get("player"), str)
            and _is_score(member.get("own_score"))
            and _is_number(member.get(PLAYING_SHARE), LEAST_SHARE, 1.0)
            for member in members
        )
    )


def _are_events(events: Any, keys: Collection[str]) -> bool:
    return (
        isinstance(events, list)
        and 1 <= len(events) <= MOST_EVENTS
        and all(isinstance(event, list) and _is_event(event, keys) for event in events)
    )


def _is_start(start: Any, keys: Collection[str]) -> bool:
    if not isinstance(start, dict) or set(start) != {"at", "until", "rungs", "leaving"}:
        return False
    try:
        read_instant(start["at"])
        read_instant(start["until"])
    except (RowProblem, TypeError, ValueError, OverflowError):
        return False
    leaving = start["leaving"]
    return (
        is_whole(start["rungs"], 0, MAX_RUNGS_LOST)
        and isinstance(leaving, dict)
        and leaving.keys() <= set(keys)
        and all(is_whole(value, 0, max(Participant.Leaving)) for value in leaving.values())
    )


def _is_event(event: list[Any], keys: Collection[str]) -> bool:
    if len(event) != len(("kind", "player", "opponent", "points", "milliseconds")):
        return False
    kind, player, opponent, points, milliseconds = event
    return (
        isinstance(kind, str)
        and is_event_kind(kind)
        and isinstance(player, str)
        and player in keys
        and player != opponent
        and (opponent is None or (isinstance(opponent, str) and opponent in keys))
        and has_fitting_opponent(kind, has_opponent=opponent is not None)
        and _is_number(points, 0.0, EVENT_POINTS_LIMIT)
        and (milliseconds is None or is_whole(milliseconds, 0, EVENT_MILLISECONDS_LIMIT))
    )


_CONTENT: Final[Mapping[str, Callable[[Any], bool]]] = {
    "sides": _are_sides,
    "date_only": lambda value: isinstance(value, bool),
    SAME_TIME_ORDER: lambda value: is_whole(value, -HINT_LIMIT, HINT_LIMIT),
    "kind": lambda value: isinstance(value, str) and value in KINDS,
    "weight": lambda value: _is_number(value, LEAST_WEIGHT, MOST_WEIGHT),
    "detail": lambda value: isinstance(value, str),
}
"""What a former version of a match holds, as `services.drafts.content_of` writes it."""
