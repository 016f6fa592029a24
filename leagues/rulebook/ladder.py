"""A ladder in plain words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues.rulebook.rules_text import RulesText, days


def describe_rules(parameters: dict[str, Any]) -> RulesText:
    """A ladder in words."""
    return RulesText(
        idea=_("Every player has their own rung, with the best at the top. There are no points."),
        match=tuple(_match(parameters)),
        absence=(_("A player keeps their rung until someone from below takes it."),),
        sureness=(_("A ladder shows who is ahead, but not how certain that is."),),
    )


def _match(parameters: dict[str, Any]) -> Iterator[str]:
    yield _("A newcomer joins at the bottom before their first match counts.")
    if parameters["mode"] == "insert":
        yield _(
            "A player who beats someone above them takes the loser’s rung, and everyone in "
            "between moves down by one."
        )
    else:
        yield _("A player who beats someone above them swaps places with the loser.")
    yield _("A win against someone below and a draw change nothing.")
    yield _("Teams cannot be rated.")
    if reach := parameters["challenge_range"]:
        yield ngettext(
            "A player can challenge at most one rung up.",
            "A player can challenge at most %(rungs)s rungs up.",
            reach,
        ) % {"rungs": reach}
    if parameters["rematch_days"]:
        yield _("The same two players can meet again after %(days)s at the earliest.") % {
            "days": days(parameters["rematch_days"])
        }
