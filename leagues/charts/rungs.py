"""One rating with its doubt: a dot, a thick bar, a thin line."""

from __future__ import annotations

from typing import NamedTuple

from leagues.charts.scales import Scale

HALF_OF_95 = 0.6744897501960817 / 1.959963984540054
"""Part of the 95 % half-range within which half of all cases lie (normal quantiles)."""


class Rung(NamedTuple):
    """One rating with its doubt on a scale."""

    dot: str
    low: str
    high: str
    inner_low: str
    inner_high: str
    is_unsure: bool = False
    runs_low: bool = False
    runs_high: bool = False
    """The range goes on beyond the scale."""


def rung(scale: Scale, value: float, low: float, high: float, *, is_unsure: bool = False) -> Rung:
    """Place a rating and its range on a scale.

    The range may lie off the rating (TrueSkill shows less than its mean), its inner half lies in
    the middle of it.
    """
    centre = (low + high) / 2
    inner = HALF_OF_95 * (high - low) / 2
    return Rung(
        dot=scale.percent(value),
        low=scale.percent(low),
        high=scale.percent(high),
        inner_low=scale.percent(centre - inner),
        inner_high=scale.percent(centre + inner),
        is_unsure=is_unsure,
        runs_low=not scale.holds(low),
        runs_high=not scale.holds(high),
    )
