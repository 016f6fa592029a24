"""What surrounds every page of a league: its name, its time zone, its ways to go."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _

from leagues.access import Action
from leagues.models import League


@dataclass(frozen=True, slots=True)
class NavItem:
    label: str
    url: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class Frame:
    """The bar and the foot of a league's pages, for one visitor."""

    name: str
    url: str
    zone: str
    items: tuple[NavItem, ...]


def league_frame(*, league: League, rights: Set[Action], current: str) -> Frame:
    """The frame with the items that a visitor may open; `current` names a route."""
    places = (
        ("board", _("Standings"), Action.VIEW),
        ("results", _("Results"), Action.VIEW),
        ("enter", _("Enter a result"), Action.ENTER),
        ("compare", _("Compare"), Action.VIEW),
        ("systems", _("Systems"), Action.VIEW),
        ("statistics", _("Statistics"), Action.VIEW),
        ("seasons", _("Seasons"), Action.VIEW),
        ("rules", _("Rules"), Action.VIEW),
        ("revisions", _("Revisions"), Action.VIEW),
        ("import", _("Import"), Action.IMPORT),
        ("dashboard", _("Dashboard"), Action.SETTINGS),
        ("settings", _("Settings"), Action.SETTINGS),
    )
    items = (
        NavItem(label, url, route == current)
        for route, label, action in places
        if action in rights and (url := _address(route, league.slug))
    )
    return Frame(
        name=league.name,
        url=reverse("leagues:board", args=[league.slug]),
        zone=league.time_zone,
        items=tuple(items),
    )


def _address(route: str, slug: str) -> str:
    try:
        return reverse(f"leagues:{route}", args=[slug])
    except NoReverseMatch:
        return ""
