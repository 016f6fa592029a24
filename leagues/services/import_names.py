"""Whom the names of an uploaded file mean that no player bears.

One that is short for a single player is taken as that player's, as on the night sheet. Others that
are like a player's, or are written where nobody played, are asked about: nothing is imported before
each has an answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from leagues.models import League, Player
from leagues.services.entry_drafts import NEW
from leagues.services.errors import Candidate
from leagues.services.likeness import (
    LEAST_LIKENESS_OF_MANY,
    MOST_OFFERED,
    PlayersLike,
    all_short_for,
    short_for,
)
from leagues.services.rosters import Roster
from ratings.files.matches import Person, Result
from ratings.files.names import fold_name, stands_for_nobody

NOBODY: Final = "nobody"
"""The answer that a name is no player's: whoever else is on its side played alone."""
PAIR: Final = "+"
"""The answer that a name is those of two players, which is no player's key."""


@dataclass(frozen=True, slots=True)
class AskedName:
    """A name of a file that no player bears, and whom it means.

    `answer` is a key, `NEW`, `NOBODY`, `PAIR` or nothing.
    `line` is where it stands first. `is_short`: nobody has to answer, it can mean one alone. `pair`
    are the names that a mark joins in it, which may be two players.
    """

    name: str
    line: int
    candidates: tuple[Candidate, ...]
    answer: str
    is_short: bool
    may_be_nobody: bool
    pair: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The question as plain data for a report."""
        return {
            "name": self.name,
            "line": self.line,
            "candidates": [[one.key, one.name] for one in self.candidates],
            "answer": self.answer,
            "is_short": self.is_short,
            "may_be_nobody": self.may_be_nobody,
            "pair": list(self.pair),
        }


class ImportNames:
    """The names of one file, as answered by folded name, or by what they are like."""

    def __init__(self, league: League, answers: Mapping[str, str]) -> None:
        self._league, self._answers = league, answers
        self._nobody = frozenset(name for name, answer in answers.items() if answer == NOBODY)
        self._likeness: PlayersLike | None = None
        self._looked_at: dict[str, AskedName | None] = {}

    def player_of(self, name: str, line: int, roster: Roster) -> Player | None:
        """The player whom a name means that nobody bears; None for one who is new."""
        asked = self._ask(name, line, roster)
        return roster.by_key.get(asked.answer) if asked is not None else None

    def without_nobody(self, result: Result, roster: Roster) -> Result:
        """A result without those in it who are nobody, as answered."""
        if not self._nobody or not any(
            self._is_nobody(person) for side in result.sides for person in side.players
        ):
            return result
        for side in result.sides:
            for person in filter(self._is_nobody, side.players):
                self._ask(person.name, result.line, roster)
        sides = (
            side._replace(players=tuple(one for one in side.players if not self._is_nobody(one)))
            for side in result.sides
        )
        return result._replace(sides=tuple(sides))

    def is_nobody(self, person: Person, line: int, roster: Roster) -> bool:
        """Whether a person of a list is nobody, as answered."""
        if not self._is_nobody(person):
            return False
        self._ask(person.name, line, roster)
        return True

    def is_pair(
        self, name: str, line: int, roster: Roster, pair: tuple[str, ...], *, is_clear: bool
    ) -> bool:
        """Whether a name that may be a pair is one, as answered or else as it is clear.

        Where it is neither, nobody has to answer who would not for another name.
        """
        folded = fold_name(name)
        if folded not in self._looked_at and not roster.twins_of(name):
            asked = self._ask(name, line, roster)
            answer = self._answers.get(folded, "")
            if answer not in (PAIR, NEW) and answer not in roster.by_key:
                answer = PAIR if is_clear else NEW if asked is None else asked.answer
            asked = asked or AskedName(name, line, (), answer, is_short=False, may_be_nobody=False)
            is_short = asked.is_short and answer == asked.answer
            asked = replace(asked, answer=answer, is_short=is_short, pair=pair)
            self._looked_at[folded] = asked
        found = self._looked_at.get(folded)
        return found is not None and found.answer == PAIR

    def is_short(self, name: str) -> bool:
        """Whether a name can mean one player alone that it is short for."""
        return short_for(name, self._candidates(name)) is not None

    def questions(self, roster: Roster) -> list[AskedName]:
        """The names to be answered for, those without an answer first.

        Not those of bad rows alone, which bring nobody.
        """
        brought = {player.folded for player in (*roster.fresh, *roster.returning)}
        asked = [
            one
            for folded, one in self._looked_at.items()
            if one is not None and (one.answer not in ("", NEW) or folded in brought)
        ]
        return sorted(asked, key=lambda one: (one.answer != "", one.is_short))

    def spellings(self, roster: Roster) -> Iterator[tuple[str, int, Player]]:
        """The other spellings that were answered for, each with its line and its player.

        Not those that are short for somebody: another one may be meant next time.
        """
        for one in self.questions(roster):
            player = roster.by_key.get(one.answer)
            if player is not None and not all_short_for(one.name, one.candidates):
                yield one.name, one.line, player

    def _is_nobody(self, person: Person) -> bool:
        return person.key is None and fold_name(person.name) in self._nobody

    def _ask(self, name: str, line: int, roster: Roster) -> AskedName | None:
        """What is to be asked about a name; None where it is plainly a new player's."""
        folded = fold_name(name)
        if folded not in self._looked_at:
            self._looked_at[folded] = self._question(name, folded, line, roster)
        return self._looked_at[folded]

    def _question(self, name: str, folded: str, line: int, roster: Roster) -> AskedName | None:
        if roster.twins_of(name):
            # It cannot be told from a player's by looking at it: its row is a bad one.
            return None
        candidates = self._candidates(name)
        may_be_nobody = stands_for_nobody(name)
        if not candidates and not may_be_nobody:
            return None
        answer = self._answers.get(folded, "")
        if answer not in (NEW, NOBODY) and answer not in roster.by_key:
            answer = ""
        short = None if answer else short_for(name, candidates)
        if short is not None:
            answer = short.key
        return AskedName(name, line, candidates, answer, short is not None, may_be_nobody)

    def _candidates(self, name: str) -> tuple[Candidate, ...]:
        if self._likeness is None:
            self._likeness = PlayersLike.of_league(self._league)
        return self._likeness.candidates(name, most=MOST_OFFERED, least=LEAST_LIKENESS_OF_MANY)
