"""Logs of Call of Duty (`games_mp.log`): `m:ss KIND;id;slot;…`, with fields between semicolons."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final

from ratings.gamelogs.building import (
    OUTSIDE,
    UNKNOWN_EVENT,
    UNKNOWN_PLAYER,
    UNREADABLE,
    LineReader,
    SessionDraft,
)
from ratings.gamelogs.connections import Connection, usable_id
from ratings.gamelogs.names import quake_name, token
from ratings.gamelogs.quake3 import info_pairs
from ratings.gamelogs.sessions import Ending, GameEventKind, GameSession, LogFormat

_STAMP = re.compile(r"(?:(\d{1,7}):(\d\d)|(\d{9,11}))(?: |$)", re.ASCII)
_SLOT = re.compile(r"-?\d{1,6}", re.ASCII)
_KINDS = re.compile(r"(?:[JQKD]|JT|Weapon);[^;]{0,64};-?\d{1,6};", re.ASCII)

_MODES: Final = {"dm": "ffa", "war": "tdm", "tdm": "tdm", "ctf": "ctf"}
_NO_TEAM: Final = frozenset({"", "none", "world", "spectator", "free"})
_FREE_FOR_ALL: Final = frozenset({"ffa", "gun", "oic"})
_IGNORED: Final = frozenset({"Weapon", "say", "sayteam", "tell", "L", "A", "FC", "VS", "VTD"})
_DEATH_FIELDS: Final = 12


def is_call_of_duty(lines: list[str]) -> bool:
    """Whether a log begins like one of Call of Duty."""
    for text in lines:
        match = _STAMP.match(text.strip())
        rest = text.strip()[match.end() :] if match else ""
        if rest.startswith("InitGame:") and "\\gamename\\Call of Duty" in rest:
            return True
        if _KINDS.match(rest):
            return True
    return False


class CallOfDutyReader(LineReader):
    """Reads `games_mp.log`; a game is what stands from one InitGame to the next."""

    format = LogFormat.CALL_OF_DUTY

    def take(self, line: int, text: str) -> GameSession | None:
        text = text.strip()
        match = _STAMP.match(text)
        rest = text[match.end() :].lstrip() if match else ""
        if match is None or not rest:
            if text:
                self.problems.add(line, UNREADABLE)
            return None
        seconds = float(match[3]) if match[3] else int(match[1]) * 60.0 + int(match[2])
        if rest.startswith("InitGame:"):
            return self._init(line, seconds, rest[9:], is_epoch=match[3] is not None)
        if not rest.strip("-"):
            return None
        draft = self.draft
        if draft is None:
            if not rest.startswith("ShutdownGame:"):
                self.problems.add(line, OUTSIDE)
            return None
        draft.now, draft.last_line = seconds, line
        if rest.startswith("ShutdownGame:"):
            return self.close()
        if rest.startswith("ExitLevel:"):
            draft.finish()
        else:
            self._event(draft, line, rest)
        return None

    def _init(self, line: int, seconds: float, rest: str, *, is_epoch: bool) -> GameSession | None:
        info = info_pairs(rest)
        name = token(info.get("mapname", ""))
        mode = _MODES.get(info.get("g_gametype", ""), token(info.get("g_gametype", "")))
        before = self.draft
        # It may stand twice for one game.
        if (
            before is not None
            and before.last_line == line - 1 == before.first_line
            and (before.map, before.mode, before.began) == (name, mode, seconds)
        ):
            before.last_line = line
            return None
        done = self.close()
        draft = self.draft = SessionDraft(line, seconds, self.problems)
        draft.game, draft.map, draft.mode = (
            token(info.get("gamename", "").replace(" ", "-")),
            name,
            mode,
        )
        if is_epoch:
            draft.started_at = datetime.fromtimestamp(seconds, UTC)
        return done

    def _event(self, draft: SessionDraft, line: int, rest: str) -> None:
        fields = rest.split(";")
        kind = fields[0]
        if kind in ("K", "D"):
            self._death_or_damage(draft, line, kind, fields)
        elif kind in ("J", "Q", "JT", "W"):
            self._coming_and_going(draft, line, kind, fields)
        elif kind not in _IGNORED:
            self.problems.add(line, UNKNOWN_EVENT)

    def _coming_and_going(
        self, draft: SessionDraft, line: int, kind: str, fields: list[str]
    ) -> None:
        name_at = 4 if kind == "JT" else 3
        if len(fields) <= name_at or not _SLOT.fullmatch(fields[2]):
            self.problems.add(line, UNREADABLE)
            return
        last = len(fields) if kind != "JT" else -1 if fields[-1] == "" else len(fields)
        name = ";".join(fields[name_at:last])
        client = self._client(draft, line, fields[1], fields[2], name)
        if client is None:
            return
        if kind == "JT":
            _set_team(client, fields[3])
            client.has_played = client.has_played or not client.is_spectating
        elif kind == "Q":
            draft.leave(fields[2], line)
        elif kind == "W":
            draft.winners.append(client)
            draft.finish()

    def _death_or_damage(
        self, draft: SessionDraft, line: int, kind: str, fields: list[str]
    ) -> None:
        # A name may hold a semicolon, which nothing can tell from the next field.
        if len(fields) < _DEATH_FIELDS or not all(_SLOT.fullmatch(fields[at]) for at in (2, 6)):
            self.problems.add(line, UNREADABLE)
            return
        victim = self._client(draft, line, fields[1], fields[2], fields[4])
        if victim is None:
            return
        _set_team(victim, fields[3])
        weapon, amount = token(fields[9]), fields[10]
        if fields[6].startswith("-"):
            if kind == "K":
                draft.add(GameEventKind.WORLD_DEATH, line, None, victim, weapon)
            return
        attacker = self._client(draft, line, fields[5], fields[6], fields[8])
        if attacker is None:
            return
        _set_team(attacker, fields[7])
        if kind == "D":
            if attacker is not victim:
                value = float(amount) if re.fullmatch(r"\d{1,6}", amount, re.ASCII) else 0.0
                draft.add(GameEventKind.DAMAGE, line, attacker, victim, weapon, value)
        elif attacker is victim:
            draft.add(GameEventKind.SUICIDE, line, victim, None, weapon)
        else:
            # In free-for-alls both carry one label.
            is_mate = draft.mode not in _FREE_FOR_ALL and attacker.team == victim.team != ""
            kind_of_death = GameEventKind.TEAM_KILL if is_mate else GameEventKind.FRAG
            draft.add(kind_of_death, line, attacker, victim, weapon)

    def _client(
        self, draft: SessionDraft, line: int, key: str, slot: str, name: str
    ) -> Connection | None:
        if slot.startswith("-"):
            self.problems.add(line, UNKNOWN_PLAYER)
            return None
        usable = usable_id(key)
        client = draft.holder_of(slot)
        if client is None or (usable and client.id and usable != client.id):
            client = draft.connect(slot, line)
        client.id = usable or client.id
        client.is_bot = client.is_bot or key.lower().startswith("bot")
        client.rename(quake_name(name))
        return client

    def close(self, ending: Ending = Ending.BROKEN_OFF) -> GameSession | None:
        if self.draft is not None:
            self.draft.is_without_teams = self.draft.mode in _FREE_FOR_ALL
        return super().close(ending)


def _set_team(client: Connection, team: str) -> None:
    if team == "spectator":
        client.is_spectating = True
    elif team not in _NO_TEAM:
        client.team, client.is_spectating = token(team), False
