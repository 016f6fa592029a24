"""The lines of one night sheet that two pages typed: the second’s go below the first’s."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from datetime import date
from typing import Final

from leagues.services.sheet_headings import Headings, headed
from leagues.services.sheet_meanings import MeantLine, Place, Reader, Under, heading_of
from ratings.files.written_words import KnowsName

_MAX_READINGS: Final = 5
"""How often lines are put together anew until they mean what they did."""


def merged_lines(
    stored: str,
    first: Place,
    mine: str,
    my_first: Place,
    *,
    today: date,
    knows: KnowsName,
    match_kinds: Collection[str],
    headings: Headings,
) -> tuple[str, int]:
    """The stored lines with those of mine that are not among them below, and how many those are.

    A line is the same only where it means the same: on the same day, in the same mode (that of its
    sheet where no line above names one) and between the same sides. What stands for “the same two
    again” is written out below, where other lines may stand above it. Of sheets of two modes each
    line is headed by its own. A time in the small hours that needs a day stands above all others:
    below them it would be taken for one of their nights.
    """
    reader = Reader(today, knows, match_kinds, headings)
    if first.mode != my_first.mode:
        stored = headed(stored, first.mode, headings)
        first = first._replace(mode=my_first.mode)
    missing = _missing(reader.read(mine, my_first).lines, reader.read(stored, first).lines)
    if not missing:
        return stored, 0
    return _Sheet(stored, first, missing, reader).text(), len(missing)


def lines_left(
    entered: str,
    newer: str,
    first: Place,
    *,
    today: date,
    knows: KnowsName,
    match_kinds: Collection[str],
    headings: Headings,
) -> str:
    """What of a sheet is left once some of its lines were entered, in the mode of both."""
    reader = Reader(today, knows, match_kinds, headings)
    missing = _missing(reader.read(newer, first).lines, reader.read(entered, first).lines)
    return _Sheet("", first, missing, reader).text() if missing else ""


def _missing(lines: Iterable[MeantLine], others: Iterable[MeantLine]) -> list[MeantLine]:
    """The lines that are not among some others, each as often as it is not."""
    there = Counter(other.meaning for other in others)
    missing = []
    for line in lines:
        if there[line.meaning]:
            there[line.meaning] -= 1
        else:
            missing.append(line)
    return missing


class _Sheet:
    """Lines below a text, with what has to stand above them so that they mean what they did.

    Of these `_days` has the lines that say a day, by the positions of those below; `_on_top` has
    the positions of those that have to stand above all others, `_headed` of those with a day.
    """

    def __init__(
        self, above: str, first: Place, added: Sequence[MeantLine], reader: Reader
    ) -> None:
        self._above, self._first, self._added, self._reader = above, first, added, reader
        self._days: dict[int, str] = {}
        self._on_top: set[int] = set()
        self._headed: set[int] = set()

    def text(self) -> str:
        for left in range(_MAX_READINGS, 0, -1):
            lines, numbers = self._laid_out()
            read = self._reader.read("\n".join(lines), self._first).lines
            by_number = {line.number: line for line in read}
            found = [by_number.get(number) for number in numbers]
            if not self._mend(found, each=left == 1):
                return "\n".join(lines)
        return "\n".join(self._laid_out()[0])

    def _laid_out(self) -> tuple[list[str], list[int]]:
        """The lines of the whole sheet, and the numbers that those added have among them."""
        lines: list[str] = []
        numbers = [0] * len(self._added)
        at: Under = self._first.mode
        for index in sorted(self._on_top):
            at = self._put(index, lines, numbers, at)
        above = self._above
        if at != self._first.mode:
            above = headed(above, self._first.mode, self._reader.headings)
        if above.strip():
            lines += above.rstrip("\n").split("\n")
        at = self._reader.read("\n".join(lines), self._first).under
        for index in range(len(self._added)):
            if index not in self._on_top:
                at = self._put(index, lines, numbers, at)
        return lines, numbers

    def _put(self, index: int, lines: list[str], numbers: list[int], at: Under) -> Under:
        """Write one of those added below others, and return what is played below it."""
        line = self._added[index]
        if index in self._days:
            lines.append(self._days[index])
        is_below = line.read is not None and not (line.is_labelled or line.is_heading)
        if is_below and line.under != at:
            lines.append(heading_of(line.under))
        lines.append(line.text)
        numbers[index] = len(lines)
        return line.under if is_below or line.is_heading else at

    def _mend(self, found: Sequence[MeantLine | None], *, each: bool) -> bool:
        """Put a day above the lines that are read as something else, and say whether any is.

        Those that follow one are of its day, too, unless `each` needs its own.
        """
        is_changed, above = False, ""
        for index, (line, read) in enumerate(zip(self._added, found, strict=True)):
            if line.read is None:
                continue
            if line.means_the_same_as(read):
                above = ""
                continue
            day = line.bad_day or f"@{line.played_on.isoformat()}"
            if index in self._headed | self._on_top or (day == above and not each):
                continue
            is_changed, above = True, day
            if line.is_open or (line.becomes_match(read) and not line.bad_day):
                self._on_top.add(index)
                continue
            self._headed.add(index)
            self._days[self._below_remarks(index)] = day
        return is_changed

    def _below_remarks(self, index: int) -> int:
        """The position of the first of the remarks right above a line, or its own."""
        while index and self._added[index - 1].text.startswith("#"):
            index -= 1
        return index
