"""Which of several scores in a file says who won: the sets, before the points made in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from ratings.files.facts import Facts
from ratings.files.meanings import SIDES, Meaning
from ratings.files.scores import is_integer, read_integer, sets_won, split_score
from ratings.files.vocabulary import score_words

_SETS: Final = frozenset(("sets", "satze", "saetze", "heimsatze", "gastsatze", "satzergebnis"))
_POINTS: Final = frozenset(
    ("points", "pts", "punkte", "heimpunkte", "gastpunkte", "poeng", "puntos", "punti", "poang",
     "frags", "kills", "vp")
)  # fmt: skip
_OF_POINTS, _OF_GAMES, _OF_SETS = range(3)
"""What a score counts. Of games, legs, goals and plain scores any may be the coarser one."""
SCORES: Final = tuple(Meaning.score(number) for number in range(1, SIDES + 1))
Winners = frozenset[int]
"""The sides with the highest score, from 0; several in a draw."""


@dataclass(frozen=True, slots=True)
class ScoreGroup:
    """Columns that together have one score of the match: one for each side, or one for both."""

    columns: tuple[int, ...]
    is_numbered: bool
    level: int
    is_within_sets: bool
    is_readable: bool
    winners: Callable[[Sequence[str]], Winners | None]
    """Who won by the cells of a row, where they say so."""

    @property
    def strength(self) -> tuple[bool, int, bool]:
        """By which the group that says who won is chosen; of equal ones it is the first."""
        return self.is_readable, self.level, self.is_numbered

    def filled(self, rows: Sequence[Sequence[str]]) -> int:
        """In how many rows it says who won."""
        return sum(self.winners(row) is not None for row in rows)

    def contradicts(self, other: ScoreGroup, rows: Sequence[Sequence[str]]) -> bool:
        """Whether two scores have different winners in any row, which only one of them can say.

        Whoever won the sets may have made fewer points or legs in them. Of games nothing tells
        whether they are those of a set, or several make a meeting of two teams.
        """
        if not (self.is_readable and other.is_readable):
            return False
        if other.level < self.level and other.is_within_sets:
            return False
        pairs = ((self.winners(row), other.winners(row)) for row in rows)
        return any(None not in (one, two) and one != two for one, two in pairs)


def score_groups(
    claims: Sequence[Meaning | None],
    words: Sequence[str],
    facts: Sequence[Facts],
    rows: Sequence[Sequence[str]],
) -> list[ScoreGroup]:
    """The scores of a file with a match a row, the one that says who won first.

    One that is blank where another says it comes behind that. Where each set has a column, these
    are the score, together with a column that counts them.
    """
    groups = _numbered_groups(claims, words, facts)
    sets = [at for at, claim in enumerate(claims) if claim is Meaning.SET]
    counts = []
    for at, claim in enumerate(claims):
        if claim is Meaning.SCORE:
            is_list = facts[at].sets
            level = _OF_SETS if is_list else score_level(words[at])
            if sets and level > _OF_POINTS:
                counts.append(at)
            else:
                winners = _winners_by_text((at,), is_list=is_list)
                is_within = counts_within_sets(words[at]) and not is_list
                groups.append(ScoreGroup((at,), False, level, is_within, facts[at].pairs, winners))
    if sets:
        is_readable = any(facts[at].pairs for at in sets)
        winners = _winners_by_text(sets, is_list=True)
        groups.append(ScoreGroup((*sets, *counts), False, _OF_GAMES, False, is_readable, winners))
    most = max((group.filled(rows) for group in groups), default=0)
    return sorted(
        groups, key=lambda group: (group.filled(rows) == most, group.strength), reverse=True
    )


def _numbered_groups(
    claims: Sequence[Meaning | None], words: Sequence[str], facts: Sequence[Facts]
) -> list[ScoreGroup]:
    """The scores with a column for each side; columns without a partner stay with the others."""
    named: dict[str, dict[Meaning, int]] = {}
    for at, claim in enumerate(claims):
        if claim in SCORES:
            named.setdefault(score_words(words[at]), {}).setdefault(claim, at)
    whole = [group for group in named.values() if len(group) > 1]
    if named and not whole:
        # The sides of one score, each in words of its own.
        every = {meaning: at for group in reversed(named.values()) for meaning, at in group.items()}
        whole = [every]
    return [
        ScoreGroup(
            columns,
            is_numbered=True,
            level=min(score_level(words[at]) for at in columns),
            is_within_sets=all(counts_within_sets(words[at]) for at in columns),
            is_readable=all(facts[at].integers for at in columns),
            winners=_winners_by_numbers(columns),
        )
        for group in whole
        for columns in [tuple(group[meaning] for meaning in sorted(group))]
    ]


def counts_sets(words: str) -> bool:
    """Whether a header is of sets alone."""
    return words in _SETS


def counts_within_sets(words: str) -> bool:
    """Whether a header is of what sets are made of."""
    return score_level(words) == _OF_POINTS or "legs" in words.split()


def score_level(words: str) -> int:
    """How coarse the count is below these words of a header: the coarser one says who won."""
    found = set(words.split())
    if found & _SETS:
        return _OF_SETS
    return _OF_POINTS if found & _POINTS else _OF_GAMES


def _winners_by_numbers(columns: Sequence[int]) -> Callable[[Sequence[str]], Winners | None]:
    def winners(row: Sequence[str]) -> Winners | None:
        cells = [row[at].strip() for at in columns if at < len(row)]
        if len(cells) < len(columns) or not all(map(is_integer, cells)):
            return None
        return _highest([read_integer(text) for text in cells])

    return winners


def _winners_by_text(
    columns: Sequence[int], *, is_list: bool
) -> Callable[[Sequence[str]], Winners | None]:
    def winners(row: Sequence[str]) -> Winners | None:
        pairs, kind = split_score(" ".join(row[at].strip() for at in columns if at < len(row)))
        if not pairs or kind is not None:
            return None
        return _highest(sets_won(pairs) if is_list or len(pairs) > 1 else pairs[0])

    return winners


def _highest(scores: Sequence[int]) -> Winners:
    return frozenset(at for at, score in enumerate(scores) if score == max(scores))
