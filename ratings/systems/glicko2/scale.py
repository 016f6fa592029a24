"""Glickman's internal scale, and the bounds INVERSUS keeps on it."""

from __future__ import annotations

from typing import Final

from ratings.system import NEVER

SCALE: Final = 173.7178
CENTRE: Final = 1500.0
MEAN_LIMIT: Final = 6.045
LEAST_DEVIATION: Final = 0.175
MOST_DEVIATION: Final = 2.015
LEAST_VOLATILITY: Final = 0.04
MOST_VOLATILITY: Final = 0.08

NEVER_PLAYED: Final = float(NEVER)
"""The time of the last match before the first; also the period."""
