"""The words by which games name kinds of events of their own, and a value for each of some words.

A list of values is written as people type it: `goal 7, steal 0.5`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

OWN_WORD: Final = r"[a-z0-9][a-z0-9-]{0,27}"
"""A word that a game may have for a kind of events, as a pattern."""
MAX_WORDS: Final = 50
"""Words of one list."""
MAX_TEXT: Final = 4_000
"""Characters of one list; one that can be read takes at most 3,250 as it is written."""

_PREFIX: Final = "own:"
_BETWEEN: Final = re.compile(r"[,;\r\n]")
_SIGNS: Final = re.compile(r"[=:]")
_WORD: Final = re.compile(OWN_WORD, re.ASCII)
_NUMBER: Final = re.compile(r"[0-9]{1,15}(\.[0-9]{0,17})?|\.[0-9]{1,17}", re.ASCII)


@lru_cache(maxsize=256)
def read_values(text: str) -> Mapping[str, float]:
    """The value of each word of a list, by word; ValueError, with the reason, for no list."""
    values: dict[str, float] = {}
    if len(text) > MAX_TEXT:
        raise ValueError(f"must be at most {MAX_TEXT} characters long")
    for part in _BETWEEN.split(text):
        entry = part.strip().removeprefix(_PREFIX)
        if not entry:
            continue
        word, *rest = _SIGNS.sub(" ", entry).split(maxsplit=1) or [""]
        number = rest[0].strip() if rest else ""
        if not (_WORD.fullmatch(word) and _NUMBER.fullmatch(number)):
            raise ValueError(
                "must be words with their values, such as goal 7, steal 0.5; a word has small "
                "letters, digits and hyphens"
            )
        if word in values:
            raise ValueError(f"has two values for {word}")
        values[word] = float(number)
    if len(values) > MAX_WORDS:
        raise ValueError(f"must have at most {MAX_WORDS} words")
    return MappingProxyType({word: values[word] for word in sorted(values)})


def write_values(values: Mapping[str, float]) -> str:
    """A list of values as `read_values` reads it."""
    return ", ".join(f"{word} {_written(values[word])}" for word in sorted(values))


def _written(value: float) -> str:
    text = repr(value)
    return (f"{value:.17f}".rstrip("0") if "e" in text else text).removesuffix(".0").rstrip(".")
