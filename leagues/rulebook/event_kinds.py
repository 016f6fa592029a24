"""The kinds of events that count for nothing on a board, in plain words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from leagues.rulebook.rules_text import format_parameter
from ratings.own_words import read_values

SIDES_PAY: Final = ("capture", "flag_taken", "flag_returned", "own")
"""Parameters of kinds that can be without an opponent of their own."""


def kind_names() -> dict[str, str]:
    """The kinds that can have a value, by the name of its parameter."""
    return {
        "frag": _("frags"),
        "capture": _("captures"),
        "damage": _("damage"),
        "assist": _("assists"),
        "flag_taken": _("flags taken"),
        "flag_returned": _("flags returned"),
        "own": _("kinds of the game’s own"),
    }


def sides_pay(parameters: dict[str, Any]) -> bool:
    """Whether what has no opponent of its own counts on a board."""
    worded = read_values(parameters["own_words"]).values()
    return any(worded) or any(parameters[kind] for kind in SIDES_PAY)


def own_words_count(parameters: dict[str, Any]) -> Iterator[str]:
    """What events of single kinds of the game's own count for, by their words."""
    for word, value in read_values(parameters["own_words"]).items():
        if value:
            yield _("“%(word)s” of the game’s own kinds counts as %(value)s frags.") % {
                "word": word,
                "value": format_parameter(value),
            }


def count_for_nothing(parameters: dict[str, Any], *, always: Sequence[str] = ()) -> Iterator[str]:
    """Which kinds have no value, and which have none on any board of the system."""
    nothing = [name for kind, name in kind_names().items() if not parameters.get(kind, True)]
    values = read_values(parameters.get("own_words", ""))
    if values and not parameters["own"]:
        nothing[-1] = _("other kinds of the game’s own")
    nothing += [f"“{word}”" for word, value in values.items() if not value]
    if kinds := [*nothing, *always]:
        yield _("These events count for nothing: %(kinds)s.") % {"kinds": ", ".join(kinds)}
