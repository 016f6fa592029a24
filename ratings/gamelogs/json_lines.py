"""Our own log for games without one: JSON Lines, as `docs/gamelog.schema.json` describes them."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any, Final

from ratings.gamelogs.building import (
    OUTSIDE,
    SAME_PLAYER,
    UNKNOWN_EVENT,
    UNKNOWN_PLAYER,
    UNREADABLE,
    LineReader,
    SessionDraft,
)
from ratings.gamelogs.connections import Connection, usable_id
from ratings.gamelogs.json_values import integer_of, json_object, number_of, text_of
from ratings.gamelogs.names import plain_name, token
from ratings.gamelogs.sessions import GameEventKind, GameSession, LogFormat
from ratings.own_words import OWN_WORD

_OF_TWO = frozenset((GameEventKind.FRAG, GameEventKind.TEAM_KILL))
"""Events that nobody has with oneself; whoever damages oneself damages the own side."""
_WITHOUT_ACTOR: Final = frozenset({GameEventKind.WORLD_DEATH, GameEventKind.ROUND_WON})
_WITH_TARGET: Final = frozenset(
    {
        *(GameEventKind.FRAG, GameEventKind.TEAM_KILL, GameEventKind.WORLD_DEATH),
        *(GameEventKind.ASSIST, GameEventKind.DAMAGE),
    }
)

_OWN: Final = re.compile(f"own:{OWN_WORD}", re.ASCII)
_KNOWN: Final = {kind.value: kind for kind in GameEventKind if kind != GameEventKind.OWN}


def is_json_lines(lines: list[str]) -> bool:
    """Whether a file begins with the line of a game."""
    first = next((text for text in lines if text.strip()), "")
    value = json_object(first)
    return value is not None and value.get("type") == "game"


class JsonLinesReader(LineReader):
    """Reads our own log; a game is what stands from one line of type game to the next."""

    format = LogFormat.JSON_LINES

    def take(self, line: int, text: str) -> GameSession | None:
        if not text.strip():
            return None
        value = json_object(text)
        if value is None:
            self.problems.add(line, UNREADABLE)
            return None
        kind = value.get("type")
        if kind == "game":
            return self._game(line, value)
        draft = self.draft
        if draft is None:
            self.problems.add(line, OUTSIDE)
            return None
        draft.last_line = line
        at = number_of(value.get("at"))
        if at is not None:
            draft.now = at
        match kind:
            case "player":
                self._player(draft, line, value)
            case "leave":
                draft.leave(text_of(value.get("player")), line)
            case "event":
                self._event(draft, line, value)
            case "end":
                self._end(draft, line, value)
            case _:
                self.problems.add(line, UNKNOWN_EVENT)
        return None

    def _game(self, line: int, value: dict[str, Any]) -> GameSession | None:
        done = self.close()
        draft = self.draft = SessionDraft(line, number_of(value.get("at")) or 0.0, self.problems)
        draft.game, draft.map, draft.mode, draft.match_id = (
            token(text_of(value.get(key))) for key in ("game", "map", "mode", "match_id")
        )
        draft.is_warmup = value.get("warmup") is True
        if "started_at" in value:
            try:
                draft.started_at = datetime.fromisoformat(text_of(value["started_at"]))
            except ValueError:
                self.problems.add(line, UNREADABLE)
        return done

    def _player(self, draft: SessionDraft, line: int, value: dict[str, Any]) -> None:
        """Somebody comes, or is now called otherwise or in another team."""
        slot, name = text_of(value.get("player")), text_of(value.get("name"))
        client = draft.holder_of(slot)
        if not slot or (client is None and not name):
            self.problems.add(line, UNREADABLE)
            return
        if client is None:
            client = draft.connect(slot, line)
        if name:
            client.rename(plain_name(name))
        client.id = usable_id(text_of(value.get("id"))) or client.id
        client.is_bot = client.is_bot or value.get("bot") is True
        client.is_spectating = value.get("spectator") is True
        client.has_played = client.has_played or not client.is_spectating
        if team := text_of(value.get("team")):
            client.team = plain_name(team)

    def _client(self, draft: SessionDraft, value: object) -> Connection | None:
        slot = text_of(value)
        return draft.holder_of(slot) if slot else None

    def _event(self, draft: SessionDraft, line: int, value: dict[str, Any]) -> None:
        word, detail = text_of(value.get("kind")), token(text_of(value.get("detail")))
        if _OWN.fullmatch(word):
            kind, detail = GameEventKind.OWN, word.partition(":")[2]
        else:
            try:
                kind = _KNOWN[word]
            except KeyError:
                self.problems.add(line, UNKNOWN_EVENT)
                return
        actor = self._client(draft, value.get("actor"))
        target = self._client(draft, value.get("target"))
        has_target = kind in _WITH_TARGET or (kind == GameEventKind.OWN and "target" in value)
        if (actor is None) != (kind in _WITHOUT_ACTOR) or (target is None) == has_target:
            self.problems.add(line, UNKNOWN_PLAYER)
            return
        if kind in _OF_TWO and actor is target:
            self.problems.add(line, SAME_PLAYER)
            return
        worth = number_of(value.get("value", 1))
        if worth is None or worth < 0:
            self.problems.add(line, UNREADABLE)
            return
        draft.add(kind, line, actor, target, detail, worth)

    def _end(self, draft: SessionDraft, line: int, value: dict[str, Any]) -> None:
        """The scores; `finished` is false where the game was broken off."""
        teams, players = value.get("teams", {}), value.get("players", {})
        if not isinstance(teams, dict) or not isinstance(players, dict):
            self.problems.add(line, UNREADABLE)
            return
        for team, score in teams.items():
            number = integer_of(score)
            if number is None or len(draft.team_scores) >= len(draft.clients) + 2:
                self.problems.add(line, UNREADABLE)
                return
            draft.team_scores[plain_name(team)] = number
        for slot, score in players.items():
            client, number = draft.holder_of(slot), integer_of(score)
            if client is None or number is None:
                self.problems.add(line, UNKNOWN_PLAYER)
                return
            draft.player_scores[client] = number
        if value.get("finished", True) is not False:
            draft.finish()
