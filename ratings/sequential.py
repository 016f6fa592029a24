"""What systems have in common that rate match by match.

`rate`, `replay` and `preview` are one computation: the system's body over a match log.

One module, because each system that rates match by match is a subclass of this one class.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from itertools import combinations, pairwise
from typing import ClassVar, Final, Generic, Self, TypeVar, cast

import numpy as np

from ratings.draws import DrawRate
from ratings.engine import Body, Columns, Engine, Progress, choose, run
from ratings.forfeits import Left, replay_with_forfeits, side_of
from ratings.log import DAY, LEAST_SHARE, Events, Floats, Integers, MatchLog
from ratings.parameters import Parameters, build
from ratings.places import Noise, place_probabilities
from ratings.sidetable import SideTable
from ratings.system import (
    FOREVER,
    NEVER,
    Confidence,
    IndirectChanges,
    Level,
    OutcomePreview,
    Prediction,
    Rated,
    Reach,
    Replay,
    Shown,
    ShownMany,
    Side,
    State,
    Unanswerable,
)

P = TypeVar("P", bound=Parameters)

INTERVAL: Final = 1.96
"""Deviations on either side of the mean in a 95 % interval."""

MAX_STATE: Final = 1e20
"""How large a number of a state is that is squared or counted: all but the first."""

_SOUND_STATE: Final = f"finite numbers, all but the first between −{MAX_STATE:g} and {MAX_STATE:g}"

MAX_HANDICAP_POINTS: Final = 4000.0
"""Ten thousand million to one, on the scale of Elo."""

ODDS_OF_A_POINT: Final = math.log(10.0) / 400.0
"""The logarithm of the odds that one point of Elo is worth."""

ENDLESS: Final = 10_000_000.0
"""A number of steps, days or periods, that stands for "without end"."""

_TWO_SIDED: Final[tuple[tuple[int, int, tuple[int, ...]], ...]] = (
    (0, 0, (0, 1)),
    (0, 0, (0, 0)),
    (0, 1, (1, 0)),
)


class Sequential(ABC, Generic[P]):
    """Base of the systems whose matches change nobody but their participants."""

    name: ClassVar[str]
    title: ClassVar[str]
    break_even: ClassVar[int]
    """From how many duels on loading the compiled engine pays: plain, they take a second."""
    scratch: ClassVar[int] = 0
    """How many scratch columns the body needs."""
    reach: ClassVar[Reach] = Reach.PARTICIPANTS
    lower_is_better: ClassVar[bool] = False
    orders_only: ClassVar[bool] = False
    """Whether a state is a place in an order: no chances, no range, and newcomers join last."""
    sides_pay: ClassVar[bool] = False
    """Whether the opposing players pay for an event that has no opponent of its own."""
    sums_members: ClassVar[bool] = False
    """Whether a side is as strong as its members together; elsewhere as their mean."""
    has_own_draws: ClassVar[bool] = False
    """Whether the model itself says how often matches are drawn."""
    shows_lower_bound: ClassVar[bool] = False
    """Whether the shown value is the least that is likely, and rises with certainty alone."""
    partial_play_refusal: ClassVar[str | None] = None
    """Why matches are refused in which somebody did not play in full, if they are."""
    teams_refusal: ClassVar[str | None] = None
    """Why sides of several players are refused, if they are."""
    forfeit_refusal: ClassVar[str | None] = None
    """Why a started match that was left cannot be rated, if it cannot."""
    period_days: int | None = None
    reads_birth_years: bool = False
    """Whether a rating depends on how old players are."""

    parameter_class: ClassVar[type[Parameters]]
    fitted: ClassVar[tuple[str, ...]]
    """The parameters worth fitting to a season."""
    arithmetic: ClassVar[int] = 1
    """Raised where a release computes the same values in other steps, so that last bits differ."""

    shown_as: str
    """What the shown value is called."""
    parameters: P
    body: Body
    columns: tuple[str, ...]
    settings: Columns
    """The parameters as the body unpacks them."""

    def __init__(self, parameters: P | None = None, **settings: object) -> None:
        """Make the system with checked parameters, or with those its settings name.

        Raises `ParameterError` for settings that are refused, TypeError where both are given.
        """
        if parameters is not None and settings:
            raise TypeError(f"{self.title} accepts either parameters or settings, not both")
        self.parameters = parameters or cast(P, build(self.parameter_class, settings))

    @abstractmethod
    def new_player(self, board: State | None = None) -> State: ...

    def newcomer_on(self, day: int, board: State | None = None) -> State:
        """Return the state of a player whose first match is on that day."""
        return self.new_player(board)

    @abstractmethod
    def idle_many(
        self, states: Floats, at: int | Integers, day: int | Integers | None = None
    ) -> Floats: ...

    @abstractmethod
    def display_many(
        self,
        states: Floats,
        at: int | None = None,
        board: State | None = None,
        day: int | None = None,
    ) -> ShownMany: ...

    @abstractmethod
    def certain_until_many(self, states: Floats, games: Integers) -> tuple[Integers, Integers]: ...

    @abstractmethod
    def _chance(self, one: Side, other: Side, day: int) -> float:
        """Return the first side's expected score; states are as of the match."""

    @abstractmethod
    def chances(self, table: SideTable, one: Integers, other: Integers) -> Floats:
        """Return what `predict` expects of the sides `one` against `other`, for many pairs."""

    @abstractmethod
    def _performance(self, sides: Sequence[Side]) -> tuple[list[float], list[float], Noise]:
        """Return location and scale of each side's performance, and the kind of noise."""

    @property
    def uses_scores(self) -> bool:
        """Say whether points count, not only who won."""
        return False

    def rates_event(self, kind: int, *, has_target: bool, word: str = "") -> bool:
        """Say whether such an event makes a match be rated by its events, not by its result."""
        return False

    def event_value(self, kind: int, word: str = "") -> float:
        """Say how many frags an event of a kind counts for; 0 where it is passed over."""
        return 0.0

    def settled(self, state: State) -> State:
        """Return the state as of a player who is sure, where a system has such a thing."""
        return state

    @property
    def handicap_unit(self) -> float:
        """What one point of Elo's scale, 400 of which are odds of ten to one, is in its units.

        0 where handicaps change nothing.
        """
        return 1.0

    @property
    def max_handicap(self) -> float:
        """The largest handicap of a side, in the system's units: beyond it nothing is left open."""
        return MAX_HANDICAP_POINTS

    def unbounded(self) -> Self | None:
        """Return the system without its bounds; None where it has none."""
        return None

    @property
    def shown_bounds(self) -> tuple[float, float]:
        """The lowest and the highest shown value at which ratings are held; infinite: none."""
        return -math.inf, math.inf

    def refusals(self, log: MatchLog) -> list[tuple[int, str]]:
        reasons: dict[int, str] = {}
        if self.partial_play_refusal is not None:
            partly = np.unique(log.match_of()[log.share < 1.0])
            reasons |= dict.fromkeys(partly.tolist(), self.partial_play_refusal)
        if self.teams_refusal is not None:
            teams = set(log.match_of_side()[np.diff(log.member_start) > 1].tolist())
            teams -= log.forfeits.keys()
            for match in log.lost():
                if any(len(side) > 1 for side in log.forfeits[match].sides):
                    teams.add(match)
            reasons |= dict.fromkeys(teams, self.teams_refusal)
        if self.forfeit_refusal is not None:
            reasons |= dict.fromkeys(log.lost(), self.forfeit_refusal)
        too_large = np.abs(log.handicap) > self.max_handicap
        if too_large.any():
            handicapped = np.unique(log.match_of_side()[too_large])
            reasons |= dict.fromkeys(handicapped.tolist(), self._handicap_refusal())
        for match, left in log.forfeits.items():
            is_started_here = left.place >= 0 and left.stand_ins is None
            if is_started_here and max(map(abs, left.handicaps)) > self.max_handicap:
                reasons.setdefault(match, self._handicap_refusal())
        return sorted(reasons.items())

    def _handicap_refusal(self) -> str:
        most = self.max_handicap
        said = f"{self.title} accepts handicaps from −{most:g} to {most:g}"
        if self.handicap_unit in (0.0, 1.0):
            return said
        return f"{said} (±{math.floor(most / self.handicap_unit + 1e-9)} points of Elo)"

    def rate(
        self, match: MatchLog, states: Sequence[State | None], board: State | None = None
    ) -> Rated:
        start = self._start_of(match, states)
        replay = self.replay(match, start, engine="plain", board=board)
        return Rated(tuple(tuple(row) for row in replay.final.tolist()), replay.board)

    def replay(
        self,
        log: MatchLog,
        start: Floats | None = None,
        engine: Engine = "auto",
        progress: Progress | None = None,
        board: State | None = None,
    ) -> Replay:
        if log.forfeits:
            chosen = choose(engine, self.body, len(log), self.break_even, log)
            return replay_with_forfeits(self, log, start, chosen, progress, board)
        if start is None:
            begin = np.empty((len(log.keys), len(self.columns)))
            # Column by column: `np.full` with rows takes up to ten times as long.
            for place, value in enumerate(self.new_player()):
                begin[:, place] = value
            unseen = np.ones(len(begin), dtype=bool)
        else:
            begin = self._begin(log, start)
            unseen = np.asarray(np.isnan(begin).all(axis=1), dtype=bool)
            begin[unseen] = self.new_player()
        after, final = run(
            self.body,
            log,
            begin,
            self.settings,
            scratch=self.scratch,
            engine=choose(engine, self.body, len(log), self.break_even, log),
            progress=progress,
        )
        unseen[log.player] = False
        final[unseen] = np.nan
        return Replay(
            after=after,
            final=final,
            board=None,
            indirect_changes=IndirectChanges.none(len(self.columns)),
            log=log,
            start=begin,
        )

    def _begin(self, log: MatchLog, start: Floats | None) -> Floats:
        """Return a copy of the states the players come with, NaN for those never seen."""
        shape = (len(log.keys), len(self.columns))
        if start is None:
            return np.full(shape, np.nan)
        if start.shape != shape:
            raise ValueError(f"start must have the shape {shape}, not {start.shape}")
        if np.isinf(start).any() or (np.abs(start[:, 1:]) > MAX_STATE).any():
            raise ValueError(f"start must hold {_SOUND_STATE}, or NaN for new players")
        return np.array(start, dtype=np.float64, order="C")

    def apply_decay(self, replay: Replay, day: int, *, for_good: bool = False) -> Replay:
        return replay

    def idle(self, state: State, at: int, day: int | None = None) -> State:
        return tuple(self.idle_many(np.array([state], dtype=np.float64), at, day)[0].tolist())

    def predict(
        self,
        sides: Sequence[Side],
        at: int,
        day: int | None = None,
        draws: DrawRate | None = None,
        board: State | None = None,
    ) -> Prediction:
        day = at // DAY if day is None else day
        present = self._present(sides, at, day, board)
        k = len(present)
        chance = [[0.5] * k for _ in range(k)]
        for i, j in combinations(range(k), 2):
            chance[i][j] = self._chance(present[i], present[j], day)
            chance[j][i] = 1.0 - chance[i][j]
        expected = tuple(
            math.fsum(chance[i][j] for j in range(k) if j != i) / (k - 1) for i in range(k)
        )
        if k == 2:
            p, q = chance[0][1], chance[1][0]
            win, draw, loss = (p, 0.0, q) if draws is None else draws.split(p)
            return Prediction(expected, ((p, q), (q, p)), win=win, draw=draw, loss=loss)
        locations, scales, noise = self._performance(present)
        return Prediction(expected, place_probabilities(locations, scales, noise))

    def preview(
        self,
        sides: Sequence[Side],
        at: int,
        day: int | None = None,
        board: State | None = None,
    ) -> tuple[OutcomePreview, ...]:
        self._check(sides)
        if len(sides) == 2:
            outcomes = _TWO_SIDED
        else:
            expected = self.predict(sides, at, day, board=board).expected
            predicted = sorted(range(len(sides)), key=lambda i: (-expected[i], min(sides[i].keys)))
            outcomes = tuple(
                (side, place, _ranks_with(predicted, side, place))
                for side in range(len(sides))
                for place in range(len(sides))
            )
        return tuple(
            OutcomePreview(side, place, ranks, self._after(sides, ranks, at, day, board))
            for side, place, ranks in outcomes
        )

    def quality(
        self,
        sides: Sequence[Side],
        at: int,
        day: int | None = None,
        board: State | None = None,
    ) -> float:
        day = at // DAY if day is None else day
        present = self._present(sides, at, day, board)
        evenness = []
        for one, other in combinations(present, 2):
            p = self._chance(one, other, day)
            evenness.append(4.0 * p * (1.0 - p))
        return math.fsum(evenness) / len(evenness)

    def confidence(self, state: State, games: int, events: int | None = None) -> Confidence:
        fairly_sure, sure = self.certain_until(state, games)
        level = Level.UNSURE if fairly_sure is None else Level.FAIRLY_SURE
        shown = self.display(state)
        level = level if sure is None else Level.SURE
        return Confidence(games, events, None, shown.low, shown.high, level)

    def certain_until(self, state: State, games: int) -> tuple[int | None, int | None]:
        fairly_sure, sure = self.certain_until_many(
            np.array([state], dtype=np.float64), np.array([games])
        )
        first, second = int(fairly_sure[0]), int(sure[0])
        return None if first == NEVER else first, None if second == NEVER else second

    def display(self, state: State, board: State | None = None) -> Shown:
        shown = self.display_many(np.array([state], dtype=np.float64), board=board)
        low, high = float(shown.low[0]), float(shown.high[0])
        return Shown(
            value=float(shown.value[0]),
            low=None if math.isnan(low) else low,
            high=None if math.isnan(high) else high,
            center=float(shown.center[0]),
            decimals=shown.decimals,
            provisional=bool(shown.provisional[0]),
        )

    def pending(
        self,
        sides: Sequence[Side],
        key: str,
        at: int,
        day: int | None = None,
        board: State | None = None,
    ) -> State:
        """Return the single opponent to store for a player when a match of two sides starts.

        The composite of INVERSUS: as far from the player as the other side from his own. He stands
        as of now and never played, so that no absence is added to what is stored.
        """
        if len(sides) != 2:
            raise Unanswerable("a pending match must have two sides")
        present = self._present(sides, at, day, board)
        own = next((index for index, side in enumerate(sides) if key in side.keys), None)
        if own is None:
            raise Unanswerable(f"{key!r} does not take part in the match")
        state = present[own].states[present[own].keys.index(key)]
        return self._opponent(state, present[own], present[1 - own])

    def forfeited(
        self,
        state: State,
        opponent: State,
        at: int,
        day: int | None = None,
        board: State | None = None,
        *,
        weight: float = 1.0,
        birth_year: int = 0,
        rungs: int = 0,
    ) -> Rated:
        """Return a player's state, and the board, after he lost a pending match.

        Nobody else moves. `opponent` is what `pending` returned; `board` is the board as it stands.
        """
        sides = [
            Side((state,), ("a",), birth_years=(birth_year,)),
            Side((opponent,), ("b",), birth_years=(0,)),
        ]
        self._check(sides)
        match, states = one_match(sides, (1, 0), at, day, weight=weight)
        rated = self._rated_alone(match, states, board)
        return Rated(rated.states[:1], rated.board)

    def stand_ins(
        self, log: MatchLog, match: int, states: Floats, board: State | None
    ) -> tuple[State, ...]:
        """Return whom those lose to who will leave a match of a log that starts now."""
        forfeit = log.forfeits[match]
        sides = [
            side_of(log, members, states, handicap)
            for members, handicap in zip(forfeit.sides, forfeit.handicaps, strict=True)
        ]
        return tuple(
            self.pending(sides, log.keys[who], forfeit.at, forfeit.day, board)
            for who in forfeit.leavers
        )

    def leave(
        self,
        log: MatchLog,
        match: int,
        stand_ins: tuple[State, ...],
        states: Floats,
        board: State | None,
    ) -> Left:
        """Let those lose who left a match of a log, in `states`, one after the other."""
        forfeit = log.forfeits[match]
        joined = {}
        for who, opponent in zip(forfeit.leavers, stand_ins, strict=True):
            if np.isnan(states[who]).all():
                joined[who] = self.new_player(board)[0]
            rated = self.forfeited(
                tuple(states[who].tolist()),
                opponent,
                int(log.at[match]),
                int(log.day[match]),
                board,
                weight=float(log.weight[match]),
                birth_year=int(log.birth_year[who]),
                rungs=forfeit.rungs,
            )
            states[who], board = rated.states[0], rated.board
        return Left(board, joined=joined)

    def _opponent(self, state: State, own: Side, other: Side) -> State:
        """Return one who stands for the other side against one of the own, and never played."""
        raise Unanswerable(self.forfeit_refusal or f"{self.title} rates no started match")

    def _check(self, sides: Sequence[Side]) -> None:
        """Refuse what is no match, and what this system refuses in every log."""
        if len(sides) < 2:
            raise Unanswerable("a match must have at least two sides")
        keys = sorted(key for side in sides for key in side.keys)
        for one, other in pairwise(keys):
            if one == other:
                raise Unanswerable(f"{one!r} takes part twice")
        for side in sides:
            members, shares = len(side.keys), shares_of(side)
            if not members:
                raise Unanswerable("a side must have at least one player")
            if not len(side.states) == len(shares) == len(side.birth_years or side.keys) == members:
                raise Unanswerable(
                    "every player on a side must have exactly one key, state, share and birth year"
                )
            if not abs(side.handicap) <= self.max_handicap:
                raise Unanswerable(f"{self._handicap_refusal()}, not {side.handicap}")
            if not all(LEAST_SHARE <= share <= 1.0 for share in shares):
                raise Unanswerable(f"a player's share of a match must be from {LEAST_SHARE:g} to 1")
            for state in side.states:
                self._check_state(state)
            if self.partial_play_refusal is not None and min(shares) < 1.0:
                raise Unanswerable(self.partial_play_refusal)
            if self.teams_refusal is not None and members > 1:
                raise Unanswerable(self.teams_refusal)

    def _check_state(self, state: State) -> None:
        """Refuse what no match leaves behind."""
        if len(state) != len(self.columns):
            raise Unanswerable(f"a state must hold {', '.join(self.columns)}, not {state}")
        if not (is_unseen(state) or _is_sound(state)):
            raise Unanswerable(f"a state must hold {_SOUND_STATE}, not {state}")

    def _start_of(self, match: MatchLog, states: Sequence[State | None]) -> Floats:
        """Return the states before the one match of a log in rows; refuse what cannot be rated."""
        if len(match) != 1:
            raise ValueError("rate accepts a log of exactly one match")
        for _, reason in self.refusals(match):
            raise Unanswerable(reason)
        unseen = (math.nan,) * len(self.columns)
        return np.array([unseen if state is None else state for state in states], dtype=np.float64)

    def _present(
        self, sides: Sequence[Side], at: int, day: int | None, board: State | None
    ) -> list[Side]:
        """Return the sides as a match would find them; refuse what is no match."""
        self._check(sides)
        day = at // DAY if day is None else day
        return [self._as_of(side, at, day, board) for side in sides]

    def _as_of(self, side: Side, at: int, day: int, board: State | None) -> Side:
        """Return the side in order of key, as the next match would find it."""
        order = sorted(range(len(side.keys)), key=side.keys.__getitem__)
        unseen = self.new_player(board)
        states = np.array(
            [unseen if is_unseen(side.states[index]) else side.states[index] for index in order]
        )
        return Side(
            states=tuple(tuple(row) for row in self.idle_many(states, at, day).tolist()),
            keys=tuple(side.keys[index] for index in order),
            handicap=side.handicap,
            shares=shares_of(side, order),
            birth_years=side.birth_years and tuple(side.birth_years[index] for index in order),
        )

    def _after(
        self,
        sides: Sequence[Side],
        ranks: Sequence[int],
        at: int,
        day: int | None,
        board: State | None,
    ) -> tuple[tuple[State, ...], ...]:
        match, states = one_match(sides, ranks, at, day)
        after = dict(zip(match.keys, self._rated_alone(match, states, board).states, strict=True))
        return tuple(tuple(after[key] for key in side.keys) for side in sides)

    def _rated_alone(
        self, match: MatchLog, states: Sequence[State | None], board: State | None
    ) -> Rated:
        """Rate an imagined match, which names its participants only and not the whole board."""
        return self.rate(match, states, board)


