"""Becker's static strengths (T. Becker, "Rankings"), and what cures them: exact least squares
(Massey 1997; HodgeRank, Jiang et al. 2011) and Bradley-Terry maximum likelihood.

Computed from how often each scored against each, without an order in time. The source lost the
minus in d_ij = (a_ij - a_ji)/(a_ij + a_ji).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from ratings import event_values, fields
from ratings.curves import logistic
from ratings.encounter_counts import counted
from ratings.engine import Engine, Progress
from ratings.event_values import is_valued, value_of, worth_of
from ratings.linear import NotPositive, conjugate_gradients, inverse_diagonal
from ratings.log import Floats, Integers, MatchLog
from ratings.parameters import Parameters, choice, integer, number
from ratings.places import Noise
from ratings.sequential import INTERVAL, Sequential, sure_by_count
from ratings.sidetable import SideTable
from ratings.system import (
    Confidence,
    IndirectChanges,
    OutcomePreview,
    Rated,
    Reach,
    Replay,
    ShownMany,
    Side,
    State,
    Unanswerable,
)

_ELO: Final = 400.0 / math.log(10.0)
_NEWTON_STEPS: Final = 500
_NEWTON_PRECISION: Final = 1e-12
_STEP_PRECISION: Final = 1e-8
_NEXT_TO_NOTHING: Final = 1e-11
_MOST_ITERATIONS: Final = 100_000
_NOT_SETTLED: Final = "the strengths did not converge"
_TOO_SMALL: Final = "the strengths of undefeated players did not converge: the penalty is too small"
MOST_COMPARED: Final = 5_000
"""Of how many players who are comparable with each other the deviations are worked out."""
_LEAST_SHARE: Final = 0.01
_NO_COMPONENT: Final = -1.0


@dataclass(frozen=True, slots=True)
class StaticParameters(Parameters):
    """The parameters of the static strengths."""

    method: str = choice(
        "exact",
        ("average", "exact", "bradley-terry"),
        "Method",
        "An average over opponents, an exact fit weighted by the number of matches, or "
        "Bradley-Terry maximum likelihood.",
    )
    suicides: str = choice(
        "ignore",
        ("ignore", "subtract", "distribute"),
        "Suicides",
        "Ignore suicides, subtract their share from the strength, or credit them to the opponents.",
    )
    least_events: int = integer(
        5,
        "Events of an opponent",
        "How many events against an opponent are needed for that opponent to count.",
        symbol="m",
        least=0,
        most=1000,
    )
    least_opponents: int = integer(
        3,
        "Opponents of the core",
        "How many such opponents a player needs to be placed.",
        symbol="k",
        least=0,
        most=1000,
    )
    frag: float = event_values.frag_value()
    capture: float = event_values.capture_value()
    damage: float = event_values.damage_value()
    assist: float = event_values.assist_value()
    flag_taken: float = event_values.flag_taken_value()
    flag_returned: float = event_values.flag_returned_value()
    own: float = event_values.own_value()
    own_words: str = event_values.own_words_values()
    alpha: float = number(
        0.5,
        "Penalty",
        "How strongly Bradley-Terry pulls strengths towards the middle, so that those of "
        "undefeated players stay finite.",
        symbol="alpha",
        least=0,
        most=100,
    )
    fairly_sure: int = fields.fairly_sure_from(
        "Number of events after which a strength is fairly certain."
    )
    sure: int = fields.sure_from("Number of events after which a strength is certain.")

    def conflicts(self) -> list[tuple[str, object, str]]:
        if self.method == "bradley-terry" and self.suicides == "subtract":
            reason = "Bradley-Terry cannot subtract suicides; distribute or ignore them instead"
            return [("suicides", self.suicides, reason)]
        return []


@dataclass(frozen=True, slots=True)
class Dropped:
    """A player outside the core, and why.

    `opponents` counts those of enough events when the player was dropped; None where there were no
    events against others at all.
    """

    key: str
    reason: str
    opponents: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Encounters:
    """How often each scored against each: `won` is a sparse matrix of q by q."""

    won: Any
    suicides: Floats
    core: Integers
    dropped: tuple[Dropped, ...]


class Static(Sequential[StaticParameters]):
    """Static strengths: one fit to all matches at once.

    State: the strength, the events and the opponents it rests on, which part of the board the
    player can be compared with; Bradley-Terry: its deviation.
    """

    name = "static"
    title = "Static"
    parameter_class = StaticParameters
    fitted = ()
    arithmetic = 2
    reach = Reach.BATCH
    handicap_unit = 0.0
    partial_play_refusal = "Static cannot rate partial play"
    forfeit_refusal = "static strengths have no loss for a match that was left"
    shown_as = "Strength"

    def __init__(self, parameters: StaticParameters | None = None, **settings: object) -> None:
        super().__init__(parameters, **settings)
        self.is_likelihood = self.parameters.method == "bradley-terry"
        self.columns = ("strength", "events", "opponents", "component")
        if self.is_likelihood:
            self.columns += ("deviation",)

    def new_player(self, board: State | None = None) -> State:
        """Return the state of somebody who belongs to no part of the board yet."""
        return (0.0, 0.0, 0.0, _NO_COMPONENT, 0.0)[: len(self.columns)]

    def rate(
        self, match: MatchLog, states: Sequence[State | None], board: State | None = None
    ) -> Rated:
        """Return the fit of one match; a static strength remembers nothing."""
        self._start_of(match, states)
        return Rated(tuple(tuple(row) for row in self.replay(match).final.tolist()))

    def replay(
        self,
        log: MatchLog,
        start: Floats | None = None,
        engine: Engine = "auto",
        progress: Progress | None = None,
        board: State | None = None,
    ) -> Replay:
        """Fit the whole log; those outside the core keep NaN."""
        width = len(self.columns)
        final = np.full((len(log.keys), width), np.nan)
        found = self.encounters(log)
        if len(found.core):
            final[found.core] = self._fitted(found, log.keys)
        begin = np.full_like(final, np.nan)
        if progress is not None:
            progress(len(log), len(log))
        return Replay(final[log.player], final, None, IndirectChanges.none(width), log, begin)

    def rates_event(self, kind: int, *, has_target: bool, word: str = "") -> bool:
        return is_valued(kind, 0 if has_target else -1, self.event_value(kind, word))

    def event_value(self, kind: int, word: str = "") -> float:
        return value_of(self.parameters, kind, word)

    def dropped(self, log: MatchLog) -> tuple[Dropped, ...]:
        """List who is outside the core, and why."""
        return self.encounters(log).dropped

    def encounters(self, log: MatchLog) -> Encounters:
        """Count who scored how often against whom, and find the core."""
        from scipy.sparse import coo_array

        winner, loser, count, suicides = counted(log, worth_of(log, self.event_value))
        q = len(log.keys)
        won = coo_array((count, (winner, loser)), shape=(q, q)).tocsr()
        won.sum_duplicates()
        met = (won + won.T).tocsr()
        core, dropped = self._core(met, log.keys)
        return Encounters(won, suicides, core, dropped)

    def _core(self, met: Any, keys: Sequence[str]) -> tuple[Integers, tuple[Dropped, ...]]:
        """Drop everyone with too few opponents of enough events, and repeat."""
        m, k = self.parameters.least_events, self.parameters.least_opponents
        counts = met.copy()
        counts.data = ((met.data >= m) & (met.data > 0)).astype(np.float64)
        inside = np.asarray(met.sum(axis=1)).ravel() > 0
        everybody = inside.copy()
        dropped = []
        while True:
            opponents = counts @ inside.astype(np.float64)
            out = np.flatnonzero(inside & (opponents < k))
            if not len(out):
                break
            for who in out.tolist():
                reason = f"{opponents[who]:.0f} opponents with at least {m} events; {k} are needed"
                dropped.append(Dropped(keys[who], reason, int(opponents[who])))
            inside[out] = False
        for who in np.flatnonzero(~everybody).tolist():
            dropped.append(Dropped(keys[who], "no events against other players"))
        return np.flatnonzero(inside), tuple(sorted(dropped, key=lambda player: player.key))

    def _fitted(self, found: Encounters, keys: Sequence[str]) -> Floats:
        from scipy.sparse.csgraph import connected_components

        core = found.core
        won = found.won[core][:, core].tocsr()
        suicides = found.suicides[core]
        met = (won + won.T).tocsr()
        met.eliminate_zeros()
        events = np.asarray(met.sum(axis=1)).ravel()
        opponents = np.diff(met.indptr).astype(np.float64)
        if self.parameters.suicides == "distribute":
            won = _distributed(won, met, suicides, events)
        _, component = connected_components(met, directed=False)
        deviation = None
        if self.is_likelihood:
            strength, deviation = self._bradley_terry(won, component, core, keys)
        elif self.parameters.method == "average":
            strength = _average(won, met, opponents)
        else:
            strength = _least_squares(won, met, component)
        if self.parameters.suicides == "subtract":
            involved = events + suicides
            strength = strength - np.divide(
                suicides, involved, out=np.zeros_like(involved), where=involved > 0
            )
        columns = [strength, events + suicides, opponents, component.astype(np.float64)]
        if deviation is not None:
            columns.append(deviation)
        return np.column_stack(columns)

    def _bradley_terry(
        self, won: Any, component: Integers, core: Integers, keys: Sequence[str]
    ) -> tuple[Floats, Floats]:
        """Maximise the penalised likelihood by Newton's method; return deviations too.

        Time and memory of the deviations grow with the cube and the square of a component's size.
        """
        from scipy.sparse.csgraph import connected_components

        alpha = self.parameters.alpha
        if alpha == 0.0:
            _, strong = connected_components(won, directed=True, connection="strong")
            for part in np.unique(component):
                if len(np.unique(strong[component == part])) > 1:
                    names = ", ".join(keys[who] for who in core[component == part][:3].tolist())
                    raise Unanswerable(
                        f"without a penalty the strengths around {names} would be infinite: "
                        "at least one player never lost to the others, or never beat them"
                    )
        sizes = np.bincount(component)
        if sizes.max() > MOST_COMPARED:
            raise Unanswerable(
                f"Bradley-Terry compares at most {MOST_COMPARED:,} players with each other, "
                f"but there are {sizes.max():,}; use the exact method, which has no such "
                "limit"
            )
        pairs = won.tocoo()
        one, other, count = pairs.row, pairs.col, pairs.data
        n = won.shape[0]
        theta = np.zeros(n)
        least_rest = math.inf
        most = _MOST_ITERATIONS if alpha else _MOST_ITERATIONS // 10
        for _ in range(_NEWTON_STEPS):
            p = _logistic(theta[other] - theta[one])
            gained, given = np.bincount(one, count * p, n), np.bincount(other, count * p, n)
            slope = 2.0 * alpha * theta - (gained - given)
            summed = gained + given + 2.0 * alpha * np.abs(theta)
            rest = float((np.abs(slope) / np.maximum(summed, 1e-300)).max())
            if rest < _NEXT_TO_NOTHING and rest > 0.5 * least_rest:
                # What is left is the rounding of the sums: no step makes it less.
                break
            least_rest = min(rest, least_rest)
            hessian = _hessian(one, other, count * p * (1.0 - p), 2.0 * alpha, n)
            # At the maximum a component's strengths sum to nothing, so no step changes their sum.
            step = _solved(hessian, slope, component, _STEP_PRECISION, most)
            # A full step may overshoot far from the maximum; none needs to be longer than 2.
            length = float(np.abs(step).max())
            theta = theta - step * min(1.0, 2.0 / max(length, 1e-300))
            if length < _NEWTON_PRECISION * max(1.0, float(np.abs(theta).max())):
                break
        else:
            raise Unanswerable(_TOO_SMALL)
        p = _logistic(theta[other] - theta[one])
        hessian = _hessian(one, other, count * p * (1.0 - p), 2.0 * alpha, n)
        return theta, _deviations(hessian, alpha, component)

    def idle_many(
        self, states: Floats, at: int | Integers, day: int | Integers | None = None
    ) -> Floats:
        return states

    def display_many(
        self,
        states: Floats,
        at: int | None = None,
        board: State | None = None,
        day: int | None = None,
    ) -> ShownMany:
        if self.is_likelihood:
            value = 1500.0 + _ELO * states[:, 0]
            reach = INTERVAL * _ELO * states[:, 4]
            nobody = np.zeros(len(states), dtype=bool)
            return ShownMany(value, value - reach, value + reach, value, nobody, decimals=0)
        return ShownMany.certain(100.0 * (states[:, 0] + 1.0) / 2.0, decimals=1)

    def confidence(self, state: State, games: int, events: int | None = None) -> Confidence:
        found = super().confidence(state, games)
        if math.isnan(state[0]):
            return found
        return replace(found, events=int(state[1]), opponents=int(state[2]))

    def certain_until_many(self, states: Floats, games: Integers) -> tuple[Integers, Integers]:
        return sure_by_count(states[:, 1], self.parameters.fairly_sure, self.parameters.sure)

    def _check(self, sides: Sequence[Side]) -> None:
        super()._check(sides)
        if len(sides) != 2 or any(len(side.keys) != 1 for side in sides):
            raise Unanswerable("static strengths only predict matches between two players")

    def preview(
        self,
        sides: Sequence[Side],
        at: int,
        day: int | None = None,
        board: State | None = None,
    ) -> tuple[OutcomePreview, ...]:
        raise Unanswerable("one more match changes every player's static strength a little")

    def chances(self, table: SideTable, one: Integers, other: Integers) -> Floats:
        raise Unanswerable("static strengths cannot predict a match before it is played")

    def _chance(self, one: Side, other: Side, day: int) -> float:
        mine, theirs = one.states[0], other.states[0]
        if not all(state[3] > _NO_COMPONENT for state in (mine, theirs)):
            raise Unanswerable("at least one of these two players is not placed yet")
        if mine[3] != theirs[3]:
            raise Unanswerable("no chain of opponents connects these two players")
        if self.is_likelihood:
            return logistic(mine[0] - theirs[0])
        share = 0.5 * (1.0 + mine[0] - theirs[0])
        return min(max(share, _LEAST_SHARE), 1.0 - _LEAST_SHARE)

    def _performance(self, sides: Sequence[Side]) -> tuple[list[float], list[float], Noise]:
        raise Unanswerable("static strengths only predict matches between two players")


def _distributed(won: Any, met: Any, suicides: Floats, events: Floats) -> Any:
    """Count suicides for the opponents, in proportion to the encounters with each."""
    from scipy.sparse import diags_array

    share = np.divide(suicides, events, out=np.zeros_like(events), where=events > 0)
    return (won + (diags_array(share) @ met).T).tocsr()


def _average(won: Any, met: Any, opponents: Floats) -> Floats:
    """Return the mean of d over the opponents met plus one: the source counts the player too."""
    difference = (won - won.T).tocsr()
    both = (won + won.T).tocoo()
    quotient = np.asarray(difference[both.row, both.col]).ravel() / both.data
    return np.bincount(both.row, quotient, len(opponents)) / (opponents + 1.0)


def _least_squares(won: Any, met: Any, component: Integers) -> Floats:
    """Minimise the sum of n_ij (g_i - g_j - d_ij)^2, of mean zero in each component."""
    from scipy.sparse import diags_array

    both = won + won.T
    degree = np.asarray(both.sum(axis=1)).ravel()
    laplacian = (diags_array(degree) - both).tocsr()
    target = np.asarray((won - won.T).sum(axis=1)).ravel()
    return _solved(laplacian, target, component, 1e-13, _MOST_ITERATIONS)


def _logistic(z: Floats) -> Floats:
    """Do `logistic` for many values by the exponential of the C library.

    NumPy's depends on the processor.
    """
    return np.fromiter(map(logistic, z.tolist()), np.float64, len(z))


def _hessian(one: Integers, other: Integers, curvature: Floats, penalty: float, n: int) -> Any:
    """Return the second derivatives of the negative likelihood as a sparse matrix."""
    from scipy.sparse import coo_array, diags_array

    met = coo_array((curvature, (one, other)), shape=(n, n))
    both = (met + met.T).tocsr()
    return (diags_array(np.asarray(both.sum(axis=1)).ravel() + penalty) - both).tocsr()


def _solved(
    matrix: Any, target: Floats, component: Integers, precision: float, most: int
) -> Floats:
    """Solve a graph's equations by conjugate gradients, of mean zero in each component.

    A singular matrix only reaches targets that sum to nothing in each component, and rounding
    leaves a sum. It seldom matters; where it keeps the iteration from settling it is taken out.
    """
    from scipy.sparse import diags_array

    scale = np.sqrt(np.maximum(matrix.diagonal(), 1e-300))
    balanced = diags_array(1.0 / scale) @ matrix @ diags_array(1.0 / scale)
    solution, is_settled = conjugate_gradients(balanced, target / scale, precision, most)
    if not is_settled:
        target = _centred(target, component)
        solution, is_settled = conjugate_gradients(
            balanced, target / scale, precision, _MOST_ITERATIONS
        )
    if not is_settled:
        raise Unanswerable(_NOT_SETTLED)
    return _centred(solution / scale, component)


def _deviations(hessian: Any, alpha: float, component: Integers) -> Floats:
    """Return the roots of the diagonal of a Hessian's inverse, one component after the other."""
    deviation = np.empty(len(component))
    order = np.argsort(component, kind="stable")
    for inside in np.split(order, np.cumsum(np.bincount(component))[:-1]):
        size = len(inside)
        # The level of a component is told by the penalty alone, or not at all; fixing its mean
        # makes the matrix invertible.
        whole = hessian[inside][:, inside].toarray() + 1.0 / size
        try:
            inverse = inverse_diagonal(whole)
        except NotPositive as problem:
            raise Unanswerable(_TOO_SMALL) from problem
        level = 1.0 / (2.0 * alpha) - 1.0 / (1.0 + 2.0 * alpha) if alpha > 0.0 else 0.0
        deviation[inside] = np.sqrt(np.maximum(inverse + level / size, 0.0))
    return deviation


def _centred(values: Floats, component: Integers) -> Floats:
    return values - (np.bincount(component, values) / np.bincount(component))[component]
