"""What is told of every system, and the sentences that several of them share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import wording

OF_95 = 1.96
"""Deviations on either side of the middle of a range."""


@dataclass(frozen=True, slots=True)
class RulesText:
    """How ratings work, in sentences."""

    idea: str
    match: tuple[str, ...]
    """What a match changes."""
    absence: tuple[str, ...]
    sureness: tuple[str, ...]
    placing_rule: str = ""
    """Whom the system can place at all, where results alone are not enough."""


def format_parameter(value: float) -> str:
    """A parameter as it would be written by hand."""
    return f"{value:.6g}".replace("-", wording.MINUS)


def half(deviation: float, decimals: int = 0) -> str:
    """The ± that a deviation is shown as."""
    return wording.plus_minus(OF_95 * deviation, decimals)


def days(number: int) -> str:
    """A length of time for a sentence."""
    return ngettext("%(count)s day", "%(count)s days", number) % {"count": wording.count(number)}


def size_advantage(parameters: dict[str, Any]) -> Iterator[str]:
    """What a side's number of players is worth, where it is worth anything."""
    if parameters["size_advantage"]:
        yield _("Each extra player on a side adds %(points)s to its strength.") % {
            "points": format_parameter(parameters["size_advantage"])
        }


def by_results(parameters: dict[str, Any]) -> tuple[str, ...]:
    """From how many results on a rating is sure."""
    return (
        _(
            "Ratings have no range here. The number of results decides how certain they "
            "are: fairly certain from %(fairly)s, certain from %(sure)s."
        )
        % {
            "fairly": wording.count(parameters["fairly_sure"]),
            "sure": wording.count(parameters["sure"]),
        },
    )


def nothing_happens() -> tuple[str, ...]:
    """The sentence that absence changes nothing."""
    return (_("A rating stays the same however long the player is inactive."),)
