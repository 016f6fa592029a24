"""Why a result cannot have ended so, by the score rule of its mode or by itself, in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues.domain.score_rules import ScoreKind, ScoreRule
from leagues.domain.score_sentences import describe_deciding_set, describe_match, describe_set
from ratings.files.scores import sets_won

Score = tuple[int, int]
MINUS = "\N{MINUS SIGN}"


def why_impossible(
    rule: ScoreRule,
    *,
    score: Score | None,
    ranks: tuple[int, int],
    sets: Sequence[Score] = (),
    is_finished: bool = True,
) -> str:
    """The first reason why a match of two sides cannot have ended so; empty where there is none.

    A match that is not finished was given up, called off or never begun: it may stand anywhere on
    the way to its end. Whether the winner has the better score is for `why_contradictory` to say.
    """
    if rule.kind is not ScoreKind.SETS and score is not None and is_finished:
        reason = _why_not_parts(score, sets)
        if reason:
            return reason
    if rule.kind is ScoreKind.ANY:
        return ""
    if score is not None:
        reason = _why_not_score(rule, score, is_finished=is_finished)
        if reason:
            return reason
    if sets and rule.kind is ScoreKind.SETS:
        return _why_not_sets(rule, score, sets, is_finished=is_finished)
    is_draw = score is None and ranks[0] == ranks[1]
    return _why_not_draw(rule) if is_draw and is_finished else ""


def why_contradictory(places: Sequence[tuple[int, int]]) -> str:
    """Why the ranks of a match are not what its scores say; empty where they are.

    `places` has the rank and the score of each side.
    """
    if len(places) != 2:
        ordered = sorted(places)
        wrong = [pair for pair in pairwise(ordered) if not _agree(*pair)]
        if not wrong:
            return ""
        if all(one[1] == two[1] for one, two in wrong):
            return _("Sides with the same points have different places.")
        if all(one[0] == two[0] for one, two in wrong):
            return _("Sides in the same place have different points.")
        return _("The points put the sides in another order than their places.")
    one, two = places
    if _agree(one, two):
        return ""
    words = {"score": _written((one[1], two[1]))}
    if one[1] == two[1]:
        return _("%(score)s is a draw, but a side is said to have won.") % words
    if one[0] == two[0]:
        return _("%(score)s is not a draw.") % words
    return _("With %(score)s, the other side won.") % words


def _agree(one: tuple[int, int], two: tuple[int, int]) -> bool:
    """Whether two sides stand to each other by their ranks as by their scores."""
    return _order(one[0], two[0]) == _order(two[1], one[1])


def _why_not_score(rule: ScoreRule, score: Score, *, is_finished: bool) -> str:
    if rule.is_final(*score) or (not is_finished and rule.is_open(*score)):
        return ""
    words = {"score": _written(score), "count": rule.best_of, "needed": rule.needed}
    if rule.kind is ScoreKind.POINTS and rule.game is not None:
        return " ".join((_("%(score)s is not possible.") % words, describe_match(rule.game)))
    if rule.is_open(*score):
        return _too_few(rule) % words
    return _too_many(rule) % words


def _too_few(rule: ScoreRule) -> str:
    """A sentence about a score that nobody has won with."""
    if rule.kind is ScoreKind.FRAMES:
        return ngettext(
            "%(score)s leaves a best of %(count)s open: it takes %(needed)s frame or leg to win.",
            "%(score)s leaves a best of %(count)s open: it takes %(needed)s frames or legs to win.",
            rule.needed,
        )
    return ngettext(
        "%(score)s leaves a best of %(count)s open: it takes %(needed)s set to win.",
        "%(score)s leaves a best of %(count)s open: it takes %(needed)s sets to win.",
        rule.needed,
    )


def _too_many(rule: ScoreRule) -> str:
    """A sentence about a score that goes on after the end."""
    if rule.kind is ScoreKind.FRAMES:
        return ngettext(
            "%(score)s is not possible: a best of %(count)s ends when a side has "
            "%(needed)s frame or leg.",
            "%(score)s is not possible: a best of %(count)s ends when a side has "
            "%(needed)s frames or legs.",
            rule.needed,
        )
    return ngettext(
        "%(score)s is not possible: a best of %(count)s ends when a side has %(needed)s set.",
        "%(score)s is not possible: a best of %(count)s ends when a side has %(needed)s sets.",
        rule.needed,
    )


def _why_not_draw(rule: ScoreRule) -> str:
    if rule.can_draw:
        return ""
    if rule.kind is ScoreKind.POINTS and rule.game is not None:
        return " ".join((_("A draw is not possible."), describe_match(rule.game)))
    words = {"count": rule.best_of}
    return _("A draw is not possible: a best of %(count)s has a winner.") % words


def _why_not_sets(
    rule: ScoreRule, score: Score | None, sets: Sequence[Score], *, is_finished: bool
) -> str:
    """Why the sets cannot have been so, one after the other."""
    won = [0, 0]
    for number, points in enumerate(sets, start=1):
        if not rule.is_open(won[0], won[1]):
            words = {"score": _written((won[0], won[1])), "number": number}
            return _("The match was over at %(score)s, before set %(number)s.") % words
        is_last = number == len(sets)
        if reason := _why_not_set(rule, number, points, may_be_open=is_last and not is_finished):
            return reason
        won[0] += points[0] > points[1]
        won[1] += points[1] > points[0]
    final = sets_won(list(sets))
    if score is None:
        return _why_not_score(rule, final, is_finished=is_finished)
    # Of a match that was given up in a set, that set may be nobody's.
    before = sets_won(list(sets[:-1]))
    if final == score or (not is_finished and before == score):
        return ""
    words = {"sets": _written(final), "score": _written(score)}
    return _("The sets make %(sets)s, not %(score)s.") % words


def _why_not_parts(score: Score, parts: Sequence[Score]) -> str:
    """Why the pairs beside a score that no rule of sets is for cannot be of it.

    They may be its sets, its parts, such as the goals of two halves, or the score as it went on.
    """
    if len(parts) < 2 or any(one == two for one, two in parts):
        return ""
    totals = tuple(map(sum, zip(*parts, strict=True)))
    goes_on = parts[-1] == score and all(
        one[0] <= two[0] and one[1] <= two[1] for one, two in pairwise(parts)
    )
    won = sets_won(list(parts))
    if score in (won, totals) or goes_on:
        return ""
    words = {"sets": _written(won), "score": _written(score)}
    return _("The sets make %(sets)s, not %(score)s.") % words


def _why_not_set(rule: ScoreRule, number: int, points: Score, *, may_be_open: bool) -> str:
    game = rule.game_of_set(number)
    if game is None:
        if points[0] != points[1] or may_be_open:
            return ""
        words = {"number": number, "score": _written(points)}
        return _("Set %(number)s, %(score)s, has no winner.") % words
    if game.is_final(*points) or (may_be_open and game.is_open(*points)):
        return ""
    words = {"number": number, "score": _written(points)}
    describe = describe_set if game is rule.game else describe_deciding_set
    return " ".join((_("Set %(number)s can’t be %(score)s.") % words, describe(game)))


def _order(one: int, two: int) -> int:
    return (one > two) - (one < two)


def _written(score: Score) -> str:
    return f"{score[0]}–{score[1]}".replace("-", MINUS)
