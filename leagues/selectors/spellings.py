"""The other names of players: spellings that were remembered, and names of merged players."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from leagues.models import AuditEntry, League, Player, PlayerAlias
from leagues.services.players import RENAMED
from leagues.services.spellings import REMEMBERED, REMOVED
from ratings.files.names import fold_name


@dataclass(frozen=True, slots=True)
class OtherName:
    """Another name of a player; one of a merged player goes where the merge is undone."""

    name: str
    is_public: bool
    is_merged: bool = False


def other_names(player: Player, *, only_public: bool = False) -> list[OtherName]:
    """The other names of a player, in order; one of the past that is the name again is none."""
    people = [player]
    for one in people:
        people += one.merged.all()
    aliases = PlayerAlias.objects.filter(player__in=people).exclude(folded=player.folded)
    names = _names_of(aliases, people[1:])
    return sorted(
        (one for one in names.get(player.pk, ()) if one.is_public or not only_public),
        key=lambda one: (one.name.casefold(), one.name),
    )


def other_names_by_player(league: League) -> dict[int, list[OtherName]]:
    """The other names of all players of a league, by the id of the player whom each means."""
    merged = league.players.filter(merged_into__isnull=False).order_by("key")
    return _names_of(league.aliases.all(), merged)


def spelling_undoing(
    entries: Sequence[AuditEntry], league: League
) -> Mapping[int, Mapping[str, str]]:
    """What undoes entries about other names of players, by the id of the entry.

    A name that was added can be removed as long as it means the player, and one that was removed
    can be added as long as it is no other name.
    """
    said = {
        entry.pk: (entry.before if entry.action == REMOVED else entry.after) or {}
        for entry in entries
        if entry.action in (REMEMBERED, REMOVED) and entry.player and entry.player.is_listed
    }
    folds = {pk: fold_name(str(values["name"])) for pk, values in said.items() if "name" in values}
    if not folds:
        return {}
    aliases = league.aliases.filter(folded__in=set(folds.values())).select_related("player")
    means = {alias.folded: alias.player.survivor().key for alias in aliases}
    undoing = {}
    for entry in entries:
        if entry.pk not in folds:
            continue
        values, meant = said[entry.pk], means.get(folds[entry.pk])
        if entry.action == REMEMBERED and meant == entry.subject:
            undoing[entry.pk] = {"do": "remove", "name": str(values["name"])}
        elif entry.action == REMOVED and meant is None:
            shown = {"is_public": "on"} if values.get("is_public") else {}
            undoing[entry.pk] = {"do": "add", "name": str(values["name"]), **shown}
    return undoing


def name_undoing(entries: Sequence[AuditEntry]) -> Mapping[int, Mapping[str, str]]:
    """What takes back that a player was renamed, by the id of the entry, while the name holds."""
    undoing = {}
    for entry in entries:
        if entry.action == RENAMED and entry.player is not None and entry.player.is_listed:
            before = str((entry.before or {}).get("name", ""))
            after = str((entry.after or {}).get("name", ""))
            if before and entry.player.name == after:
                undoing[entry.pk] = {"do": "back", "name": before, "was": after}
    return undoing


def _names_of(
    aliases: Iterable[PlayerAlias], merged: Iterable[Player]
) -> dict[int, list[OtherName]]:
    into = {player.pk: player.merged_into_id for player in merged}

    def survivor(player: int) -> int:
        while (other := into.get(player)) is not None:
            player = other
        return player

    names: dict[int, list[OtherName]] = defaultdict(list)
    for alias in aliases:
        names[survivor(alias.player_id)].append(OtherName(alias.name, alias.is_public))
    for player in merged:
        names[survivor(player.pk)].append(OtherName(player.name, True, is_merged=True))
    return names
