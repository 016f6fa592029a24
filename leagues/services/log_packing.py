"""What was read of logs, as bytes that are kept until it is imported.

The log itself is never kept: it holds what people wrote to each other, and their addresses.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from django.utils.translation import gettext as _

from leagues.services.errors import Problem, Refused
from leagues.services.log_games import (
    REASONS,
    LeftOut,
    LoggedEvent,
    LoggedGame,
    LoggedPlayer,
    LoggedSide,
)
from leagues.services.log_reading import LogContents

VERSION: Final = 2
"""Of the form in which contents are packed: what another one packed is not read."""

_REASONS: Final = {reason.code: reason for reason in REASONS}


def pack_contents(contents: LogContents) -> bytes:
    """Contents as bytes, the same for the same contents."""
    packed = {
        "version": VERSION,
        "files": contents.files,
        "sessions": contents.sessions,
        "players": sorted(contents.players),
        "events": contents.events,
        "games": [_packed_game(game) for game in contents.games],
        "left_out": _reason_rows(contents.left_out),
        "events_left_out": _reason_rows(contents.events_left_out),
        "problems": contents.problems,
    }
    return json.dumps(packed, ensure_ascii=False, separators=(",", ":")).encode()


def unpack_contents(content: bytes) -> LogContents:
    """The contents that were packed; Refused, where that was in the form of another version."""
    packed = json.loads(content)
    if packed.get("version") != VERSION:
        words = _("This log was checked by another version of Rungs. Upload it again.")
        raise Refused([Problem("file", "log_version", words)])
    return LogContents(
        files=[(name, log_format) for name, log_format in packed["files"]],
        sessions=packed["sessions"],
        players=set(packed["players"]),
        events=Counter(packed["events"]),
        games=[_game(game) for game in packed["games"]],
        left_out=_reasons(packed["left_out"]),
        events_left_out=_reasons(packed["events_left_out"]),
        problems=Counter(packed["problems"]),
    )


def _packed_game(game: LoggedGame) -> dict[str, Any]:
    people: dict[LoggedPlayer, int] = {}
    sides = [
        [side.rank, side.score, [[people.setdefault(one, len(people)), own] for one, own in row]]
        for side in game.sides
        for row in [side.players]
    ]
    return {
        "id": game.id,
        "mode": game.mode,
        "map": game.map,
        "started_at": game.started_at and game.started_at.isoformat(),
        "number": game.number,
        "sides": sides,
        "people": [[one.name, one.key] for one in people],
        "events": [
            [
                event.kind,
                people[event.player],
                None if event.opponent is None else people[event.opponent],
                event.points,
                event.milliseconds,
            ]
            for event in game.events
        ],
        "events_left_out": _reason_rows(game.events_left_out),
    }


def _game(packed: dict[str, Any]) -> LoggedGame:
    people = [LoggedPlayer(name, key) for name, key in packed["people"]]
    started_at = packed["started_at"]
    return LoggedGame(
        id=packed["id"],
        mode=packed["mode"],
        map=packed["map"],
        started_at=started_at and datetime.fromisoformat(started_at),
        number=packed["number"],
        sides=tuple(
            LoggedSide(rank, score, tuple((people[place], own) for place, own in row))
            for rank, score, row in packed["sides"]
        ),
        events=tuple(
            LoggedEvent(
                kind, people[one], None if other is None else people[other], points, milliseconds
            )
            for kind, one, other, points, milliseconds in packed["events"]
        ),
        events_left_out=_reasons(packed["events_left_out"]),
    )


def _reason_rows(counts: Mapping[LeftOut, int]) -> list[tuple[str, str, int]]:
    return [(reason.code, reason.name, count) for reason, count in counts.items()]


def _reasons(rows: list[tuple[str, str, int]]) -> Counter[LeftOut]:
    return Counter({replace(_REASONS[code], name=name): count for code, name, count in rows})
