"""Walkovers as people remark on them beside an empty score: “kampflos für Bea”, “no show”."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from ratings.files.matches import Person
from ratings.files.names import fold_name
from ratings.files.scores import FEW_WORDS

_REMARK_LENGTH = 200
_WALKOVER = r"(?:kampflos(?:er sieg)?|w\.? ?o\.?|w/o|walk-? ?over|forfeit)"
_ABSENT = (
    r"(?:nicht (?:angetreten|erschienen|gekommen)|no[- ]show"
    r"|(?:did not|didn['’]t) (?:show up|show|appear|turn up))"
)
_NAMES_WALKOVER = re.compile(
    rf"(?<!\w)(?:kampflos(?:er)?|walk-? ?over|forfeit|w\. ?o\.?|w/o$|{_ABSENT})(?!\w)"
)
"""Not “wo” or “w/o” within other words, where they are “where” and “without”."""
_BEFORE_WINNER: Final = re.compile(rf"{_WALKOVER} ?[:–-]? (?:für|fuer|for|an|to) ")
_BEHIND_WINNER: Final = re.compile(
    r" (?:gewinnt|gewann|siegt|wins|won) (?:kampflos|by (?:walkover|forfeit))$"
)
_BEFORE_LOSER: Final = re.compile(rf"{_ABSENT} ?[:–-]? ")
_BEHIND_LOSER: Final = re.compile(
    rf" (?:(?:ist |war )?{_ABSENT}|verliert kampflos|(?:hat )?kampflos verloren)$"
)
_ASIDE = re.compile(r"[,;(].*")
"""What may stand behind a name: why the other one did not come."""


@dataclass(frozen=True, slots=True)
class WalkoverRemark:
    """A remark that names a walkover, with the words that may be who won it or did not come."""

    winner: str = ""
    loser: str = ""

    @property
    def has_name(self) -> bool:
        return bool(self.winner or self.loser)

    def winning_side(self, teams: Sequence[Sequence[Person]]) -> int | None:
        """The side from 1 of two that won by the remark; None where that is not clear."""
        if self.winner:
            return _side_named(self.winner, teams)
        side = _side_named(self.loser, teams) if self.loser else None
        return None if side is None else 3 - side


@lru_cache(FEW_WORDS)
def read_walkover(text: str) -> WalkoverRemark | None:
    """Read a remark; None where it names no walkover."""
    words = " ".join(text.casefold().split()).strip(" .!")
    if len(words) > _REMARK_LENGTH:
        return None
    for said in dict.fromkeys((words, _ASIDE.sub("", words).strip())):
        if match := _BEFORE_WINNER.match(said):
            return WalkoverRemark(winner=said[match.end() :])
        if match := _BEHIND_WINNER.search(said):
            return WalkoverRemark(winner=said[: match.start()])
        if match := _BEHIND_LOSER.search(said):
            return WalkoverRemark(loser=said[: match.start()])
        if match := _BEFORE_LOSER.match(said):
            return WalkoverRemark(loser=said[match.end() :])
    return WalkoverRemark() if _NAMES_WALKOVER.search(words) else None


def _side_named(text: str, teams: Sequence[Sequence[Person]]) -> int | None:
    """The only side that these words name: by a whole name first, or by a part of one."""
    for named in (fold_name(text), fold_name(_ASIDE.sub("", text))):
        whole = [
            number
            for number, team in enumerate(teams, start=1)
            if any(fold_name(person.name) == named for person in team)
        ]
        parts = set(named.replace(",", " ").split())
        partly = [
            number
            for number, team in enumerate(teams, start=1)
            if any(parts <= set(fold_name(person.name).split()) for person in team)
        ]
        found = whole or (partly if parts else [])
        if len(found) == 1:
            return found[0]
    return None
