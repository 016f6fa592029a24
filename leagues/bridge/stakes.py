"""What is at stake: what each outcome of a match not yet played would change.

Every number comes from the rating itself: the imagined match is rated, by the same code and with
the same bits as the real one would be.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from leagues.bridge.display import match_moment
from leagues.bridge.draws import may_draw
from leagues.bridge.starting import starting_board, starting_states
from leagues.bridge.systems import board_state, system_of
from leagues.models import Board, Player, Standing
from leagues.store.match_columns import civil_days, micros
from ratings.log import MatchLog
from ratings.system import Reach, State, System, Unanswerable

WIN, DRAW, LOSS = (0, 1), (0, 0), (1, 0)
"""The ranks of the two sides in each outcome."""

BoardPlayer: TypeAlias = Standing | Player
"""Somebody on a board by the standing, or without one alone."""

WIDEST_LADDER = 5_000
"""On longer ladders, matches that have to be rated one by one take longer than they are worth."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What an imagined match counts, and how many points of Elo's scale the first is given."""

    weight: float = 1.0
    handicap: int = 0


USUAL_TERMS: Final = Terms()


@dataclass(frozen=True, slots=True)
class OutcomeEffect:
    """A player's shown value before a match and after each of its outcomes.

    `drawn` is None where the league knows no draws.
    """

    before: float
    won: float
    drawn: float | None
    lost: float
    decimals: int

    @property
    def win(self) -> float:
        """The change that a win would bring; `draw` and `loss` likewise."""
        return self.won - self.before

    @property
    def draw(self) -> float | None:
        return None if self.drawn is None else self.drawn - self.before

    @property
    def loss(self) -> float:
        return self.lost - self.before


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody who might play: what arithmetic needs to know. Without a state, never rated."""

    key: str
    state: State | None = None
    birth_year: int = 0

    @classmethod
    def of(cls, player: Player, standing: Standing | None) -> Entrant:
        """A player with the state of a standing."""
        state = None if standing is None else state_in(standing)
        return cls(player.key, state, player.birth_year or 0)


def state_in(standing: Standing) -> State:
    """The exact state that a standing keeps."""
    return tuple(np.frombuffer(bytes(standing.state), "<f8").tolist())


def entrants_of(
    board: Board, players: Iterable[Player], standings: Mapping[int, Standing | None]
) -> dict[int, Entrant]:
    """Players by id as a match would find them, from their standings.

    Who has not played yet may begin with a rating that was carried over or given.
    """
    everyone = {player.pk: player for player in players}
    entrants = {pk: Entrant.of(player, standings.get(pk)) for pk, player in everyone.items()}
    absent = [pk for pk, entrant in entrants.items() if entrant.state is None]
    if absent and (board.season.follows_id is not None or board.start_parameters):
        for pk, state in starting_states(board, absent).items():
            entrants[pk] = replace(entrants[pk], state=state)
    return entrants


def stakes_against(
    board: Board,
    own: BoardPlayer | None,
    others: Sequence[BoardPlayer | None],
    now: datetime,
    *,
    weight: float = 1.0,
) -> list[OutcomeEffect | None]:
    """The effects of a match of two for one, against each of the others.

    Standings come with their players, who come alone where they have none; None is anybody new. A
    match of this weight is meant, without a score where scores count. Nobody has a stake against
    himself, and where the system cannot say what a match would change, nobody has one.
    """
    players = [one for one in (own, *others) if one is not None]
    standings = {one.player_id: one for one in players if isinstance(one, Standing)}
    entrants = entrants_of(board, [_player(one) for one in players], standings)
    me = Entrant("") if own is None else entrants[_player(own).pk]
    rivals = [
        # Somebody unknown stands behind every key, so that two newcomers keep an order.
        Entrant("\U0010ffff")
        if other is None
        else None
        if own is not None and _player(own).pk == _player(other).pk
        else entrants[_player(other).pk]
        for other in others
    ]
    moment = match_moment(board, now, *standings.values())
    met = [rival for rival in rivals if rival is not None]
    known = iter(stakes_of(board, me, met, moment, terms=Terms(weight)))
    return [None if rival is None else next(known) for rival in rivals]


def stakes_between(
    board: Board,
    one: BoardPlayer,
    other: BoardPlayer,
    now: datetime,
    weights: Sequence[float],
    *,
    handicap: int = 0,
) -> list[tuple[OutcomeEffect | None, OutcomeEffect | None]]:
    """The effects of a match of two for both, for each of some weights of the match.

    They are those of `stakes_against`, with the two read once; the first is given `handicap`.
    """
    standings = {row.player_id: row for row in (one, other) if isinstance(row, Standing)}
    players = _player(one), _player(other)
    known = entrants_of(board, players, standings)
    me, rival = (known[player.pk] for player in players)
    moment = match_moment(board, now, *standings.values())
    pairs = []
    for weight in weights:
        (own,) = stakes_of(board, me, [rival], moment, terms=Terms(weight, handicap))
        (theirs,) = stakes_of(board, rival, [me], moment, terms=Terms(weight, -handicap))
        pairs.append((own, theirs))
    return pairs


def _player(one: BoardPlayer) -> Player:
    return one.player if isinstance(one, Standing) else one


def stakes_of(
    board: Board,
    me: Entrant,
    rivals: Sequence[Entrant],
    at: datetime,
    *,
    terms: Terms = USUAL_TERMS,
) -> list[OutcomeEffect | None]:
    """Do `stakes_against` for those whose keys and states are known, not before their last."""
    system = system_of(board)
    given = abs(terms.handicap * system.handicap_unit)
    if not rivals or system.reach is Reach.BATCH or given > system.max_handicap:
        return [None] * len(rivals)
    outcomes = [WIN, DRAW, LOSS] if may_draw(board) else [WIN, LOSS]
    matches = [(me, rival, ranks) for rival in rivals for ranks in outcomes]
    try:
        states = _rate_outcomes(system, board, matches, at, terms)
    except Unanswerable:
        states = None
    if states is None:
        return [None] * len(rivals)
    displays = system.display_many(states, board=board_state(board))
    values = (displays.value + 0.0).reshape(len(rivals), len(outcomes)).tolist()
    before = _shown_before(system, board, me, at)
    stakes: list[OutcomeEffect | None] = []
    for row in values:
        after = dict(zip(outcomes, row, strict=True))
        stakes.append(
            OutcomeEffect(before, after[WIN], after.get(DRAW), after[LOSS], displays.decimals)
        )
    return stakes


def _shown_before(system: System, board: Board, me: Entrant, at: datetime) -> float:
    shared_state = board_state(board)
    state = system.new_player(shared_state) if me.state is None else me.state
    day = int(civil_days(np.array([micros(at)]), board.league.zone)[0])
    return system.display(system.idle(state, micros(at), day), shared_state).value + 0.0


def _rate_outcomes(
    system: System,
    board: Board,
    matches: Sequence[tuple[Entrant, Entrant, tuple[int, int]]],
    at: datetime,
    terms: Terms,
) -> NDArray[np.float64] | None:
    """The state of the first of each match's two players after it.

    In one replay, where each match has its own copy of its players: keys with the number of
    their match before them sort as they did.
    """
    shared_state = settled_board(system, board, at)
    if system.reach is not Reach.PARTICIPANTS and (
        getattr(system.parameters, "mode", "") == "insert"
        or any(one.state is None or other.state is None for one, other, _ranks in matches)
    ):
        # These would move each other, or come after one another to the board.
        if system.lower_is_better and shared_state is not None and shared_state[0] > WIDEST_LADDER:
            return None
        alone = [
            _replay_outcomes(system, board, [match], at, terms, shared_state) for match in matches
        ]
        return np.concatenate(alone)
    return _replay_outcomes(system, board, matches, at, terms, shared_state)


def _replay_outcomes(
    system: System,
    board: Board,
    matches: Sequence[tuple[Entrant, Entrant, tuple[int, int]]],
    at: datetime,
    terms: Terms,
    shared_state: State | None,
) -> NDArray[np.float64]:
    count = len(matches)
    instant = micros(at)
    day = int(civil_days(np.array([instant]), board.league.zone)[0])
    players = [player for one, other, _ranks in matches for player in (one, other)]
    keys = [f"{index // 2:06d} {player.key}" for index, player in enumerate(players)]
    log, order = MatchLog.build(
        keys=keys,
        at=np.full(count, instant),
        day=np.full(count, day),
        match=np.repeat(np.arange(count), 2),
        side=np.tile([0, 1], count),
        rank=[rank for _one, _other, ranks in matches for rank in ranks],
        player=np.arange(2 * count),
        weight=np.full(count, terms.weight),
        handicap=np.tile([terms.handicap * system.handicap_unit, 0.0], count),
        birth_year=[player.birth_year for player in players],
    )
    width = len(system.columns)
    unseen = (np.nan,) * width
    states = np.array([unseen if player.state is None else player.state for player in players])
    start = np.empty((2 * count, width))
    start[log.player] = states[order]
    replay = system.replay(log, start, engine="plain", board=shared_state)
    rows = np.empty((2 * count, width))
    rows[order] = replay.after
    return rows[::2]


def settled_board(system: System, board: Board, at: datetime) -> State | None:
    """The board's shared state, as if absence up to a moment had been applied.

    An imagined match names its own players only, so it must not end a period for everybody.
    """
    shared_state = board_state(board) or starting_board(board)
    columns: tuple[str, ...] = getattr(system, "board_columns", ())
    if shared_state is None or "period" not in columns:
        return shared_state
    day = int(civil_days(np.array([micros(at)]), board.league.zone)[0])
    period = float(day // system.parameters.period_days)  # type: ignore[attr-defined]
    where = columns.index("period")
    return (*shared_state[:where], period, *shared_state[where + 1 :])
