"""How far two systems' predictions are apart: one rule for every number and every sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from leagues import wording

LOSS_DECIMALS = 3
OF_95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Distance:
    """A difference of log loss over the same matches, rounded as it is shown.

    It counts as clear where it is larger than the half of its 95 % range, both as they are shown:
    so words and the numbers beside them cannot disagree.
    """

    mean: float
    half: float
    matches: int

    @property
    def is_clear(self) -> bool:
        return abs(self.mean) > self.half

    @property
    def words(self) -> dict[str, Any]:
        """The numbers for a sentence: without a sign, and with one as `change`."""
        return {
            "margin": wording.number(abs(self.mean), LOSS_DECIMALS),
            "change": wording.with_sign(self.mean, LOSS_DECIMALS),
            "half": self.plus_minus,
            "results": wording.results(self.matches),
        }

    @property
    def plus_minus(self) -> str:
        return wording.plus_minus(self.half, LOSS_DECIMALS)


def distance(
    mean: float, error: float, matches: int, between: tuple[float, float] | None = None
) -> Distance:
    """The distance of a mean paired difference of log loss with its standard error.

    `between` are the two losses, the first subtracted, that are shown beside it and that it is the
    difference of: then so are the rounded numbers.
    """
    shown = wording.round_number(mean, LOSS_DECIMALS)
    if between is not None:
        first, second = (wording.round_number(loss, LOSS_DECIMALS) for loss in between)
        shown = wording.round_number(second - first, LOSS_DECIMALS)
    return Distance(shown, wording.round_number(OF_95 * error, LOSS_DECIMALS), matches)
