"""The kinds of events that count for nothing on a board, in plain words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

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


def count_for_nothing(parameters: dict[str, Any], *, always: Sequence[str] = ()) -> Iterator[str]:
    """Which kinds have no value, and which have none on any board of the system."""
    nothing = [name for kind, name in kind_names().items() if not parameters.get(kind, True)]
    if kinds := [*nothing, *always]:
        yield _("These events count for nothing: %(kinds)s.") % {"kinds": ", ".join(kinds)}
