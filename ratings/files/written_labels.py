"""Words with a colon in front of a match that say what is played: “Doppel: Ana/Bo - Cy/Di 3-1”."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ratings.files.names import fold_kind
from ratings.files.problems import LineProblem, shown
from ratings.files.written_day_words import DAYS_AGO, WEEKDAY_OF
from ratings.files.written_words import KnowsName

SINGLES_WORDS: Final = frozenset(
    ("singles", "single", "einzel", "simple", "simples", "individual",
     "singolo", "singoli", "enkel", "enkelspel")
)  # fmt: skip
TEAMS_WORDS: Final = frozenset(
    ("doubles", "double", "doppel", "dobles", "doppio", "doppi", "duplas", "dubbel",
     "dubbelspel", "mixed", "mixte", "teams")
)  # fmt: skip
_LABEL: Final = re.compile(r"([^\W\d_]{3,12})(?: \d{1,2})? ?: (?=\D)")
"""Such a word, perhaps numbered; points behind the colon would be those of a player."""


def without_label(line: str, knows: KnowsName | None) -> tuple[str, str]:
    """A line without the word for singles or doubles before its match, and that word."""
    found = _LABEL.match(line)
    if found is None or fold_kind(found[1]) not in SINGLES_WORDS | TEAMS_WORDS:
        return line, ""
    if knows is not None and knows(found[1]):
        return line, ""
    return line[found.end() :], found[1]


def with_day_first(line: str, knows: KnowsName | None) -> str:
    """A line with its day in front, where it stands behind a label: “Doppel: Gestern: …”."""
    rest, label = without_label(line, knows)
    day, colon, match = rest.partition(": ")
    is_day = fold_kind(day) in DAYS_AGO or fold_kind(day) in WEEKDAY_OF
    is_moved = bool(label and colon and is_day) and not (knows is not None and knows(day))
    return f"{day}: {label}: {match}" if is_moved else line


def refuse_other_label(label: str, sides: Sequence[Sequence[str]]) -> None:
    """Raise LineProblem where the word in front of a match is not for as many players."""
    has_teams = any(len(side) > 1 for side in sides)
    words = SINGLES_WORDS if has_teams else TEAMS_WORDS
    if fold_kind(label) in words:
        played = "players with a + between them" if has_teams else "one player on each side"
        raise LineProblem(
            "label",
            f"“{shown(label)}” stands before a match that has {played}; delete the word, or "
            "correct the names.",
        )


def refuse_unknown_label(text: str) -> None:
    """Raise LineProblem where names have a colon between them: nothing tells what it means."""
    before, colon, _behind = text.partition(": ")
    if colon:
        raise LineProblem(
            "prefix",
            f"“{shown(f'{before.rstrip()}:', 30)}” is not understood; leave only the names and the "
            "score, without who wrote it or which match it is.",
        )
