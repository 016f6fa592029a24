"""Walkovers as people remark on them beside a score or none: “kampflos für Bea”, “no show”."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from ratings.files.matches import Person
from ratings.files.names import fold_name
from ratings.files.scores import FEW_WORDS
from ratings.files.walkover_words import ABSENCE_WORDS, WALKOVER_WORDS

_REMARK_LENGTH = 200
NOBODY_WON: Final = (
    "This is a walkover, but it does not say who won. Write “walkover for” (or “kampflos für”) and "
    "the winner's name into a column of remarks, or a score such as 1:0."
)
OTHER_WINNER: Final = "This remark and the rest of the row name different winners."
_UNCLEAR_WITHIN: Final = ("wo", "w o", "w/o", "ff")
"""Within other words they are rather “where”, “without” and “following”."""


def _any_of(words: Sequence[str]) -> str:
    longest_first = sorted(words, key=len, reverse=True)
    return f"(?:{'|'.join(map(re.escape, longest_first))})"


_WALKOVER = _any_of(WALKOVER_WORDS)
_ABSENT = _any_of(ABSENCE_WORDS)
_CLEAR = _any_of([word for word in WALKOVER_WORDS if word not in _UNCLEAR_WITHIN])
_NAMES_WALKOVER: Final = re.compile(rf"(?<!\w)(?:{_CLEAR}|w/o$)(?!\w)")
_NAMES_ABSENCE: Final = re.compile(rf"(?<!\w){_ABSENT}(?!\w)")
_DENIES: Final = re.compile(
    r"(?<!\w)(?:nicht|kein(?:en)?|fast|beinahe|no|not|never|almost|nearly)"
    rf"(?: an?| ein(?:en)?)? {_WALKOVER}(?!\w)"
)
_WON: Final = re.compile(
    r"(?<!\w)(?:sieg(?:er)?|gewinnt|gewann|siegt|win(?:s|ner)?|won|kampflos(?:er)?)(?!\w)"
)
_BEFORE_WINNER: Final = re.compile(rf"{_WALKOVER} ?[:–-]? (?:für|fuer|f\.|for|an|to) ")
_BEHIND_WINNER: Final = re.compile(
    r" (?:gewinnt|gewann|siegt|wins|won) (?:kampflos|by (?:walkover|forfeit))$"
)
_BEFORE_LOSER: Final = re.compile(rf"{_ABSENT} ?[:–-]? (?:of |von )?")
_BEHIND_LOSER: Final = re.compile(
    rf" (?:(?:ist |war )?{_ABSENT}|verliert kampflos|(?:hat )?kampflos verloren)$"
)
_SIDES: Final = frozenset(
    ("heim", "heimmannschaft", "gast", "gäste", "gastmannschaft", "gegner", "beide", "home", "away",
     "guest", "guests", "opponent", "both", "team")
)  # fmt: skip
"""Who did not come, by words that name nobody: a spectator is no side."""
_ASIDE = re.compile(r"[,;(].*")
"""What may stand behind a name: why the other one did not come."""


@dataclass(frozen=True, slots=True)
class WalkoverRemark:
    """A remark that names a walkover, with the words that may be who won it or did not come."""

    winner: str = ""
    loser: str = ""
    beside: str = ""
    """Words that may be who won it, and are not clear enough to say it by themselves."""
    is_absence: bool = False
    """Whether it says only that somebody did not come, which may be a spectator."""

    @property
    def has_name(self) -> bool:
        return bool(self.winner or self.loser or self.beside)

    def likely_winner(self, teams: Sequence[Sequence[Person]]) -> int | None:
        """The side from 1 that a score has to agree with, such as Cora's of “Cora kampflos”."""
        return _side_named(self.beside, teams) if self.beside else None

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
    if len(words) > _REMARK_LENGTH or _DENIES.search(words):
        return None
    for said in dict.fromkeys((words, _ASIDE.sub("", words).strip())):
        if match := _BEFORE_WINNER.match(said):
            return WalkoverRemark(winner=said[match.end() :])
        if match := _BEHIND_WINNER.search(said):
            return WalkoverRemark(winner=said[: match.start()])
        if match := _BEHIND_LOSER.search(said):
            return _absence(said[: match.start()], is_clear=bool(_NAMES_WALKOVER.search(said)))
        if match := _BEFORE_LOSER.match(said):
            return _absence(said[match.end() :], is_clear=False)
    if _NAMES_WALKOVER.search(words):
        return WalkoverRemark(beside=_beside(words))
    return WalkoverRemark(is_absence=True) if _NAMES_ABSENCE.search(words) else None


def _absence(loser: str, *, is_clear: bool) -> WalkoverRemark:
    """What it says that somebody did not come."""
    if loser in _SIDES:
        return WalkoverRemark()
    return WalkoverRemark(loser=loser, is_absence=not is_clear)


def _beside(words: str) -> str:
    """What is left of a remark that somebody won, without the words for that.

    “Cora w.o.” may name who did not come.
    """
    if not _WON.search(words):
        return ""
    return " ".join(_WON.sub(" ", _NAMES_WALKOVER.sub(" ", words)).split()).strip(" :–-")


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
