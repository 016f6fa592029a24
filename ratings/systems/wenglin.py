"""Weng-Lin (R. C. Weng, C.-J. Lin, "A Bayesian Approximation Method for Online Ranking", JMLR
12, 2011): Plackett-Luce (algorithm 4), Bradley-Terry full (algorithm 1) and Thurstone-Mosteller
full (algorithm 3), the models known as OpenSkill.

Thurstone-Mosteller full is bad for free-for-alls: every pair is taken as a match of its own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ratings import fields
from ratings.curves import logistic, logistic_many, normal, normal_many
from ratings.engine import INDEX, Column, Columns, body, fetch_ahead
from ratings.gaussian import draw_moments, win_moments
from ratings.log import Floats, Integers
from ratings.parameters import choice, number
from ratings.places import Noise
from ratings.sequential import ODDS_OF_A_POINT
from ratings.shares import result_of
from ratings.sidetable import SideTable
from ratings.system import FOREVER, NEVER, Side, State
from ratings.systems.skills import SkillParameters, SkillSystem

_PLACKETT_LUCE: Final = 0
_BRADLEY_TERRY: Final = 1
_THURSTONE_MOSTELLER: Final = 2
_MODELS: Final = {
    "plackett-luce": _PLACKETT_LUCE,
    "bradley-terry": _BRADLEY_TERRY,
    "thurstone-mosteller": _THURSTONE_MOSTELLER,
}
_EXPONENT_LIMIT: Final = 690.0


@dataclass(frozen=True, slots=True)
class WengLinParameters(SkillParameters):
    """The parameters of the Weng-Lin models."""

    model: str = choice(
        "plackett-luce",
        ("plackett-luce", "bradley-terry", "thurstone-mosteller"),
        "Model",
        "How a finishing order is explained: place by place, or pair by pair with logistic "
        "or normal noise.",
    )
    mu: float = fields.skill_mean()
    sigma: float = fields.skill_deviation()
    beta: float = fields.performance_deviation()
    tau: float = fields.change_per_match()
    kappa: float = number(
        1e-4,
        "Smallest share",
        "The smallest share of the variance that remains after a match.",
        symbol="kappa",
        over=0,
        most=0.1,
    )
    epsilon: float = number(
        0.1,
        "Draw margin",
        "How close two performances must be for a draw; Thurstone-Mosteller only.",
        symbol="epsilon",
        least=0,
        most=1,
    )
    size_advantage: float = fields.size_advantage(
        "Strength that each player adds to a side, on top of their skill."
    )
    pending_hours: int = fields.pending_hours()
    fairly_sure: float = fields.fairly_sure_part()
    sure: float = fields.sure_part()


@body
def _likelihood(
    model: int,
    side: int,
    first: int,
    last: int,
    rank: Column,
    mean: Column,
    variance: Column,
    beta_squared: float,
    epsilon: float,
) -> tuple[float, float]:
    """Return Omega and Delta of a side per unit of its variance, gamma = sigma/c included."""
    omega = 0.0
    delta = 0.0
    own_rank = rank[first + side]
    deviation = math.sqrt(variance[side])
    sides = last - first
    if model == _PLACKETT_LUCE:
        spread = 0.0
        for other in range(sides):
            spread += variance[other] + beta_squared
        c = math.sqrt(spread)
        for place in range(sides):
            if rank[first + place] > own_rank:
                continue
            left = 0.0
            equals = 0.0
            for other in range(sides):
                if rank[first + other] >= rank[first + place]:
                    z = min((mean[other] - mean[side]) / c, _EXPONENT_LIMIT)
                    left += math.exp(z)
                if rank[first + other] == rank[first + place]:
                    equals += 1.0
            chance = 1.0 / left
            omega += ((1.0 if place == side else 0.0) - chance) / equals
            delta += chance * (1.0 - chance) / equals
        return omega / c, delta * deviation / (spread * c)
    for other in range(sides):
        if other == side:
            continue
        spread = variance[side] + variance[other] + 2.0 * beta_squared
        c = math.sqrt(spread)
        lead = (mean[side] - mean[other]) / c
        if model == _BRADLEY_TERRY:
            score = result_of(own_rank, rank[first + other])
            expected = logistic(lead)
            missing = logistic(-lead)
            v = score * missing - (1.0 - score) * expected
            w = expected * missing
        elif own_rank == rank[first + other]:
            v, w = draw_moments(lead, epsilon / c)
        elif own_rank < rank[first + other]:
            past = lead - epsilon / c
            v, w = win_moments(past, past * past)
        else:
            past = -lead - epsilon / c
            v, w = win_moments(past, past * past)
            v = -v
        omega += v / c
        delta += w * deviation / (spread * c)
    return omega, delta


@body
def _likelihood_of_one(
    z: float, rank: int, other_rank: int, variance: float, spread: float, c: float
) -> tuple[float, float]:
    """Return what `_likelihood` does by Plackett-Luce for one of two sides, to the last bit.

    z is by how much the other is stronger, divided by c. Of two places one has a single candidate,
    and the sums fall away; which one, a processor could not foresee, so there is no branch.
    """
    chance = 1.0 / (1.0 + math.exp(min(z, _EXPONENT_LIMIT)))
    missing = 1.0 - chance
    drawn = 0.5 * (missing - chance)
    omega = missing if rank < other_rank else (drawn if rank == other_rank else -chance)
    return omega / c, chance * missing * math.sqrt(variance) / (spread * c)


@body
def _move(
    begin: int,
    end: int,
    player: Column,
    state: Columns,
    after: Columns,
    weight: float,
    moments: tuple[float, float],
    settings: Columns,
) -> None:
    """Move the members of a side by its Omega and Delta."""
    _model, _beta_squared, tau_squared, kappa, _epsilon, _size_advantage = settings
    mean, deviation = state
    mean_after, deviation_after = after
    omega, delta = moments
    for member in range(begin, end):
        who = player[member] & INDEX
        variance = deviation[who] * deviation[who] + tau_squared
        left = max(1.0 - weight * variance * delta, kappa)
        mean_after[member] = mean[who] + weight * variance * omega
        deviation_after[member] = math.sqrt(variance * left)
        mean[who] = mean_after[member]
        deviation[who] = deviation_after[member]


@body
def weng_lin_body(
    log: Columns, state: Columns, after: Columns, scratch: Columns, settings: Columns
) -> None:
    """Rate a log: see `ratings.engine.run`."""
    at, _day, weight, side_start, rank, _points, handicap, member_start, player, _share, _ = log
    model, beta_squared, tau_squared, _kappa, epsilon, size_advantage = settings
    mean, deviation = state
    side_mean, side_variance = scratch
    if len(player) == 2 * len(at) and model == _PLACKETT_LUCE:
        _rate_duels(log, state, after, settings)
        return
    for match in range(len(at)):
        first = side_start[match] & INDEX
        last = side_start[match + 1] & INDEX
        fetch_ahead(state, player, member_start[first] & INDEX, member_start[last] & INDEX)
        for side in range(first, last):
            begin = member_start[side] & INDEX
            end = member_start[side + 1] & INDEX
            total = size_advantage * (end - begin) + handicap[side]
            spread = 0.0
            for member in range(begin, end):
                who = player[member] & INDEX
                total += mean[who]
                spread += deviation[who] * deviation[who] + tau_squared
            side_mean[side - first] = total
            side_variance[side - first] = spread
        for side in range(first, last):
            moments = _likelihood(
                model,
                side - first,
                first,
                last,
                rank,
                side_mean,
                side_variance,
                beta_squared,
                epsilon,
            )
            begin = member_start[side] & INDEX
            end = member_start[side + 1] & INDEX
            _move(begin, end, player, state, after, weight[match], moments, settings)


@body
def _rate_duels(log: Columns, state: Columns, after: Columns, settings: Columns) -> None:
    """Rate a log of nothing but duels by Plackett-Luce, to the same bits."""
    at, _day, weight, _side_start, rank, _points, handicap, _member_start, player, _share, _ = log
    _model, beta_squared, tau_squared, _kappa, _epsilon, size_advantage = settings
    mean, deviation = state
    for match in range(len(at)):
        one = 2 * match
        other = one + 1
        fetch_ahead(state, player, one, other + 1)
        who = player[one] & INDEX
        whom = player[other] & INDEX
        variance = deviation[who] * deviation[who] + tau_squared
        their_variance = deviation[whom] * deviation[whom] + tau_squared
        strength = size_advantage + handicap[one] + mean[who]
        their_strength = size_advantage + handicap[other] + mean[whom]
        spread = variance + beta_squared + (their_variance + beta_squared)
        c = math.sqrt(spread)
        z = (their_strength - strength) / c
        moments = _likelihood_of_one(z, rank[one], rank[other], variance, spread, c)
        their_moments = _likelihood_of_one(-z, rank[other], rank[one], their_variance, spread, c)
        _move(one, other, player, state, after, weight[match], moments, settings)
        _move(other, other + 1, player, state, after, weight[match], their_moments, settings)


class WengLin(SkillSystem[WengLinParameters]):
    """Weng-Lin: normal skills like TrueSkill's, updated in closed form for any number of sides.

    State: mean and deviation.
    """

    name = "wenglin"
    title = "Weng-Lin"
    parameter_class = WengLinParameters
    fitted = ("sigma", "tau")
    break_even = 120_000
    partial_play_refusal = "Weng-Lin cannot rate partial play"
    scratch = 2
    columns = ("mean", "deviation")

    def __init__(self, parameters: WengLinParameters | None = None, **settings: object) -> None:
        super().__init__(parameters, **settings)
        chosen = self.parameters
        self.body = weng_lin_body
        self.settings = (
            _MODELS[chosen.model],
            chosen.beta * chosen.beta,
            chosen.tau * chosen.tau,
            chosen.kappa,
            chosen.epsilon,
            chosen.size_advantage,
        )

    @property
    def handicap_unit(self) -> float:
        """By the model's own link between two players who are known exactly."""
        if self._is_normal:
            return super().handicap_unit
        return ODDS_OF_A_POINT * math.sqrt(2.0) * self.parameters.beta

    def new_player(self, board: State | None = None) -> State:
        return self.parameters.mu, self.parameters.sigma

    def idle_many(
        self, states: Floats, at: int | Integers, day: int | Integers | None = None
    ) -> Floats:
        return states

    def certain_until_many(self, states: Floats, games: Integers) -> tuple[Integers, Integers]:
        part = states[:, 1] / self.parameters.sigma
        return (
            np.where(part <= self.parameters.fairly_sure, FOREVER, NEVER),
            np.where(part <= self.parameters.sure, FOREVER, NEVER),
        )

    def _chance(self, one: Side, other: Side, day: int) -> float:
        mean, variance = self._strength(one)
        other_mean, other_variance = self._strength(other)
        lead = (mean - other_mean) / math.sqrt(variance + other_variance)
        return normal(lead) if self._is_normal else logistic(lead)

    def chances(self, table: SideTable, one: Integers, other: Integers) -> Floats:
        chosen = self.parameters
        mean = table.total_of(table.states[:, 0])
        mean = mean + chosen.size_advantage * table.players + table.log.handicap
        variance = table.total_of(np.square(table.states[:, 1])) + chosen.beta * chosen.beta
        lead = (mean[one] - mean[other]) / np.sqrt(variance[one] + variance[other])
        return normal_many(lead) if self._is_normal else logistic_many(lead)

    def _performance(self, sides: Sequence[Side]) -> tuple[list[float], list[float], Noise]:
        strengths = [self._strength(side) for side in sides]
        means = [mean for mean, _ in strengths]
        if self._is_normal:
            return means, [math.sqrt(variance) for _, variance in strengths], "normal"
        spread = math.fsum(variance for _, variance in strengths) * 2.0 / len(sides)
        return means, [math.sqrt(spread)] * len(sides), "gumbel"

    @property
    def _is_normal(self) -> bool:
        return self.parameters.model == "thurstone-mosteller"

    def _strength(self, side: Side) -> tuple[float, float]:
        """Return the sum of the skills and its variance, that of one performance included."""
        chosen = self.parameters
        mean = math.fsum(state[0] for state in side.states)
        variance = math.fsum(state[1] * state[1] for state in side.states)
        mean += chosen.size_advantage * len(side.states) + side.handicap
        return mean, variance + chosen.beta * chosen.beta
