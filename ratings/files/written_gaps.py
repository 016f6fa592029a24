"""Scores of a written line as one word each: “3 : 1” as 3:1, “11,9” as two numbers."""

from __future__ import annotations

import re
from typing import Final

from ratings.files.written_words import KnowsName, begins_with_name, ends_with_name

_GAP: Final = re.compile(
    r"(?<=\d)(?: ?([-:\u2012-\u2014\u2212]) ?| (?i:zu|to|à|a|til|x) )(?=\d{1,6}\b)", re.ASCII
)
"""A mark between two numbers, or a word by which people say it."""
_LIST_GAP: Final = re.compile(r"(?<=\d)[,;](?=\d)", re.ASCII)


def without_gaps(line: str, knows: KnowsName | None) -> str:
    """A line with each of its scores as one word, and a space between those of a list.

    The number at the end of a known name is none of them before points, as in “Bot 7: 31”, or
    before another known name, as in “Bot 7 - 3 Amigos”.
    """

    def close(gap: re.Match[str]) -> str:
        mark = gap[1] or "-"
        is_named = gap[0] != mark and ends_with_name(line[: gap.start()].split(" "), knows)
        if is_named and (gap[0] == ": " or begins_with_name(line[gap.end() :].split(" "), knows)):
            return gap[0]
        return mark

    return _LIST_GAP.sub(", ", _GAP.sub(close, line))
