"""Groups of players: which there are, who belongs to one, and to which somebody belongs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from django.db.models import Min

from leagues.domain.age_classes import AgeClass, UnreadableClass, read_classes
from leagues.models import AuditEntry, League, Player, PlayerGroup
from leagues.services.player_groups import GROUPED
from leagues.store.match_columns import Integers

MAX_GROUPS = 300
"""Groups that are offered to choose from."""


class Group(NamedTuple):
    """A group of a league, as one of its players has it written."""

    kind: str
    folded: str
    name: str

    @property
    def word(self) -> str:
        """What an address says for it."""
        return f"{self.kind}:{self.folded}"


def groups_of_league(league: League) -> list[Group]:
    """The groups of a league by kind and name; no query where there are none."""
    if not league.has_groups:
        return []
    rows = PlayerGroup.objects.filter(league=league, player__is_listed=True)
    named = rows.values("kind", "folded").annotate(written=Min("name")).order_by("kind", "folded")
    return [Group(*row) for row in named.values_list("kind", "folded", "written")[:MAX_GROUPS]]


def groups_of(player: Player) -> dict[str, str]:
    """The groups of a player by kind; no query where the league has none."""
    if not player.league.has_groups:
        return {}
    return dict(player.groups.values_list("kind", "name"))


def groups_by_player(league: League) -> dict[int, dict[str, str]]:
    """The groups of all players of a league by kind; no query where there are none."""
    groups: dict[int, dict[str, str]] = {}
    if league.has_groups:
        rows = PlayerGroup.objects.filter(league=league)
        for player, kind, name in rows.values_list("player_id", "kind", "name"):
            groups.setdefault(player, {})[kind] = name
    return groups


def groups_of_players(league: League, player_ids: Iterable[int]) -> dict[int, dict[str, str]]:
    """The groups of some players by kind; no query where the league has none."""
    groups: dict[int, dict[str, str]] = {}
    if league.has_groups:
        rows = PlayerGroup.objects.filter(league=league, player__in=list(player_ids))
        for player, kind, name in rows.values_list("player_id", "kind", "name"):
            groups.setdefault(player, {})[kind] = name
    return groups


def members_of(league: League, word: str) -> Integers:
    """The ids of the players of a group that an address names."""
    kind, _colon, folded = word.partition(":")
    rows = PlayerGroup.objects.filter(league=league, kind=kind, folded=folded)
    return np.array(list(rows.values_list("player_id", flat=True)), np.int64)


def members_of_class(league: League, age_class: AgeClass, year: int) -> Integers:
    """The ids of the players who belong to an age class in a year."""
    first, last = age_class.birth_years(year)
    rows = Player.objects.filter(league=league, birth_year__isnull=False)
    if first is not None:
        rows = rows.filter(birth_year__gte=first)
    if last is not None:
        rows = rows.filter(birth_year__lte=last)
    return np.array(list(rows.values_list("pk", flat=True)), np.int64)


def classes_of_league(league: League) -> tuple[AgeClass, ...]:
    """The age classes that organizers have set; none where the stored words are none."""
    try:
        return read_classes(league.age_classes)
    except UnreadableClass:
        return ()


def groups_undoing(
    entries: Sequence[AuditEntry], league: League
) -> Mapping[int, Mapping[str, str]]:
    """What undoes entries about groups, by the id of the entry: as long as they hold.

    Only the kinds of an entry, each with what it has to be still.
    """
    said = [
        entry
        for entry in entries
        if entry.action == GROUPED and entry.player and entry.player.is_listed
    ]
    if not said:
        return {}
    now = _groups_by_key(league, {entry.subject for entry in said})
    undoing = {}
    for entry in said:
        groups = now.get(entry.subject, {})
        before, after = entry.before or {}, entry.after or {}
        if all(groups.get(kind, "") == after.get(kind) for kind in before):
            words = {kind: str(name) for kind, name in before.items()}
            seen = {f"was_{kind}": str(after.get(kind, "")) for kind in words}
            undoing[entry.pk] = words | seen
    return undoing


def _groups_by_key(league: League, keys: Iterable[str]) -> dict[str, dict[str, str]]:
    groups: dict[str, dict[str, str]] = {}
    rows = PlayerGroup.objects.filter(league=league, player__key__in=keys)
    for key, kind, name in rows.values_list("player__key", "kind", "name"):
        groups.setdefault(key, {})[kind] = name
    return groups
