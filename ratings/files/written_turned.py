"""Words that say one winner beside a score for the other, as in “Bo lost to Ana 3-1”."""

from __future__ import annotations

from collections.abc import Sequence

from ratings.files.problems import LineProblem, shown
from ratings.files.written_words import SECOND_WON, Places

_MOST_SHOWN = 60


def refuse_turned(
    sides: Sequence[Sequence[str]], places: Places, score: tuple[int, int] | None, detail: str
) -> None:
    """Raise LineProblem for two sides of which the first lost by words and won by the score.

    People write the score of the winner first behind such words, too, and nothing tells whether
    this one did.
    """
    if score is None or places != SECOND_WON or score[0] <= score[1]:
        return
    one, other = (shown(" + ".join(side), _MOST_SHOWN) for side in sides)
    written = f"{score[0]}-{score[1]}" + (f" ({shown(detail, _MOST_SHOWN)})" if detail else "")
    raise LineProblem(
        "turned",
        f"By the words “{other}” won, by the score “{one}”. Write “{other} - {one} {written}” if "
        f"“{other}” won, and “{one} - {other} {written}” if “{one}” did.",
    )
