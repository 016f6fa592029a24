"""Logs made up for measuring: many players, a few of whom play most of the matches."""

from __future__ import annotations

from typing import Any

import numpy as np

from ratings.log import MatchLog

PLAYERS = 100_000
SKEW = 0.6
DRAWS = 0.1
SECONDS_APART = 10
FIRST_NAMES = ("Ana", "Bo", "Cy", "Dina", "Emil", "Farah", "Gus", "Hanne", "Ivo", "Jun")


def name_of(number: int) -> str:
    """The name of a player of a large league."""
    return f"{FIRST_NAMES[number % 10]} {number:06d}"


def generated_log(
    matches: int, *, sides: int, size: int, players: int = PLAYERS, seed: int = 1
) -> MatchLog:
    """Return the log of `generated_rows`."""
    rows = generated_rows(matches, sides=sides, size=size, players=players, seed=seed)
    return MatchLog.build(**rows)[0]


def generated_rows(
    matches: int, *, sides: int, size: int, players: int = PLAYERS, seed: int = 1
) -> dict[str, Any]:
    """Return the columns of a log, as `MatchLog.build` takes them.

    The player of rank r turns up in proportion to r to the power of -`SKEW`. Skills and
    performances are normal. Two sides draw in a tenth of their matches, more never do.
    """
    random = np.random.default_rng(seed)
    turns_up = np.cumsum(np.arange(1, players + 1) ** -SKEW)
    turns_up /= turns_up[-1]
    width = sides * size
    chosen = np.searchsorted(turns_up, random.random((matches, width)))
    while True:
        ascending = np.sort(chosen, axis=1)
        twice = (ascending[:, 1:] == ascending[:, :-1]).any(axis=1)
        if not twice.any():
            break
        chosen[twice] = np.searchsorted(turns_up, random.random((int(twice.sum()), width)))
    skill = random.normal(size=players)
    strength = skill[chosen].reshape(matches, sides, size).sum(axis=2)
    performance = strength + random.normal(size=(matches, sides))
    rank = np.argsort(np.argsort(-performance, axis=1), axis=1)
    if sides == 2:
        rank[random.random(matches) < DRAWS] = 0
    return {
        "keys": [f"{number:06d}" for number in range(players)],
        "at": np.arange(matches) * (SECONDS_APART * 1_000_000),
        "match": np.repeat(np.arange(matches), width),
        "side": np.tile(np.repeat(np.arange(sides), size), matches),
        "rank": np.repeat(rank, size),
        "player": chosen.ravel(),
    }
