"""The other names of players: spellings that were remembered, and names of merged players."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from leagues.models import League


def other_names(league: League) -> dict[int, list[str]]:
    """The other names of all players of a league, by the id of the player whom each means."""
    merged = league.players.filter(merged_into__isnull=False).order_by("key")
    into = {player.pk: player.merged_into_id for player in merged}
    spellings = league.aliases.order_by("folded").values_list("player", "name")
    names: dict[int, list[str]] = defaultdict(list)
    for player, name in (*spellings, *((player.pk, player.name) for player in merged)):
        names[_survivor(player, into)].append(name)
    return dict(names)


def _survivor(player: int, into: Mapping[int, int | None]) -> int:
    while (other := into.get(player)) is not None:
        player = other
    return player
