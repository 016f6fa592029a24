"""Did it happen as often as it was said? Points of what was expected against what came."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from leagues.charts.scales import Tick

WIDTH, HEIGHT = 200, 190
LEFT, RIGHT, TOP, BOTTOM = 28, 188, 8, 168
Z = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Whisker:
    """One bin: where its point stands, and how far its sample leaves it in doubt."""

    x: str
    y: str
    low: str
    high: str


@dataclass(frozen=True, slots=True)
class CalibrationChart:
    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    points: tuple[Whisker, ...]


def calibration_chart(bins: Iterable[tuple[float, float, float]]) -> CalibrationChart:
    """Draw bins, given as the share expected, the share observed and the results behind it."""
    return CalibrationChart(
        width=WIDTH,
        height=HEIGHT,
        left=LEFT,
        right=RIGHT,
        top=TOP,
        bottom=BOTTOM,
        across=tuple(Tick(f"{_x(part):.0f}", f"{100 * part:.0f}") for part in (0.0, 0.5, 1.0)),
        up=tuple(Tick(f"{_y(part):.0f}", f"{100 * part:.0f}") for part in (0.0, 0.5, 1.0)),
        points=tuple(
            Whisker(
                f"{_x(expected):.1f}",
                f"{_y(observed):.1f}",
                *(f"{_y(end):.1f}" for end in sample_range(observed, count)),
            )
            for expected, observed, count in bins
        ),
    )


def sample_range(share: float, count: float) -> tuple[float, float]:
    """The range that a share seen in so many cases leaves in 95 of 100 (Wilson's)."""
    if count <= 0:
        return 0.0, 1.0
    square = Z * Z / count
    centre = (share + square / 2.0) / (1.0 + square)
    half = Z * math.sqrt(share * (1.0 - share) / count + square / (4.0 * count)) / (1.0 + square)
    return max(0.0, centre - half), min(1.0, centre + half)


def _x(part: float) -> float:
    return LEFT + (RIGHT - LEFT) * part


def _y(part: float) -> float:
    return BOTTOM - (BOTTOM - TOP) * part
