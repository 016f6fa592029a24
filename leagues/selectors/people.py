"""Players of a league: found by part of a name, and the one who looks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q

from leagues.lookups import any_of, named_like, plain_name
from leagues.models import League, Player

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