def _is_sound(state: State) -> bool:
    return math.isfinite(state[0]) and all(abs(value) <= MAX_STATE for value in state[1:])


def is_unseen(state: State) -> bool:
    """Say whether a state is that of a player never seen."""
    return all(math.isnan(value) for value in state)


def shares_of(side: Side, order: Sequence[int] | None = None) -> tuple[float, ...]:
    """Return each member's share, in the given order of members."""
    shares = side.shares or (1.0,) * len(side.keys)
    return shares if order is None else tuple(shares[index] for index in order)


def mean_of(side: Side, column: int = 0) -> float:
    """Return the mean of a state column over a side's members, weighted by their shares."""
    shares = shares_of(side)
    total = math.fsum(q * state[column] for q, state in zip(shares, side.states, strict=True))
    return total / math.fsum(shares)


def advantage_of(side: Side, per_player: float) -> float:
    """Return what a side gains by its size and its handicap."""
    return per_player * math.fsum(shares_of(side)) + side.handicap


def last_step_within(grown: Callable[[Floats], Floats], estimate: Floats, limit: float) -> Floats:
    """Return the whole number of steps after which each deviation is last within a limit.

    The closed form of `estimate` may be off by one where rounding decides: what `grown` makes of
    a number of steps has the last word. `ENDLESS` or more: never beyond it.
    """
    estimate = np.nan_to_num(np.clip(estimate, 0.0, ENDLESS), nan=ENDLESS)
    steps = np.zeros(len(estimate))
    for nearby in (-1.0, 0.0, 1.0, 2.0):
        trial = np.maximum(estimate + nearby, 0.0)
        steps = np.where(grown(trial) <= limit, np.maximum(steps, trial), steps)
    return steps


