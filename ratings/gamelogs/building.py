"""A session while it is being read: what readers of all families fill in."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import ClassVar, Final

from ratings.gamelogs.connections import Connection, grouped
from ratings.gamelogs.names import NAMELESS
from ratings.gamelogs.sessions import (
    Ending,
    GameEvent,
    GameEventKind,
    GamePlayer,
    GameResult,
    GameSession,
    LogFormat,
    PlayerScore,
    Problems,
    TeamScore,
)

MAX_CONNECTIONS: Final = 10_000
"""Connections, and so players, of a session."""

MAX_EVENTS: Final = 200_000
"""Events of a session; those after them are counted and left out."""

UNKNOWN_EVENT: Final = "The line has a kind of event that is not known."
UNREADABLE: Final = "The line does not have the form of this log."
OUTSIDE: Final = "The line belongs to no game."
UNKNOWN_PLAYER: Final = "The line names a player who is not there."
SAME_PLAYER: Final = "The line names one player as both sides of an event."
TOO_MANY_PLAYERS: Final = f"The game has more than {MAX_CONNECTIONS:,} players."
TOO_MANY_EVENTS: Final = f"The game has more than {MAX_EVENTS:,} events."


class SessionDraft:
    """One session, filled line by line; `build` makes it whole."""

    def __init__(self, line: int, clock: float, problems: Problems) -> None:
        self.problems = problems
        self.first_line = self.last_line = line
        self.began = self.now = clock
        self.started_at: datetime | None = None
        self.game = self.map = self.mode = self.match_id = ""
        self.is_warmup = False
        self.is_over = False
        self.ended: float | None = None
        self.present: dict[Hashable, Connection] = {}
        self.carried: dict[Hashable, Connection] = {}
        """Who was here before, and has not been named since: renewed when they are."""
        self.is_without_teams = False
        self.clients: list[Connection] = []
        self.events: list[
            tuple[float, GameEventKind, Connection | None, Connection | None, str, float, int]
        ]
        self.events = []
        self.team_scores: dict[str, int] = {}
        self.team_names: dict[str, str] = {}
        self.player_scores: dict[Connection, int] = {}
        self.winners: list[Connection] = []
        self.awaits_scores = False
        """Whether the game is over, and the scores that such a log has then are still to come."""

    def holder_of(self, slot: Hashable) -> Connection | None:
        """Whoever holds the slot, if anybody does."""
        client = self.present.get(slot)
        if client is None and slot in self.carried and len(self.clients) < MAX_CONNECTIONS:
            client = self.carried.pop(slot).renewed(self.began, self.first_line)
            self.present[slot] = client
            self.clients.append(client)
        return client

    def connect(self, slot: Hashable, line: int) -> Connection:
        """A new connection in a slot; whoever had it before has left.

        Beyond the limit it is a problem, and the connection belongs to no player.
        """
        self.leave(slot, line)
        client = Connection(self.now, line, slot=slot)
        if len(self.clients) >= MAX_CONNECTIONS:
            self.problems.add(line, TOO_MANY_PLAYERS)
            client.is_beyond_limit = True
            return client
        self.present[slot] = client
        self.clients.append(client)
        return client

    def leave(self, slot: Hashable, line: int) -> None:
        """Whoever holds the slot, if anybody does, leaves it."""
        self.carried.pop(slot, None)
        client = self.present.pop(slot, None)
        if client is not None:
            client.until, client.last_line = self.now, line

    def add(
        self,
        kind: GameEventKind,
        line: int,
        actor: Connection | None = None,
        target: Connection | None = None,
        detail: str = "",
        value: float = 1.0,
    ) -> None:
        """Add an event of this moment."""
        if any(client is not None and client.is_beyond_limit for client in (actor, target)):
            return
        if len(self.events) >= MAX_EVENTS:
            self.problems.add(line, TOO_MANY_EVENTS)
            return
        for client in (actor, target):
            if client is not None:
                client.has_played = True
        self.events.append((self.now - self.began, kind, actor, target, detail, value, line))

    def finish(self) -> None:
        """The game has reached its end; what follows are scores."""
        if not self.is_over:
            self.is_over, self.ended = True, self.now

    @property
    def has_some_scores(self) -> bool:
        """Whether some of the players who are there have a score and others have none."""
        return bool(self.player_scores) and any(
            client.has_played
            and not (client.is_spectating or client.is_bot)
            and client not in self.player_scores
            for client in self.present.values()
        )

    def successor(self, line: int) -> SessionDraft:
        """The session that begins now with the players who are here; this one ends.

        A log can say with each line that a match begins: so none is copied before a line names
        them, and who did nothing in a session is no player of it.
        """
        draft = SessionDraft(line, self.now, self.problems)
        draft.game, draft.map, draft.mode = self.game, self.map, self.mode
        draft.team_names = dict(self.team_names)
        draft.carried = self.carried
        draft.carried.update(self.present)
        if self.started_at is not None:
            draft.started_at = later(self.started_at, max(0.0, self.now - self.began))
        return draft

    def build(self, log_format: LogFormat, ending: Ending, shared_ids: set[str]) -> GameSession:
        """The session as it stands; one that is over is finished, whatever came then."""
        clients = [client for client in self.clients if client.names or client.has_played]
        for client in clients:
            if not client.names:
                client.names.append(NAMELESS)
        groups = grouped(clients, shared_ids)
        position = {client: index for index, (_, group) in enumerate(groups) for client in group}
        ended = self.now if self.ended is None else self.ended
        return GameSession(
            format=log_format,
            game=self.game,
            map=self.map,
            mode=self.mode,
            match_id=self.match_id,
            started_at=self.started_at,
            clock=self.began,
            duration=max(0.0, ended - self.began),
            ending=Ending.FINISHED if self.is_over else ending,
            is_warmup=self.is_warmup,
            players=tuple(self._player(identity, group) for identity, group in groups),
            events=tuple(
                GameEvent(
                    max(0.0, seconds),
                    kind,
                    None if actor is None else position[actor],
                    None if target is None else position[target],
                    detail,
                    value,
                    line,
                )
                for seconds, kind, actor, target, detail, value, line in self.events
            ),
            result=self._result(position),
            first_line=self.first_line,
            last_line=self.last_line,
        )

    def _player(self, identity: str | None, group: list[Connection]) -> GamePlayer:
        names = dict.fromkeys(name for client in group for name in client.names)
        last = group[-1].names[-1]
        names.pop(last)
        return GamePlayer(
            identity=identity,
            names=(*names, last),
            is_bot=group[-1].is_bot,
            is_spectator=not any(client.has_played for client in group),
            team="" if self.is_without_teams else _last_team(group),
            stays=tuple(self._stay(client) for client in group),
        )

    def _stay(self, client: Connection) -> tuple[float, float]:
        """From when to when a connection was there; the log's clock may be set back meanwhile."""
        since = max(0.0, client.since - self.began)
        until = self.now if client.until is None else client.until
        return since, max(since, until - self.began)

    def _result(self, position: dict[Connection, int]) -> GameResult | None:
        if not (self.team_scores or self.player_scores or self.winners):
            return None
        teams = tuple(
            TeamScore(team, score, self.team_names.get(team, ""))
            for team, score in self.team_scores.items()
        )
        scores: dict[int, int] = {}
        for client, score in self.player_scores.items():
            if client in position:
                scores[position[client]] = score
        winners = {position[client] for client in self.winners if client in position}
        rows = tuple(PlayerScore(*row) for row in scores.items())
        return GameResult(teams, rows, tuple(sorted(winners)))


