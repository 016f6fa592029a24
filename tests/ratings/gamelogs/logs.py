"""Read invented and real logs, and count what stands in a session."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable

from ratings.gamelogs.reading import read_log
from ratings.gamelogs.sessions import GameEvent, GameEventKind, GameSession, LogReport
from tests.shared_data import shared_data

DEATHS = (
    GameEventKind.FRAG,
    GameEventKind.TEAM_KILL,
    GameEventKind.SUICIDE,
    GameEventKind.WORLD_DEATH,
)


def report_of(name: str) -> LogReport:
    return read_log(shared_data(name).read_bytes())


def read(text: str) -> LogReport:
    return read_log(text.encode())


def only(report: LogReport) -> GameSession:
    (session,) = report.sessions
    return session


def events(session: GameSession, *kinds: GameEventKind) -> list[GameEvent]:
    return [event for event in session.events if event.kind in kinds]


def kinds(*sessions: GameSession) -> Counter[str]:
    return Counter(event.kind.value for session in sessions for event in session.events)


def frags(session: GameSession) -> Counter[str]:
    """Frags by name, team kills left out."""
    return Counter(
        session.players[event.actor].name
        for event in events(session, GameEventKind.FRAG)
        if event.actor is not None
    )


def deaths(session: GameSession) -> Counter[str]:
    died: Counter[str] = Counter()
    for event in events(session, *DEATHS):
        who = event.actor if event.kind == GameEventKind.SUICIDE else event.target
        if who is not None:
            died[session.players[who].name] += 1
    return died


def told(session: GameSession) -> list[str]:
    """The events in words: kind, actor, target."""
    return [
        " ".join(
            [
                event.kind.value,
                *(
                    session.players[who].name
                    for who in (event.actor, event.target)
                    if who is not None
                ),
            ]
        )
        for event in session.events
    ]


def team_scores(session: GameSession) -> dict[str, int]:
    return {} if session.result is None else {row.team: row.score for row in session.result.teams}


def player_scores(session: GameSession) -> dict[str, int]:
    if session.result is None:
        return {}
    return {session.players[row.player].name: row.score for row in session.result.players}


def names(session: GameSession) -> set[str]:
    return {player.name for player in session.players}


def calls_of(work: Callable[[], object]) -> int:
    """How many calls some work takes the second time, which is no matter of the machine."""
    work()
    count = 0

    def trace(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(trace)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count
