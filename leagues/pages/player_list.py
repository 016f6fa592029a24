"""The players of a league by name, also those who have not played yet."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import wording
from leagues.domain.civil_days import day_of
from leagues.models import League, PlayerGroup
from leagues.selectors.people import ListedPlayer, listed_players


@dataclass(frozen=True, slots=True)
class PlayerRow:
    name: str
    url: str
    groups: str
    last_played: str
    state: str
    """That the player is inactive, or no longer plays."""


@dataclass(frozen=True, slots=True)
class PlayerList:
    """A page of players; `following_url` leads to the next one."""

    query: str
    rows: tuple[PlayerRow, ...]
    following_url: str
    has_groups: bool
    inactive_rule: str
    """When a player is inactive, where some of them are."""


def player_list(league: League, query: str, after: str, now: datetime) -> PlayerList:
    """The players with these letters in their names, behind the one whose key is `after`."""
    people = listed_players(league=league, query=query, after=after, now=now)
    today = day_of(now, league.zone)
    rows = tuple(_row(one, league, today) for one in people.rows)
    address = reverse("leagues:players", args=[league.slug])
    words = ({"q": query} if query else {}) | {"after": people.rows[-1].key if rows else ""}
    return PlayerList(
        query,
        rows,
        f"{address}?{urlencode(words)}" if people.has_more else "",
        has_groups=any(row.groups for row in rows),
        inactive_rule=_inactive_rule(league) if any(one.is_inactive for one in people.rows) else "",
    )


def _inactive_rule(league: League) -> str:
    words = ngettext(
        "A player is inactive after %(days)s day without a match; one match changes that.",
        "A player is inactive after %(days)s days without a match; one match changes that.",
        league.active_days,
    )
    return words % {"days": wording.count(league.active_days)}


def _row(one: ListedPlayer, league: League, today: date) -> PlayerRow:
    last = "" if one.last_at is None else wording.ago(day_of(one.last_at, league.zone), today)
    state = _("inactive") if one.is_inactive else ""
    groups = [one.groups[kind] for kind in PlayerGroup.Kind.values if kind in one.groups]
    return PlayerRow(
        one.name,
        reverse("leagues:player", args=[league.slug, one.key]),
        ", ".join(groups),
        last or _("no results yet"),
        _("no longer plays") if one.has_left else state,
    )
