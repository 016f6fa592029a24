"""The score rule of a mode: which scores a match can end with.

A rule is stored as a few words, such as “sets 5 to 11+2”: best of five sets, each to eleven points
with a lead of two. No words are the rule of modes where any score is taken.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

MAX_BEST_OF: Final = 99
MAX_TARGET: Final = 999
MAX_LENGTH: Final = 64
"""Letters of the longest rule that can be stored."""
_GAME = r"([1-9][0-9]{0,2})(\+2(?:<([1-9][0-9]{0,2}))?)?"
_POINTS: Final = re.compile(rf"points to {_GAME}", re.ASCII)
_SETS: Final = re.compile(
    rf"sets ([1-9][0-9]?)(?P<game> to {_GAME}(?P<decider> last {_GAME})?)?", re.ASCII
)
_FRAMES: Final = re.compile(r"frames ([1-9][0-9]?)", re.ASCII)


class ScoreKind(StrEnum):
    """What the numbers of a score count."""

    ANY = "any"
    POINTS = "points"
    SETS = "sets"
    FRAMES = "frames"


class UnreadableRule(ValueError):
    """Words that no score rule is stored as."""


@dataclass(frozen=True, slots=True)
class Game:
    """What ends when a side has `target` points and leads by `lead`, or has `cap` points.

    Without a cap of more than 0 there is none.
    """

    target: int
    lead: int = 1
    cap: int = 0

    def is_final(self, one: int, two: int) -> bool:
        """Whether it can end with these points."""
        most, least = max(one, two), min(one, two)
        if least < 0 or most < self.target:
            return False
        if most == self.target:
            return most - least >= self.lead
        if self.lead == 1:
            return False
        if self.cap and most >= self.cap:
            return most == self.cap and 1 <= most - least <= self.lead
        return most - least == self.lead

    def is_open(self, one: int, two: int) -> bool:
        """Whether it can stand so and go on."""
        most, least = max(one, two), min(one, two)
        if least < 0 or (self.cap and most >= self.cap):
            return False
        return most < self.target or (self.lead > 1 and most - least < self.lead)

    @property
    def words(self) -> str:
        """The words that it is stored as."""
        lead = "+2" if self.lead == 2 else ""
        return f"{self.target}{lead}{f'<{self.cap}' if self.cap else ''}"


@dataclass(frozen=True, slots=True)
class ScoreRule:
    """Which scores a match of two sides can end with.

    Of sets and frames, more than half of `best_of` win; half of an even number of frames each is a
    draw. `game` is what a set is, or the whole match where points are counted, and `decider` what
    the last possible set is where that is another.
    """

    kind: ScoreKind = ScoreKind.ANY
    best_of: int = 0
    game: Game | None = None
    decider: Game | None = None

    @property
    def needed(self) -> int:
        """The sets or frames that win."""
        return self.best_of // 2 + 1

    @property
    def can_draw(self) -> bool:
        """Whether it lets a match end without a winner."""
        return self.kind is ScoreKind.ANY or self.has_even_frames

    @property
    def has_even_frames(self) -> bool:
        return self.kind is ScoreKind.FRAMES and self.best_of % 2 == 0

    def game_of_set(self, number: int) -> Game | None:
        """What the set of a number, from 1, is played to."""
        return self.decider if self.decider and number == self.best_of else self.game

    def is_final(self, one: int, two: int) -> bool:
        """Whether a match can end with this score."""
        if self.kind is ScoreKind.ANY:
            return True
        if self.kind is ScoreKind.POINTS:
            return self.game is not None and self.game.is_final(one, two)
        if self.has_even_frames and one == two == self.best_of // 2:
            return True
        return 0 <= min(one, two) <= self.best_of - self.needed and max(one, two) == self.needed

    def is_open(self, one: int, two: int) -> bool:
        """Whether a match can stand so and go on."""
        if self.kind is ScoreKind.POINTS and self.game is not None:
            return self.game.is_open(one, two)
        return min(one, two) >= 0 and max(one, two) < self.needed and one + two < self.best_of

    @property
    def words(self) -> str:
        """The words that it is stored as."""
        match self.kind:
            case ScoreKind.ANY:
                return ""
            case ScoreKind.FRAMES:
                return f"frames {self.best_of}"
            case ScoreKind.POINTS:
                return f"points to {self.game.words if self.game else ''}"
            case ScoreKind.SETS:
                game = f" to {self.game.words}" if self.game else ""
                last = f" last {self.decider.words}" if self.decider else ""
                return f"sets {self.best_of}{game}{last}"


ANY_SCORE: Final = ScoreRule()


def read_rule(words: str) -> ScoreRule:
    """The rule that is stored as these words; raises UnreadableRule where none is."""
    if not words:
        return ANY_SCORE
    if match := _FRAMES.fullmatch(words):
        return ScoreRule(ScoreKind.FRAMES, int(match[1]))
    if match := _POINTS.fullmatch(words):
        return ScoreRule(ScoreKind.POINTS, game=_game(match[1], match[2], match[3]))
    match = _SETS.fullmatch(words)
    if match is None or int(match[1]) % 2 == 0:
        raise UnreadableRule(words)
    return ScoreRule(
        ScoreKind.SETS,
        int(match[1]),
        _game(match[3], match[4], match[5]) if match["game"] else None,
        _game(match[7], match[8], match[9]) if match["decider"] else None,
    )


def known_rule(words: str) -> ScoreRule:
    """The rule that is stored as these words; any score where they were forged."""
    try:
        return read_rule(words)
    except UnreadableRule:
        return ANY_SCORE


def _game(target: str, lead: str | None, cap: str | None) -> Game:
    if cap and int(cap) <= int(target):
        raise UnreadableRule(f"{target}{lead}")
    return Game(int(target), 2 if lead else 1, int(cap or 0))


def usual_finals(rule: ScoreRule, most: int) -> list[tuple[int, int]]:
    """Scores that matches by a rule end with, the winner's first and the closest last."""
    if rule.kind is ScoreKind.ANY:
        return []
    if rule.kind is ScoreKind.POINTS and rule.game is not None:
        game = rule.game
        scores = [(game.target, least) for least in range(game.target - game.lead + 1)]
        if game.lead == 2 and (not game.cap or game.cap > game.target):
            scores.append((game.target + 1, game.target - 1))
        return scores[-most:]
    scores = [(rule.needed, least) for least in range(rule.best_of - rule.needed + 1)]
    if rule.has_even_frames:
        scores.append((rule.best_of // 2, rule.best_of // 2))
    return scores[-most:]
