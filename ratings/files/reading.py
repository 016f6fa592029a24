"""What both shapes of file have in common: dates, ids, names, kinds and the order of matches."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Final, TypeVar

from ratings.files.columns import Layout, given_order
from ratings.files.dates import Calendar, DayOrder
from ratings.files.matches import Person, Result
from ratings.files.meanings import Meaning
from ratings.files.names import NameProblem, clean_name, fold_kind, without_formula_guard
from ratings.files.number_map import NumberMap, key_of
from ratings.files.problems import BadRow, CellProblem, FileProblem, shown
from ratings.files.scores import Kind, read_flag, read_remark, read_truth, split_sets

T = TypeVar("T")

DETAIL_LENGTH = 200
ORDER_LIMIT: Final = 2**53
WEIGHT_LIMIT: Final = 1000.0

_EXTERNAL_ID = re.compile(r"[A-Za-z0-9._:-]{1,128}", re.ASCII)
_KEY = re.compile(r"[A-Za-z0-9._:@+/#|-]{1,128}", re.ASCII)
_ORDER = re.compile(r"-?\d{1,16}", re.ASCII)
_DECIMAL = re.compile(r"\d{1,4}(?:[.,]\d{1,30})?(?:e-\d{1,2})?", re.ASCII)
_CONTROLS = re.compile(r"[\t\n\r\v\f]+")
MOST_PEOPLE: Final = 100_000
"""Whom the reader of a file keeps at once, as whoever asks what they mean may."""
_HASH_LENGTH: Final = 32
_HASH_BITS: Final = (1 << _HASH_LENGTH) - 1


def cell(row: Sequence[str], index: int, read: Callable[[str], T]) -> T:
    """Read one cell; a problem with it names the column."""
    try:
        return read(row[index])
    except CellProblem as problem:
        problem.column = index
        raise


def read_decimal(text: str) -> float | None:
    """Read a number that is not negative, with a point or a comma; None where it is none."""
    number = text.strip()
    return float(number.replace(",", ".")) if _DECIMAL.fullmatch(number) else None


class Reading:
    """The layout of one file made ready for reading its rows."""

    def __init__(
        self,
        layout: Layout,
        *,
        header: Sequence[str],
        zone: str,
        dates: DayOrder | None,
        today: date,
        winners: Mapping[str, str] | None = None,
        day: date | None = None,
        weights: Mapping[str, float] | None = None,
    ) -> None:
        if layout.problems:
            raise FileProblem(" ".join(layout.problems))
        self.layout = layout
        self.winners = winners or {}
        self.header = tuple(header)
        self.width = len(header)
        self.calendar = Calendar(zone=zone, order=given_order(layout, dates), today=today)
        self.dated = day is not None or self.one(Meaning.DATE) is not None
        self._day = "" if day is None else day.isoformat()
        self._date = self.one(Meaning.DATE)
        self._time = self.one(Meaning.TIME)
        external = self.one(Meaning.EXTERNAL_ID)
        number = self.one(Meaning.MATCH_ID)
        self._id = number if external is None else external
        self._number = None if external is None else number
        self._order = self._order_column()
        self._flag = self.one(Meaning.FLAG)
        self.comment_column = self.one(Meaning.COMMENT)
        self._rated = self.one(Meaning.RATED)
        self.flag_columns = (self._flag, self.comment_column, self._rated)
        """The columns that say of what kind a match was, where there are such."""
        self._weight = self.one(Meaning.WEIGHT)
        self._weights = {fold_kind(name): value for name, value in (weights or {}).items()}
        self._weight_names = ", ".join(weights or ())
        self._detail = self.one(Meaning.DETAIL)
        self._set_list = self.one(Meaning.SET_LIST)
        self._mode = self.one(Meaning.MODE)
        self._first_name = self.one(Meaning.FIRST_NAME)
        self._people: dict[tuple[str, str], Person] = {}
        self._counts: dict[datetime, int] = {}
        self._step = -1 if layout.newest_first else 1
        self._known = NumberMap()
        """The line of each match with an id, and in the low bits what it says."""

    def _order_column(self) -> int | None:
        """Return the order column, but not one that counts the lines of a newest-first file."""
        index = self.one(Meaning.ORDER)
        if index is None:
            return None
        facts = self.layout.columns[index].facts
        counts_lines = self.layout.newest_first and facts.rising
        is_long = bool(facts.examples) and all(map(_ORDER.fullmatch, facts.examples))
        return index if (facts.integers or is_long) and not counts_lines else None

    def one(self, meaning: Meaning) -> int | None:
        """Return the column with this meaning, if there is one."""
        return next(iter(self.layout.where(meaning)), None)

    def fitted(self, row: list[str]) -> list[str]:
        """Return the row as wide as the header; blanks at the end may be missing or too many."""
        if len(row) > self.width and any(cell.strip() for cell in row[self.width :]):
            raise CellProblem(
                f"The line has {len(row)} cells, but the header has {self.width}.", ", ".join(row)
            )
        return (row + [""] * (self.width - len(row)))[: self.width]

    def when(self, row: Sequence[str]) -> tuple[datetime, bool]:
        """Return the instant of the match and whether only its date is known."""
        day = "" if self._date is None else row[self._date]
        if not day.strip():
            day = self._day
        if self._date is None and not day:
            return self.calendar.undated, True
        clock = "" if self._time is None else row[self._time]
        try:
            return self.calendar.read(day, clock)
        except CellProblem as problem:
            is_clock = self._time is not None and problem.value == clock != day
            problem.column = self._time if is_clock else self._date
            raise

    def match_id(self, row: Sequence[str]) -> str | None:
        """Return the id of the match where it is one we can keep."""
        if self._id is None:
            return None
        text = row[self._id].strip()
        return text if _EXTERNAL_ID.fullmatch(text) else None

    def number(self, row: Sequence[str]) -> str:
        """Return what the file calls the match, where another column has its id."""
        return "" if self._number is None else row[self._number].strip()

    def order(self, row: Sequence[str], played: datetime) -> int:
        """Return where the match stands among those of its instant.

        The order column decides; else the matches are counted as they come, backwards in a file
        that has the newest first.
        """
        if self._order is not None:
            text = row[self._order].strip()
            if not _ORDER.fullmatch(text) or abs(int(text)) > ORDER_LIMIT:
                raise CellProblem("The order must be a whole number.", text, self._order)
            return int(text)
        count = self._counts.get(played, 0)
        self._counts[played] = count + 1
        return count * self._step

    def kind(self, row: Sequence[str]) -> Kind:
        """Return how the match ended, as the flag and rated columns say."""
        kind: Kind = "played"
        if self._flag is not None and row[self._flag]:
            kind = cell(row, self._flag, read_flag)
        if kind == "played" and self.comment_column is not None:
            kind = read_remark(row[self.comment_column])
        if kind == "played" and self._rated is not None and not cell(row, self._rated, read_truth):
            kind = "unrated"
        return kind

    def weight(self, row: Sequence[str]) -> float:
        """Return the weight of the match; 1 where the file has none."""
        if self._weight is None or not (text := row[self._weight].strip()):
            return 1.0
        number = read_decimal(text)
        weight = self._weights.get(fold_kind(text)) if number is None else number
        if weight is None:
            reason = "A weight must be a number such as 1 or 0.5."
            if self._weights:
                reason = f"A weight must be a number such as 1 or 0.5, or: {self._weight_names}."
            raise CellProblem(reason, text, self._weight, code="weight")
        if not 0.0 < weight <= WEIGHT_LIMIT:
            raise CellProblem(
                "A weight must be more than 0 and at most 1000.", text, self._weight, code="weight"
            )
        return weight

    def detail(self, row: Sequence[str], text: str = "") -> str:
        """Return what else is known of the match, as one short line of text."""
        if not text and self._detail is not None:
            text = row[self._detail]
        if not text:
            return ""
        line = _CONTROLS.sub(" ", without_formula_guard(text.strip()))
        return shown(line.strip(), DETAIL_LENGTH)

    def sets(self, row: Sequence[str]) -> str:
        """Return the sets that the row lists, in one form."""
        if self._set_list is None or not (text := row[self._set_list].strip()):
            return ""
        sets, words = split_sets(without_formula_guard(text))
        if words or len(sets) > DETAIL_LENGTH:
            raise CellProblem(
                "Sets must be written like 11-9 8-11 11-6.", text, self._set_list, code="sets_list"
            )
        return sets

    def mode(self, row: Sequence[str]) -> str:
        """Return the mode of play that the row names."""
        return "" if self._mode is None else row[self._mode].strip()

    def person(self, row: Sequence[str], name_at: int | None, key_at: int | None) -> Person:
        """Return the player that these two cells name."""
        name = row[name_at] if name_at is not None else ""
        key = row[key_at] if key_at is not None else ""
        if self._first_name is not None and name.strip():
            name = f"{row[self._first_name].strip()} {name.strip()}".strip()
        person = self._people.get((name, key))
        if person is None:
            if len(self._people) >= MOST_PEOPLE:
                self._people.clear()
            person = self._people[name, key] = self._person(name, name_at, key, key_at)
        return person

    def _person(self, name: str, name_at: int | None, key: str, key_at: int | None) -> Person:
        kept = None if key_at is None else _kept_key(key, key_at)
        try:
            shown_as = name if name_at is not None else kept or ""
            return Person(clean_name(without_formula_guard(shown_as.strip())), kept)
        except NameProblem as problem:
            raise CellProblem(problem.reason, name, name_at, code="name") from None

    def refuse_contradiction(self, result: Result) -> str:
        """Return a warning for a row that repeats an earlier one; raise where the two differ."""
        if result.external_id is None:
            return ""
        content = hash((result.played, result.kind, result.sides)) & _HASH_BITS
        packed = (result.line << _HASH_LENGTH) | content
        known = self._known.setdefault(key_of(result.external_id), packed)
        if known is None:
            return ""
        line = known >> _HASH_LENGTH
        if known & _HASH_BITS != content:
            raise CellProblem(
                f"Line {line} uses the same id for another match.",
                result.external_id,
                self._id,
                code="id_twice",
            )
        return f"The same as line {line}."

    def bad_row(self, line: int, problem: CellProblem, about: str = "") -> BadRow:
        """Turn a problem with a cell into a line of the report."""
        column = "" if problem.column is None else shown(self.header[problem.column])
        value = shown(problem.value)
        return BadRow(line, column, value, problem.reason, problem.choices, about, problem.code)

    def date_cell(self, row: Sequence[str]) -> str:
        """Return what a row has for its date; nothing where the file has no dates."""
        return "" if self._date is None else "".join(row[self._date : self._date + 1]).strip()


def _kept_key(text: str, column: int) -> str:
    key = without_formula_guard(text.strip())
    if not key:
        raise CellProblem("The player's id is missing.", text, column)
    if not _KEY.fullmatch(key):
        raise CellProblem(
            "A player's id must have 1 to 128 letters, digits or marks such as . _ : -",
            text,
            column,
        )
    return key


def distinct(people: Sequence[Person], column: int | None) -> None:
    """Raise CellProblem, at the column of the players, where one stands in a match twice."""
    seen: set[str] = set()
    for person in people:
        if person.identity in seen:
            words = "A player can only play once in a match."
            raise CellProblem(words, person.name, column, code="player_twice")
        seen.add(person.identity)
