"""Two names in one cell of a file, such as “Cai / Doro”: a pair, where no player is called so.

A name may have such a mark itself, as many of teams do (“Bodø/Glimt”, “Brighton & Hove Albion”).
What else the league and the file have decides which it rather is, and the check of the file shows
each with the other answer.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from leagues.services.import_names import ImportNames
from leagues.services.import_rows import NamedResult
from leagues.services.rosters import Roster
from ratings.files.matches import Person, SideRow
from ratings.files.names import fold_name, stands_for_nobody
from ratings.files.problems import BadRow

_JOINT: Final = re.compile(r" ?[/+&] ?")
_CLEAR_JOINTS: Final = (" / ",)
"""What stands in no name by itself."""
_DOUBLE_JOINTS: Final = (" + ",)
"""What is clear where the other side has it too."""


@dataclass(frozen=True, slots=True)
class _Pair:
    names: tuple[str, ...]
    joint: str


def with_pairs(
    rows: Sequence[NamedResult | BadRow], roster: Roster, names: ImportNames | None
) -> Sequence[NamedResult | BadRow]:
    """Some rows of a file, with two players where one cell has the names of both.

    Nothing changes where nobody can be asked.
    """
    if names is None:
        return rows
    results = [row for row in rows if isinstance(row, NamedResult)]
    pairs = {
        person.name: pair
        for person in _lone(results)
        if not roster.meant_by(name=person.name) and (pair := _pair_in(person.name))
    }
    if not pairs:
        return rows
    reader = _PairReader(pairs, results, roster, names)
    return [row if isinstance(row, BadRow) else reader.read(row) for row in rows]


class _PairReader:
    """What else the league and the file have, by which pairs are told from single names."""

    def __init__(
        self,
        pairs: dict[str, _Pair],
        results: Sequence[NamedResult],
        roster: Roster,
        names: ImportNames,
    ) -> None:
        self._pairs, self._roster, self._names = pairs, roster, names
        people = [one for row in results for side in row.result.sides for one in side.players]
        self._others = {fold_name(one.name) for one in people if one.name not in pairs}
        self._players: dict[str, tuple[Person, ...]] = {}

    def read(self, row: NamedResult) -> NamedResult:
        """A row with the players of its pairs."""
        names = [side.players[0].name if _is_lone(side) else "" for side in row.result.sides]
        if not any(name in self._pairs for name in names):
            return row
        joints = [pair.joint if (pair := self._pairs.get(name)) else "" for name in names]
        sides = [
            side._replace(players=self._players_of(name))
            if name in self._pairs and self._is_pair(name, row.result.line, joints)
            else side
            for name, side in zip(names, row.result.sides, strict=True)
        ]
        return row._replace(result=row.result._replace(sides=tuple(sides)))

    def _is_pair(self, name: str, line: int, joints: Collection[str]) -> bool:
        pair = self._pairs[name]
        is_clear = (
            pair.joint in _CLEAR_JOINTS
            or (pair.joint in _DOUBLE_JOINTS and set(joints) == {pair.joint})
            or not self._others
            or self._has_players(pair, is_one_enough=all(joints))
        )
        return self._names.is_pair(name, line, self._roster, pair.names, is_clear=is_clear)

    def _has_players(self, pair: _Pair, *, is_one_enough: bool) -> bool:
        """Whether players are called so, or others in the file: both, or one where that will do."""
        known = [
            fold_name(one) in self._others or bool(self._roster.meant_by(name=one))
            for one in pair.names
        ]
        if all(known) or (is_one_enough and any(known)):
            return True
        return all(
            is_known or self._names.is_short(one)
            for one, is_known in zip(pair.names, known, strict=True)
        )

    def _players_of(self, name: str) -> tuple[Person, ...]:
        if name not in self._players:
            self._players[name] = tuple(Person(one) for one in self._pairs[name].names)
        return self._players[name]


def _lone(results: Sequence[NamedResult]) -> Iterator[Person]:
    """Yield who is alone on a side, and of whom the file says no more than the name."""
    for row in results:
        for side in row.result.sides:
            if _is_lone(side):
                yield side.players[0]


def _is_lone(side: SideRow) -> bool:
    if len(side.players) != 1:
        return False
    person = side.players[0]
    is_plain = person.own_score is None and person.playing_share == 1.0
    return person.key is None and is_plain and not person.is_described


def _pair_in(name: str) -> _Pair | None:
    """The two names that a mark joins; None where it is rather a name, or nobody's."""
    joints = _JOINT.findall(name)
    if len(joints) != 1 or stands_for_nobody(name):
        return None
    names = tuple(_JOINT.split(name))
    if not all(any(map(str.isalpha, one)) for one in names):
        return None
    return _Pair(names, joints[0]) if fold_name(names[0]) != fold_name(names[1]) else None
