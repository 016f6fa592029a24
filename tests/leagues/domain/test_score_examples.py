"""Examples of scores can end a match by their rule."""

from __future__ import annotations

import pytest

from leagues.domain.impossible_scores import why_impossible
from leagues.domain.score_examples import example_score, example_sets
from leagues.domain.score_rules import ANY_SCORE, read_rule
from ratings.files.scores import sets_won

RULES = (
    *("points to 10", "points to 11+2", "points to 21+2<30", "points to 1", "sets 1", "sets 3"),
    *("sets 5 to 11+2", "sets 3 to 6", "sets 3 to 25+2 last 15+2", "sets 7 to 2", "sets 9"),
    *("frames 1", "frames 10", "frames 17"),
)


@pytest.mark.parametrize("words", RULES)
def test_examples_can_be_by_their_rule(words: str) -> None:
    rule = read_rule(words)
    assert rule.is_final(*example_score(rule))
    sets = example_sets(rule)
    assert bool(sets) == words.startswith("sets")
    score = sets_won(sets) if sets else example_score(rule)
    assert not why_impossible(rule, score=score, ranks=(1, 2), sets=sets, is_finished=True)


def test_where_any_score_is_taken_they_are_usual_ones() -> None:
    assert example_score(ANY_SCORE) == (3, 1)
    assert example_sets(ANY_SCORE) == [(21, 18), (19, 21), (21, 15)]
