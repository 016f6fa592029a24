"""What a row says of its player besides the name: the share played, other names, groups, starts."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final, TypeVar

from ratings.files.matches import Person
from ratings.files.meanings import OF_A_PLAYER, Meaning
from ratings.files.names import NameProblem, clean_name, without_formula_guard
from ratings.files.problems import CellProblem
from ratings.files.reading import Reading, cell, read_decimal
from ratings.files.scores import read_integer, read_truth
from ratings.files.start_cells import read_starts

T = TypeVar("T")

FIRST_BIRTH_YEAR: Final = 1800
LAST_BIRTH_YEAR: Final = 2200
_SEPARATOR: Final = ";"
_ACTIVE: Final = frozenset(("active", "aktiv", "actif", "activo", "attivo", "actief"))
_INACTIVE: Final = frozenset(
    ("inactive", "inaktiv", "passiv", "passive", "inactif", "inactivo", "inattivo", "inactief")
)
_YEAR: Final = re.compile(r"(?<!\d)\d{4}(?!\d)", re.ASCII)


class PersonCells:
    """The columns of one file that describe the player of a row, where it has some."""

    def __init__(self, reading: Reading) -> None:
        self._own_score_at = reading.one(Meaning.OWN_SCORE)
        self._share_at = reading.one(Meaning.PLAYING_SHARE)
        self._aliases_at = reading.one(Meaning.ALIASES)
        self._private_aliases_at = reading.one(Meaning.PRIVATE_ALIASES)
        self._year_at = reading.one(Meaning.BIRTH_YEAR)
        self._club_at = reading.one(Meaning.CLUB)
        self._team_at = reading.one(Meaning.PLAYER_TEAM)
        if self._team_at is None and reading.layout.shape == "players":
            self._team_at = reading.one(Meaning.TEAM)
        self._country_at = reading.one(Meaning.COUNTRY)
        self._active_at = reading.one(Meaning.IS_ACTIVE)
        self._left_at = reading.one(Meaning.LEFT_AT)
        self._starts_at = reading.one(Meaning.STARTING_RATINGS)
        self._reading = reading
        described = any(reading.one(meaning) is not None for meaning in OF_A_PLAYER)
        self._has_any = described or self._team_at is not None

    @property
    def has_own_scores(self) -> bool:
        """Whether players have scores of their own beside that of their side."""
        return self._own_score_at is not None

    def describe(self, person: Person, row: Sequence[str]) -> Person:
        """Return the player with what the row says; raise CellProblem where it cannot be."""
        if not self._has_any:
            return person
        return replace(
            person,
            own_score=_filled(row, self._own_score_at, read_integer),
            playing_share=_filled(row, self._share_at, _read_share) or 1.0,
            aliases=_filled(row, self._aliases_at, read_aliases) or (),
            private_aliases=_filled(row, self._private_aliases_at, read_aliases) or (),
            birth_year=_filled(row, self._year_at, _read_year),
            club=_filled(row, self._club_at, _read_group) or "",
            team=_filled(row, self._team_at, _read_group) or "",
            country=_filled(row, self._country_at, _read_group) or "",
            is_active=_filled(row, self._active_at, _read_active),
            left_at=_filled(row, self._left_at, self._read_moment),
            starts=_filled(row, self._starts_at, read_starts) or (),
        )

    def _read_moment(self, text: str) -> datetime:
        return self._reading.calendar.read(text, "")[0]


def _filled(row: Sequence[str], index: int | None, read: Callable[[str], T]) -> T | None:
    return None if index is None or not row[index].strip() else cell(row, index, read)


def _read_share(text: str) -> float:
    share = read_decimal(text)
    if share is None or not 0.0 < share <= 1.0:
        raise CellProblem(
            "A playing share must be more than 0 and at most 1.", text, code="playing_share"
        )
    return share


def _read_year(text: str) -> int:
    """Read a year of birth; of a date of birth only its year."""
    years = [int(year) for year in _YEAR.findall(text)]
    if len(years) != 1 or not FIRST_BIRTH_YEAR <= years[0] <= LAST_BIRTH_YEAR:
        raise CellProblem(
            f"A year of birth must be from {FIRST_BIRTH_YEAR} to {LAST_BIRTH_YEAR}.", text
        )
    return years[0]


def _read_active(text: str) -> bool:
    word = text.strip().casefold()
    if word in _ACTIVE or word in _INACTIVE:
        return word in _ACTIVE
    try:
        return read_truth(text)
    except CellProblem:
        raise CellProblem("This must be yes or no, or active or inactive.", text) from None


def _read_group(text: str) -> str:
    try:
        return clean_name(without_formula_guard(text.strip()))
    except NameProblem as problem:
        raise CellProblem(problem.reason, text) from None


def write_aliases(names: Sequence[str]) -> str:
    """Write other names as one cell, which `read_aliases` reads back."""
    cells = io.StringIO()
    csv.writer(cells, delimiter=_SEPARATOR, lineterminator="").writerow(names)
    return cells.getvalue() if names else ""


def read_aliases(text: str) -> tuple[str, ...]:
    """Read other names, separated by semicolons; one with a semicolon stands in quotation marks."""
    line = without_formula_guard(text.strip())
    try:
        rows = csv.reader([line], delimiter=_SEPARATOR, skipinitialspace=True)
        return tuple(clean_name(name) for row in rows for name in row if name.strip())
    except NameProblem as problem:
        raise CellProblem(problem.reason, text) from None
    except csv.Error:
        raise CellProblem("Separate other names by semicolons, in one line.", text) from None
