"""Logs of Unreal Tournament (ngLog): `seconds⇥category⇥…`, a file for each game."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from typing import Final

from ratings.gamelogs.building import (
    OUTSIDE,
    UNKNOWN_PLAYER,
    UNREADABLE,
    LineReader,
    SessionDraft,
)
from ratings.gamelogs.connections import Connection
from ratings.gamelogs.names import plain_name, token
from ratings.gamelogs.sessions import GameEventKind, GameSession, LogFormat, Problems

_SECONDS = re.compile(r"\d{1,9}\.\d{1,9}", re.ASCII)
_TIME = re.compile(
    r"(\d{4})\.(\d\d)\.(\d\d)\.(\d\d)\.(\d\d)\.(\d\d)\.\d{1,3}\.?([+-]?\d{1,2}\.\d{1,2})?", re.ASCII
)
_INTEGER = re.compile(r"-?\d{1,9}(?:\.\d{1,9})?", re.ASCII)

_TEAMS: Final = {"0": "red", "1": "blue", "2": "green", "3": "gold"}
_MODES: Final = {
    "Tournament DeathMatch": "ffa",
    "Tournament Team Game": "tdm",
    "Capture the Flag": "ctf",
    "Domination": "domination",
    "Assault": "assault",
    "Last Man Standing": "last-man-standing",
}
_FLAGS: Final = {
    "flag_taken": GameEventKind.FLAG_TAKEN,
    "flag_captured": GameEventKind.CAPTURE,
    "flag_returned": GameEventKind.FLAG_RETURNED,
}
_BROKEN_OFF: Final = frozenset({"mapchange", "serverquit"})


def is_unreal(lines: list[str]) -> bool:
    """Whether a log begins like an ngLog."""
    for text in lines:
        cells = text.split("\t")
        if len(cells) > 2 and _SECONDS.fullmatch(cells[0]) and cells[1] == "info":
            return True
    return False


class UnrealReader(LineReader):
    """Reads ngLogs; a game begins with the line that names the standard or the time."""

    format = LogFormat.UNREAL
    scores_follow = True

    def __init__(self, problems: Problems) -> None:
        super().__init__(problems)
        self._clients: dict[str, Connection] = {}
        self._is_team_game = False

    def take(self, line: int, text: str) -> GameSession | None:
        cells = [cell.strip() for cell in text.split("\t")]
        if len(cells) < 2 or not _SECONDS.fullmatch(cells[0]):
            if text.strip("\0 \r"):
                self.problems.add(line, UNREADABLE)
            return None
        seconds, category, rest = float(cells[0]), cells[1], cells[2:]
        if category == "info":
            return self._info(line, seconds, rest)
        draft = self.draft
        if draft is None:
            self.problems.add(line, OUTSIDE)
            return None
        draft.now, draft.last_line = seconds, line
        match category:
            case "map" if rest[:1] == ["Name"]:
                draft.map = token("".join(rest[1:2]).removesuffix(".unr"))
            case "game":
                self._game(draft, rest)
            case "player":
                self._player(draft, line, rest)
            case "kill" | "teamkill" | "suicide" | "game_start" | "game_end" | "teamscore":
                self._play(draft, line, category, rest)
            case "flag_taken" | "flag_captured" | "flag_returned":
                client = self._client(line, rest[:1])
                if client is not None:
                    draft.add(_FLAGS[category], line, client)
            case "stat_player":
                self._stat(draft, line, rest)
        return None

    def _info(self, line: int, seconds: float, rest: list[str]) -> GameSession | None:
        done = None
        draft = self.draft
        key = "".join(rest[:1])
        if draft is None or (key == "Log_Standard" and (draft.clients or draft.is_over)):
            done = self.close()
            draft = self.draft = SessionDraft(line, seconds, self.problems)
            self._clients, self._is_team_game = {}, False
        draft.last_line = line
        value = "".join(rest[1:2])
        if key == "Absolute_Time":
            draft.started_at = _moment(value)
        elif key == "Game_Name":
            draft.game = token(value)
        return done

    def _game(self, draft: SessionDraft, rest: list[str]) -> None:
        match rest:
            case ["GameName", name, *_]:
                draft.mode = _MODES.get(name, token(name.replace(" ", "-")))
            case ["TeamGame", value, *_]:
                self._is_team_game = value == "True"
            case ["realstart", *_] if draft.started_at is not None and not draft.events:
                draft.started_at += timedelta(seconds=min(draft.now - draft.began, 1e6))
                draft.began = draft.now

    def _client(self, line: int, number: list[str]) -> Connection | None:
        client = self._clients.get("".join(number))
        if client is None:
            self.problems.add(line, UNKNOWN_PLAYER)
        return client

    def _player(self, draft: SessionDraft, line: int, rest: list[str]) -> None:
        match rest:
            case ["Connect" | "Rename", name, number, *_]:
                client = draft.holder_of(number)
                if client is None:
                    client = draft.connect(number, line)
                    client.has_played = True
                    self._clients[number] = client
                client.rename(plain_name(name))
            case ["Team" | "Teamchange", number, team, *_]:
                client = self._client(line, [number])
                if client is not None and self._is_team_game:
                    client.team = _TEAMS.get(team, client.team)
            case ["IsABot", number, value, *_]:
                client = self._client(line, [number])
                if client is not None:
                    client.is_bot = value == "True"
            case ["Disconnect", number, *_]:
                draft.leave(number, line)
            case ["Connect" | "Rename" | "Team" | "Teamchange" | "IsABot" | "Disconnect", *_]:
                self.problems.add(line, UNREADABLE)

    def _play(self, draft: SessionDraft, line: int, category: str, rest: list[str]) -> None:
        match category, rest:
            case ["kill" | "teamkill", [killer_id, weapon, victim_id, *_]]:
                killer, victim = (self._client(line, [key]) for key in (killer_id, victim_id))
                if killer is not None and victim is not None:
                    is_mate = category == "teamkill"
                    kind = GameEventKind.TEAM_KILL if is_mate else GameEventKind.FRAG
                    draft.add(kind, line, killer, victim, _weapon(weapon))
            case ["suicide", [number, *more]]:
                client = self._client(line, [number])
                if client is not None:
                    draft.add(GameEventKind.SUICIDE, line, client, None, _weapon("".join(more[:1])))
            case ["game_start", _]:
                pass
            case ["game_end", [reason, *_]]:
                if reason not in _BROKEN_OFF:
                    draft.finish()
                    draft.awaits_scores = True
            case ["teamscore", [team, score, *_]] if _INTEGER.fullmatch(score):
                if team in _TEAMS and self._is_team_game:
                    draft.team_scores[_TEAMS[team]] = round(float(score))
            case _:
                self.problems.add(line, UNREADABLE)

    def _stat(self, draft: SessionDraft, line: int, rest: list[str]) -> None:
        match rest:
            case ["score", number, score, *_] if _INTEGER.fullmatch(score):
                client = self._client(line, [number])
                if client is not None:
                    draft.player_scores[client] = round(float(score))
                    draft.awaits_scores = False
            case ["score", *_] | []:
                self.problems.add(line, UNREADABLE)


def _weapon(text: str) -> str:
    return token(text.replace(" ", "-"))


def _moment(text: str) -> datetime | None:
    match = _TIME.fullmatch(text)
    if match is None:
        return None
    year, month, day, hour, minute, second = map(int, match.groups()[:6])
    try:
        zone = timezone(timedelta(hours=float(match[7]))) if match[7] else None
        return datetime(year, month, day, hour, minute, second, tzinfo=zone)
    except ValueError:
        return None
