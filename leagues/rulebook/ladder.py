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
        idea=_("Every player stands on their own rung; the top is first. There are no points."),
        match=tuple(_match(parameters)),
        absence=(_("A player keeps their rung until someone from below wins it."),),
        sureness=(_("A ladder shows who is ahead, but not how certain that is."),),
    )


def _match(parameters: dict[str, Any]) -> Iterator[str]:
    yield _("A newcomer joins at the bottom, before the first match counts.")
    if parameters["mode"] == "insert":
        yield _(
            "A player who wins from below takes the loser’s rung, and everyone between moves down "
            "by one."
        )
    else:
        yield _("A player who wins from below changes places with the loser.")
    yield _("A win from above, and a draw, change nothing.")
    yield _("Teams cannot be rated.")
    if reach := parameters["challenge_range"]:
        yield ngettext(
            "A challenge goes one rung up at most.",
            "A challenge goes %(rungs)s rungs up at most.",
            reach,
        ) % {"rungs": reach}
    if parameters["rematch_days"]:
        yield _("The same two players can meet again after %(days)s at the earliest.") % {
            "days": days(parameters["rematch_days"])
        }
