"""Read files with a player a row and no matches: a list of members, a tournament's entrants."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ratings.files.matches import PlayerRow
from ratings.files.meanings import Meaning
from ratings.files.person_cells import PersonCells
from ratings.files.problems import BadRow, CellProblem
from ratings.files.reading import Reading


class PlayersReader:
    """Reads one player at a time."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._player_at = reading.one(Meaning.PLAYER)
        self._key_at = reading.one(Meaning.PLAYER_ID)
        self._people = PersonCells(reading)

    def read(self, rows: Iterable[tuple[int, list[str]]]) -> Iterator[PlayerRow | BadRow]:
        """Yield players and bad rows, in the order of the file."""
        for line, row in rows:
            try:
                yield self._row(line, self._reading.fitted(row))
            except CellProblem as problem:
                yield self._reading.bad_row(line, problem)

    def _row(self, line: int, row: list[str]) -> PlayerRow:
        if self._player_at is not None and not row[self._player_at].strip():
            raise CellProblem("The name is missing.", "", self._player_at, code="name")
        person = self._reading.person(row, self._player_at, self._key_at)
        return PlayerRow(line, self._people.describe(person, row))
