"""Differences to the best with their doubt, on one scale that begins left of nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

EDGE = 4.0
FAR = 3.0


@dataclass(frozen=True, slots=True)
class MarginMark:
    """One difference: `low` and `high` are its ends, empty for the best itself."""

    zero: str
    dot: str
    low: str
    high: str


def margin_marks(margins: Sequence[tuple[float, float] | None]) -> list[MarginMark]:
    """Place differences, given with half their ranges; None is the one the others differ from."""
    known = [margin for margin in margins if margin]
    ends = sorted(mean + half for mean, half in known)
    # One that is far behind must not press together those that are close: it ends at the edge.
    if len(ends) > 1 and ends[-1] > FAR * ends[-2]:
        ends.pop()
    high = max([*ends, 1e-9])
    low = min((mean - half for mean, half in known), default=0.0)
    low = min(low, -0.15 * high)

    def at(value: float) -> str:
        part = (value - low) / (high - low)
        return f"{EDGE + (100 - 2 * EDGE) * min(1.0, max(0.0, part)):.4g}%"

    zero = at(0.0)
    return [
        MarginMark(zero, at(margin[0]), at(margin[0] - margin[1]), at(margin[0] + margin[1]))
        if margin
        else MarginMark(zero, zero, "", "")
        for margin in margins
    ]
