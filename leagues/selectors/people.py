"""Players of a league: found by part of a name, and the one who looks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from django.db.models import Q, QuerySet

from leagues.facts import Integers
from leagues.lookups import Listed, any_of, named_like, plain_name
from leagues.models import League, Player
from leagues.tables import Person

MOST_FOUND = 20


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who may be looking: an account, and the key of a player who was said to be looking."""

    user_id: int | None = None
    key: str = ""

    def __bool__(self) -> bool:
        return self.user_id is not None or bool(self.key)

    def conditions(self) -> tuple[Q, ...]:
        """Return what a player of a league has who may be this one: any of these."""
        by_account = () if self.user_id is None else (Q(user=self.user_id),)
        return (*by_account, Q(key=self.key)) if self.key else by_account

    def among(self, players: Iterable[Player]) -> Player | None:
        """Return the player whom the account has claimed, else the one of the key."""
        by_key = sorted(players, key=lambda player: player.key)
        claimed = [row for row in by_key if self.user_id and row.user_id == self.user_id]
        named = [row for row in by_key if self.key and row.key == self.key]
        return next(iter((*claimed, *named)), None)


def player_of(*, league: League, viewer: Viewer) -> Player | None:
    """Return the player of a league who looks."""
    if not viewer:
        return None
    return viewer.among(any_of(league.players.filter(is_listed=True), *viewer.conditions()))


_LISTED, _CLAIMED, _AGED = Q(is_listed=True), Q(user_id__isnull=False), Q(birth_year__isnull=False)


class Roster:
    """The players that a page names, and the one who looks: read together, once.

    Columns, as a search by few letters finds many thousands; few of them have an account or tell
    their age.
    """

    def __init__(self, league: League, viewer: Viewer, known: Sequence[Person] | None) -> None:
        self.league, self.who = league, viewer
        self.is_read = known is not None
        people = known or ()
        self._keep(
            ids=[one.player_id for one in people],
            keys=[one.key for one in people],
            names=[one.name for one in people],
            accounts={one.player_id: one.user_id for one in people if one.user_id},
            years={one.player_id: one.birth_year for one in people if one.birth_year},
        )

    def found(self, query: str) -> Integers:
        """Return the players whom a search by name finds."""
        letters = plain_name(query)
        compared: Iterable[int] = range(len(self.names))
        if not self.is_read:
            self._ask(named_like(query) & _LISTED)
            # The database has compared all but whoever looks, who is there in any case.
            compared = self.lookers
        others = [index for index in compared if letters not in plain_name(self.names[index])]
        return np.delete(np.array(self.ids, np.int64), others)

    def read(self, player_ids: Sequence[int]) -> None:
        """Make some players known."""
        if not self.is_read and (player_ids or self.who):
            self._ask(Q(pk__in=player_ids))

    def player(self, player_id: int) -> Player:
        """Return a player who is known."""
        index = self.places[player_id]
        return Player(
            pk=player_id,
            league_id=self.league.pk,
            key=self.keys[index],
            name=self.names[index],
            user_id=self.accounts.get(player_id),
            birth_year=self.years.get(player_id),
        )

    def viewer(self) -> Player | None:
        """Return the player who looks."""
        if not self.who:
            return None
        return self.who.among(self.player(self.ids[index]) for index in self.lookers)

    def _ask(self, wanted: Q) -> None:
        """Read players, and whoever looks."""
        columns = {
            "ids": Listed("pk"),
            "keys": Listed("key"),
            "names": Listed("name"),
            "claimed": Listed("pk", filter=_CLAIMED),
            "accounts": Listed("user_id", filter=_CLAIMED),
            "aged": Listed("pk", filter=_AGED),
            "years": Listed("birth_year", filter=_AGED),
        }
        players: QuerySet[Any] = self.league.players.values("league_id").annotate(**columns)
        # Standings name whom an undone import brought, until they are computed again.
        lookers = (condition & _LISTED for condition in self.who.conditions())
        parts = list(any_of(players, wanted, *lookers))
        lists = {name: list(chain(*(part[name] or () for part in parts))) for name in columns}
        self._keep(
            ids=lists["ids"],
            keys=lists["keys"],
            names=lists["names"],
            accounts=dict(zip(lists["claimed"], lists["accounts"], strict=True)),
            years=dict(zip(lists["aged"], lists["years"], strict=True)),
        )
        self.is_read = True

    def _keep(
        self,
        *,
        ids: list[int],
        keys: list[str],
        names: list[str],
        accounts: dict[int, int],
        years: dict[int, int],
    ) -> None:
        self.ids, self.keys, self.names = ids, keys, names
        self.accounts, self.years = accounts, years
        self.places = dict(zip(ids, range(len(ids)), strict=True))
        own = (one for one, user in accounts.items() if user == self.who.user_id)
        self.lookers = sorted({*(self.places[one] for one in own), *_places(keys, self.who.key)})
        """Where those are who may be the player who looks."""


def _places(column: Sequence[Any], value: Any) -> Iterator[int]:
    """Yield where a value is in a long column; nothing is nowhere."""
    place = -1
    with suppress(ValueError):
        while value:
            place = column.index(value, place + 1)
            yield place


@dataclass(frozen=True, slots=True)
class Found:
    key: str
    name: str


@dataclass(frozen=True, slots=True)
class People:
    """Players of some name, by name; `has_more` when not all of them are here."""

    rows: tuple[Found, ...]
    has_more: bool


def people_named(*, league: League, query: str) -> People:
    """Return the listed players with these letters in their names; nobody without any."""
    if not plain_name(query):
        return People((), has_more=False)
    players = league.players.filter(named_like(query), is_listed=True)
    rows = players.order_by("folded", "key").values_list("key", "name")[: MOST_FOUND + 1]
    found = tuple(Found(key, name) for key, name in rows)
    return People(found[:MOST_FOUND], has_more=len(found) > MOST_FOUND)
