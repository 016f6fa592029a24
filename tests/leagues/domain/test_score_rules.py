"""Score rules: how they are stored, which scores they know, and why others cannot be."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leagues.domain.impossible_scores import why_contradictory, why_impossible
from leagues.domain.score_rules import (
    ANY_SCORE,
    Game,
    ScoreKind,
    ScoreRule,
    UnreadableRule,
    known_rule,
    read_rule,
    usual_finals,
)
from leagues.rulebook.score_rules import KNOWN_GAMES, describe_score_rule

GAMES = st.builds(Game, st.integers(1, 30)) | st.builds(
    lambda target, more: Game(target, 2, target + more if more else 0),
    st.integers(1, 30),
    st.integers(0, 9),
)
RULES = (
    st.just(ANY_SCORE)
    | st.builds(lambda game: ScoreRule(ScoreKind.POINTS, game=game), GAMES)
    | st.builds(lambda count: ScoreRule(ScoreKind.FRAMES, count), st.integers(1, 20))
    | st.builds(
        lambda half, game, last: ScoreRule(ScoreKind.SETS, 2 * half + 1, game, game and last),
        st.integers(0, 4),
        st.none() | GAMES,
        st.none() | GAMES,
    )
)


@given(RULES)
def test_a_rule_is_read_back_as_it_was_stored(rule: ScoreRule) -> None:
    assert read_rule(rule.words) == rule


@pytest.mark.parametrize(
    "words",
    [
        *("sets", "sets 4", "sets 0", "sets 5 to", "sets 5 to 11+3", "sets 5 to 11+2<11"),
        *("points", "points to 0", "points to 11<15", "points to ١١", "frames 100", "frames -1"),
        *("points to 11 ", "SETS 5", "points to 1000", "sets 5 last 11"),
    ],
)
def test_other_words_are_no_rule_and_a_forged_one_takes_any_score(words: str) -> None:
    with pytest.raises(UnreadableRule):
        read_rule(words)
    assert known_rule(words) == ANY_SCORE


@given(RULES, st.integers(-2, 40), st.integers(-2, 40))
def test_a_score_is_an_end_or_on_the_way_or_neither(rule: ScoreRule, one: int, two: int) -> None:
    assert rule.is_final(one, two) == rule.is_final(two, one)
    assert rule.is_open(one, two) == rule.is_open(two, one)
    if rule.kind is not ScoreKind.ANY:
        assert not (rule.is_final(one, two) and rule.is_open(one, two))


@given(RULES, st.lists(st.booleans(), max_size=80))
def test_a_match_played_point_by_point_ends_exactly_once(
    rule: ScoreRule, points: list[bool]
) -> None:
    if rule.kind is ScoreKind.ANY:
        return
    one = two = 0
    for is_first in points:
        assert rule.is_open(one, two) != rule.is_final(one, two)
        if rule.is_final(one, two):
            break
        one, two = one + is_first, two + (not is_first)
    assert rule.is_open(one, two) != rule.is_final(one, two)


@given(RULES)
def test_usual_scores_are_possible_and_the_winner_comes_first(rule: ScoreRule) -> None:
    scores = usual_finals(rule, 10)
    assert bool(scores) is (rule.kind is not ScoreKind.ANY)
    assert len(scores) <= 10
    assert all(rule.is_final(*score) and score[0] >= score[1] for score in scores)


def test_the_ends_of_a_game_of_badminton() -> None:
    game = Game(21, 2, 30)
    ends = {(one, two) for one, two in product(range(40), repeat=2) if game.is_final(one, two)}
    winners = {score for score in ends if score[0] > score[1]}
    assert {score for score in winners if score[0] == 21} == {(21, two) for two in range(20)}
    assert {score for score in winners if score[0] > 21} == {
        *((most, most - 2) for most in range(22, 31)),
        (30, 29),
    }


def test_a_game_without_two_clear_is_over_at_its_target() -> None:
    game = Game(11)
    assert game.is_open(10, 10)
    assert not any(game.is_open(one, two) for one, two in [(11, 11), (12, 12), (11, 12), (11, 3)])
    assert Game(11, 2).is_open(12, 12)


WON, LOST, DRAWN = (1, 2), (2, 1), (1, 1)


@pytest.mark.parametrize(
    ("words", "score", "reason"),
    [
        ("", (7, 99), ""),
        ("points to 11+2", (11, 9), ""),
        ("points to 11+2", (14, 12), ""),
        ("points to 11+2", (11, 10), "11–10 is not possible. A match is played to 11, two clear."),
        ("points to 11+2", (13, 9), "13–9 is not possible. A match is played to 11, two clear."),
        ("points to 11+2", (9, 7), "9–7 is not possible. A match is played to 11, two clear."),
        ("points to 10", (12, 3), "12–3 is not possible. A match is played to 10."),
        ("points to 10", (10, -1), "10–−1 is not possible. A match is played to 10."),
        (
            "points to 21+2<30",
            (31, 29),
            "31–29 is not possible. A match is played to 21, two clear, or to 30 at the latest.",
        ),
        ("sets 5", (3, 2), ""),
        ("sets 5", (2, 1), "2–1 leaves a best of 5 open: it takes 3 sets to win."),
        ("sets 5", (4, 1), "4–1 is not possible: a best of 5 ends when a side has 3 sets."),
        ("sets 1", (2, 0), "2–0 is not possible: a best of 1 ends when a side has 1 set."),
        ("frames 8", (4, 4), ""),
        ("frames 8", (3, 3), "3–3 leaves a best of 8 open: it takes 5 frames or legs to win."),
        (
            "frames 8",
            (5, 4),
            "5–4 is not possible: a best of 8 ends when a side has 5 frames or legs.",
        ),
        ("frames 9", (4, 4), "4–4 leaves a best of 9 open: it takes 5 frames or legs to win."),
    ],
)
def test_why_a_score_cannot_be(words: str, score: tuple[int, int], reason: str) -> None:
    ranks = DRAWN if score[0] == score[1] else WON if score[0] > score[1] else LOST
    assert why_impossible(read_rule(words), score=score, ranks=ranks) == reason


@pytest.mark.parametrize(
    ("words", "score", "sets", "reason"),
    [
        ("sets 5 to 11+2", (3, 1), [(11, 9), (9, 11), (12, 10), (11, 0)], ""),
        # Many write the sets without a score, or know the score alone.
        ("sets 5 to 11+2", None, [(11, 9), (11, 9), (12, 10)], ""),
        ("sets 5 to 11+2", (3, 1), [], ""),
        (
            "sets 5 to 11+2",
            (3, 0),
            [(11, 9), (11, 10), (11, 3)],
            "Set 2 can’t be 11–10. A set is played to 11, two clear.",
        ),
        ("sets 5", (3, 0), [(11, 9), (8, 8), (11, 3)], "Set 2, 8–8, has no winner."),
        ("sets 5", (3, 1), [(11, 9), (11, 9), (11, 9)], "The sets make 3–0, not 3–1."),
        (
            "sets 3",
            (2, 0),
            [(6, 4), (6, 4), (6, 4)],
            "The match was over at 2–0, before set 3.",
        ),
        (
            "sets 5",
            None,
            [(6, 4), (6, 4)],
            "2–0 leaves a best of 5 open: it takes 3 sets to win.",
        ),
        ("sets 3 to 6+2<7 last 10+2", (2, 1), [(7, 6), (4, 6), (12, 10)], ""),
        (
            "sets 3 to 6+2<7 last 10+2",
            (2, 1),
            [(7, 6), (4, 6), (7, 6)],
            "Set 3 can’t be 7–6. The deciding set is played to 10, two clear.",
        ),
        # Goals of two halves are no sets.
        ("points to 10", (10, 7), [(6, 3), (4, 4)], ""),
    ],
)
def test_why_sets_cannot_be(words, score, sets, reason) -> None:
    assert why_impossible(read_rule(words), score=score, ranks=WON, sets=sets) == reason


@pytest.mark.parametrize("rule", [ANY_SCORE, read_rule("frames 19")])
def test_sets_beside_a_score_are_its_sets_or_parts_or_how_it_went_on(rule: ScoreRule) -> None:
    def reason(sets: list[tuple[int, int]], *, is_finished: bool = True) -> str:
        said = {"ranks": WON, "sets": sets, "is_finished": is_finished}
        return why_impossible(rule, score=(10, 3), **said)

    assert reason([(10, 3), (5, 10), (10, 2)]) == "The sets make 2–1, not 10–3."
    assert not reason([(10, 3), (5, 10), (10, 2)], is_finished=False)
    for sets in ([(4, 3), (6, 0)], [(4, 3), (10, 3)], [(10, 3)], [(3, 3), (7, 1)], []):
        assert not reason(sets), sets


def test_a_score_says_who_won() -> None:
    other = "With 3–1, the other side won."
    assert why_contradictory([(2, 3), (1, 1)]) == other
    assert why_contradictory([(1, 3), (1, 1)]) == "3–1 is not a draw."
    level = "4–4 is a draw, but a side is said to have won."
    assert why_contradictory([(1, 4), (2, 4)]) == level
    assert not why_contradictory([(1, 3), (2, 1)])
    assert not why_contradictory([(1, 4), (1, 4)])
    order = "The points put the sides in another order than their places."
    assert why_contradictory([(1, 3), (2, 5), (3, 1)]) == order
    tie = "Sides with the same points have different places."
    assert why_contradictory([(1, 3), (2, 3), (3, 1)]) == tie
    shared = "Sides in the same place have different points."
    assert why_contradictory([(1, 4), (1, 3), (3, 1)]) == shared
    assert not why_contradictory([(3, 1), (1, 5), (1, 5)])


def test_a_rule_may_need_a_winner() -> None:
    five, eight, points = map(read_rule, ("sets 5", "frames 8", "points to 11+2"))
    drawn = "A draw is not possible: a best of 5 has a winner."
    assert why_impossible(five, score=None, ranks=DRAWN) == drawn
    drawn = "A draw is not possible. A match is played to 11, two clear."
    assert why_impossible(points, score=None, ranks=DRAWN) == drawn
    assert not why_impossible(eight, score=None, ranks=DRAWN)
    assert not why_impossible(five, score=None, ranks=LOST)


@pytest.mark.parametrize(
    ("words", "score", "sets", "is_possible"),
    [
        ("sets 5", (1, 1), [], True),
        ("sets 5", (0, 0), [], True),
        ("sets 5", (3, 0), [], True),
        ("sets 5", (4, 0), [], False),
        ("points to 11+2", (5, 9), [], True),
        ("points to 11+2", (12, 9), [], False),
        # Given up in the third set, which is nobody's or who led it has it.
        ("sets 5 to 11+2", (1, 1), [(11, 9), (9, 11), (3, 2)], True),
        ("sets 5 to 11+2", (2, 1), [(11, 9), (9, 11), (3, 2)], True),
        ("sets 5 to 11+2", None, [(11, 9), (9, 11), (3, 2)], True),
        ("sets 5 to 11+2", None, [(11, 9), (9, 10), (11, 2)], False),
    ],
)
@pytest.mark.parametrize("ranks", [WON, LOST])
def test_a_match_that_was_given_up_may_stand_anywhere_on_the_way(
    words, score, sets, is_possible, ranks
) -> None:
    reason = why_impossible(
        read_rule(words), score=score, ranks=ranks, sets=sets, is_finished=False
    )
    assert (not reason) is is_possible


def test_known_games_have_rules_and_each_rule_a_sentence() -> None:
    assert [game.rule.words for game in KNOWN_GAMES] == [game.words for game in KNOWN_GAMES]
    said = {game.slug: describe_score_rule(game.rule) for game in KNOWN_GAMES}
    assert said["chess"] == ""
    assert said["foosball"] == "A match is played to 10."
    assert said["snooker"] == (
        "A match is the best of 5 frames or legs. The first side with 3 frames or legs wins."
    )
    assert said["darts"] == said["snooker"]
    assert said["badminton"] == (
        "A match is the best of 3 sets. The first side with 2 sets wins. A set is played to 21, "
        "two clear, or to 30 at the latest."
    )
    assert said["volleyball"] == (
        "A match is the best of 5 sets. The first side with 3 sets wins. A set is played to 25, "
        "two clear. The deciding set is played to 15, two clear."
    )
    assert describe_score_rule(read_rule("frames 8")) == (
        "A match is the best of 8 frames or legs. The first side with 5 frames or legs wins. "
        "4–4 is a draw."
    )
