"""The protocol of a rating system, and the values it takes and gives.

Values in, values out: no method looks a player up, keeps anything, or reads a clock. Moments are
microseconds since 1970-01-01T00:00Z, days are civil days since 1970-01-01.

One module, because the protocol is nothing without the values that its methods take and give.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ratings.arranging import stable_order
from ratings.draws import DrawRate
from ratings.engine import Engine, Progress
from ratings.log import Floats, Integers, MatchLog
from ratings.parameters import Parameters
from ratings.sidetable import SideTable

State = tuple[float, ...]
"""One value per entry of `System.columns`; all NaN for a player never seen."""

FOREVER: Final = 1 << 62
"""A moment that stands for "does not end"."""

NEVER: Final = -FOREVER
"""A moment that stands for "not now", where None cannot be stored."""


class Unanswerable(ValueError):
    """The system has no answer to this question; the message says why, in words."""


class Reach(Enum):
    """Whose state one match can change."""

    PARTICIPANTS = "participants"
    BOARD = "board"
    BATCH = "batch"


class Level(Enum):
    """How much is known about a player."""

    UNSURE = "unsure"
    FAIRLY_SURE = "fairly_sure"
    SURE = "sure"


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a match not yet played."""

    states: tuple[State, ...]
    keys: tuple[str, ...]
    handicap: float = 0.0
    shares: tuple[float, ...] | None = None
    birth_years: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a match is expected to end in, side by side in the order given."""

    expected: tuple[float, ...]
    """Each side's expected score against the others, draws left out; the mean over pairs."""
    places: tuple[tuple[float, ...], ...]
    """places[i][r] is the probability that side i takes place r (0 first), draws left out."""
    win: float | None = None
    """Two sides only: the probability that the first wins; `draw` and `loss` likewise."""
    draw: float | None = None
    loss: float | None = None

    @property
    def expected_gain(self) -> tuple[float, ...]:
        """Each side's E(1 - E): what a match is worth, at most 1/4, most against one's equals."""
        return tuple(expected * (1.0 - expected) for expected in self.expected)

    @property
    def first(self) -> tuple[float, ...]:
        """Each side's probability of finishing first, draws left out."""
        return tuple(places[0] for places in self.places)


@dataclass(frozen=True, slots=True)
class OutcomePreview:
    """One possible outcome, and every player's state after it."""

    side: int
    """Whose outcome this is."""
    place: int
    """0 is first."""
    ranks: tuple[int, ...]
    """The ranks of all sides in this outcome; equal ranks are a draw."""
    states: tuple[tuple[State, ...], ...]
    """By side and member, in the order given."""


@dataclass(frozen=True, slots=True)
class Confidence:
    """The second number of a rating: how far it can be trusted."""

    matches: int
    events: int | None
    """How many events were rated; None where none are, or nobody counted them."""
    opponents: int | None
    """How many opponents a static strength rests on."""
    low: float | None
    high: float | None
    level: Level


@dataclass(frozen=True, slots=True)
class Shown:
    """What people see of a state."""

    value: float
    low: float | None
    high: float | None
    center: float
    """The middle of the interval; not the shown value where that is a lower bound."""
    decimals: int
    provisional: bool
    """Whether a running rating period may still change the value without a further match."""


@dataclass(frozen=True, slots=True, eq=False)
class ShownMany:
    """`Shown` for many states at once, in columns; `low` and `high` are NaN where there is none."""

    value: Floats
    low: Floats
    high: Floats
    center: Floats
    provisional: NDArray[np.bool_]
    decimals: int

    @classmethod
    def certain(cls, value: Floats, decimals: int = 0) -> ShownMany:
        """Return values that have no interval and do not wait for a period to end."""
        none = np.full(len(value), np.nan)
        return cls(value, none, none, value, np.zeros(len(value), dtype=bool), decimals)


@dataclass(frozen=True, slots=True)
class Rated:
    """The result of rating one match: the states after, by the match's own player index."""

    states: tuple[State, ...]
    board: State | None = None


