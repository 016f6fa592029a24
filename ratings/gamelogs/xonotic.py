"""Event logs of Xonotic: lines that begin with a colon, among whatever else a server prints.

They have no stamps: a game has a length and no moments.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from ratings.gamelogs.building import UNKNOWN_PLAYER, UNREADABLE, LineReader, SessionDraft
from ratings.gamelogs.connections import Connection
from ratings.gamelogs.names import token, xonotic_name
from ratings.gamelogs.sessions import GameEventKind, GameSession, LogFormat, Problems

_NUMBER = re.compile(r"-?\d{1,9}(?:\.\d{1,9})?", re.ASCII)
_ID = re.compile(r"\d{1,9}", re.ASCII)
_SIGN = re.compile(r":(?:gamestart:\w+_|scores:\w+_|labels:player:|player:see-labels:)", re.ASCII)
_IPV6 = re.compile(r"\[?[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,8}\]?(?:%\w{1,16})?:", re.ASCII)

_TEAMS: Final = {"5": "red", "14": "blue", "13": "yellow", "10": "pink"}
_KILLS: Final = {"frag": GameEventKind.FRAG, "tk": GameEventKind.TEAM_KILL}
_FLAGS: Final = {
    "steal": GameEventKind.FLAG_TAKEN,
    "capture": GameEventKind.CAPTURE,
    "return": GameEventKind.FLAG_RETURNED,
}
_PRIMARY: Final = "!!"


def is_xonotic(lines: list[str]) -> bool:
    """Whether a log begins like an event log of Xonotic."""
    return any(_SIGN.match(text) for text in lines)


class XonoticReader(LineReader):
    """Reads event logs; a game is what stands from one start, or its scores, to the next."""

    format = LogFormat.XONOTIC

    def __init__(self, problems: Problems) -> None:
        super().__init__(problems)
        self._primary: int | None = None
        self._team_primary: int | None = None
        self._events: dict[str, Callable[[SessionDraft, int, str], None]] = {
            "join": self._join,
            "name": self._name,
            "part": self._part,
            "team": self._team,
            "kill": self._kill,
            "ctf": self._ctf,
            "labels": self._labels,
            "player": self._player,
            "teamscores": self._teamscores,
        }

    def take(self, line: int, text: str) -> GameSession | None:
        if not text.startswith(":"):
            return None
        word, _, rest = text[1:].partition(":")
        if word == "gamestart":
            return self._begin(line, rest)
        if word == "scores":
            return self._scores(line, rest)
        draft = self.draft
        if draft is None:
            return None
        draft.last_line = line
        if word in ("gameover", "restart"):
            return self.close()
        if word == "end":
            draft.finish()
        elif word in self._events:
            self._events[word](draft, line, rest)
        return None

    def _begin(self, line: int, rest: str) -> GameSession | None:
        done = self.close()
        draft = self.draft = SessionDraft(line, 0.0, self.problems)
        draft.game = "xonotic"
        name, _, match_id = rest.partition(":")
        mode, _, map_name = name.partition("_")
        draft.mode = {"dm": "ffa"}.get(mode, token(mode))
        draft.map, draft.match_id = token(map_name), token(match_id)
        self._primary = self._team_primary = None
        return done

    def _scores(self, line: int, rest: str) -> GameSession | None:
        """The scores at the end; a log may have nothing else of a game."""
        name, _, seconds = rest.rpartition(":")
        done = None
        if self.draft is None or self.draft.is_over:
            done = self._begin(line, name)
        draft = self.draft
        if draft is not None and _NUMBER.fullmatch(seconds):
            draft.now, draft.last_line = max(0.0, float(seconds)), line
        else:
            self.problems.add(line, UNREADABLE)
        return done

    def _client(self, draft: SessionDraft, line: int, number: str) -> Connection | None:
        client = draft.holder_of(number)
        if client is None:
            self.problems.add(line, UNKNOWN_PLAYER)
        return client

    def _join(self, draft: SessionDraft, line: int, rest: str) -> None:
        parts = rest.split(":", 2)
        if len(parts) < 3 or not _ID.fullmatch(parts[0]):
            self.problems.add(line, UNREADABLE)
            return
        number, second, tail = parts
        if second in ("player", "bot"):
            is_bot, name = second == "bot", tail
        else:
            # An address of the newer form has colons of its own, and is never kept.
            address = _IPV6.match(tail)
            end = address.end() - 1 if address else tail.find(":")
            is_bot, name = tail.startswith("bot:"), tail[end + 1 :] if end >= 0 else ""
        client = draft.connect(number, line)
        client.is_bot = is_bot
        client.rename(xonotic_name(name))

    def _name(self, draft: SessionDraft, line: int, rest: str) -> None:
        number, _, name = rest.partition(":")
        client = self._client(draft, line, number)
        if client is not None:
            client.rename(xonotic_name(name))

    def _part(self, draft: SessionDraft, line: int, rest: str) -> None:
        draft.leave(rest.strip(), line)

    def _team(self, draft: SessionDraft, line: int, rest: str) -> None:
        number, _, team = rest.partition(":")
        client = self._client(draft, line, number)
        if client is not None:
            self._set_team(client, team.partition(":")[0])

    def _set_team(self, client: Connection, team: str) -> None:
        client.is_spectating = team == "spectator"
        client.team = _TEAMS.get(team, client.team)
        client.has_played = client.has_played or not client.is_spectating

    def _kill(self, draft: SessionDraft, line: int, rest: str) -> None:
        parts = rest.split(":")
        if len(parts) < 3:
            self.problems.add(line, UNREADABLE)
            return
        what, actor_id, target_id = parts[:3]
        cause = next((part[5:] for part in parts[3:] if part.startswith("type=")), "")
        actor, target = (self._client(draft, line, number) for number in (actor_id, target_id))
        if actor is None or target is None:
            return
        if what in _KILLS:
            draft.add(_KILLS[what], line, actor, target, token(cause))
        elif what == "suicide":
            draft.add(GameEventKind.SUICIDE, line, target, None, token(cause))
        elif what == "accident":
            draft.add(GameEventKind.WORLD_DEATH, line, None, target, token(cause))
        else:
            self.problems.add(line, UNREADABLE)

    def _ctf(self, draft: SessionDraft, line: int, rest: str) -> None:
        parts = rest.split(":")
        kind = _FLAGS.get(parts[0])
        client = self._client(draft, line, parts[-1]) if kind and parts[-1] else None
        if kind is not None and client is not None:
            flag = parts[1] if len(parts) > 2 else ""
            draft.add(kind, line, client, None, _TEAMS.get(flag, ""))

    def _labels(self, _draft: SessionDraft, line: int, rest: str) -> None:
        what, _, labels = rest.partition(":")
        columns = labels.split(",")
        primary = next((at for at, label in enumerate(columns) if _PRIMARY in label), None)
        if what == "player":
            self._primary = primary
        elif what == "teamscores":
            self._team_primary = primary

    def _player(self, draft: SessionDraft, line: int, rest: str) -> None:
        parts = rest.split(":", 5)
        if len(parts) < 6 or parts[0] != "see-labels" or not _ID.fullmatch(parts[4]):
            self.problems.add(line, UNREADABLE)
            return
        _, values, _, team, number, name = parts
        client = draft.holder_of(number) or draft.connect(number, line)
        client.is_bot = client.is_bot or name.startswith("[BOT]")
        client.rename(xonotic_name(name))
        self._set_team(client, team)
        score = _value(values, self._primary)
        if score is None:
            self.problems.add(line, UNREADABLE)
        elif not client.is_spectating:
            draft.player_scores[client] = score

    def _teamscores(self, draft: SessionDraft, line: int, rest: str) -> None:
        parts = rest.split(":")
        if len(parts) != 3 or parts[0] != "see-labels":
            self.problems.add(line, UNREADABLE)
        elif parts[1] and parts[2] in _TEAMS:
            score = _value(parts[1], self._team_primary)
            if score is None:
                self.problems.add(line, UNREADABLE)
            else:
                draft.team_scores[_TEAMS[parts[2]]] = score


def _value(values: str, column: int | None) -> int | None:
    cells = values.split(",")
    if column is None or column >= len(cells) or not _NUMBER.fullmatch(cells[column]):
        return None
    return round(float(cells[column]))
