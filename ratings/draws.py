"""Draws outside TrueSkill (P. V. Rao, L. L. Kupper, 1967).

win = 1/(1 + 10^((delta - d)/400)), loss = 1/(1 + 10^((delta + d)/400)), d the difference on the Elo
scale and delta = 400 log10 nu; in odds: win = o/(o + nu), loss = 1/(1 + nu o).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ratings.log import Floats, Integers

_PRIOR: Final = 20.0
_MOST: Final = 0.9
_LEAST_CHANCE: Final = 1e-300


@dataclass(frozen=True, slots=True)
class DrawRate:
    """What a board's earlier matches of two sides say about draws.

    `evenness` is the sum of 4p(1-p) over them, p being what was expected.
    """

    draws: int = 0
    evenness: float = 0.0

    def with_match(self, p: float, is_draw: bool) -> DrawRate:
        """Return the rate after one more match."""
        return DrawRate(self.draws + is_draw, self.evenness + 4.0 * p * (1.0 - p))

    def split(self, p: float) -> tuple[float, float, float]:
        """Return win, draw and loss of a match from p without draws."""
        win, draw = _split(np.array([p]), _nu(np.array([self.draws]), np.array([self.evenness])))
        return float(win[0]), float(draw[0]), float(1.0 - win[0] - draw[0])


def rao_kupper(p: Floats, drawn: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Return P(win) and P(draw) of matches in order, each from those before it."""
    draws: Integers = np.cumsum(drawn) - drawn
    evenness = 4.0 * p * (1.0 - p)
    return _split(p, _nu(draws, np.cumsum(evenness) - evenness))


def _nu(draws: Integers, evenness: Floats) -> Floats:
    """Return nu = (1 + c)/(1 - c), c = (draws + 1)/(evenness + 20), nothing before a draw."""
    c = np.where(draws > 0, np.minimum((draws + 1.0) / (evenness + _PRIOR), _MOST), 0.0)
    nu: Floats = (1.0 + c) / (1.0 - c)
    return nu


def _split(p: Floats, nu: Floats) -> tuple[Floats, Floats]:
    odds = np.maximum(p, _LEAST_CHANCE) / np.maximum(1.0 - p, _LEAST_CHANCE)
    win: Floats = 1.0 / (1.0 + nu / odds)
    loss: Floats = 1.0 / (1.0 + nu * odds)
    return win, np.maximum(1.0 - win - loss, 0.0)
