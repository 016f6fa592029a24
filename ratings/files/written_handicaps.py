"""Handicaps on lines of written results: a sign and points behind the names of a side.

As a word of its own `+64` is neither a score, which has two numbers, nor a player, whose name needs
a letter. A minus sign behind a digit is that of a score.
"""

from __future__ import annotations

import re
from typing import Final

from ratings.files.handicap_cells import read_handicap
from ratings.files.problems import CellProblem, LineProblem
from ratings.files.written_words import KnowsName, ends_with_name

_SIGNED: Final = re.compile(r"(?<=\S) ((?:\+|(?<=[^\d\s] )[-\u2212])(\d+))(?= |$)", re.ASCII)


def divided_by_handicap(text: str, knows: KnowsName | None) -> list[str] | None:
    """A line's names in two parts, cut behind the handicap of the first side; None without one."""
    found = next(iter(_found(text, knows)), None)
    if found is None or found.end() == len(text):
        return None
    return [text[: found.end()], text[found.end() :]]


def without_handicap(text: str, knows: KnowsName | None) -> tuple[str, int]:
    """The names of a side, and the handicap behind them; 0 without one. Raises LineProblem."""
    text = text.strip()
    found = _found(text, knows)
    if not found:
        return text, 0
    if len(found) > 1 or found[0].end() < len(text):
        raise LineProblem(
            "handicap",
            "Write the handicap of a side once, behind its names, as in Ana + Cy +64 > Bo + Di.",
        )
    try:
        return text[: found[0].start()], read_handicap(found[0][1])
    except CellProblem as problem:
        raise LineProblem("handicap", problem.reason) from None


def _found(text: str, knows: KnowsName | None) -> list[re.Match[str]]:
    """The words of a text that are handicaps, unless they name a player or end a known name."""
    return [
        one
        for one in _SIGNED.finditer(text)
        if not (knows and knows(one[2])) and not ends_with_name(text[: one.end()].split(" "), knows)
    ]
