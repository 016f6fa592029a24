"""What a file says of players beside their results: collected row by row.

Groups, years of birth, other names, whether they left, and starting ratings. What is empty in a
file says nothing. Nothing here writes; `services/player_changes.py` compares it with what is
stored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from django.utils.translation import ngettext

from leagues import wording
from leagues.models import Player, PlayerGroup
from leagues.services.spellings import Spelling
from ratings.files.matches import Person, StartRow
from ratings.files.names import fold_name

BIRTH_YEAR: Final = "birth_year"
LEFT_AT: Final = "left_at"
KINDS: Final = tuple(PlayerGroup.Kind.values)
OFTEN: Final = 4
"""A group that one row in so many leaves empty is often missing."""
MANY: Final = 10
"""Fewer rows without a group are nothing unusual."""
_ALWAYS: Final = datetime.min.replace(tzinfo=UTC)
"""Before every result: what a file without results says of no moment."""


@dataclass(slots=True)
class PlayerFacts:
    """What a file says of one player, by field; `line` is where it says something first."""

    player: Player
    line: int
    values: dict[str, Any] = field(default_factory=dict)
    said_at: dict[str, datetime] = field(default_factory=dict)
    """The moment of the result beside which a value stands."""
    names: dict[str, Spelling] = field(default_factory=dict)
    starts: dict[tuple[str, str], StartRow] = field(default_factory=dict)
    """Starting ratings by season and board."""


class Contradiction(NamedTuple):
    """What a row says otherwise than an earlier one, by field."""

    field: str
    value: str
    line: int


class CollectedFacts:
    """What the rows read so far say, by the keys of the players.

    Where rows beside results differ, the one of the newest result holds: players change clubs.
    `now` is when those leave of whom a file says that they are not active. `season` is the slug
    of the season that starting ratings mean which name none, `left` are the ids of those who no
    longer play, as far as is known: who came back leaves anew.
    """

    def __init__(self, now: datetime, season: str, left: Collection[int]) -> None:
        self.now, self.season, self.left = now, season, left
        self.by_key: dict[str, PlayerFacts] = {}
        self.changed: set[str] = set()
        """The keys of players of whom rows say different things."""
        self._rows = 0
        self._filled: Counter[str] = Counter()

    def __iter__(self) -> Iterator[PlayerFacts]:
        return iter(self.by_key.values())

    @property
    def spellings(self) -> dict[str, Spelling]:
        """The other names of all players."""
        return {name: said for facts in self for name, said in facts.names.items()}

    @property
    def reach_seasons(self) -> bool:
        """Whether boards may have to be rated again by what is said here."""
        return any(facts.starts or BIRTH_YEAR in facts.values for facts in self)

    def take(self, person: Person, player: Player, line: int, at: datetime | None) -> None:
        """Collect what a row says of a player beside a result of this moment, if any."""
        facts = self.by_key.get(player.key)
        if facts is None:
            facts = self.by_key[player.key] = PlayerFacts(player, line)
        moment = at or _ALWAYS
        self._rows += 1
        self._filled.update(kind for kind in KINDS if getattr(person, kind))
        for name, value in self._values(person, facts).items():
            if name in facts.values and not _is_same(facts.values[name], value):
                self.changed.add(player.key)
                if moment <= facts.said_at[name]:
                    continue
            facts.values[name], facts.said_at[name] = value, moment
        for names, is_public in ((person.aliases, True), (person.private_aliases, False)):
            facts.names |= {name: Spelling(player.key, is_public) for name in names}
        for start in person.starts:
            facts.starts.setdefault(self._place_of(start), start)

    def add_spelling(self, player: Player, name: str, line: int) -> None:
        """Collect that a name of the file is another spelling of a player, as answered."""
        facts = self.by_key.setdefault(player.key, PlayerFacts(player, line))
        facts.names.setdefault(name, Spelling(player.key))

    def contradiction(self, person: Person, player: Player) -> Contradiction | None:
        """What an earlier row of a file without results says otherwise."""
        facts = self.by_key.get(player.key)
        if facts is None:
            return None
        for name, value in self._values(person, facts).items():
            if name in facts.values and not _is_same(facts.values[name], value):
                return Contradiction(name, "" if value is None else str(value), facts.line)
        for start in person.starts:
            other = facts.starts.get(self._place_of(start), start)
            if _rating_of(other) != _rating_of(start):
                return Contradiction(
                    "starts", f"{start.board}: {wording.exact(start.rating)}", facts.line
                )
        return None

    def _place_of(self, start: StartRow) -> tuple[str, str]:
        """The season and the board of a starting rating."""
        return start.season or self.season, start.board

    def often_missing(self) -> Iterator[str]:
        """Groups that many rows of a file without results leave empty, as merged cells do."""
        for kind in KINDS:
            missing = self._rows - self._filled[kind]
            if self._filled[kind] and missing >= max(MANY, self._rows / OFTEN):
                words = ngettext(
                    "%(count)d row has no %(kind)s. If cells are merged in the file, write the "
                    "%(kind)s into every row.",
                    "%(count)d rows have no %(kind)s. If cells are merged in the file, write the "
                    "%(kind)s into every row.",
                    missing,
                )
                label = PlayerGroup.Kind(kind).label
                yield words % {"count": missing, "kind": str(label).lower()}

    def _values(self, person: Person, facts: PlayerFacts) -> dict[str, Any]:
        values = {kind: getattr(person, kind) for kind in KINDS if getattr(person, kind)}
        if person.birth_year is not None:
            values[BIRTH_YEAR] = person.birth_year
        if person.left_at is not None:
            values[LEFT_AT] = person.left_at
        elif person.is_active is not None:
            left_at = facts.player.left_at if facts.player.pk in self.left else self.now
            values[LEFT_AT] = None if person.is_active else left_at
        return values


def _rating_of(start: StartRow) -> tuple[float, float | None, str]:
    return start.rating, start.deviation, start.source


def _is_same(one: Any, other: Any) -> bool:
    if isinstance(one, str) and isinstance(other, str):
        return fold_name(one) == fold_name(other)
    return bool(one == other)
