"""The headings of a table that is pasted among written results."""

from __future__ import annotations

from typing import Final

from ratings.files.meanings import Meaning
from ratings.files.problems import LineProblem
from ratings.files.vocabulary import header_words, suggested_meaning
from ratings.files.written_words import KnowsName

_BEFORE: Final = frozenset((Meaning.DATE, Meaning.TIME))
_SIDES: Final = [Meaning.SIDE_1, Meaning.SIDE_2]
_BEHIND: Final = ([Meaning.SCORE], [Meaning.RESULT], [Meaning.SCORE_1, Meaning.SCORE_2])


def is_heading(line: str, knows: KnowsName | None) -> bool:
    """Whether the cells of a line are headings, in the order in which lines are read anyway.

    Raises LineProblem for headings of other columns: without them, the lines below may mean
    something else, such as the winner's score first in “Winner, Loser, Score”.
    """
    cells = [cell.strip() for cell in line.split("\t") if cell.strip()]
    if len(cells) < 2 or (knows is not None and any(map(knows, cells))):
        return False
    meanings = [suggested_meaning(header_words(cell)) for cell in cells]
    if None in meanings:
        return False
    while meanings and meanings[0] in _BEFORE:
        del meanings[0]
    if meanings[:2] == _SIDES and meanings[2:] in _BEHIND:
        return True
    raise LineProblem(
        "headings",
        "These are headings of a table that lines do not have; import it as a file, or delete "
        "them if each line below says who played and how it ended.",
    )
