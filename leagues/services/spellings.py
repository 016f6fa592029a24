"""Other spellings of players' names, remembered from what people answered."""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib.auth.models import User
from django.db import transaction

from leagues.models import League, PlayerAlias
from leagues.services.audit import record_audit
from leagues.services.entry_drafts import NEW
from leagues.services.players import players_by_key
from leagues.services.rosters import Roster
from ratings.files.names import fold_name


@transaction.atomic
def remember_spellings(
    *, league: League, names: Mapping[str, str], actor: User | None
) -> list[PlayerAlias]:
    """Let names mean from now on the players of these keys.

    A name that somebody bears already, or that means somebody, stays as it is.
    """
    keys = [key for key in names.values() if key != NEW]
    if not keys:
        return []
    players = players_by_key(league, keys)
    roster = Roster.of_names(league, names=names)
    remembered = []
    for name, key in names.items():
        player = players.get(key)
        if player is None or roster.meant_by(name=name):
            continue
        alias, is_new = PlayerAlias.objects.get_or_create(
            league=league, folded=fold_name(name), defaults={"player": player, "name": name}
        )
        if not is_new:
            continue
        record_audit(
            league=league,
            actor=actor,
            action="player.spelling",
            subject=player.key,
            player=player,
            after={"name": name},
        )
        remembered.append(alias)
    return remembered
