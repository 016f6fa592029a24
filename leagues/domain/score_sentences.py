"""Score rules in sentences: how a match and its sets are played, and what wins."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues.domain.score_rules import Game, ScoreKind, ScoreRule


def describe_match(game: Game) -> str:
    """How a match that is one game is played."""
    words = _numbers(game)
    if game.cap:
        return _("A match is played to %(target)s, two clear, or to %(cap)s at the latest.") % words
    if game.lead == 2:
        return _("A match is played to %(target)s, two clear.") % words
    return _("A match is played to %(target)s.") % words


def describe_set(game: Game) -> str:
    """How a set is played."""
    words = _numbers(game)
    if game.cap:
        return _("A set is played to %(target)s, two clear, or to %(cap)s at the latest.") % words
    if game.lead == 2:
        return _("A set is played to %(target)s, two clear.") % words
    return _("A set is played to %(target)s.") % words


def describe_deciding_set(game: Game) -> str:
    """How the last possible set is played, where it is another game than the others."""
    words = _numbers(game)
    if game.cap:
        sentence = _(
            "The deciding set is played to %(target)s, two clear, or to %(cap)s at the latest."
        )
        return sentence % words
    if game.lead == 2:
        return _("The deciding set is played to %(target)s, two clear.") % words
    return _("The deciding set is played to %(target)s.") % words


def _numbers(game: Game) -> dict[str, int]:
    return {"target": game.target, "cap": game.cap}


def describe_best_of(rule: ScoreRule) -> str:
    """How many sets or frames a match has at most."""
    if rule.kind is ScoreKind.FRAMES:
        sentence = ngettext(
            "A match is the best of %(count)s frame or leg.",
            "A match is the best of %(count)s frames or legs.",
            rule.best_of,
        )
    else:
        sentence = ngettext(
            "A match is the best of %(count)s set.",
            "A match is the best of %(count)s sets.",
            rule.best_of,
        )
    return sentence % {"count": rule.best_of}


def describe_winner(rule: ScoreRule) -> str:
    """How many sets or frames win."""
    if rule.kind is ScoreKind.FRAMES:
        sentence = ngettext(
            "The first side with %(count)s frame or leg wins.",
            "The first side with %(count)s frames or legs wins.",
            rule.needed,
        )
    else:
        sentence = ngettext(
            "The first side with %(count)s set wins.",
            "The first side with %(count)s sets wins.",
            rule.needed,
        )
    return sentence % {"count": rule.needed}
