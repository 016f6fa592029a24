"""Why a result cannot have ended so by the score rule of its mode, in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues.domain.score_rules import Game, ScoreKind, ScoreRule
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
    the way to its end, and its winner may be behind.
    """
    if rule.kind is ScoreKind.ANY:
        return ""
    if score is not None:
        reason = _why_not_score(rule, score, is_finished=is_finished)
        if reason:
            return reason
    if sets and rule.kind is ScoreKind.SETS:
        if reason := _why_not_sets(rule, score, sets, is_finished=is_finished):
            return reason
        score = score or sets_won(list(sets))
    return _why_not_winner(rule, score, ranks) if is_finished else ""


def _why_not_score(rule: ScoreRule, score: Score, *, is_finished: bool) -> str:
    if rule.is_final(*score) or (not is_finished and rule.is_open(*score)):
        return ""
    words = {"score": _written(score)}
    if rule.kind is ScoreKind.POINTS and rule.game is not None:
        words |= {"target": target_words(rule.game)}
        return _("%(score)s can’t be: a match is played %(target)s.") % words
    words |= {"count": str(rule.best_of), "wins": winning_words(rule)}
    if rule.is_open(*score):
        return _("%(score)s leaves a best of %(count)s open: it takes %(wins)s to win.") % words
    return _("A best of %(count)s ends when a side has %(wins)s: %(score)s can’t be.") % words


def winning_words(rule: ScoreRule) -> str:
    """The sets or frames that win, as “3 sets”."""
    if rule.kind is ScoreKind.FRAMES:
        words = ngettext("%(count)s frame", "%(count)s frames", rule.needed)
    else:
        words = ngettext("%(count)s set", "%(count)s sets", rule.needed)
    return words % {"count": rule.needed}


def target_words(game: Game) -> str:
    """How a game is played, as “to 11, two clear”."""
    words = {"target": game.target, "cap": game.cap}
    if game.cap:
        return _("to %(target)s, two clear, or to %(cap)s at the latest") % words
    if game.lead == 2:
        return _("to %(target)s, two clear") % words
    return _("to %(target)s") % words


def _why_not_winner(rule: ScoreRule, score: Score | None, ranks: tuple[int, int]) -> str:
    """Why the winner cannot be the one who is named, or there must be one."""
    if score is None:
        if ranks[0] != ranks[1] or rule.can_draw:
            return ""
        if rule.kind is ScoreKind.POINTS and rule.game is not None:
            target = target_words(rule.game)
            return _("It can’t be a draw: a match is played %(target)s.") % {"target": target}
        return _("It can’t be a draw: a best of %(count)s has a winner.") % {"count": rule.best_of}
    if _order(*score) == _order(ranks[1], ranks[0]):
        return ""
    return _("%(score)s says something else about who won.") % {"score": _written(score)}


def _why_not_sets(
    rule: ScoreRule, score: Score | None, sets: Sequence[Score], *, is_finished: bool
) -> str:
    """Why the sets cannot have been so, one after the other."""
    won = [0, 0]
    for number, points in enumerate(sets, start=1):
        if not rule.is_open(won[0], won[1]):
            words = {"score": _written((won[0], won[1])), "number": number}
            return _("The match was over at %(score)s: there can’t be a set %(number)s.") % words
        is_last = number == len(sets)
        if reason := _why_not_set(rule, number, points, may_be_open=is_last and not is_finished):
            return reason
        won[0] += points[0] > points[1]
        won[1] += points[1] > points[0]
    told = sets_won(list(sets))
    if score is None:
        return _why_not_score(rule, told, is_finished=is_finished)
    # Of a match that was given up in a set, that set may be nobody's.
    before = sets_won(list(sets[:-1]))
    if told == score or (not is_finished and before == score):
        return ""
    words = {"sets": _written(told), "score": _written(score)}
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
    words = {"number": number, "score": _written(points), "target": target_words(game)}
    return _("Set %(number)s can’t be %(score)s: it is played %(target)s.") % words


def _order(one: int, two: int) -> int:
    return (one > two) - (one < two)


def _written(score: Score) -> str:
    return f"{score[0]}–{score[1]}".replace("-", MINUS)
