"""Logs in the HL Log Standard: Counter-Strike 1.6 to 2, Team Fortress 2 and other mods.

`L mm/dd/yyyy - hh:mm:ss: EVENT`, where a player is `"Name<number><id><team>"`. A match is told from
the warm-ups and restarts before it by what the server triggers: it begins at the last start before
its end.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from ratings.gamelogs.building import (
    UNKNOWN_EVENT,
    UNREADABLE,
    LineReader,
    SessionDraft,
    local_time,
)
from ratings.gamelogs.connections import Connection, usable_id
from ratings.gamelogs.halves import Rounds, SideSwitches
from ratings.gamelogs.names import plain_name, token
from ratings.gamelogs.sessions import Ending, GameEventKind, GameSession, LogFormat, Problems

_STAMP = re.compile(
    r"(?:.{1,40}?log )?(?:RL |L )?((\d\d)/(\d\d)/(\d{4}) - (\d\d):(\d\d):(\d\d))(?:\.\d{1,6})?"
    r"(?::| -) ?",
    re.ASCII,
)
_PLAYER = re.compile(r'<(-?\d{1,9})><([^<>"]{0,64})>(?:<([^<>"]{0,64})>)?"', re.ASCII)
_SETTING = re.compile(r'"[^"]{0,200}"(?: ?[=:]| ")|"[\w.]{1,80}"', re.ASCII)
_QUOTED = re.compile(r'"([^"]{0,200})"', re.ASCII)
_SWITCH = re.compile(r"switched from team <([^<>]{0,64})> to <([^<>]{0,64})>", re.ASCII)
_COUNTERS = re.compile(r'\(CT "(\d{1,4})"\) \(T "(\d{1,4})"\)', re.ASCII)
_TEAM = re.compile(r'Team "([^"]{1,64})" (triggered|scored|current score|final score) "', re.ASCII)
_TEAM_NAME = re.compile(r'(?:MatchStatus: )?Team playing "([^"]{1,64})": (.{1,200})', re.ASCII)
_SCORE = re.compile(r'(?:scored|score) "(-?\d{1,6})"', re.ASCII)
_GAME_OVER = re.compile(
    r"Game Over: (\S{1,64}) .{0,200}?score (\d{1,4}):(\d{1,4}) after \d", re.ASCII
)

_NO_TEAM: Final = frozenset({"", "Unassigned", "Spectator", "SPECTATOR", "Console", "UNKNOWN"})
_SIDES: Final = ("CT", "TERRORIST")
_FLAG_EVENTS: Final = {
    "captured": GameEventKind.CAPTURE,
    "picked up": GameEventKind.FLAG_TAKEN,
    "returned": GameEventKind.FLAG_RETURNED,
}
_IGNORED: Final = frozenset(
    {
        *(
            "say",
            "say_team",
            "purchased",
            "threw",
            "left",
            "connected,",
            "entered",
            "STEAM",
            "with",
        ),
        *(
            "changed",
            "spawned",
            "picked",
            "dropped",
            "bought",
            "money",
            "blinded",
            "from",
            "client",
        ),
        *("validated", "tell", "acquired", "projectile", "position_report", "scored", "requested"),
        *("ACCOLADE,", "called", "has", "VALVE", "cheated", "used", "selected", "took"),
    }
)
"""What players do that says nothing about who beat whom, or that nobody may keep."""


def is_half_life(lines: list[str]) -> bool:
    """Whether a log begins like one in the HL Log Standard."""
    stamped = sum(_STAMP.match(text) is not None for text in lines)
    return stamped > 0 and stamped * 2 >= sum(bool(text.strip()) for text in lines)


class HalfLifeReader(LineReader):
    """Reads logs in the HL Log Standard; `_restart` is where a session ends and another begins."""

    format = LogFormat.HALF_LIFE

    def __init__(self, problems: Problems) -> None:
        super().__init__(problems)
        self._stamp = ""
        self._epoch: datetime | None = None
        self._clock = 0.0
        self._has_match_starts = False
        """Whether this map says when its matches begin, so that they need a real end."""
        self._is_sided = False
        """Whether two sides swap, as in Counter-Strike."""
        self._scored_at: float | None = None
        self._switches = SideSwitches()
        self._rounds = Rounds()
        self._game = ""
        self._verbs: dict[str, Callable[[SessionDraft, int, Connection, str], None]] = {
            "killed": self._killed,
            "committed": self._committed_suicide,
            "was": self._was_killed,
            "assisted": self._assisted,
            "flash-assisted": self._assisted,
            "attacked": self._attacked,
            "triggered": self._triggered,
            "joined": self._joined,
            "switched": self._switched,
            "disconnected": self._disconnected,
        }

    def take(self, line: int, text: str) -> GameSession | None:
        match = _STAMP.match(text)
        if match is None:
            if text.strip() and text.strip("\0 \r"):
                self.problems.add(line, UNREADABLE)
            return None
        if match[1] != self._stamp and not self._set_clock(match):
            self.problems.add(line, UNREADABLE)
            return None
        body = text[match.end() :]
        done = None
        if body.startswith(("Loading map ", "Started map ", "Log file started")):
            done = self._new_map(line, body)
        draft = self._draft(line)
        draft.now, draft.last_line = self._clock, line
        self._switches.settle(draft)
        if body.startswith('"'):
            self._player_line(draft, line, body)
        elif body.startswith("World triggered "):
            done = self._world(draft, line, body)
        elif body.startswith("Team "):
            self._team(draft, line, body)
        elif body.startswith("MatchStatus: Team playing"):
            self._team_name(draft, body)
        elif body.startswith("Log file closed"):
            self._finish_map(draft)
        elif (match := _GAME_OVER.match(body)) is not None:
            draft.mode = token(match[1])
            draft.team_scores = {"CT": int(match[2]), "TERRORIST": int(match[3])}
            draft.finish()
        return done

    def _set_clock(self, match: re.Match[str]) -> bool:
        month, day, year, *clock = match.groups()[1:]
        moment = local_time((year, month, day, *clock))
        if moment is None:
            return False
        self._epoch = self._epoch or moment
        self._stamp, self._clock = match[1], (moment - self._epoch) / timedelta(seconds=1)
        return True

    def _begin(self, draft: SessionDraft) -> SessionDraft:
        """Make this the session that is read."""
        draft.game = self._game
        if self._epoch is not None:
            draft.started_at = self._epoch + timedelta(seconds=draft.began)
        self.draft = draft
        self._scored_at, self._rounds = None, Rounds()
        return draft

    def _draft(self, line: int) -> SessionDraft:
        return self.draft or self._begin(SessionDraft(line, self._clock, self.problems))

    def _new_map(self, line: int, body: str) -> GameSession | None:
        """A map, or a log by itself: the players come anew."""
        quoted = _QUOTED.findall(body)
        if body.startswith("Log file"):
            self._game = token(re.split(r"[\\/]", quoted[1])[-1]) if len(quoted) > 1 else ""
            name = ""
        else:
            name = token(quoted[0]) if quoted else ""
        draft = self.draft
        if draft is not None and name and draft.map == name and not draft.events:
            return None
        done = self._leave_map()
        self._begin(SessionDraft(line, self._clock, self.problems)).map = name
        self._has_match_starts = self._is_sided = False
        return done

    def _leave_map(self) -> GameSession | None:
        draft = self.draft
        if draft is None:
            return None
        if not (draft.clients or draft.carried or draft.events or draft.team_scores):
            return None
        self._finish_map(draft)
        return self.close()

    def _finish_map(self, draft: SessionDraft) -> None:
        """GoldSrc writes both scores when a map is over, the later games after every round."""
        if self._scored_at is not None and not self._has_match_starts and not draft.is_over:
            draft.is_over, draft.ended = True, self._scored_at

    def _restart(self, draft: SessionDraft, line: int) -> GameSession | None:
        """A match begins with the players who are here; what was before is over."""
        after = self._begin(draft.successor(line))
        after.map = draft.map
        if draft.is_over:
            return draft.build(self.format, Ending.BROKEN_OFF, self._shared_ids)
        if not draft.events:
            return None
        has_rounds = any(row[1] == GameEventKind.ROUND_WON for row in draft.events)
        draft.is_warmup = draft.is_warmup or not has_rounds
        return draft.build(self.format, Ending.BROKEN_OFF, self._shared_ids)

    def _world(self, draft: SessionDraft, line: int, body: str) -> GameSession | None:
        what = (_QUOTED.findall(body[:200]) or [""])[0]
        match what:
            case "Match_Start" | "Game_Commencing":
                self._has_match_starts = self._has_match_starts or what == "Match_Start"
                return self._restart(draft, line)
            case "Warmup_Start":
                draft.is_warmup = True
            case "Match_Reloaded":
                self._rounds.is_reloaded = True
            case "Round_Start":
                self._scored_at = None
                is_first = not (self._is_sided or self._rounds.has_begun or self._has_match_starts)
                done = None
                if draft.is_over or (is_first and draft.events):
                    done = self._restart(draft, line)
                self._rounds.begin(self._draft(line))
                return done
            case "Round_Win":
                winner = _QUOTED.findall(body[:200])[1:]
                if winner and not draft.is_over:
                    draft.add(GameEventKind.ROUND_WON, line, detail=token(winner[0]))
            case "Game_Over":
                draft.finish()
                draft.awaits_scores = not draft.team_scores
        return None

    def _team(self, draft: SessionDraft, line: int, body: str) -> None:
        match = _TEAM.match(body)
        if match is None:
            self._team_name(draft, body)
            return
        team, what = match[1], match[2]
        counters = _COUNTERS.search(body)
        if what == "triggered" and counters is not None:
            self._is_sided = True
            if not draft.is_over:
                scores = (int(counters[1]), int(counters[2]))
                self._rounds.win(draft, sum(scores))
                draft.add(GameEventKind.ROUND_WON, line, detail=token(team))
                draft.team_scores = dict(zip(_SIDES, scores, strict=True))
        elif what != "triggered" and (score := _SCORE.search(body)) is not None:
            # A final score can be lost on its way: the next one that is said stands for it then.
            if what == "final score" or not draft.is_over or token(team) not in draft.team_scores:
                draft.team_scores[token(team)] = int(score[1])
                draft.awaits_scores = False
            if what == "scored":
                self._scored_at = draft.now

    def _team_name(self, draft: SessionDraft, body: str) -> None:
        match = _TEAM_NAME.match(body)
        if match is not None:
            draft.team_names[token(match[1])] = plain_name(match[2])

    def _player_line(self, draft: SessionDraft, line: int, body: str) -> None:
        match = _PLAYER.search(body)
        if match is None:
            if not _SETTING.match(body):
                self.problems.add(line, UNREADABLE)
            return
        rest = body[match.end() :].lstrip()
        if rest.startswith("["):
            rest = rest.partition("]")[2].lstrip()
        verb = rest.split(" ", 1)[0]
        if match[2] == "Console" or verb in ("say", "say_team"):
            return
        client = self._client(draft, line, body[1 : match.start()], match)
        action = self._verbs.get(verb)
        if action is not None:
            action(draft, line, client, rest)
        elif verb == "changed" and rest.startswith('changed name to "'):
            client.rename(plain_name(rest[17:].rstrip().removesuffix('"')))
        elif verb not in _IGNORED and not rest.startswith("("):
            self.problems.add(line, UNKNOWN_EVENT)

    def _client(
        self, draft: SessionDraft, line: int, name: str, match: re.Match[str]
    ) -> Connection:
        number, auth, team = match.groups()
        key = usable_id(auth)
        client = draft.holder_of(number)
        if client is None or (key and client.id and key != client.id):
            client = draft.connect(number, line)
        client.id = key or client.id
        client.is_bot = client.is_bot or auth == "BOT"
        client.seen_line = line
        client.rename(plain_name(name))
        if team is not None:
            self._set_team(client, team)
        return client

    def _set_team(self, client: Connection, team: str) -> None:
        client.is_spectating = team in _NO_TEAM
        if not client.is_spectating:
            client.team, client.has_played = token(team), True
            self._is_sided = self._is_sided or team in _SIDES

    def _target(
        self, draft: SessionDraft, line: int, rest: str, marker: str
    ) -> tuple[Connection | None, str]:
        """Whom the line names behind the marker, and what follows; nobody is a problem."""
        _, found, tail = rest.partition(marker)
        match = _PLAYER.search(tail)
        if not found or match is None:
            self.problems.add(line, UNREADABLE)
            return None, ""
        return self._client(draft, line, tail[: match.start()], match), tail[match.end() :]

    def _killed(self, draft: SessionDraft, line: int, killer: Connection, rest: str) -> None:
        if rest.startswith("killed other ") or draft.is_over:
            return
        team = "" if killer.is_spectating else killer.team
        victim, tail = self._target(draft, line, rest, 'killed "')
        if victim is None or '(customkill "feign_death")' in tail:
            return
        weapon = _weapon(tail)
        if victim is killer:
            draft.add(GameEventKind.SUICIDE, line, killer, None, weapon)
            return
        is_team_kill = team == victim.team != "" and not victim.is_spectating
        kind = GameEventKind.TEAM_KILL if is_team_kill else GameEventKind.FRAG
        draft.add(kind, line, killer, victim, weapon)

    def _committed_suicide(
        self, draft: SessionDraft, line: int, client: Connection, rest: str
    ) -> None:
        if not draft.is_over and '(customkill "feign_death")' not in rest:
            draft.add(GameEventKind.SUICIDE, line, client, None, _weapon(rest))

    def _was_killed(self, draft: SessionDraft, line: int, client: Connection, rest: str) -> None:
        if rest.startswith("was killed by the bomb") and not draft.is_over:
            draft.add(GameEventKind.WORLD_DEATH, line, None, client, "bomb")

    def _assisted(self, draft: SessionDraft, line: int, client: Connection, rest: str) -> None:
        victim, _ = self._target(draft, line, rest, 'assisted killing "')
        if victim is not None and not draft.is_over:
            draft.add(GameEventKind.ASSIST, line, client, victim)

    def _attacked(self, draft: SessionDraft, line: int, client: Connection, rest: str) -> None:
        victim, tail = self._target(draft, line, rest, 'attacked "')
        damage = re.search(r'\(damage "(\d{1,6})"\)', tail, re.ASCII)
        if victim is not None and damage is not None and not draft.is_over:
            value = float(damage[1])
            draft.add(GameEventKind.DAMAGE, line, client, victim, _weapon(tail), value)

    def _triggered(self, draft: SessionDraft, line: int, client: Connection, rest: str) -> None:
        if draft.is_over:
            return
        if rest.startswith('triggered "kill assist" against "'):
            victim, tail = self._target(draft, line, rest, 'against "')
            if victim is not None and '(customkill "feign_death")' not in tail:
                draft.add(GameEventKind.ASSIST, line, client, victim)
        elif rest.startswith('triggered "flagevent" (event "'):
            kind = _FLAG_EVENTS.get(rest[30:].partition('"')[0])
            if kind is not None:
                draft.add(kind, line, client)

    def _joined(self, _draft: SessionDraft, _line: int, client: Connection, rest: str) -> None:
        if team := _QUOTED.search(rest):
            self._set_team(client, team[1])

    def _switched(self, draft: SessionDraft, line: int, client: Connection, rest: str) -> None:
        match = _SWITCH.match(rest)
        if match is None:
            self.problems.add(line, UNREADABLE)
            return
        self._set_team(client, match[2])
        if match[1] not in _NO_TEAM and match[2] not in _NO_TEAM:
            self._switches.add(draft, match[1], match[2])

    def _disconnected(self, draft: SessionDraft, line: int, client: Connection, _rest: str) -> None:
        draft.leave(client.slot, line)


def _weapon(text: str) -> str:
    _, found, tail = text.partition('with "')
    return token(tail.partition('"')[0]) if found else ""
