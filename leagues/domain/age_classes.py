"""Age classes of players, such as U15 and 40+: from the year of birth, by which nothing is rated.

Only the year is known, so a class counts whole years: in a year, whoever turns 15 in it is 15 all
year. U15 has who is younger than 15 by that count, 40+ who is 40 or older.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

MAX_CLASSES: Final = 12
MAX_AGE: Final = 120
MAX_LETTERS: Final = 120
"""Letters of the longest list that can be stored."""
_CLASS: Final = re.compile(r"(?:u ?-?(?P<under>[1-9][0-9]{0,2})|(?P<least>[1-9][0-9]{0,2}) ?\+)\Z")


class UnreadableClass(ValueError):
    """A word that is no age class; the word is its only argument."""


@dataclass(frozen=True, slots=True)
class AgeClass:
    """Players under an age, or of an age at least."""

    age: int
    is_under: bool

    @property
    def name(self) -> str:
        """What people call it."""
        return f"U{self.age}" if self.is_under else f"{self.age}+"

    @property
    def word(self) -> str:
        """What an address says for it."""
        return self.name.lower()

    def birth_years(self, year: int) -> tuple[int | None, int | None]:
        """The first and the last year of birth of who belongs to it in a year; None: no bound."""
        turning = year - self.age
        return (turning + 1, None) if self.is_under else (None, turning)


def read_class(word: str) -> AgeClass:
    """An age class as people write it: U15, u-15, 40+; raises UnreadableClass."""
    match = _CLASS.match(word.strip().lower())
    if match is None:
        raise UnreadableClass(word.strip())
    under, least = match["under"], match["least"]
    age = int(under or least)
    if age > MAX_AGE:
        raise UnreadableClass(word.strip())
    return AgeClass(age, is_under=under is not None)


def read_classes(text: str) -> tuple[AgeClass, ...]:
    """The age classes of a list, each once, in its order; raises UnreadableClass."""
    words = [word for word in re.split(r"[,;\n]", text) if word.strip()]
    return tuple(dict.fromkeys(map(read_class, words)))


def write_classes(classes: tuple[AgeClass, ...]) -> str:
    """The list as it is stored and shown."""
    return ", ".join(one.name for one in classes)
