"""The players of a league by name, also those who have not played yet."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from leagues.models import League, PlayerGroup
from leagues.selectors.people import ListedPlayer, listed_players


@dataclass(frozen=True, slots=True)
class PlayerRow:
    name: str
    url: str
    groups: str
    state: str
    """That the player has not played yet, or no longer does."""


@dataclass(frozen=True, slots=True)
class PlayerList:
    """A page of players; `following_url` leads to the next one."""

    query: str
    rows: tuple[PlayerRow, ...]
    following_url: str
    has_groups: bool


def player_list(league: League, query: str, after: str) -> PlayerList:
    """The players with these letters in their names, behind the one whose key is `after`."""
    people = listed_players(league=league, query=query, after=after)
    rows = tuple(_row(one, league) for one in people.rows)
    address = reverse("leagues:players", args=[league.slug])
    words = ({"q": query} if query else {}) | {"after": people.rows[-1].key if rows else ""}
    return PlayerList(
        query,
        rows,
        f"{address}?{urlencode(words)}" if people.has_more else "",
        has_groups=any(row.groups for row in rows),
    )


def _row(one: ListedPlayer, league: League) -> PlayerRow:
    state = "" if one.has_played else _("no results yet")
    groups = [one.groups[kind] for kind in PlayerGroup.Kind.values if kind in one.groups]
    return PlayerRow(
        one.name,
        reverse("leagues:player", args=[league.slug, one.key]),
        ", ".join(groups),
        _("no longer plays") if one.has_left else state,
    )