@dataclass(frozen=True, slots=True, eq=False)
class IndirectChanges:
    """States that changed without a match: decay, and those whom others passed."""

    match: Integers
    """How many matches of the log stand before the change."""
    at: Integers
    """When; of the end of a period its day, as that day begins in UTC."""
    player: Integers
    state: Floats

    @classmethod
    def none(cls, columns: int) -> IndirectChanges:
        """Return the empty list."""
        nothing = np.empty(0, dtype=np.int64)
        return cls(nothing, nothing, nothing, np.empty((0, columns)))

    @classmethod
    def joined(cls, parts: Sequence[IndirectChanges]) -> IndirectChanges:
        """Return lists that follow each other as one."""
        return cls(
            np.concatenate([part.match for part in parts]),
            np.concatenate([part.at for part in parts]),
            np.concatenate([part.player for part in parts]),
            np.concatenate([part.state for part in parts]),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Replay:
    """The result of a whole log. Its arrays are its own and are not written to."""

    after: Floats
    """p rows: the state after the match of each participant, aligned with `log.player`."""
    final: Floats
    """q rows: the state of every key; all NaN for those never seen."""
    board: State | None
    indirect_changes: IndirectChanges
    log: MatchLog = field(repr=False)
    start: Floats = field(repr=False)
    """q rows: the states the players came with; newcomers to a board-wide system have NaN."""
    joined: Floats | None = field(default=None, repr=False)
    """q values: the first column of newcomers to a board-wide system as they joined, else NaN."""
    stand_ins: Mapping[int, tuple[State, ...]] = field(default_factory=dict, repr=False)
    """By match, the opponents whom those lose to who left it, as they stood at its start."""

    def __post_init__(self) -> None:
        for states in (self.after, self.final, self.start):
            states.flags.writeable = False

    @property
    def before(self) -> Floats:
        """Return the state each participant brought into the match, absence not yet applied.

        NaN for those who joined a board-wide system with that match.
        """
        return self.states_before(self.previous(), 0, len(self.log.player))

    def previous(self) -> Integers:
        """Return where each participant's last change is, behind `after` the indirect; -1: none."""
        p, changed = len(self.log.player), self.indirect_changes
        player = self.log.player
        if len(changed.match):
            player = np.concatenate((player, changed.player))
            place = np.concatenate((2 * self.log.match_of() + 1, 2 * changed.match))
            order = np.lexsort((place, player))
        else:
            order = stable_order(player)
        again = player[order[1:]] == player[order[:-1]]
        previous = np.full(len(player), -1, dtype=np.int64)
        previous[order[1:]] = np.where(again, order[:-1], -1)
        return previous[:p]

    def states_before(self, previous: Integers, first: int, last: int) -> Floats:
        """Return `before` of the participants first:last; `previous` is that of all."""
        rows = previous[first:last]
        p = len(self.log.player)
        states = self.after[np.minimum(rows, p - 1)]
        came = rows < 0
        states[came] = self.start[self.log.player[first:last][came]]
        indirect = rows >= p
        if indirect.any():
            states[indirect] = self.indirect_changes.state[rows[indirect] - p]
        return states


@runtime_checkable
class System(Protocol):
    """What every rating system answers; what it cannot answer it refuses with `Unanswerable`."""

    @property
    def name(self) -> str:
        """The word the registry knows it by."""
        ...

    @property
    def title(self) -> str:
        """What people read."""
        ...

    @property
    def reach(self) -> Reach:
        """Whose state one match can change, under these parameters."""
        ...

    @property
    def columns(self) -> tuple[str, ...]:
        """What each number of a state is."""
        ...

    @property
    def parameters(self) -> Parameters:
        """The checked parameters, frozen."""
        ...

    @property
    def shown_as(self) -> str:
        """What the shown value is called: "Rating", "Rank Points", "Rung"."""
        ...

    @property
    def lower_is_better(self) -> bool:
        """Whether the least shown value is first, as on a ladder."""
        ...

    @property
    def orders_only(self) -> bool:
        """Whether a state is a place in an order: no chances, no range, newcomers join last."""
        ...

    @property
    def sides_pay(self) -> bool:
        """Whether the opposing players pay for an event that has no opponent of its own."""
        ...

    @property
    def sums_members(self) -> bool:
        """Whether a side is as strong as its members together; elsewhere as their mean."""
        ...

    @property
    def shows_lower_bound(self) -> bool:
        """Whether the shown value is the least that is likely, and rises with certainty alone."""
        ...

    @property
    def reads_birth_years(self) -> bool:
        """Whether a rating depends on how old players are: FIDE's K for juniors."""
        ...

    @property
    def shown_bounds(self) -> tuple[float, float]:
        """The lowest and the highest shown value at which ratings are held; infinite: none."""
        ...

    @property
    def period_days(self) -> int | None:
        """How many days apart absence moves what players are ordered by; None: it never does."""
        ...

    def new_player(self, board: State | None = None) -> State:
        """Return the state of a player never seen."""
        ...

    def newcomer_on(self, day: int, board: State | None = None) -> State:
        """Return the state of a player whose first match is on that day: never absent before."""
        ...

    @property
    def handicap_unit(self) -> float:
        """What one point of Elo's scale is in the system's units; 0: handicaps change nothing."""
        ...

    @property
    def max_handicap(self) -> float:
        """The largest handicap of a side, in the system's units."""
        ...

    @property
    def forfeit_refusal(self) -> str | None:
        """Why a started match that was left cannot be rated, if it cannot."""
        ...

    @property
    def teams_refusal(self) -> str | None:
        """Why sides of several players are refused, if they are."""
        ...

    def rates_event(self, kind: int, *, has_target: bool, word: str = "") -> bool:
        """Say whether such an event makes a match be rated by its events, not by its result.

        `word` is the game's own, of an event of its own kinds.
        """
        ...

    def event_value(self, kind: int, word: str = "") -> float:
        """Say how many frags an event of a kind counts for; 0 where it is passed over."""
        ...

    def refusals(self, log: MatchLog) -> list[tuple[int, str]]:
        """Name the matches this system cannot rate, with the reason; the caller leaves them out."""
        ...

    def rate(
        self,
        match: MatchLog,
        states: Sequence[State | None],
        board: State | None = None,
    ) -> Rated:
        """Rate the one match of a log; `states` follow `match.keys`, None for the never seen.

        Raises `Unanswerable` with the reason if it is one of the `refusals`.
        """
        ...

    def replay(
        self,
        log: MatchLog,
        start: Floats | None = None,
        engine: Engine = "auto",
        progress: Progress | None = None,
        board: State | None = None,
    ) -> Replay:
        """Rate a whole log; bit for bit what `rate` gives match by match, in parts or at once."""
        ...

    def apply_decay(self, replay: Replay, day: int, *, for_good: bool = False) -> Replay:
        """Return a replay with the periods ended that end by the beginning of a civil day.

        Bit for bit what the next match, or a later day, would find. `for_good` ends them in the
        states too where they are otherwise worked out when looked at: other rules follow.
        """
        ...

    def idle(self, state: State, at: int, day: int | None = None) -> State:
        """Return the state as of a moment not before its last match."""
        ...

    def idle_many(
        self, states: Floats, at: int | Integers, day: int | Integers | None = None
    ) -> Floats:
        """Do `idle` for many states at once, with the same bits; one moment for all, or each."""
        ...

    def predict(
        self,
        sides: Sequence[Side],
        at: int,
        day: int | None = None,
        draws: DrawRate | None = None,
        board: State | None = None,
    ) -> Prediction:
        """Say how a match would end.

        `draws` is what the board's earlier matches say about draws; TrueSkill has its own.
        `board` says where newcomers begin. This and the next two questions raise `Unanswerable`
        for what is no match: fewer than two sides, a side of nobody, states that are not of this
        system, numbers that are not finite.
        """
        ...

    def chances(self, table: SideTable, one: Integers, other: Integers) -> Floats:
        """Return what `predict` expects of the sides `one` against `other`, for many pairs."""
        ...

    def preview(
        self,
        sides: Sequence[Side],
        at: int,
        day: int | None = None,
        board: State | None = None,
    ) -> tuple[OutcomePreview, ...]:
        """Say what every outcome would change.

        Two sides: win, draw and loss of the first. More: every place of every side, the others
        in predicted order. States and board are those as of the match: where periods take
        something from absentees, after `reckoned`, for an imagined match ends none.
        """
        ...

    def quality(
        self,
        sides: Sequence[Side],
        at: int,
        day: int | None = None,
        board: State | None = None,
    ) -> float:
        """Say how even a match would be, 0 to 1; `board` says where newcomers begin."""
        ...

    def confidence(self, state: State, games: int, events: int | None = None) -> Confidence:
        """Return what a state rests on, its interval and its level, as it stands.

        `games` and `events` are how many were rated; a static strength knows its own.
        """
        ...

    def pending(
        self,
        sides: Sequence[Side],
        key: str,
        at: int,
        day: int | None = None,
        board: State | None = None,
    ) -> State:
        """Return the single opponent to whom a player loses who leaves a match that starts now."""
        ...

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
        """Return a player's state, and the board, after leaving a match; nobody else moves.

        `opponent` is what `pending` returned; `rungs` says how far who leaves falls on a ladder.
        """
        ...

    def certain_until(self, state: State, games: int) -> tuple[int | None, int | None]:
        """Return until when a player without further matches stays fairly sure, and sure.

        The latest such microsecond; None for not even now, `FOREVER` for without end.
        """
        ...

    def certain_until_many(self, states: Floats, games: Integers) -> tuple[Integers, Integers]:
        """Do `certain_until` for many states at once, `NEVER` in place of None."""
        ...

    def display(self, state: State, board: State | None = None) -> Shown:
        """Return what people see of a state as it stands."""
        ...

    def display_many(
        self,
        states: Floats,
        at: int | None = None,
        board: State | None = None,
        day: int | None = None,
    ) -> ShownMany:
        """Do `display` for many states at once, as of the moment `at` if given."""
        ...


@runtime_checkable
class DrawingSystem(System, Protocol):
    """A system whose own model tells of draws, and so how even a match would be."""

    def outcomes(self, table: SideTable, one: Integers, other: Integers) -> tuple[Floats, Floats]:
        """Return P(win) and P(draw) of the sides `one` against `other`, for many pairs."""
        ...

    def qualities(self, table: SideTable, one: Integers, other: Integers) -> Floats:
        """Return `quality` of the sides `one` against `other`, for many pairs."""
        ...
