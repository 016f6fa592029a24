"""What one match did to its players, from the exact states before and after it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from django.db.models import (
    F,
    FilteredRelation,
    OuterRef,
    Q,
    Subquery,
    prefetch_related_objects,
)

from leagues.bridge.computing import kind_and_word
from leagues.bridge.display import ShownValue, shown_of
from leagues.bridge.prospects import Span, chance_spans, moment_of
from leagues.bridge.rules import system_at
from leagues.bridge.starting import newcomers_board, unpack_starting_states
from leagues.models import Board, Match, MatchEvent, Participant, RatingSegment, StartingState
from leagues.store import segments
from ratings.sequential import one_match
from ratings.system import Reach, Side, State, System, Unanswerable


@dataclass(frozen=True, slots=True, eq=False)
class RatedPlayer:
    """One player of a rated match; absence is not yet applied to the state before."""

    row: Participant
    before: State
    after: State
    games: int
    """Matches rated before this one."""


@dataclass(frozen=True, slots=True, eq=False)
class RatedMatch:
    """A match as one board rated it: players in order of key, sides in the order of entry."""

    board: Board
    match: Match
    system: System
    at: int
    day: int
    movers: tuple[RatedPlayer, ...]
    events: tuple[MatchEvent, ...] = ()
    """The events that were rated one after the other, in place of the result; mostly none."""

    @property
    def numbers(self) -> list[int]:
        """The numbers of the sides."""
        return sorted({mover.row.side for mover in self.movers})

    @property
    def sides(self) -> list[Side]:
        """The sides as they came to the match."""
        return [
            Side(
                states=tuple(mover.before for mover in members),
                keys=tuple(mover.row.player.key for mover in members),
                handicap=members[0].row.handicap * self.system.handicap_unit,
                shares=tuple(mover.row.playing_share for mover in members),
                birth_years=tuple(mover.row.player.birth_year or 0 for mover in members),
            )
            for members in self.members
        ]

    @property
    def members(self) -> list[list[RatedPlayer]]:
        """The players of each side."""
        return [
            [mover for mover in self.movers if mover.row.side == number] for number in self.numbers
        ]

    @property
    def ranks(self) -> list[int]:
        """The rank of each side; 0 is best."""
        return [members[0].row.rank - 1 for members in self.members]

    @property
    def scores(self) -> list[float] | None:
        """The points of each side, where all have some."""
        points = [members[0].row.score for members in self.members]
        known = [float(value) for value in points if value is not None]
        return known if len(known) == len(points) else None

    @property
    def is_fitted(self) -> bool:
        """Whether the system rates all matches at once: none of them has a before."""
        return self.system.reach is Reach.BATCH

    def after(
        self, ranks: Sequence[int], scores: Sequence[float] | None = None
    ) -> dict[str, State]:
        """The states by player key if the match had ended so, with the same bits."""
        log, states = one_match(
            self.sides, ranks, self.at, self.day, weight=self.match.weight, scores=scores
        )
        rated = self.system.rate(log, states).states
        return {key: state for key, state in zip(log.keys, rated, strict=True) if state is not None}


@dataclass(frozen=True, slots=True)
class RatingChange:
    """What one match did to one of its players."""

    player_id: int
    side: int
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
    span: Span | None
    """Within which the first side's expected score lies, by the doubt in the ratings: where the
    true strengths, each known to 95 of 100, would make it least and most."""


@dataclass(frozen=True, slots=True)
class MatchAccount:
    """A rated match in what people see: its players and, for two sides, its odds."""

    accounts: tuple[RatingChange, ...]
    odds: Odds | None


Histories: TypeAlias = dict[tuple[int, int], list[segments.Points]]
Begins: TypeAlias = dict[tuple[int, int], State]
"""By board and player."""


def rated_everywhere(match: Match) -> tuple[tuple[Board, ...], dict[int, RatedMatch]]:
    """All boards of a match, and the match as each of them rated it.

    One query, however many boards there are.
    """
    boards, parts, begins = _read_boards(match)
    return boards, _rate_match(boards, match, parts, begins)


def rated_matches(boards: Sequence[Board], match: Match) -> dict[int, RatedMatch]:
    """A match as each of some boards rated it, by board; those that did not are missing."""
    if match.seq is None or not match.is_rated or match.kind == Match.Kind.LEFT or not boards:
        return {}
    ids = [row.player_id for row in _players_of(match)]
    return _rate_match(boards, match, *_read(boards, ids))


def _players_of(match: Match) -> list[Participant]:
    prefetch_related_objects([match], "participants__player")
    return sorted(match.participants.all(), key=lambda row: row.player.key)


def _rate_match(
    boards: Sequence[Board], match: Match, parts: Histories, begins: Begins
) -> dict[int, RatedMatch]:
    # Who left a match was rated against nobody who is here: see `leagues.bridge.leaving`.
    if not match.is_rated or match.kind == Match.Kind.LEFT:
        return {}
    rows = _players_of(match)
    events: tuple[MatchEvent, ...] = ()
    if match.mode.rates_events:
        events = tuple(sorted(match.events.all(), key=lambda event: event.position))
    rated_on = {}
    for board in boards:
        system = system_at(board, match.played_at)
        at, day = moment_of(board, match.played_at)
        movers = []
        for row in rows:
            points = segments.Points.join(
                parts.get((board.pk, row.player_id), ()), len(system.columns)
            )
            where = np.flatnonzero(points.seq == match.seq)
            # A static system may have no place for somebody, and then nothing to tell.
            if not len(where) or np.isnan(points.state[where[0]]).all():
                break
            index = int(where[0])
            if index:
                before = _state(points.state[index - 1])
            else:
                began = begins.get((board.pk, row.player_id))
                before = began or system.newcomer_on(day, newcomers_board(board, system))
            games = int(np.count_nonzero(points.seq[:index]))
            movers.append(RatedPlayer(row, before, _state(points.state[index]), games))
        else:
            rated_events = tuple(event for event in events if is_rated_event(system, event))
            rated_on[board.pk] = RatedMatch(
                board, match, system, at, day, tuple(movers), rated_events
            )
    return rated_on


def is_rated_event(system: System, event: MatchEvent) -> bool:
    """Whether a system rates an event, and does not pass over it."""
    kind, word = kind_and_word(event.kind)
    return system.rates_event(kind, has_target=event.opponent_id is not None, word=word)


def event_value_of(system: System, kind: str) -> float:
    """How many frags a system counts an event of a stored kind for; 0 where it passes over it."""
    return system.event_value(*kind_and_word(kind))


def _read_boards(match: Match) -> tuple[tuple[Board, ...], Histories, Begins]:
    """Read the boards of a match together with the histories of its players there."""
    own = FilteredRelation(
        "segments",
        condition=Q(
            segments__generation=F("generation"),
            segments__player__in=[row.player_id for row in _players_of(match)],
        ),
    )
    began = StartingState.objects.filter(board=OuterRef("pk"), player=OuterRef("own__player"))
    columns = [field.attname for field in Board._meta.concrete_fields]
    rows = (
        Board.objects.filter(season=match.season_id, mode=match.mode_id)
        .annotate(own=own, began=Subquery(began.values("state")[:1]))
        .order_by("position", "pk", "own__number")
        .values_list(
            *columns, "own__player_id", "began", "own__data", "own__count", "own__expected"
        )
    )
    boards: dict[int, Board] = {}
    parts: Histories = {}
    begins: dict[int, dict[int, bytes]] = {}
    for row in rows:
        values, (player_id, state, data, *stored) = row[: len(columns)], row[len(columns) :]
        if values[0] not in boards:
            board = boards[values[0]] = Board.from_db(None, columns, values)
            board.league, board.season, board.mode = match.league, match.season, match.mode
        if data is not None:
            parts.setdefault((values[0], player_id), []).append(segments.unpack(data, *stored))
        if state is not None:
            begins.setdefault(values[0], {})[player_id] = state
    return tuple(boards.values()), parts, _starting_states(boards, begins)


def _read(boards: Sequence[Board], player_ids: Sequence[int]) -> tuple[Histories, Begins]:
    """Read histories of players on boards, and with what they began if not as newcomers."""
    current = Q()
    for board in boards:
        current |= Q(board=board, generation=board.generation)
    began = StartingState.objects.filter(board=OuterRef("board"), player=OuterRef("player"))
    rows = (
        RatingSegment.objects.filter(current, player_id__in=player_ids)
        .annotate(began=Subquery(began.values("state")[:1]))
        .order_by("number")
    )
    parts: Histories = {}
    begins: dict[int, dict[int, bytes]] = {}
    names = ("board_id", "player_id", "began", "data", "count", "expected")
    for board_id, player_id, state, *stored in rows.values_list(*names):
        parts.setdefault((board_id, player_id), []).append(segments.unpack(*stored))
        if state is not None:
            begins.setdefault(board_id, {})[player_id] = state
    return parts, _starting_states({board.pk: board for board in boards}, begins)


def _starting_states(
    boards: Mapping[int, Board], stored: Mapping[int, Mapping[int, bytes]]
) -> Begins:
    """The states that players began with, unpacked, by board and player."""
    return {
        (board_id, player_id): state
        for board_id, states in stored.items()
        for player_id, state in unpack_starting_states(boards[board_id], states).items()
    }


def match_account(board: Board, match: Match) -> MatchAccount | None:
    """The effect of a match on one board; None where it is not rated."""
    rated = rated_matches([board], match).get(board.pk)
    return None if rated is None else account_of(rated)


def account_of(rated: RatedMatch) -> MatchAccount:
    """The effect of a match on a board, and what was expected."""
    board, system = rated.board, rated.system
    sides, numbers = rated.sides, rated.numbers
    expected: tuple[float, ...] = ()
    odds = None
    if not rated.is_fitted and not system.orders_only:
        try:
            prediction = system.predict(sides, rated.at, rated.day)
        except Unanswerable:
            prediction = None
        if prediction is not None:
            expected = prediction.expected
            if prediction.win is not None:
                odds = Odds(
                    prediction.win,
                    prediction.draw or 0.0,
                    prediction.loss or 0.0,
                    next(iter(chance_spans(system, sides, rated.at, rated.day)), None),
                )
    return MatchAccount(
        accounts=tuple(
            RatingChange(
                mover.row.player_id,
                mover.row.side,
                shown_of(
                    board,
                    mover.after
                    if rated.is_fitted
                    else system.idle(mover.before, rated.at, rated.day),
                    mover.games,
                ),
                shown_of(board, mover.after, mover.games + 1),
                expected[numbers.index(mover.row.side)] if expected else None,
            )
            for mover in rated.movers
        ),
        odds=odds,
    )


@dataclass(frozen=True, slots=True)
class Placing:
    """How a match of more than two sides was expected to end: the chances of each side."""

    sides: tuple[int, ...]
    """Their numbers in the match."""
    places: tuple[tuple[float, ...], ...]
    spans: tuple[Span, ...]
    """Within which the chance of the first place lies, by the doubt in the ratings."""


def placing_of(rated: RatedMatch) -> Placing | None:
    """The chances of each place before a match; None for two sides, or without chances."""
    if len(rated.sides) < 3 or rated.is_fitted or rated.system.orders_only:
        return None
    try:
        prediction = rated.system.predict(rated.sides, rated.at, rated.day)
    except Unanswerable:
        return None
    if not prediction.places:
        return None
    spans = chance_spans(rated.system, rated.sides, rated.at, rated.day)
    return Placing(tuple(rated.numbers), prediction.places, spans)


def refusal_of(board: Board, match: Match) -> str:
    """The reason why a board's system does not rate a match, if there is one."""
    rows = sorted(match.participants.all(), key=lambda row: row.player.key)
    numbers = sorted({row.side for row in rows})
    system = system_at(board, match.played_at)
    unseen = (math.nan,) * len(system.columns)
    sides = []
    for number in numbers:
        own = [row for row in rows if row.side == number]
        sides.append(
            Side(
                states=(unseen,) * len(own),
                keys=tuple(row.player.key for row in own),
                handicap=own[0].handicap * system.handicap_unit,
                shares=tuple(row.playing_share for row in own),
            )
        )
    log, _states = one_match(sides, list(range(len(sides))), *moment_of(board, match.played_at))
    return next((reason for _match, reason in system.refusals(log)), "")


def _state(row: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> State:
    return tuple(row.tolist())
