"""A population with known skills, rated by any system: how fast and how well it is found out."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ratings.log import DAY, Floats, MatchLog
from ratings.parameters import ParameterError
from ratings.system import Reach, Side, State, System, Unanswerable

PAIRINGS: Final = ("random", "nearest", "quality")

MOST_SKEW: Final = 5.0

_NEIGHBOURS: Final = 8
_MOST_POWER: Final = 300.0
_WIDTH: Final = 640
_HEIGHT: Final = 480
_MARGIN: Final = 48


@dataclass(frozen=True, slots=True)
class Population:
    """Players with true skills on the Elo scale, 0 being the middle."""

    keys: tuple[str, ...]
    skills: tuple[float, ...]

    @classmethod
    def drawn(
        cls, players: int, *, seed: int = 0, spread: float = 300.0, skew: float = 0.0
    ) -> Population:
        """Draw skills: normal, or with a longer upper tail the larger `skew` is.

        Raises ParameterError unless there are two `players` at least, `spread` is finite and over
        0, `skew` within 5 of 0.
        """
        _check(
            ("players", players, players >= 2, "must be at least 2"),
            ("spread", spread, 0.0 < spread < math.inf, "must be over 0, and finite"),
            ("skew", skew, abs(skew) <= MOST_SKEW, f"must be from -{MOST_SKEW:g} to {MOST_SKEW:g}"),
        )
        source = random.Random(seed)
        skills = []
        for _ in range(players):
            z = source.gauss(0.0, 1.0)
            skills.append(spread * (math.expm1(skew * z) / skew if skew else z))
        keys = tuple(f"player-{index:05}" for index in range(players))
        return cls(keys, tuple(skills))


@dataclass(frozen=True, slots=True)
class Round:
    """How near the ratings are to the truth after a round."""

    number: int
    correlation: float
    """Of ratings with skills."""
    mean_squared_error: float
    """Of the skills as the ratings would have them, both standardised."""
    rank_error: float
    """The sum of squared differences of rank and true rank, per player (S0)."""


@dataclass(frozen=True, slots=True)
class Course:
    """A simulation's rounds and the cloud it ended in."""

    rounds: tuple[Round, ...]
    cloud: tuple[tuple[float, float], ...]
    """Skill and shown value of every player."""
    shown_as: str
    shown: tuple[tuple[float, ...], ...]
    """The shown values of all players after each round; where less is better, negated."""


def simulate(
    system: System,
    population: Population,
    *,
    rounds: int,
    pairing: str = "random",
    draws: float = 0.0,
    seed: int = 0,
) -> Course:
    """Let everybody play once a round, a round a day, and compare ratings with skills.

    Of an odd number of players one sits out each round. Raises ParameterError unless there is a
    round at least, `pairing` is one of `PAIRINGS` and `draws`, the share of draws between equals,
    in [0, 1); Unanswerable where the system does not rate match by match or has no `quality`.
    """
    if system.reach is Reach.BATCH:
        raise Unanswerable(f"{system.title} does not rate match by match")
    _check(
        ("rounds", rounds, rounds >= 1, "must be at least 1"),
        ("pairing", pairing, pairing in PAIRINGS, f"must be one of {', '.join(PAIRINGS)}"),
        ("draws", draws, 0.0 <= draws < 1.0, "must be at least 0 and under 1"),
    )
    source = random.Random(seed)
    n = len(population.keys)
    states = np.tile(np.array(system.new_player(), dtype=np.float64), (n, 1))
    start: Floats | None = None
    board: State | None = None
    measured = []
    values: list[Floats] = []
    for number in range(rounds):
        at = number * DAY
        pairs = _paired(system, states, population, pairing, source, at)
        log = _played(population, pairs, draws, source, at)
        replay = system.replay(log, start, engine="plain", board=board)
        start, board = replay.final, replay.board
        seen = ~np.isnan(start).all(axis=1)
        states[seen] = start[seen]
        # Who has not played yet stands where he would join the board as it has become.
        states[~seen] = system.new_player(board)
        values.append(_shown(system, states, board))
        measured.append(_measured(number + 1, values[-1], population))
    return Course(
        rounds=tuple(measured),
        cloud=tuple(zip(population.skills, values[-1].tolist(), strict=True)),
        shown_as=system.shown_as,
        shown=tuple(tuple(value.tolist()) for value in values),
    )


