"""Statistics of QuakeWorld matches (ktxstats): one JSON document for each match, without events."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from ratings.gamelogs.building import TOO_MANY_PLAYERS, UNREADABLE, SessionDraft, later
from ratings.gamelogs.connections import usable_id
from ratings.gamelogs.json_values import integer_of, json_object, number_of, text_of
from ratings.gamelogs.lines import decoded
from ratings.gamelogs.names import plain_name, quakeworld_name, token
from ratings.gamelogs.sessions import Ending, GameSession, LogFormat, Problems

_MODES: Final = {"team": "tdm", "duel": "duel", "ctf": "ctf", "ffa": "ffa"}
_TEAM_MODES: Final = frozenset({"tdm", "ctf", "wipeout", "clan-arena"})


def is_quakeworld(lines: list[str]) -> bool:
    """Whether a file begins like ktxstats."""
    head = "\n".join(lines[:30])
    return head.lstrip().startswith("{") and all(
        f'"{key}"' in head for key in ("version", "hostname", "mode", "map", "date")
    )


def quakeworld_sessions(data: bytes, problems: Problems) -> Iterator[GameSession]:
    """Yield the one match of a document."""
    document = json_object(decoded(data))
    players = None if document is None else document.get("players")
    if document is None or not isinstance(players, list):
        problems.add(1, UNREADABLE)
        return
    draft = SessionDraft(1, 0.0, problems)
    draft.last_line = data.count(b"\n") + 1
    draft.game = "quakeworld"
    draft.map, mode = token(text_of(document.get("map"))), token(text_of(document.get("mode")))
    draft.mode = _MODES.get(mode, mode)
    duration = max(0.0, number_of(document.get("duration")) or 0.0)
    ended = _moment(text_of(document.get("date")))
    draft.started_at = None if ended is None else later(ended, -duration)
    for slot, player in enumerate(players):
        _add_player(draft, slot, player)
        if problems.by_reason[TOO_MANY_PLAYERS]:
            break
    draft.now = duration
    draft.finish()
    yield draft.build(LogFormat.QUAKEWORLD, Ending.FINISHED, set())


def _add_player(draft: SessionDraft, slot: int, player: object) -> None:
    values: dict[str, Any] = player if isinstance(player, dict) else {}
    stats = values.get("stats")
    frags = integer_of(stats.get("frags")) if isinstance(stats, dict) else None
    if frags is None or "name" not in values:
        draft.problems.add(1, UNREADABLE)
        return
    client = draft.connect(slot, 1)
    client.rename(quakeworld_name(text_of(values["name"])))
    client.id = usable_id(text_of(values.get("login")))
    client.is_bot = "bot" in values
    client.has_played = True
    draft.player_scores[client] = frags
    # In duels the team is only a colour.
    team = text_of(values.get("team"))
    if team and draft.mode in _TEAM_MODES:
        client.team = plain_name(quakeworld_name(team))
        draft.team_scores[client.team] = draft.team_scores.get(client.team, 0) + frags


def _moment(text: str) -> datetime | None:
    try:
        return datetime.strptime(text, "%Y-%m-%d %H:%M:%S %z")
    except ValueError:
        return None
