"""What each line of a night sheet means by those above it, so that it can stand below others."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final, NamedTuple

from leagues.models import Mode
from leagues.services.sheet_headings import (
    Headings,
    day_said_by,
    heading,
    unknown_name_in,
)
from ratings.files.problems import LineProblem
from ratings.files.written import SAME_SIDES, WrittenMatch
from ratings.files.written_days import DAY_LINE
from ratings.files.written_leads import MORNING
from ratings.files.written_spellings import with_same_sides_marked
from ratings.files.written_text import read_lines
from ratings.files.written_times import day_told_by
from ratings.files.written_words import KnowsName

Sides = tuple[tuple[str, ...], ...]
Under = Mode | str
"""What is played below a heading: a mode, or what no mode is called, as the heading names it."""
_SAME: Final = re.compile(rf"(?<!\S)[{''.join(sorted(SAME_SIDES))}](?!\S)\s*((?:[<>=](?!\S))?)")
"""The mark as a word of its own: within a name it is part of a nickname."""


class Place(NamedTuple):
    """What holds for the lines of a sheet that no other above them says something else for."""

    day: date
    mode: Mode


@dataclass(frozen=True, slots=True)
class MeantLine:
    """A line that is neither a day nor a mode, whole by itself.

    `day` is that of the evening which it is of, `bad_day` the line above it that says a day which
    cannot be read, `is_labelled` whether it names its mode itself.
    """

    number: int
    text: str
    under: Under
    day: date
    read: WrittenMatch | LineProblem | None
    bad_day: str = ""
    is_labelled: bool = False

    @property
    def match(self) -> WrittenMatch | None:
        return self.read if isinstance(self.read, WrittenMatch) else None

    @property
    def is_heading(self) -> bool:
        """Whether it names what is played below it, but no mode is called so."""
        return isinstance(self.under, str) and self.under == self.text

    @property
    def says_bad_day(self) -> bool:
        return isinstance(self.read, LineProblem) and self.read.code == DAY_LINE

    @property
    def played_on(self) -> date:
        """The day on which its match was played; of other lines that of those around it."""
        match = self.match
        if match is None:
            return self.day
        return match.own_day or match.played_on(self.day)

    @property
    def is_open(self) -> bool:
        """Whether its time may be before the evening of its sheet, or after it."""
        match = self.match
        is_own = match is not None and match.clock is not None and not match.is_clock_above
        return bool(is_own and is_of_two_nights(match))

    @property
    def meaning(self) -> tuple[Any, ...]:
        """What is the same of two lines that mean the same, wherever they stand."""
        match = self.match
        if match is None or "#" in self.text:
            said: Any = self.text
        else:
            # That others are above it in the same time says nothing of a match.
            clock = None if match.is_clock_above else match.clock
            alone = replace(match, day=None, own_day=None, is_past_midnight=False)
            said = replace(alone, clock=clock, is_clock_above=False)
        return said, self.under, self.bad_day, self.played_on, self.is_open

    def becomes_match(self, other: MeantLine | None) -> bool:
        """Whether this line was refused, and says a match below others: with their sides, if so."""
        is_match = other is not None and isinstance(other.read, WrittenMatch)
        return is_match and isinstance(self.read, LineProblem) and not self.says_bad_day

    def means_the_same_as(self, other: MeantLine | None) -> bool:
        """Whether this line, put below others, is read there as the other was."""
        if other is None or self.read is None or self.says_bad_day:
            return True
        if self.becomes_match(other):
            return False
        if isinstance(self.read, LineProblem):
            return self.bad_day == other.bad_day and (bool(self.bad_day) or self.day == other.day)
        if self.is_open and other.is_open:
            return True
        return self.meaning == other.meaning


def is_of_two_nights(match: WrittenMatch | None) -> bool:
    """Whether a time in the small hours may be before the evening of its sheet, or after it."""
    is_small = match is not None and match.clock is not None and match.clock < MORNING
    return bool(is_small and match and match.day is None and not match.is_past_midnight)


class Meanings(NamedTuple):
    """The lines of a text, and what is played below all of them."""

    lines: list[MeantLine]
    under: Under


class Reader:
    """Reads the lines of sheets of one league."""

    def __init__(
        self, today: date, knows: KnowsName, match_kinds: Collection[str], headings: Headings
    ) -> None:
        self.headings = headings
        self._today, self._knows, self._match_kinds = today, knows, match_kinds

    def read(self, text: str, first: Place) -> Meanings:
        """Read all lines of a text that begins with the day and the mode of its sheet."""
        lines = text.split("\n")
        named = [self.headings.named_by(line) for line in lines]
        texts = [
            line if label is None else label.text for line, label in zip(lines, named, strict=True)
        ]
        numbered = read_lines(
            texts, today=self._today, knows=self._knows, match_kinds=self._match_kinds
        )
        found = dict(numbered)
        at = _At(first.day, first.mode)
        meant: list[MeantLine] = []
        for number, (line, label, said) in enumerate(zip(lines, named, texts, strict=True), 1):
            read = found.get(number)
            is_day = self._follow(at, said, read)
            if label is not None and not label.match:
                at.under = label.mode
            elif line.strip() and not is_day:
                text = _written_out(line.strip(), read, at.sides)
                if isinstance(read, LineProblem) and unknown_name_in(line):
                    at.under = text
                says_bad = isinstance(read, LineProblem) and read.code == DAY_LINE
                meant.append(
                    MeantLine(
                        number,
                        text,
                        at.under if label is None else label.mode,
                        at.day,
                        read,
                        bad_day="" if says_bad else at.bad_day,
                        is_labelled=label is not None,
                    )
                )
            if isinstance(read, WrittenMatch):
                at.sides = read.sides_below
        return Meanings(meant, at.under)

    def _follow(self, at: _At, said: str, read: WrittenMatch | LineProblem | None) -> bool:
        """Take over the day that a line says; return whether it says nothing else."""
        day: date | None = None
        is_day = False
        if isinstance(read, WrittenMatch):
            day = read.day
        elif isinstance(read, LineProblem) and read.code == DAY_LINE:
            at.bad_day = said.strip()
        elif read is None and (day := day_said_by(said, self._today, self._knows)):
            is_day = True
        else:
            day = day_told_by(said, self._today)
        if isinstance(read, LineProblem):
            at.sides = ()
        if day is not None:
            at.day, at.bad_day = day, ""
        return is_day


@dataclass(slots=True)
class _At:
    """What holds for the next line of a text."""

    day: date
    under: Under
    bad_day: str = ""
    sides: Sides = ()


def _written_out(line: str, read: WrittenMatch | LineProblem | None, above: Sides) -> str:
    """A line with the sides of the one above it instead of the mark that stands for them."""
    if len(above) != 2 or not isinstance(read, WrittenMatch) or read.sides != above:
        return line
    one, two = (" + ".join(side) for side in above)
    marked = with_same_sides_marked(line)
    return _SAME.sub(lambda found: f"{one} {found[1] or '-'} {two} ", marked, count=1).strip()


def heading_of(under: Under) -> str:
    """The line that says what is played below it."""
    return under if isinstance(under, str) else heading(under)
