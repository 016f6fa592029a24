"""Becker's static strengths in plain words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from leagues import wording
from leagues.rulebook.event_kinds import count_for_nothing, own_words_count, sides_pay
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
    """What counts where events are rated: each kind by its value, suicides by the board's rule."""
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
            "Where a match has events that count, such as frags, what each player did to each of "
            "the others counts, in place of the result."
        ),
        *_counts(parameters),
        suicides,
        *count_for_nothing(parameters, always=(_("team kills"),)),
    )


def counts_frags_alone(parameters: dict[str, Any]) -> bool:
    """Whether frags count once each, and no other kind of event has a value."""
    return not any(_counts(parameters))


def _counts(parameters: dict[str, Any]) -> Iterator[str]:
    """What an event of each kind adds to what is counted, where it is not once."""
    sentences = {
        "frag": _("A frag counts %(value)s times."),
        "capture": _("A capture counts as %(value)s frags."),
        "damage": _("Each point of damage counts as %(value)s frags."),
        "assist": _("An assist counts as %(value)s frags."),
        "flag_taken": _("Taking the flag counts as %(value)s frags."),
        "flag_returned": _("Returning the flag counts as %(value)s frags."),
        "own": _("An event of the game’s own kinds counts as %(value)s frags."),
    }
    for kind, sentence in sentences.items():
        if parameters[kind] and (kind, parameters[kind]) != ("frag", 1.0):
            yield sentence % {"value": format_parameter(parameters[kind])}
    yield from own_words_count(parameters)
    if sides_pay(parameters):
        yield _(
            "What has no opponent of its own, such as a capture, is shared out equally over the "
            "players of the other side."
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
