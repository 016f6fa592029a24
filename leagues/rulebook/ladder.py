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
        idea=_(
            "Everybody stands on a rung of their own; the top is the first. There are no points."
        ),
        match=tuple(_match(parameters)),
        absence=(_("A rung is kept, unless somebody from below wins it."),),
        sureness=(_("A ladder says who is ahead, and not how sure that is."),),
    )


def _match(parameters: dict[str, Any]) -> Iterator[str]:
    yield _("A newcomer joins at the bottom, before the first match counts.")
    if parameters["mode"] == "insert":
        yield _(
            "Whoever wins from below takes the loser’s rung, and everybody between moves down by "
            "one."
        )
    else:
        yield _("Whoever wins from below changes places with the loser.")
    yield _("A win from above, and a draw, change nothing.")
    yield _("Teams cannot be rated.")
    if reach := parameters["challenge_range"]:
        yield ngettext(
            "A challenge goes one rung up at most.",
            "A challenge goes %(rungs)s rungs up at most.",
            reach,
        ) % {"rungs": reach}
    if parameters["rematch_days"]:
        yield _("The same two meet again after %(days)s at the earliest.") % {
            "days": days(parameters["rematch_days"])
        }