class LineReader(ABC):
    """The reader of a family of logs, one line at a time."""

    format: ClassVar[LogFormat]
    scores_follow: ClassVar[bool] = False
    """Whether each player's score is a line of its own behind the end."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.draft: SessionDraft | None = None
        self._shared_ids: set[str] = set()

    @abstractmethod
    def take(self, line: int, text: str) -> GameSession | None:
        """Read a line; the session that it completes, if it completes one."""

    def sessions(self, lines: Iterable[tuple[int, str]]) -> Iterator[GameSession]:
        """The sessions of a log, each as soon as the line behind it is read."""
        for line, text in lines:
            session = self.take(line, text)
            if session is not None:
                yield session
        draft = self.draft
        if draft is not None and (
            draft.awaits_scores or (self.scores_follow and draft.has_some_scores)
        ):
            draft.is_over = False
        session = self.close(Ending.CUT_OFF)
        if session is not None:
            yield session

    def close(self, ending: Ending = Ending.BROKEN_OFF) -> GameSession | None:
        """The session that was being read, which ends here."""
        draft, self.draft = self.draft, None
        return None if draft is None else draft.build(self.format, ending, self._shared_ids)


def _last_team(group: Sequence[Connection]) -> str:
    return next((client.team for client in reversed(group) if client.team), "")


def later(moment: datetime, seconds: float) -> datetime | None:
    """The moment some seconds later, or earlier, if there is such a moment."""
    try:
        return moment + timedelta(seconds=seconds)
    except OverflowError:
        return None


def local_time(parts: Sequence[str]) -> datetime | None:
    """The moment of year, month, day, hour, minute and second, if there is such a moment."""
    year, month, day, hour, minute, second = map(int, parts)
    try:
        return datetime(year, month, day, hour, minute, second)
    except ValueError:
        return None
