"""Scales, grid lines and round numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from leagues import wording

STEPS = (1, 2, 2.5, 5, 10)
MOST_STRETCH = 1.5
"""How many times as long outermost ranges may make a scale."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A grid line and its label; `is_minor` ones go first where there is little room."""

    at: str
    label: str
    is_minor: bool = False


@dataclass(frozen=True, slots=True)
class Scale:
    """A shared horizontal scale from `low` to `high`."""

    low: float
    high: float
    ticks: tuple[Tick, ...] = ()
    label: str = ""

    def holds(self, value: float) -> bool:
        """Whether a value lies within the column."""
        return self.low <= value <= self.high

    def percent(self, value: float) -> str:
        """A position, kept within the column."""
        part = (value - self.low) / (self.high - self.low)
        return f"{100 * min(1.0, max(0.0, part)):.4g}%"


def nice_step(extent: float, most: int) -> float:
    """The smallest step of 1, 2, 2.5 or 5 times a power of ten that needs at most `most`."""
    raw = extent / most
    power = 10.0 ** math.floor(math.log10(raw))
    return next(step * power for step in STEPS if step * power >= raw * (1 - 1e-9))


def round_numbers(low: float, high: float, most: int) -> list[float]:
    """The round numbers within [low, high], at most `most` + 1 of them."""
    step = nice_step(high - low, most)
    first = math.ceil(low / step - 1e-9)
    return [number * step for number in range(first, math.floor(high / step + 1e-9) + 1)]


def decimals_of(step: float) -> int:
    """The digits after the point that a grid of this step needs."""
    return next((d for d in range(9) if abs(round(step, d) - step) < 1e-9 * step), 9)


def shared_scale(
    values: Sequence[tuple[float, float, float]], *, most_ticks: int = 6
) -> Scale | None:
    """One scale for many (low, value, high), or None without any.

    All values are within it; of the range ends the outermost tenth may run off where they would
    make it half as long again, so that one newcomer does not flatten the rest.
    """
    if not values:
        return None
    lows = sorted(low for low, _value, _high in values)
    highs = sorted(high for _low, _value, high in values)
    cut = len(values) // 10
    low = min(lows[cut], *(value for _low, value, _high in values))
    high = max(highs[-1 - cut], *(value for _low, value, _high in values))
    if highs[-1] - lows[0] <= MOST_STRETCH * (high - low):
        low, high = lows[0], highs[-1]
    margin = 0.05 * (high - low) or 1.0
    low, high = low - margin, high + margin
    numbers = round_numbers(low, high, most_ticks)
    digits = decimals_of(numbers[1] - numbers[0]) if len(numbers) > 1 else 0
    bare = Scale(low, high)
    # A label at the very edge would be cut off.
    inner = [value for value in numbers if 0.04 <= (value - low) / (high - low) <= 0.96]
    ticks = tuple(
        Tick(bare.percent(value), wording.number(value, digits), is_minor=index % 2 == 0)
        for index, value in enumerate(inner)
    )
    label = f"{wording.number(low)} {wording.DASH} {wording.number(high)}"
    return Scale(low, high, ticks, label)
