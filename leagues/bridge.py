"""The one module between the rows of Django and the mathematics of `ratings`.

It turns facts into logs, boards into systems, and states into what people see. It writes nothing
and reads no clock.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

import numpy as np
from django.core.exceptions import ValidationError
from django.db.models import prefetch_related_objects
from numpy.typing import NDArray

from leagues import segments
from leagues.facts import (
    Facts,
    People,
    civil_days,
    micros,
    moment,
    rated_kinds,
    read_people,
)
from leagues.models import Board, League, Match, Standing
from leagues.models.checks import LAST_INSTANT
from ratings import registry
from ratings.log import MatchLog
from ratings.parameters import Description, ParameterError
from ratings.registry import SystemInfo
from ratings.system import NEVER, Replay, Side, State, System, Unanswerable
from ratings.tally import NEVER_PLAYED, Tally, tally


@dataclass(frozen=True, slots=True, eq=False)
class Computed:
    """A log rated: who was in it, what came out, and what the system could not rate."""

    log: MatchLog
    people: People
    seq: NDArray[np.int64]
    """Of each match of the log."""
    replay: Replay
    tally: Tally
    refused: tuple[tuple[int, str], ...]
    """Seq and reason of each match that was left out."""


@dataclass(frozen=True, slots=True)
class ShownValue:
    """What people see of a rating: the value, its range where the system has one, its certainty."""

    value: float
    low: float | None
    high: float | None
    decimals: int
    level: str
    provisional: bool = False

    @property
    def half(self) -> float | None:
        """Half the width of the range."""
        if self.low is None or self.high is None:
            return None
        return (self.high - self.low) / 2.0


@dataclass(frozen=True, slots=True)
class HistoryPoint:
    """The rating after one match."""

    seq: int
    at: datetime
    shown: ShownValue


@dataclass(frozen=True, slots=True)
class History:
    """A player's ratings on a board, oldest first, and what a newcomer has."""

    start: ShownValue
    points: tuple[HistoryPoint, ...]


@dataclass(frozen=True, slots=True)
class Account:
    """What one match did to one of its players."""

    player_id: int
    before: ShownValue
    after: ShownValue
    expected: float | None
    """Expected score of the player's side, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Odds:
    """How a match of two sides was expected to end, seen from the first side."""

    win: float
    draw: float
    loss: float


@dataclass(frozen=True, slots=True)
class MatchAccount:
    """A rated match, explained: its players and, for two sides, its odds."""

    accounts: tuple[Account, ...]
    odds: Odds | None


@lru_cache(maxsize=256)
def _system(name: str, parameters: str) -> System:
    return registry.create(name, json.loads(parameters))


def system_of(board: Board) -> System:
    """Return the rating system of a board, with its parameters."""
    return _system(board.system, json.dumps(board.parameters, sort_keys=True))


def board_state(board: Board) -> State | None:
    """Return what the board's last computation kept for nobody alone, if anything."""
    return tuple(np.frombuffer(bytes(board.board_state), "<f8").tolist()) or None


def system_info(name: str) -> SystemInfo:
    """Return what is known of a system by its name; ValidationError for an unknown one."""
    try:
        return registry.info(name)
    except ParameterError as error:
        raise ValidationError({"system": str(error)}) from error


def systems() -> tuple[SystemInfo, ...]:
    """Return every system a board can have."""
    return registry.systems()


def describe_system(name: str) -> tuple[Description, ...]:
    """Return the parameters of a system, as forms, pages and the API need them."""
    return system_info(name).descriptions


