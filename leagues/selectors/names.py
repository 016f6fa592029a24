"""Names of a league's players, for forms: what completes, and what was probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from leagues.models import League, Player
from leagues.services.rosters import Roster
from leagues.store.search import named_like, plain_name
from ratings.files.names import fold_name

MOST_OFFERED = 500
MOST_COMPARED = 5000
MOST_GUESSES = 3


@dataclass(frozen=True, slots=True)
class Guess:
    """A player whose name is like what was typed."""

    key: str
    name: str


def known_names(league: League) -> list[str]:
    """Return names to complete: of all players, or of a first part where there are very many."""
    # An index keeps this order; sorting by the names themselves would read everybody.
    names = league.players.filter(is_listed=True).order_by("folded", "key")
    return list(names.values_list("name", flat=True)[:MOST_OFFERED])


def names_by_key(league_id: int, keys: Iterable[str]) -> dict[str, str]:
    """The names of a league's players, listed or not, by their keys."""
    players = Player.objects.filter(league_id=league_id, key__in=keys)
    return dict(players.values_list("key", "name"))


def bearers(query: str) -> QuerySet[Player]:
    """Return the players of any league with these letters in their names; nobody without any."""
    if not plain_name(query):
        return Player.objects.none()
    return Player.objects.filter(named_like(query))


def players_meant(
    league: League, names: Sequence[str]
) -> tuple[dict[str, Player], dict[str, tuple[Player, ...]]]:
    """Return the one player whom each name or key means, and of names that several bear all."""
    roster = Roster.of_names(league, names=names, keys=names)
    meant, shared = {}, {}
    for name in names:
        players = roster.meant_by(name=name)
        if len(players) != 1 and name in roster.by_key:
            players = (roster.by_key[name],)
        if len(players) == 1:
            meant[name] = players[0]
        elif players:
            shared[name] = players
    return meant, shared


def similar_players(league: League, names: list[str]) -> dict[str, tuple[Guess, ...]]:
    """Return up to three players for each name that may have been meant."""
    if not names:
        return {}
    rows = list(
        league.players.filter(is_listed=True)
        .order_by("folded", "key")
        .values_list("folded", "key", "name")[:MOST_COMPARED]
    )
    by_folded = {folded: Guess(key, name) for folded, key, name in rows}
    return {
        name: tuple(
            by_folded[near]
            for near in difflib.get_close_matches(
                fold_name(name), by_folded, n=MOST_GUESSES, cutoff=0.7
            )
        )
        for name in names
    }
