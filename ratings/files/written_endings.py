"""Words and scores behind the names of a written match, which say how it ended."""

from __future__ import annotations

import re
from typing import Final

from ratings.files.walkover_words import WALKOVER_WORDS

SCORE: Final = re.compile(
    r"\(?\[?\d{1,6}[-:\u2012-\u2014\u2212]\d{1,6}\]?(?:\(\d{1,3}\))?\)?", re.ASCII
)
WALKOVER: Final = tuple(word for word in WALKOVER_WORDS if " " not in word and word[-1] != ".")
RETIRED: Final = ("ret", "retired", "retirement", "aufgegeben", "aufgabe", "abandon", "abandono")
FRIENDLY: Final = (
    "friendly", "unrated", "casual", "freundschaft", "freundschaftsspiel", "amical", "amistoso",
    "amichevole", "vriendschappelijk",
)  # fmt: skip
DRAW: Final = (
    "draw", "tie", "remis", "unentschieden", "nulle", "tablas", "empate", "patta", "remise",
    "gelijkspel", "uavgjort", "uafgjort", "oavgjort",
)  # fmt: skip
ENDINGS: Final = frozenset((*WALKOVER, *RETIRED, *FRIENDLY, *DRAW))


def has_marks(text: str) -> bool:
    """Whether a mark between sides stands in a text."""
    return any(mark in text for mark in ",<>=")


def bare(word: str) -> str:
    """A word without what stands behind it in a sentence."""
    return word.rstrip(",;.!")


def plain(word: str) -> str:
    """A word as `ENDINGS` has it."""
    return word.strip(",;.!()").casefold()