def checked_parameters(name: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return all parameters in full, so that a later default changes no stored board."""
    try:
        checked = registry.create(name, parameters).parameters
    except ParameterError as error:
        raise ValidationError(
            {field: reason for field, _value, reason in error.problems}
        ) from error
    return {
        description.name: getattr(checked, description.name)
        for description in describe_system(name)
    }


def compute(
    board: Board,
    facts: Facts,
    *,
    before: Mapping[int, Standing] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Computed:
    """Rate facts by a board's system: all from nothing, or the newest from standings by player."""
    system = system_of(board)
    people = read_people(board.league_id, np.unique(facts.player_id))
    log = _log(facts, people)
    refused = tuple((int(facts.seq[index]), reason) for index, reason in system.refusals(log))
    if refused:
        facts = facts.without({seq for seq, _ in refused})
        people = read_people(board.league_id, np.unique(facts.player_id))
        log = _log(facts, people)
    known = before or {}
    standings = [known.get(player_id) for player_id in people.player_id.tolist()]
    start = _states_before(system, standings)
    return Computed(
        log=log,
        people=people,
        seq=facts.seq,
        replay=system.replay(
            log,
            start=start,
            progress=progress,
            board=None if before is None else board_state(board),
        ),
        tally=tally(log, _tally_before(standings)),
        refused=refused,
    )


def points_of(computed: Computed) -> dict[int, segments.Points]:
    """Return what a computation adds to each player's history, by player id.

    A change without a match of one's own (decay, a rung lost to others) is a point with seq 0.
    """
    log, others = computed.log, computed.replay.bystanders
    match = log.match_of()
    player = np.concatenate([log.player, others.player])
    # A bystander's change stands behind the match before it, and before the match after it.
    place = np.concatenate([2 * match + 1, 2 * others.match])
    order = np.lexsort((place, player))
    seq = np.concatenate([computed.seq[match], np.zeros(len(others.player), np.int64)])[order]
    at = np.concatenate([log.at[match], others.at])[order]
    state = np.concatenate([computed.replay.after, others.state])[order]
    ends = np.cumsum(np.bincount(player, minlength=len(log.keys)))
    points: dict[int, segments.Points] = {}
    first = 0
    for player_id, end in zip(computed.people.player_id.tolist(), ends.tolist(), strict=True):
        points[player_id] = segments.Points(seq[first:end], at[first:end], state[first:end])
        first = end
    return points


def kept_for_nobody(computed: Computed) -> bytes:
    """Return the board's own state after a computation, as the board keeps it."""
    return segments.pack_state(np.array(computed.replay.board or ()))


def standings_of(board: Board, generation: int, computed: Computed) -> list[Standing]:
    """Return the unsaved standings of everyone in a computation whom the system places."""
    system = system_of(board)
    final, counts = computed.replay.final, computed.tally
    shown = system.display_many(final, board=computed.replay.board)
    fairly_sure, sure = system.certain_until_many(final, counts.games)
    placed = ~np.isnan(shown.value)
    places = np.rint(np.where(placed, shown.value, 0.0) * 10.0**shown.decimals).astype(np.int64)
    if system.lower_is_better:
        places = -places
    rows = zip(
        computed.people.player_id.tolist(),
        (shown.value + 0.0).tolist(),
        places.tolist(),
        _or_none(shown.low),
        _or_none(shown.high),
        counts.games.tolist(),
        counts.won.tolist(),
        counts.drawn.tolist(),
        counts.lost.tolist(),
        counts.form,
        counts.streak.tolist(),
        counts.last_at.tolist(),
        fairly_sure.tolist(),
        sure.tolist(),
        strict=True,
    )
    return [
        Standing(
            league_id=board.league_id,
            board_id=board.pk,
            generation=generation,
            player_id=player_id,
            state=segments.pack_state(final[index]),
            shown=value,
            place_value=place,
            low=low,
            high=high,
            games=games,
            won=won,
            drawn=drawn,
            lost=lost,
            form=form,
            streak=streak,
            last_played_at=moment(last_at),
            fairly_sure_until=_until(fairly_sure_until),
            sure_until=_until(sure_until),
        )
        for index, (
            player_id,
            value,
            place,
            low,
            high,
            games,
            won,
            drawn,
            lost,
            form,
            streak,
            last_at,
            fairly_sure_until,
            sure_until,
        ) in enumerate(rows)
        if placed[index]
    ]


def display_moment(league: League, now: datetime) -> datetime:
    """Return the moment as of which uncertainty is shown: the league's last midnight."""
    return league.midnight(now.astimezone(league.zone).date())


def shown_now(board: Board, standings: Sequence[Standing], at: datetime) -> list[ShownValue]:
    """Return what people see of standings as of a moment; never before their last match."""
    if not standings:
        return []
    system = system_of(board)
    states = segments.unpack_states((standing.state for standing in standings), len(system.columns))
    day = int(civil_days(np.array([micros(at)]), board.league.zone)[0])
    shown = system.display_many(states, at=micros(at), board=board_state(board), day=day)
    rows = zip(
        standings,
        (shown.value + 0.0).tolist(),
        _or_none(shown.low),
        _or_none(shown.high),
        shown.provisional.tolist(),
        strict=True,
    )
    return [
        ShownValue(value, low, high, shown.decimals, level_at(standing, at), provisional)
        for standing, value, low, high, provisional in rows
    ]


def level_at(standing: Standing, at: datetime) -> str:
    """Say how sure a standing is at a moment: sure, fairly_sure or unsure."""
    if standing.sure_until is not None and at <= standing.sure_until:
        return "sure"
    if standing.fairly_sure_until is not None and at <= standing.fairly_sure_until:
        return "fairly_sure"
    return "unsure"


def history(board: Board, player_id: int) -> History:
    """Return the ratings of a player after each rated match."""
    system = system_of(board)
    points = segments.read_points(board, [player_id], len(system.columns))[player_id]
    shown = system.display_many(points.state, board=board_state(board))
    fairly_sure, sure = system.certain_until_many(
        points.state, np.arange(1, len(points) + 1, dtype=np.int64)
    )
    rows = zip(
        points.seq.tolist(),
        points.at.tolist(),
        (shown.value + 0.0).tolist(),
        _or_none(shown.low),
        _or_none(shown.high),
        fairly_sure.tolist(),
        sure.tolist(),
        strict=True,
    )
    return History(
        start=_shown(board, system.new_player(board_state(board)), 0),
        points=tuple(
            HistoryPoint(
                seq,
                moment(at),
                ShownValue(
                    value,
                    low,
                    high,
                    shown.decimals,
                    "sure" if at <= until_sure else "fairly_sure" if at <= until else "unsure",
                ),
            )
            for seq, at, value, low, high, until, until_sure in rows
        ),
    )


def changes_for_player(
    board: Board, player_id: int, seqs: Iterable[int]
) -> dict[int, tuple[ShownValue, ShownValue]]:
    """Return a player's rating before and after each of the given matches that is rated."""
    past = history(board, player_id)
    wanted = set(seqs)
    changes = {}
    before = past.start
    for point in past.points:
        if point.seq in wanted:
            changes[point.seq] = (before, point.shown)
        before = point.shown
    return changes


def match_account(board: Board, match: Match) -> MatchAccount | None:
    """Return what a match did on a board, and what was expected; None while it is not rated."""
    if match.seq is None or match.kind not in rated_kinds(board.league):
        return None
    system = system_of(board)
    prefetch_related_objects([match], "participants__player")
    rows = sorted(match.participants.all(), key=lambda row: row.player.key)
    points = segments.read_points(board, [row.player_id for row in rows], len(system.columns))
    newcomer = system.new_player(board_state(board))
    at = micros(match.played_at)
    day = int(civil_days(np.array([at]), board.league.zone)[0])
    before: dict[int, tuple[State, int]] = {}
    after: dict[int, tuple[State, int]] = {}
    for row in rows:
        past = points[row.player_id]
        where = np.flatnonzero(past.seq == match.seq)
        if not len(where):
            return None
        index = int(where[0])
        state = _state(past.state[index - 1]) if index else newcomer
        before[row.player_id] = (system.idle(state, at, day), index)
        after[row.player_id] = (_state(past.state[index]), index + 1)
    numbers = sorted({row.side for row in rows})
    sides = [
        Side(
            states=tuple(before[row.player_id][0] for row in rows if row.side == number),
            keys=tuple(row.player.key for row in rows if row.side == number),
            shares=tuple(row.share for row in rows if row.side == number),
            birth_years=tuple(row.player.birth_year or 0 for row in rows if row.side == number),
        )
        for number in numbers
    ]
    try:
        prediction = system.predict(sides, at, day)
    except Unanswerable:
        prediction = None
    odds = None
    if prediction is not None and prediction.win is not None:
        odds = Odds(prediction.win, prediction.draw or 0.0, prediction.loss or 0.0)
    return MatchAccount(
        accounts=tuple(
            Account(
                row.player_id,
                _shown(board, *before[row.player_id]),
                _shown(board, *after[row.player_id]),
                prediction.expected[numbers.index(row.side)] if prediction else None,
            )
            for row in rows
        ),
        odds=odds,
    )


@lru_cache(maxsize=1)
def math_fingerprint() -> str:
    """Return a hash of what this machine's mathematical functions answer to 64 fixed probes.

    Two machines with the same fingerprint compute the same bits (reliability I-01).
    """
    probes = [
        function(0.013 + 0.37 * step)
        for step in range(16)
        for function in (math.exp, math.log, math.erf, lambda value: 10.0**value)
    ]
    return hashlib.sha256(np.array(probes, dtype="<f8").tobytes()).hexdigest()[:16]


def _log(facts: Facts, people: People) -> MatchLog:
    log, _order = MatchLog.build(
        keys=people.keys,
        at=facts.at,
        match=facts.match,
        side=facts.side,
        rank=facts.rank - 1,
        player=people.positions(facts.player_id),
        day=facts.day,
        weight=facts.weight,
        score=facts.score,
        share=facts.share,
        birth_year=people.birth_year,
    )
    return log


def _states_before(system: System, standings: Sequence[Standing | None]) -> NDArray[np.float64]:
    start = np.full((len(standings), len(system.columns)), np.nan)
    for index, standing in enumerate(standings):
        if standing is not None:
            start[index] = np.frombuffer(bytes(standing.state), "<f8")
    return start


def _tally_before(standings: Sequence[Standing | None]) -> Tally:
    def column(name: str) -> NDArray[np.int64]:
        return np.array(
            [0 if standing is None else getattr(standing, name) for standing in standings],
            dtype=np.int64,
        )

    return Tally(
        games=column("games"),
        won=column("won"),
        drawn=column("drawn"),
        lost=column("lost"),
        form=tuple("" if standing is None else standing.form for standing in standings),
        streak=column("streak"),
        last_at=np.array(
            [
                NEVER_PLAYED if standing is None else micros(standing.last_played_at)
                for standing in standings
            ],
            dtype=np.int64,
        ),
    )


def _shown(board: Board, state: State, games: int) -> ShownValue:
    system = system_of(board)
    shown = system.display(state, board_state(board))
    level = system.confidence(state, games).level.value
    return ShownValue(
        shown.value + 0.0, shown.low, shown.high, shown.decimals, level, shown.provisional
    )


def _state(row: NDArray[np.float64]) -> State:
    return tuple(row.tolist())


def _or_none(values: NDArray[np.float64]) -> list[float | None]:
    return [None if math.isnan(value) else value + 0.0 for value in values.tolist()]


def _until(value: int) -> datetime | None:
    if value == NEVER:
        return None
    return moment(min(value, micros(LAST_INSTANT)))
