"""Logs of Teeworlds: `[stamp][part]: text`, the stamp in hexadecimal or as a local time."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Final

from ratings.gamelogs.building import (
    UNKNOWN_PLAYER,
    UNREADABLE,
    LineReader,
    SessionDraft,
    local_time,
)
from ratings.gamelogs.connections import Connection
from ratings.gamelogs.names import plain_name, token
from ratings.gamelogs.sessions import Ending, GameEventKind, GameSession, LogFormat, Problems

_LINE = re.compile(
    r"\[(?:([0-9a-f]{8})|(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d))\]\[([a-z/_]{1,32})\]: (.*)",
    re.ASCII | re.DOTALL,
)
_ID = re.compile(r"[0-9a-fA-Fx]{1,6}", re.ASCII)
_HOW = re.compile(r"(-?\d{1,4}) special=-?\d{1,4}", re.ASCII)
_MAP = re.compile(r"loading\. filename='maps/([^']{1,64})\.map'", re.ASCII)
_TEAM_NUMBER = re.compile(r"-?\d{1,2}:", re.ASCII)
_START = re.compile(r"start (?:match|round) type='([^']{1,16})' teamplay='(\d)'", re.ASCII)

_LEAVING: Final = -3
_SELF: Final = -2
_WORLD: Final = -1
_TEAMS: Final = {"0": "red", "1": "blue"}
_WEAPONS: Final = ("hammer", "gun", "shotgun", "grenade", "laser", "ninja")
_VICTIM: Final = "' victim='"


def is_teeworlds(lines: list[str]) -> bool:
    """Whether a log begins like one of Teeworlds."""
    return any(_LINE.match(text) for text in lines[:50])


class TeeworldsReader(LineReader):
    """Reads logs of a server; a game begins with a map or a start that the server writes."""

    format = LogFormat.TEEWORLDS

    def __init__(self, problems: Problems) -> None:
        super().__init__(problems)
        self._epoch: datetime | None = None
        self._map = ""
        self._raw_names: dict[str, str] = {}
        self._has_team_play = False

    def take(self, line: int, text: str) -> GameSession | None:
        match = _LINE.match(text)
        clock = None if match is None else self._seconds(match)
        if match is None or clock is None:
            if text.strip():
                self.problems.add(line, UNREADABLE)
            return None
        part, rest = match[8], match[9]
        if part == "datafile":
            loaded = _MAP.match(rest)
            return self._new_map(loaded[1]) if loaded else None
        if part != "game":
            return None
        draft = self.draft or self._begin(SessionDraft(line, clock, self.problems))
        draft.now, draft.last_line = clock, line
        start = _START.match(rest)
        if start is not None:
            return self._start(draft, line, start)
        word, _, rest = rest.partition(" ")
        match word:
            case "Teams":
                self._has_team_play = True
            case "kill":
                self._kill(draft, line, rest)
            case "team_join":
                self._team_join(draft, line, rest)
            case "leave" | "flag_grab" | "flag_capture":
                self._of_player(draft, line, word, rest)
        return None

    def _seconds(self, match: re.Match[str]) -> float | None:
        if match[1] is not None:
            moment: datetime | None = datetime.fromtimestamp(int(match[1], 16), UTC)
        else:
            moment = local_time(match.groups()[1:7])
        if moment is None:
            return None
        if self._epoch is None or (self._epoch.tzinfo is None) != (moment.tzinfo is None):
            self._epoch = moment
        return (moment - self._epoch) / timedelta(seconds=1)

    def _begin(self, draft: SessionDraft) -> SessionDraft:
        draft.game, draft.map = "teeworlds", self._map
        if self._epoch is not None:
            draft.started_at = self._epoch + timedelta(seconds=draft.began)
        self.draft = draft
        return draft

    def _new_map(self, name: str) -> GameSession | None:
        self._map = token(name)
        self._raw_names.clear()
        return self.close()

    def _start(self, draft: SessionDraft, line: int, start: re.Match[str]) -> GameSession | None:
        after = self._begin(draft.successor(line))
        draft.is_without_teams = not self._has_team_play
        self._has_team_play = start[2] != "0"
        after.mode = {"dm": "ffa"}.get(start[1].lower(), token(start[1].lower()))
        if not draft.events:
            return None
        draft.is_warmup = not draft.mode
        return draft.build(self.format, Ending.BROKEN_OFF, self._shared_ids)

    def close(self, ending: Ending = Ending.BROKEN_OFF) -> GameSession | None:
        if self.draft is not None:
            # Without team play everybody is in team 0, which is red only where teams play.
            self.draft.is_without_teams = not self._has_team_play
        self._has_team_play = False
        return super().close(ending)

    def _client(self, draft: SessionDraft, line: int, number: str) -> Connection | None:
        client = draft.holder_of(number)
        if client is None:
            self.problems.add(line, UNKNOWN_PLAYER)
        return client

    def _team_join(self, draft: SessionDraft, line: int, rest: str) -> None:
        text, found, team = rest.replace("' m_Team=", "' team=").rpartition("' team=")
        text = text.removeprefix("player='")
        number, _, name = text.partition(":")
        if not found or not _ID.fullmatch(number):
            self.problems.add(line, UNREADABLE)
            return
        client = draft.holder_of(number) or draft.connect(number, line)
        self._raw_names[number] = name
        client.rename(plain_name(name))
        client.is_spectating = team.strip().startswith("-")
        if not client.is_spectating:
            client.has_played = True
            client.team = _TEAMS.get(team.strip(), "")

    def _of_player(self, draft: SessionDraft, line: int, word: str, rest: str) -> None:
        number, found, _ = rest.removeprefix("player='").partition(":")
        if not found or not _ID.fullmatch(number):
            self.problems.add(line, UNREADABLE)
        elif word == "leave":
            draft.leave(number, line)
            self._raw_names.pop(number, None)
        elif (client := self._client(draft, line, number)) is not None:
            is_grab = word == "flag_grab"
            draft.add(GameEventKind.FLAG_TAKEN if is_grab else GameEventKind.CAPTURE, line, client)

    def _kill(self, draft: SessionDraft, line: int, rest: str) -> None:
        people, found, how = rest.removeprefix("killer='").rpartition("' weapon=")
        way = _HOW.match(how)
        killer_id, victim_id = self._killer_and_victim(people)
        if not found or way is None or not victim_id:
            self.problems.add(line, UNREADABLE)
            return
        weapon = int(way[1])
        # Leaving is no death, and a killer who has left has no number and gets nothing.
        if weapon == _LEAVING or killer_id.startswith("-"):
            return
        victim = self._client(draft, line, victim_id)
        if victim is None:
            return
        word = _WEAPONS[weapon] if 0 <= weapon < len(_WEAPONS) else ""
        if weapon == _WORLD:
            # The map's deadly tiles, which name the victim as the killer.
            draft.add(GameEventKind.WORLD_DEATH, line, None, victim)
        elif weapon == _SELF or killer_id == victim_id:
            draft.add(GameEventKind.SUICIDE, line, victim, None, word)
        elif (killer := self._client(draft, line, killer_id)) is not None:
            is_mate = self._has_team_play and killer.team == victim.team != ""
            kind = GameEventKind.TEAM_KILL if is_mate else GameEventKind.FRAG
            draft.add(kind, line, killer, victim, word)

    def _killer_and_victim(self, people: str) -> tuple[str, str]:
        """Their numbers; a name may hold what stands between the two."""
        number, _, tail = people.partition(":")
        if self._has_teams(tail):
            tail = tail.partition(":")[2]
        name = self._raw_names.get(number, "")
        killer_name, found, victim = tail.partition(_VICTIM)
        if tail.startswith(name + _VICTIM):
            victim = tail[len(name + _VICTIM) :]
        elif found and _VICTIM not in victim and number in self._raw_names:
            self._rename(number, killer_name)
        victim_id = victim.partition(":")[0] if found else ""
        return number, victim_id if _ID.fullmatch(victim_id) else ""

    def _has_teams(self, tail: str) -> bool:
        """Whether the team stands before the name, as since 0.7, which writes local times."""
        is_local = self._epoch is not None and self._epoch.tzinfo is None
        return is_local and _TEAM_NUMBER.match(tail) is not None

    def _rename(self, number: str, name: str) -> None:
        self._raw_names[number] = name
        if self.draft is not None and (client := self.draft.holder_of(number)):
            client.rename(plain_name(name))
