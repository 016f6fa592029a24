"""What surrounds every page of a league: its name, its time zone, its ways to go."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from leagues.access import Action
from leagues.models import League

SAME_TAB: Final = {"enter": "night", "import": "night"}
"""Routes that stand under the item of another one, as the tabs of their pages do."""


@dataclass(frozen=True, slots=True)
class NavItem:
    label: str
    url: str
    is_current: bool
    has_key: bool = False
    """Whether the key n leads there: to where results are entered."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The bar and the foot of a league's pages, for one visitor."""

    name: str
    url: str
    zone: str
    tabs: tuple[NavItem, ...]
    more: tuple[NavItem, ...]
    """What the last tab opens."""

    @property
    def is_more_current(self) -> bool:
        return any(item.is_current for item in self.more)


def league_frame(*, league: League, rights: Set[Action], current: str) -> Frame:
    """The frame with the items that a visitor may open; `current` names a route."""
    current = SAME_TAB.get(current, current)
    return _frame(
        league.name, league.slug, league.time_zone, frozenset(rights), current, get_language()
    )


@lru_cache(maxsize=500)
def _frame(
    name: str,
    slug: str,
    zone: str,
    rights: frozenset[Action],
    current: str,
    language: str | None,  # noqa: ARG001 - that of the words
) -> Frame:
    """The frame of these words: twelve addresses take as long to make as ten rows of a table."""
    tabs = (
        ("board", _("Standings"), Action.VIEW),
        ("results", _("Results"), Action.VIEW),
        ("night", _("Enter"), Action.ENTER),
        ("present_season", _("Season"), Action.VIEW),
        ("systems", _("Systems"), Action.VIEW),
    )
    more = (
        ("players", _("Players"), Action.VIEW),
        ("compare", _("Compare"), Action.VIEW),
        ("statistics", _("Statistics"), Action.VIEW),
        ("nights", _("Nights"), Action.VIEW),
        ("seasons", _("All seasons"), Action.VIEW),
        ("rules", _("Rules"), Action.VIEW),
        ("changes", _("Changes"), Action.VIEW),
        ("player_add", _("Add a player"), Action.PLAYERS),
        ("import", _("Import"), Action.IMPORT),
        ("dashboard", _("Dashboard"), Action.SETTINGS),
        ("settings", _("Settings"), Action.SETTINGS),
    )

    def allowed(places: Iterable[tuple[str, str, Action]]) -> tuple[NavItem, ...]:
        return tuple(
            NavItem(
                label,
                reverse(f"leagues:{route}", args=[slug]),
                is_current=route == current,
                has_key=route == "night",
            )
            for route, label, action in places
            if action in rights
        )

    return Frame(
        name=name,
        url=reverse("leagues:board", args=[slug]),
        zone=zone,
        tabs=allowed(tabs),
        more=allowed(more),
    )
