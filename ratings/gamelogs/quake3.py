"""Logs of Quake 3 and its family: OSP, Urban Terror, OpenArena, Jedi Academy.

`[stamp] Event: arguments`, where players are the numbers of their slots. Names in the text of an
event are never taken apart: they may hold any word.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from ratings.gamelogs.building import (
    OUTSIDE,
    UNKNOWN_EVENT,
    UNKNOWN_PLAYER,
    UNREADABLE,
    LineReader,
    SessionDraft,
    local_time,
)
from ratings.gamelogs.connections import Connection, usable_id
from ratings.gamelogs.names import quake_name, token
from ratings.gamelogs.sessions import Ending, GameEventKind, GameSession, LogFormat, Problems

STAMP = r"(?:(\d{1,7}):(\d\d)|(\d{1,9}\.\d)|(\d{9,11})\|)?"
"""Minutes and seconds, seconds with a decimal, or seconds since 1970; perhaps none."""

_LINE = re.compile(STAMP + r" *([A-Za-z_][A-Za-z_ ]{0,39}):(.*)", re.ASCII | re.DOTALL)
_RULE = re.compile(STAMP + r" *-+", re.ASCII)
_NUMBER = re.compile(r"-?\d{1,9}", re.ASCII)
_PLAYER_SCORE = re.compile(r" *(-?\d{1,9}) +ping: *-?\d+ +client: *(\d{1,6})", re.ASCII)
_TEAM_SCORES = re.compile(r" *(-?\d{1,9}) +blue: *(-?\d{1,9})", re.ASCII)
_MOMENT = re.compile(r"(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)", re.ASCII)

_WORLD: Final = 64
"""Slots from here on are not players: 1022 is the world, 1023 nobody."""

_TEAMS: Final = {"1": "red", "2": "blue"}
_SPECTATOR: Final = "3"
_TEAM_CHANGES: Final = frozenset(
    {"MOD_CHANGE_TEAM", "MOD_SWITCHTEAM", "MOD_SWITCH_TEAM", "MOD_TEAM_CHANGE"}
)
"""Means of leaving a team, which the game writes as killing oneself."""

_MODES: Final = {
    0: "ffa", 1: "duel", 3: "tdm", 4: "ctf", 5: "one-flag-ctf", 6: "overload", 7: "harvester",
    8: "elimination", 9: "ctf-elimination", 10: "last-man-standing", 11: "double-domination",
    12: "domination",
}  # fmt: skip
_URBAN_TERROR_MODES: Final = {
    0: "ffa", 1: "last-man-standing", 3: "tdm", 4: "team-survivor", 5: "follow-the-leader",
    6: "capture-and-hold", 7: "ctf", 8: "bomb", 9: "jump", 10: "freeze-tag", 11: "gun-game",
}  # fmt: skip
_JEDI_ACADEMY_MODES: Final = {0: "ffa", 3: "duel", 4: "power-duel", 6: "tdm", 7: "siege", 8: "ctf"}
_GAMES: Final = (
    (("q3ut", "q3urt"), _URBAN_TERROR_MODES),
    (("basejk",), _JEDI_ACADEMY_MODES),
    (("",), _MODES),
)
"""The modes of each game, by what its name begins with."""

_IGNORED: Final = frozenset(
    {
        *(
            "Item",
            "say",
            "sayteam",
            "say_team",
            "tell",
            "vtell",
            "vsay",
            "vsay_team",
            "Weapon_Stats",
        ),
        *("Award", "Challenge", "PlayerScore", "TeamScore", "Playerstore", "Info", "ClientSpawn"),
        *("Restored player with guid", "Assist", "FlagCaptureTime", "Hotpotato", "Hit", "Game_End"),
        *("setteam", "Callvote", "Vote", "Vote Passed", "Vote Failed", "VotePassed", "VoteFailed"),
        *("Radio", "AccountValidated", "AccountKicked", "AccountBan", "AccountRejected", "Bomb"),
        *("Bombholder", "Pop", "SurvivorWinner", "Flag Return", "ClientSavePosition", "InitAuth"),
        *("ClientLoadPosition", "ClientJumpRunStarted", "ClientJumpRunStopped", "ClientGoto"),
        *("ClientJumpRunCanceled", "Exit level", "Team Change", "Stats", "broadcast", "Chat"),
        *("ELIMINATION", "CTF_ELIMINATION", "DOM", "DD", "LMS", "OBELISK", "HARVESTER", "ONE_FLAG"),
        *("BanCheck", "ClientStatus", "Renamed", "AdminExec", "adminauth", "rcon", "dashes"),
    }
)
"""Events that say nothing about who beat whom, or that nobody may keep."""


def is_quake3(lines: list[str]) -> bool:
    """Whether a log begins like one of this family."""
    for text in lines:
        match = _LINE.match(text.strip())
        if match is not None and match[5] == "InitGame":
            return "\\" in match[6]
    return False


class Quake3Reader(LineReader):
    """Reads the logs of this family; a game is what stands from one InitGame to the next."""

    format = LogFormat.QUAKE3
    scores_follow = True

    def __init__(self, problems: Problems) -> None:
        super().__init__(problems)
        self._announced: tuple[int, str] = (0, "")
        self._events: dict[str, Callable[[SessionDraft, int, str], None]] = {
            "Kill": self._kill,
            "ClientConnect": self._connect,
            "ClientUserinfo": self._userinfo,
            "ClientUserinfoChanged": self._userinfo_changed,
            "ClientBegin": self._begin,
            "ClientDisconnect": self._disconnect,
            "ServerTime": self._server_time,
            "Warmup": self._warmup,
            "Flag": self._flag,
            "CTF": self._ctf,
            "Exit": self._exit,
            "red": self._team_scores,
            "score": self._score,
        }

    def take(self, line: int, text: str) -> GameSession | None:
        text = text.strip()
        match = _LINE.match(text)
        if match is None:
            if text and not _RULE.fullmatch(text) and "Session data" not in text:
                self.problems.add(line, UNREADABLE)
            return None
        word, rest = match[5], match[6]
        if word in _IGNORED:
            return None
        if word == "InitGame":
            return self._init(line, _seconds(match), rest, is_epoch=match[4] is not None)
        draft = self.draft
        if draft is None:
            known = word in self._events or word in ("ShutdownGame", "Game_Start", "InitRound")
            if word != "ShutdownGame":
                self.problems.add(line, OUTSIDE if known else UNKNOWN_EVENT)
            return None
        draft.last_line = line
        seconds = _seconds(match)
        if seconds is not None:
            draft.now = seconds
        if word == "ShutdownGame":
            return self.close()
        if word in ("Game_Start", "InitRound"):
            return self._go_live(draft, line)
        event = self._events.get(word)
        if event is None:
            self.problems.add(line, UNKNOWN_EVENT)
        else:
            event(draft, line, rest)
        return None

    def _init(
        self, line: int, seconds: float | None, rest: str, *, is_epoch: bool
    ) -> GameSession | None:
        before = self.close()
        info = info_pairs(rest)
        draft = self.draft = SessionDraft(line, seconds or 0.0, self.problems)
        draft.game = token(info.get("gamename", ""))
        draft.map = token(info.get("mapname", ""))
        number = _NUMBER.search(info.get("g_gametype", "0"))
        modes = next(modes for names, modes in _GAMES if draft.game.startswith(names))
        draft.mode = modes.get(int(number[0]), f"gametype-{number[0]}") if number else ""
        for team, key in (("red", "g_redteam"), ("blue", "g_blueteam")):
            if info.get(key):
                draft.team_names[team] = quake_name(info[key])
        stamp = _MOMENT.fullmatch(info.get("g_timestamp", ""))
        if is_epoch and seconds is not None:
            draft.started_at = datetime.fromtimestamp(seconds, UTC)
        elif stamp is not None:
            draft.started_at = local_time(stamp.groups())
        return before

    def _go_live(self, draft: SessionDraft, line: int) -> GameSession | None:
        """The warm-up is over; a session by itself if anything happened in it."""
        if not draft.is_warmup:
            return None
        self.draft = draft.successor(line)
        if draft.events:
            return draft.build(self.format, Ending.BROKEN_OFF, self._shared_ids)
        self.draft.first_line = draft.first_line
        return None

    def _warmup(self, draft: SessionDraft, _line: int, _rest: str) -> None:
        draft.is_warmup = not draft.events

    def _connected(self, draft: SessionDraft, line: int, slot: str) -> Connection | None:
        client = draft.holder_of(slot)
        if client is None or not client.names:
            self.problems.add(line, UNKNOWN_PLAYER)
            return None
        return client

    def _connect(self, draft: SessionDraft, line: int, rest: str) -> None:
        slot = rest.split(maxsplit=1)[0] if rest.strip() else ""
        if not _NUMBER.fullmatch(slot):
            self.problems.add(line, UNREADABLE)
            return
        before = draft.holder_of(slot)
        # OpenArena tells who connects on the line before it says that they do.
        is_announced = before is not None and self._announced == (line - 1, slot)
        if before is not None and is_announced and before.first_line == line - 1:
            return
        client = draft.connect(slot, line)
        if before is not None and is_announced:
            client.id, client.names, client.team = before.id, before.names[-1:], before.team
            client.is_bot, client.is_spectating = before.is_bot, before.is_spectating

    def _userinfo(self, draft: SessionDraft, line: int, rest: str) -> None:
        slot, _, text = rest.strip().partition(" ")
        info = info_pairs(text)
        client = draft.holder_of(slot)
        if client is None:
            return
        client.id = usable_id(info.get("cl_guid", "")) or client.id
        client.is_bot = client.is_bot or info.get("ip") == "bot"

    def _userinfo_changed(self, draft: SessionDraft, line: int, rest: str) -> None:
        slot, _, text = rest.strip().partition(" ")
        info = info_pairs("\\" + text)
        if not _NUMBER.fullmatch(slot) or "n" not in info:
            self.problems.add(line, UNREADABLE)
            return
        key = usable_id(info.get("id", ""))
        client = draft.holder_of(slot)
        if client is None or (key and client.id and key != client.id):
            client = draft.connect(slot, line)
        self._announced = (line, slot)
        client.id = key or client.id
        client.rename(quake_name(info["n"]))
        client.is_bot = client.is_bot or "skill" in info
        client.is_spectating = info.get("t") == _SPECTATOR
        client.team = _TEAMS.get(info.get("t", ""), client.team if client.is_spectating else "")

    def _begin(self, draft: SessionDraft, line: int, rest: str) -> None:
        client = draft.holder_of(rest.strip())
        if client is None:
            self.problems.add(line, UNKNOWN_PLAYER)
        elif not client.is_spectating:
            client.has_played = True

    def _disconnect(self, draft: SessionDraft, line: int, rest: str) -> None:
        draft.leave(rest.strip(), line)

    def _server_time(self, draft: SessionDraft, line: int, rest: str) -> None:
        digits = rest.split(maxsplit=1)[0] if rest.strip() else ""
        if len(digits) == 14 and digits.isascii() and digits.isdigit():
            parts = (digits[:4], *(digits[at : at + 2] for at in range(4, 14, 2)))
            draft.started_at = local_time(parts)
        else:
            self.problems.add(line, UNREADABLE)

    def _kill(self, draft: SessionDraft, line: int, rest: str) -> None:
        # Leaving after the end is written as a death. A capture behind the end is the last one.
        if draft.is_over:
            return
        numbers, _, text = rest.strip().partition(":")
        slots = numbers.split()
        if len(slots) != 3 or not all(_NUMBER.fullmatch(slot) for slot in slots):
            self.problems.add(line, UNREADABLE)
            return
        means = token(text.rpartition(" by ")[2].split(" ", 1)[0])
        victim = self._connected(draft, line, slots[1])
        if victim is None or (slots[0] == slots[1] and means in _TEAM_CHANGES):
            return
        if not 0 <= int(slots[0]) < _WORLD:
            draft.add(GameEventKind.WORLD_DEATH, line, None, victim, means)
        elif slots[0] == slots[1]:
            draft.add(GameEventKind.SUICIDE, line, victim, None, means)
        elif (killer := self._connected(draft, line, slots[0])) is not None:
            is_team_kill = killer.team == victim.team != ""
            kind = GameEventKind.TEAM_KILL if is_team_kill else GameEventKind.FRAG
            draft.add(kind, line, killer, victim, means)

    def _flag(self, draft: SessionDraft, line: int, rest: str) -> None:
        """Urban Terror: 0 lost, 1 returned, 2 captured."""
        numbers, _, flag = rest.partition(":")
        match numbers.split():
            case [slot, "1" | "2" as code]:
                kind = GameEventKind.CAPTURE if code == "2" else GameEventKind.FLAG_RETURNED
                client = self._connected(draft, line, slot)
                if client is not None:
                    draft.add(kind, line, client, None, token(flag.strip()))
            case [_, "0"]:
                pass
            case _:
                self.problems.add(line, UNREADABLE)

    def _ctf(self, draft: SessionDraft, line: int, rest: str) -> None:
        """OpenArena: 0 taken, 1 captured, 2 returned, 3 carrier killed; the team is the flag's."""
        kinds = {
            "0": GameEventKind.FLAG_TAKEN,
            "1": GameEventKind.CAPTURE,
            "2": GameEventKind.FLAG_RETURNED,
        }
        match rest.partition(":")[0].split():
            case [_, _, "3"] | ["-1", _, _]:
                pass
            case [slot, team, code] if code in kinds:
                client = self._connected(draft, line, slot)
                if client is not None:
                    draft.add(kinds[code], line, client, None, _TEAMS.get(team, ""))
            case _:
                self.problems.add(line, UNREADABLE)

    def _exit(self, draft: SessionDraft, line: int, rest: str) -> None:
        # A vote for another map ends a game before its end.
        if not rest.strip().startswith("Voted"):
            draft.finish()

    def _team_scores(self, draft: SessionDraft, line: int, rest: str) -> None:
        match = _TEAM_SCORES.match(rest)
        if match is None:
            self.problems.add(line, UNREADABLE)
        else:
            draft.team_scores = {"red": int(match[1]), "blue": int(match[2])}

    def _score(self, draft: SessionDraft, line: int, rest: str) -> None:
        match = _PLAYER_SCORE.match(rest)
        if match is None:
            self.problems.add(line, UNREADABLE)
        elif (client := self._connected(draft, line, match[2])) is not None:
            draft.player_scores[client] = int(match[1])


def _seconds(match: re.Match[str]) -> float | None:
    """What the stamp of a line says, if it has one."""
    if match[1] is not None:
        return int(match[1]) * 60.0 + int(match[2])
    if match[3] is not None:
        return float(match[3])
    return None if match[4] is None else float(match[4])


def info_pairs(text: str) -> dict[str, str]:
    r"""The values of a text such as `\key\value\key\value`, keys in small letters."""
    parts = text.strip().split("\\")[1:]
    return {key.lower(): value for key, value in zip(parts[::2], parts[1::2], strict=False)}
