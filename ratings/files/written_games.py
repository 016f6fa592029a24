"""Several scores on a line that are rather games of their own than the sets of one match."""

from __future__ import annotations

from collections.abc import Sequence

from ratings.files.problems import LineProblem
from ratings.files.scores import sets_won


def refuse_games(scores: Sequence[tuple[int, int]], written: str) -> None:
    """Raise LineProblem for scores, with none in front that counts them, of which each is a game.

    No set ends 1-0; and sets of which each side won as many would make one draw of two wins.
    """
    won = sets_won(list(scores))
    if won[0] != won[1] and any(max(score) > 1 for score in scores):
        return
    raise LineProblem(
        "games",
        "These may be several games; write each on a line of its own. If they are the sets of one "
        f"match, write them in brackets behind its score, like {won[0]}-{won[1]} ({written}).",
    )
