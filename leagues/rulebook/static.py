"""Becker's static strengths in plain words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from leagues import wording
from leagues.rulebook.rules_text import RulesText, format_parameter, nothing_happens


def describe_rules(parameters: dict[str, Any]) -> RulesText:
    """The static strengths in words."""
    return RulesText(
        idea=_(
            "All results of the season are rated together, no matter when they were "
            "played. Strengths are chosen so that they explain who beat whom as well as "
            "possible."
        ),
        match=tuple(_match(parameters)),
        absence=nothing_happens(),
        sureness=tuple(_sureness(parameters)),
        placing_rule=_placing_rule(
            parameters["least_opponents"], max(1, parameters["least_events"])
        ),
    )


def _sureness(parameters: dict[str, Any]) -> Iterator[str]:
    if parameters["method"] == "bradley-terry":
        yield _("The range beside a strength contains the true strength in 95 of 100 cases.")
    else:
        yield _("Strengths have no range here.")
    yield _(
        "The number of results against other placed players decides how certain a strength "
        "is: fairly certain from %(fairly)s, certain from %(sure)s."
    ) % {
        "fairly": wording.count(parameters["fairly_sure"]),
        "sure": wording.count(parameters["sure"]),
    }


def _match(parameters: dict[str, Any]) -> Iterator[str]:
    match parameters["method"]:
        case "average":
            yield _("A strength is the mean of how clearly each opponent was beaten.")
        case "bradley-terry":
            yield _(
                "Strengths are chosen so that the results are as likely as possible; 1500 "
                "is the middle of the scale."
            )
            yield _(
                "They are pulled a little towards the middle (%(alpha)s), so that "
                "undefeated players stay on the scale."
            ) % {"alpha": format_parameter(parameters["alpha"])}
        case _:
            yield _(
                "The difference between two strengths is fitted as closely as possible to "
                "how clearly one player beat the other; pairs who played more often count "
                "more."
            )
    yield _("No match has a fixed effect: each new result can move everyone a little.")


def describe_counting(parameters: dict[str, Any]) -> tuple[str, ...]:
    """What counts where events are rated: frags, and suicides by the board's rule."""
    suicides = {
        "ignore": _("Suicides and deaths by the world change nothing."),
        "subtract": _(
            "Suicides and deaths by the world cost strength, as large a share as they are of all "
            "that a player was involved in: 1 in 10 costs 5 points."
        ),
        "distribute": _(
            "Suicides and deaths by the world count for the opponents, shared out in proportion to "
            "how often the player and each of them got each other."
        ),
    }[parameters["suicides"]]
    return (
        _(
            "Where a match has frags, how often each player got each of the others counts, in "
            "place of the result."
        ),
        suicides,
        _("Team kills, captures, damage, assists and flags taken or returned change nothing."),
    )


def _placing_rule(opponents: int, events: int) -> str:
    if not opponents:
        return ""
    text = _(
        "A player is placed after playing %(opponents)s or more opponents, %(times)s or "
        "more times each."
    )
    return text % {
        "opponents": wording.small_number(opponents),
        "times": wording.small_number(events),
    }