def sure_by_count(
    counts: Integers | Floats, fairly_sure: int, sure: int
) -> tuple[Integers, Integers]:
    """Answer `certain_until_many` where only a number decides, which absence does not change."""
    return (
        np.where(counts >= fairly_sure, FOREVER, NEVER),
        np.where(counts >= sure, FOREVER, NEVER),
    )


def one_match(
    sides: Sequence[Side],
    ranks: Sequence[int],
    at: int,
    day: int | None,
    *,
    weight: float = 1.0,
    scores: Sequence[float] | None = None,
    events: Events | None = None,
) -> tuple[MatchLog, list[State | None]]:
    """Return the log of one match between the sides, and the states by its player index.

    In `events` players are counted as they come, side by side.
    """
    members = [
        (number, index) for number, side in enumerate(sides) for index in range(len(side.keys))
    ]
    keys = [sides[number].keys[index] for number, index in members]
    births = [(sides[number].birth_years or {index: 0})[index] for number, index in members]
    match, order = MatchLog.build(
        keys=keys,
        at=[at],
        day=None if day is None else [day],
        match=[0] * len(members),
        side=[number for number, _ in members],
        rank=[ranks[number] for number, _ in members],
        weight=[weight],
        score=None if scores is None else [scores[number] for number, _ in members],
        player=list(range(len(members))),
        handicap=[sides[number].handicap for number, _ in members],
        share=[shares_of(sides[number])[index] for number, index in members],
        birth_year=births,
        events=events,
    )
    states: list[State | None] = [None] * len(members)
    for position, row in zip(match.player.tolist(), order.tolist(), strict=True):
        number, index = members[row]
        states[position] = sides[number].states[index]
    return match, states


def _ranks_with(predicted: Sequence[int], side: int, place: int) -> tuple[int, ...]:
    """Rank the sides as predicted, but with one of them at the given place."""
    others = [other for other in predicted if other != side]
    finish = [*others[:place], side, *others[place:]]
    ranks = [0] * len(finish)
    for rank, other in enumerate(finish):
        ranks[other] = rank
    return tuple(ranks)
