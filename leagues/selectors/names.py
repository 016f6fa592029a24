"""Names of a league's players: what completes, and whom an address means."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db.models import QuerySet

from leagues.domain.leaving import players_who_left
from leagues.models import League, Player, Revision
from leagues.services.rosters import Roster
from leagues.store.prepared import prepare
from leagues.store.search import named_like, plain_name

MOST_OFFERED = 500


def known_names(league: League) -> list[str]:
    """Names to complete: of all who still play, or of a first part where there are very many."""
    return [name for (name,) in _names_of_playing(league=league.pk)]


@prepare
def _names_of_playing(*, league: int) -> QuerySet[Player, tuple[str]]:
    left = players_who_left(league).values("pk")
    playing = Player.objects.filter(league=league).listed().exclude(pk__in=left)
    # An index keeps this order; sorting by the names themselves would read everybody.
    return playing.order_by("folded", "key").values_list("name")[:MOST_OFFERED]


def names_by_key(league_id: int, keys: Iterable[str]) -> dict[str, str]:
    """The names of a league's players, listed or not, by their keys."""
    players = Player.objects.filter(league_id=league_id, key__in=keys)
    return dict(players.values_list("key", "name"))


def players_by_key(league: League, keys: Iterable[str]) -> dict[str, Player]:
    """The listed player whom each key means: that of a merged player means who is left."""
    players = {row.key: row.survivor() for row in league.players.filter(key__in=set(keys))}
    return {key: player for key, player in players.items() if player.is_listed}


def newcomers_of(revision: Revision) -> list[Player]:
    """The listed players whom a revision added, by name."""
    return list(revision.players.listed())


def bearers(query: str) -> QuerySet[Player]:
    """The players of any league with these letters in their names; nobody without any."""
    if not plain_name(query):
        return Player.objects.none()
    return Player.objects.filter(named_like(query))


def players_by_name(
    league: League, names: Sequence[str], *, only_public: bool = False
) -> tuple[dict[str, Player], dict[str, tuple[Player, ...]]]:
    """The one player whom each name or key means, and of names that several bear all."""
    roster = Roster.of_names(league, names=names, keys=names, only_public=only_public)
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
