"""The rule by which a system moved a player, with the numbers of one match in it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from leagues.bridge.match_effects import RatedMatch, RatedPlayer
from ratings.shares import result_of, score_share
from ratings.system import State
from ratings.systems.glicko2 import CENTRE, SCALE, reduction

LEAST = 1e-9
"""A surprise smaller than this says nothing of the factor before it."""


@dataclass(frozen=True, slots=True)
class Formula:
    """A rule and what stands for its letters; the last one is what came out."""

    rule: str
    terms: tuple[tuple[str, float], ...]


def formula_of(rated: RatedMatch, mover: RatedPlayer) -> Formula | None:
    """The rule that moved a player; None where there is none, or a bound cut it off."""
    make = _RULES.get(rated.system.name)
    if make is None:
        return None
    before = rated.system.idle(mover.before, rated.at, rated.day)
    return make(rated, mover, before)


def _surprise(rated: RatedMatch, mover: RatedPlayer) -> tuple[float, float]:
    """Score and expected score against the other sides, on average."""
    own = rated.numbers.index(mover.row.side)
    expected = rated.system.predict(rated.sides, rated.at, rated.day).expected[own]
    ranks, scores = rated.ranks, rated.scores
    by_shares = scores is not None and getattr(rated.system, "uses_scores", False)
    results = [
        score_share(scores[own], scores[other])
        if by_shares and scores is not None
        else result_of(ranks[own], ranks[other])
        for other in range(len(ranks))
        if other != own
    ]
    return math.fsum(results) / len(results), expected


def _by_surprise(
    rated: RatedMatch, mover: RatedPlayer, before: float, after: float, rule: str, letters: str
) -> Formula | None:
    """A rule of the form factor times surprise; the factor is the one that held."""
    score, expected = _surprise(rated, mover)
    if abs(score - expected) < LEAST:
        return None
    factor = (after - before) / (score - expected)
    old, gain, expectation, chance, new = letters.split()
    return Formula(
        rule,
        ((old, before), (gain, factor), (expectation, score), (chance, expected), (new, after)),
    )


def _elo(rated: RatedMatch, mover: RatedPlayer, before: State) -> Formula | None:
    if mover.after[0] == rated.system.parameters.floor:  # type: ignore[attr-defined]
        return None
    rule = "R′ = R + K · (s − E)"
    return _by_surprise(rated, mover, before[0], mover.after[0], rule, "R K s E R′")


def _zero_sum(rated: RatedMatch, mover: RatedPlayer, before: State) -> Formula | None:
    rule = "p′ = p + G · (s − E)"
    return _by_surprise(rated, mover, before[0], mover.after[0], rule, "p G s E p′")


def _becker(rated: RatedMatch, mover: RatedPlayer, before: State) -> Formula | None:
    if mover.after[0] == 0.0:
        return None
    rule = "g′ = g + K · (e − w)"
    return _by_surprise(rated, mover, before[0], mover.after[0], rule, "g K e w g′")


def _glicko(rated: RatedMatch, mover: RatedPlayer, before: State) -> Formula | None:
    named: Mapping[str, float] = dict(zip(rated.system.columns, mover.after, strict=True))
    if "information" in named:
        return None
    old, new, phi = CENTRE + SCALE * before[0], CENTRE + SCALE * named["mean"], named["deviation"]
    moved = (named["mean"] - before[0]) / (phi * phi)
    others = [other for other in rated.movers if other is not mover]
    if len(others) == 1 and rated.match.weight == 1.0:
        theirs = rated.system.idle(others[0].before, rated.at, rated.day)
        g = reduction(theirs[1])
        given = (mover.row.handicap - others[0].row.handicap) * rated.system.handicap_unit / SCALE
        expected = 1.0 / (1.0 + math.exp(-g * (before[0] + given - theirs[0])))
        score = result_of(mover.row.rank, others[0].row.rank)
        if math.isclose(moved, g * (score - expected), rel_tol=1e-6, abs_tol=1e-9):
            return Formula(
                "R′ = R + 173.7 · φ′² · g · (s − E)",
                (("R", old), ("φ′", phi), ("g", g), ("s", score), ("E", expected), ("R′", new)),
            )
    return Formula(
        "R′ = R + 173.7 · φ′² · Σ g · (s − E)",
        (("R", old), ("φ′", phi), ("Σ", moved), ("R′", new)),
    )


def _skill(rated: RatedMatch, mover: RatedPlayer, before: State) -> Formula | None:
    tau: float = rated.system.parameters.tau  # type: ignore[attr-defined]
    spread = math.hypot(before[1], tau)
    return Formula(
        "μ′ = μ + σ² · Ω,  μ′ − 3σ′",
        (
            ("μ", before[0]),
            ("σ", spread),
            ("Ω", (mover.after[0] - before[0]) / (spread * spread)),
            ("μ′", mover.after[0]),
            ("σ′", mover.after[1]),
            ("μ′ − 3σ′", mover.after[0] - 3.0 * mover.after[1]),
        ),
    )


_RULES: Mapping[str, Callable[[RatedMatch, RatedPlayer, State], Formula | None]] = {
    "elo": _elo,
    "zerosum": _zero_sum,
    "becker": _becker,
    "glicko": _glicko,
    "glicko2": _glicko,
    "trueskill": _skill,
    "wenglin": _skill,
}
