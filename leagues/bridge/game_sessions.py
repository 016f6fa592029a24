"""Game sessions: some games rated from a blank slate, as if nobody had played before (S0)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import permutations

import numpy as np

from leagues.bridge.computing import Computed, compute, points_of, shared_board_state, standings_of
from leagues.bridge.display import ShownValue, shown_now
from leagues.bridge.event_points import event_course_of
from leagues.bridge.match_effects import RatedMatch, RatedPlayer, is_rated_event
from leagues.bridge.stakes import Entrant, settled_board, stakes_of
from leagues.bridge.systems import board_state, is_fitted, newest_system, system_of
from leagues.models import Board, Match, MatchEvent, Participant, Standing
from leagues.store.match_columns import Facts, civil_days, micros
from ratings.log import EventKind, Events, MatchLog
from ratings.system import Unanswerable


@dataclass(frozen=True, slots=True, eq=False)
class SessionPlace:
    """One player at the end of a session; the first place is 1."""

    player_id: int
    rank: int
    value: ShownValue
    standing: Standing
    """Not stored."""


@dataclass(frozen=True, slots=True, eq=False)
class RatedSession:
    """A session as one board's system rates it alone; `board` is a copy that is not stored."""

    board: Board
    at: datetime
    places: tuple[SessionPlace, ...]
    computed: Computed


@dataclass(frozen=True, slots=True)
class PairStake:
    """What the one would win by beating the other next, and lose by losing; None: not known."""

    win: float
    loss: float


def rate_session(board: Board, facts: Facts) -> RatedSession | None:
    """Rate games as a board would if they were all there is; None where it rates none of them."""
    blank = Board(
        league=board.league,
        season=board.season,
        mode=board.mode,
        system=board.system,
        parameters=board.parameters,
        name=board.name,
    )
    computed = compute(blank, facts)
    last_at = facts.last_at
    if last_at is None or not len(computed.log):
        return None
    blank.board_state = shared_board_state(computed)
    blank.last_at = last_at
    standings = sorted(
        standings_of(blank, 0, computed), key=lambda row: (-row.place_value, row.player_id)
    )
    values = shown_now(blank, standings, last_at)
    best_first = [row.place_value for row in standings]
    return RatedSession(
        board=blank,
        at=last_at,
        places=tuple(
            SessionPlace(row.player_id, best_first.index(row.place_value) + 1, value, row)
            for row, value in zip(standings, values, strict=True)
        ),
        computed=computed,
    )


def rates_frags(board: Board) -> bool:
    """Whether a board's system can rate frag by frag, whatever its mode has chosen."""
    return newest_system(board).rates_event(EventKind.FRAG, has_target=True)


def counted_events(board: Board, events: Sequence[MatchEvent]) -> list[MatchEvent]:
    """The events that a board's system rates, in their order."""
    system = newest_system(board)
    return [event for event in events if is_rated_event(system, event)]


def game_course(
    session: RatedSession, match: Match, people: Sequence[Participant], events: Sequence[MatchEvent]
) -> dict[int, tuple[float, ...]]:
    """The value of each player after each rated event of a session of one game, by player id.

    The first is the value at its beginning. Nothing where no points of single events are told.
    """
    system = system_of(session.board)
    start = system.new_player(None)
    rated = RatedMatch(
        board=session.board,
        match=match,
        system=system,
        at=micros(match.played_at),
        day=int(session.computed.log.day[0]),
        movers=tuple(
            RatedPlayer(row=row, before=start, after=start, games=0)
            for row in sorted(people, key=lambda row: row.player.key)
        ),
        events=tuple(counted_events(session.board, events)),
    )
    values = event_course_of(rated)
    begin = system.display(start, board_state(session.board)).value + 0.0
    return {player_id: (begin, *course) for player_id, course in values.items()}


def evening_course(session: RatedSession) -> dict[int, dict[int, float]]:
    """The value of each player after each of the own games, by player id and the game's number."""
    system = system_of(session.board)
    shown = {}
    for player_id, points in points_of(session.computed).by_player().items():
        values = system.display_many(points.state, board=board_state(session.board)).value + 0.0
        shown[player_id] = dict(zip(points.seq.tolist(), values.tolist(), strict=True))
    return shown


def session_stakes(
    session: RatedSession, entrants: Sequence[Entrant]
) -> list[list[PairStake | None]]:
    """What each would win and lose against each of the others next: by one frag, else one match."""
    if rates_frags(session.board):
        return _frag_stakes(session, entrants)
    rows = []
    for one in entrants:
        others = [other for other in entrants if other is not one]
        known = iter(stakes_of(session.board, one, others, session.at))
        effects = [None if other is one else next(known) for other in entrants]
        rows.append([PairStake(effect.win, effect.loss) if effect else None for effect in effects])
    return rows


def _frag_stakes(
    session: RatedSession, entrants: Sequence[Entrant]
) -> list[list[PairStake | None]]:
    """One imagined frag of each on each of the others, every one with its own copy of both."""
    board, count = session.board, len(entrants)
    system = system_of(board)
    pairs = list(permutations(range(count), 2))
    rows: list[list[PairStake | None]] = [[None] * count for _entrant in entrants]
    if not pairs or system.orders_only or is_fitted(board):
        return rows
    instant, numbers = micros(session.at), np.arange(len(pairs))
    seats = [entrants[place] for pair in pairs for place in pair]
    log, order = MatchLog.build(
        keys=[f"{index // 2:06d} {seat.key}" for index, seat in enumerate(seats)],
        at=np.full(len(pairs), instant),
        day=np.full(len(pairs), civil_days(np.array([instant]), board.league.zone)[0]),
        match=np.repeat(numbers, 2),
        side=np.tile([0, 1], len(pairs)),
        rank=np.tile([0, 1], len(pairs)),
        player=np.arange(2 * len(pairs)),
        birth_year=[seat.birth_year for seat in seats],
        events=Events(
            match=numbers,
            kind=np.full(len(pairs), int(EventKind.FRAG)),
            actor=2 * numbers,
            target=2 * numbers + 1,
            value=np.ones(len(pairs)),
        ),
    )
    states = np.array([seat.state for seat in seats], dtype=np.float64)
    start = np.empty_like(states)
    start[log.player] = states[order]
    try:
        replay = system.replay(
            log, start, engine="plain", board=settled_board(system, board, session.at)
        )
    except Unanswerable:
        return rows
    shared = board_state(board)
    before = system.display_many(states, board=shared).value
    after = np.empty(len(seats))
    after[order] = system.display_many(replay.after, board=shared).value
    change = (after - before).reshape(len(pairs), 2)
    known = dict(zip(pairs, change.tolist(), strict=True))
    for one, other in pairs:
        rows[one][other] = PairStake(known[one, other][0], known[other, one][1])
    return rows
