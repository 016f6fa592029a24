"""Scores to learn from, such as matches by a score rule end with."""

from __future__ import annotations

from typing import Final

from leagues.domain.score_rules import Game, ScoreKind, ScoreRule, usual_finals

_ANY_SCORE: Final = (3, 1)
_FROM_END: Final = (6, 3, 2)
"""Which of the usual points a set ends with, the closest being the last, so that sets differ."""
_ANY_SET: Final = Game(21, lead=2)


def example_score(rule: ScoreRule) -> tuple[int, int]:
    """A score that a match by a rule can end with, the winner's first."""
    return next(iter(usual_finals(rule, 2)), _ANY_SCORE)


def example_sets(rule: ScoreRule) -> list[tuple[int, int]]:
    """The sets of a match of which the winner lost one where that can be; none without sets."""
    if rule.kind not in (ScoreKind.ANY, ScoreKind.SETS):
        return []
    needed = 2 if rule.kind is ScoreKind.ANY else rule.needed
    count = needed + (needed > 1)
    sets = []
    for number in range(1, count + 1):
        game = rule.game_of_set(number) or _ANY_SET
        finals = usual_finals(ScoreRule(ScoreKind.POINTS, game=game), 6)
        most, least = finals[-min(_FROM_END[number % 3], len(finals))]
        sets.append((least, most) if number == 2 else (most, least))
    return sets


def sets_as_typed(rule: ScoreRule) -> str:
    """The example of sets as people type them; empty where there are none."""
    return ", ".join(f"{one}–{other}" for one, other in example_sets(rule))
