"""Games as a game server's log tells them: sessions, their players, events and results.

Chat and network addresses have no place here, and no reader hands them on.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final

MAX_PROBLEMS_KEPT: Final = 100
"""Problems that are kept with their line; those after them are only counted."""


class LogFormat(StrEnum):
    """A family of logs that one reader reads."""

    QUAKE3 = "quake3"
    HALF_LIFE = "half-life"
    CALL_OF_DUTY = "call-of-duty"
    XONOTIC = "xonotic"
    UNREAL = "unreal"
    TEEWORLDS = "teeworlds"
    QUAKEWORLD = "quakeworld"
    JSON_LINES = "json-lines"


class Ending(StrEnum):
    """How a session ended."""

    FINISHED = "finished"
    """The log says that the game reached its end."""
    BROKEN_OFF = "broken-off"
    """Something else began, or the server stopped, before the end."""
    CUT_OFF = "cut-off"
    """The log ends in the middle of it."""


class GameEventKind(StrEnum):
    """What an event of a game is; the first four are deaths."""

    FRAG = "frag"
    TEAM_KILL = "team-kill"
    SUICIDE = "suicide"
    """Has an actor and no target."""
    WORLD_DEATH = "world-death"
    """Has a target and no actor."""
    ASSIST = "assist"
    DAMAGE = "damage"
    CAPTURE = "capture"
    FLAG_TAKEN = "flag-taken"
    FLAG_RETURNED = "flag-returned"
    ROUND_WON = "round-won"
    """The detail is the team, as it was called then."""
    OWN = "own"
    """Of a kind of the game's own; the detail is the word for it."""


@dataclass(frozen=True, slots=True)
class GameEvent:
    """One thing that happened; actor and target are positions in the session's players."""

    seconds: float
    """Since the session began."""
    kind: GameEventKind
    actor: int | None
    target: int | None
    detail: str
    """The weapon or what else did it, in the log's word."""
    value: float
    line: int


@dataclass(frozen=True, slots=True)
class GamePlayer:
    """A person or a bot in a session, whatever they called themselves and however often they came.

    `identity` is the game's id where it tells people apart, else the name; None where two were
    there at once under one name, and nothing tells them apart.
    """

    identity: str | None
    names: tuple[str, ...]
    """In order of appearance; the last one is the name at the end."""
    is_bot: bool
    is_spectator: bool
    team: str
    """The last team played for, as the teams are called at the end; empty where there are none."""
    stays: tuple[tuple[float, float], ...]
    """From when to when the player was there, in seconds since the session began."""

    @property
    def name(self) -> str:
        """The name at the end of the session."""
        return self.names[-1]


@dataclass(frozen=True, slots=True)
class TeamScore:
    """What the log says that a team has scored, and what the team calls itself."""

    team: str
    score: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class PlayerScore:
    """What the log says that a player has scored; `player` is a position."""

    player: int
    score: int


@dataclass(frozen=True, slots=True)
class GameResult:
    """The scores that the log itself states."""

    teams: tuple[TeamScore, ...] = ()
    players: tuple[PlayerScore, ...] = ()
    winners: tuple[int, ...] = ()
    """Positions of the players whom the log names as winners; few logs do."""


@dataclass(frozen=True, slots=True)
class GameSession:
    """One game on one map, from the line it begins on to the last that belongs to it.

    `started_at` has a time zone where the log names one, else it is the server's local time; it is
    None where the log has only a clock of its own. `clock` is what that clock showed, in seconds.
    """

    format: LogFormat
    game: str
    map: str
    mode: str
    """ffa, duel, tdm and ctf mean the same in all games; other words are a game's own."""
    match_id: str
    """The log's own id of the match; empty where it has none."""
    started_at: datetime | None
    clock: float
    duration: float
    ending: Ending
    is_warmup: bool
    players: tuple[GamePlayer, ...]
    events: tuple[GameEvent, ...]
    result: GameResult | None
    first_line: int
    last_line: int


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that was not understood; `reason` is a sentence and repeats nothing of the line."""

    line: int
    reason: str


@dataclass(slots=True)
class Problems:
    """What was not understood in a log: all of it counted, the first of it with its lines."""

    by_reason: Counter[str] = field(default_factory=Counter)
    first: list[BadLine] = field(default_factory=list)

    def add(self, line: int, reason: str) -> None:
        """Count a bad line; `reason` is one of a reader's constant sentences."""
        self.by_reason[reason] += 1
        if len(self.first) < MAX_PROBLEMS_KEPT:
            self.first.append(BadLine(line, reason))

    @property
    def total(self) -> int:
        """How many lines were not understood."""
        return self.by_reason.total()


@dataclass(frozen=True, slots=True)
class LogReport:
    """A log read to its end."""

    format: LogFormat
    sessions: tuple[GameSession, ...]
    problems: Problems