def cloud_svg(course: Course) -> str:
    """Draw skill against shown value, one point per player (S2's picture)."""
    xs, ys = zip(*course.cloud, strict=True)
    points = "".join(
        f'<circle cx="{_placed(x, xs, _MARGIN, _WIDTH - _MARGIN):.1f}"'
        f' cy="{_placed(y, ys, _HEIGHT - _MARGIN, _MARGIN):.1f}" r="3"/>'
        for x, y in course.cloud
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img">'
        f"<title>True skill against {course.shown_as.lower()}</title>"
        f'<g fill="none" stroke="#888"><path d="M{_MARGIN} {_MARGIN}V{_HEIGHT - _MARGIN}'
        f'H{_WIDTH - _MARGIN}"/></g>'
        f'<g fill="#0b6e4f" fill-opacity="0.6">{points}</g>'
        f'<g font-family="sans-serif" font-size="14" fill="#555">'
        f'<text x="{_WIDTH // 2}" y="{_HEIGHT - 14}" text-anchor="middle">True skill</text>'
        f'<text x="16" y="{_HEIGHT // 2}" text-anchor="middle"'
        f' transform="rotate(-90 16 {_HEIGHT // 2})">{course.shown_as}</text></g></svg>\n'
    )


def _check(*arguments: tuple[str, object, bool, str]) -> None:
    """Refuse arguments given as (name, value, whether it is fine, what it must be)."""
    problems = [(name, value, words) for name, value, is_fine, words in arguments if not is_fine]
    if problems:
        raise ParameterError(problems)


def _paired(
    system: System,
    states: Floats,
    population: Population,
    pairing: str,
    source: random.Random,
    at: int,
) -> list[tuple[int, int]]:
    n = len(population.keys)
    order = list(range(n))
    source.shuffle(order)
    if pairing == "random":
        return list(zip(order[::2], order[1::2], strict=False))
    value = _shown(system, states, None)
    order.sort(key=lambda index: value[index])
    if pairing == "nearest":
        return list(zip(order[::2], order[1::2], strict=False))
    sides = [
        Side((tuple(row),), (key,))
        for row, key in zip(states.tolist(), population.keys, strict=True)
    ]
    pairs = []
    while len(order) > 1:
        one = order.pop()
        best = max(
            range(max(0, len(order) - _NEIGHBOURS), len(order)),
            key=lambda place: system.quality([sides[one], sides[order[place]]], at),
        )
        pairs.append((one, order.pop(best)))
    return pairs


def _played(
    population: Population,
    pairs: Sequence[tuple[int, int]],
    draws: float,
    source: random.Random,
    at: int,
) -> MatchLog:
    ranks: list[int] = []
    nu = (1.0 + draws) / (1.0 - draws)
    for one, other in pairs:
        power = (population.skills[one] - population.skills[other]) / 400.0
        odds = math.pow(10.0, min(max(power, -_MOST_POWER), _MOST_POWER))
        win, loss = odds / (odds + nu), 1.0 / (1.0 + nu * odds)
        chance = source.random()
        ranks.extend((0, 1) if chance < win else (1, 0) if chance < win + loss else (0, 0))
    n = len(pairs)
    return MatchLog.build(
        keys=population.keys,
        at=[at] * n,
        match=np.repeat(np.arange(n), 2),
        side=[0, 1] * n,
        rank=ranks,
        player=[player for pair in pairs for player in pair],
    )[0]


def _shown(system: System, states: Floats, board: State | None) -> Floats:
    value = system.display_many(states, board=board).value
    return -value if system.lower_is_better else value


def _measured(number: int, shown: Floats, population: Population) -> Round:
    skills = np.array(population.skills)
    true = (skills - skills.mean()) / skills.std()
    spread = float(shown.std())
    found = (shown - shown.mean()) / spread if spread else np.zeros(len(shown))
    ranks, true_ranks = (np.argsort(np.argsort(-x, kind="stable")) for x in (shown, skills))
    return Round(
        number=number,
        correlation=float(np.mean(true * found)),
        mean_squared_error=float(np.mean(np.square(true - found))),
        rank_error=float(np.mean(np.square(ranks - true_ranks))),
    )


def _placed(value: float, values: Sequence[float], low: float, high: float) -> float:
    least, most = min(values), max(values)
    return low + (high - low) * ((value - least) / (most - least) if most > least else 0.5)
