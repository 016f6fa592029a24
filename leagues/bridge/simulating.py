"""A population whose skills are known, rated by a system: how fast it finds them out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from leagues.bridge.systems import system_with
from ratings.simulation import PAIRINGS, Population, simulate
from ratings.system import Unanswerable

SKEW = 0.7
"""How far the upper tail of a skewed population reaches out."""

__all__ = [
    "PAIRINGS",
    "SimulatedRound",
    "SimulatedSystem",
    "Simulation",
    "Unanswerable",
    "run_simulation",
]


@dataclass(frozen=True, slots=True)
class SimulatedSystem:
    """A system to simulate, by the name of its board or its own."""

    title: str
    system: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SimulatedRound:
    """How near the ratings are to the skills after a round."""

    correlation: float
    squared_error: float
    rank_error: float
    values: tuple[float, ...]
    """Of each player; negated where less is better."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """A simulation: true skills in rating points from the middle, and what came of them."""

    skills: tuple[float, ...]
    rounds: tuple[SimulatedRound, ...]
    shown_as: str
    decimals: int
    is_low_best: bool


def run_simulation(
    chosen: SimulatedSystem,
    *,
    players: int,
    is_skewed: bool,
    pairing: str,
    rounds: int,
    seed: int,
) -> Simulation:
    """Let everybody play once a round. Raises Unanswerable for what a system cannot do."""
    system = system_with(chosen.system, chosen.parameters)
    population = Population.drawn(players, seed=seed, skew=SKEW if is_skewed else 0.0)
    course = simulate(system, population, rounds=rounds, pairing=pairing, seed=seed)
    return Simulation(
        skills=population.skills,
        rounds=tuple(
            SimulatedRound(row.correlation, row.mean_squared_error, row.rank_error, values)
            for row, values in zip(course.rounds, course.shown, strict=True)
        ),
        shown_as=course.shown_as,
        decimals=system.display(system.new_player()).decimals,
        is_low_best=system.lower_is_better,
    )
