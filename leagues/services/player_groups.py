"""Which club, team and country players belong to.

No fact of rating: no hash covers them, nor does the digest of the log entries about them
(`audit.NAMES`), so that they can be erased.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction

from leagues.models import League, Player, PlayerGroup
from leagues.services.audit import record_audit
from leagues.services.errors import Problem, changed_problem, refuse
from leagues.store.upserts import upsert_rows
from ratings.files.names import NameProblem, clean_name, fold_name

GROUPED: Final = "player.groups"


@transaction.atomic
def set_groups(
    *,
    player: Player,
    groups: Mapping[str, str],
    actor: User | None,
    was: Mapping[str, str] | None = None,
) -> bool:
    """Let a player belong to these groups, by kind, an empty name for none; whether that is new.

    Kinds that are not among them stay. `was` is what the actor saw, by kind: what is still equal
    to that is no wish, and a kind that somebody changed since is refused, as are names that can
    be none. Raises Refused. Holds the player, so that the log tells of every
    change in its order, and then the league.
    """
    seen = was or {}
    wishes = {kind: name for kind, name in _clean(groups).items() if name != seen.get(kind)}
    player = Player.objects.select_for_update(of=("self",), no_key=True).get(pk=player.pk)
    stored = {row.kind: row for row in PlayerGroup.objects.filter(player=player)}
    before = {kind: row.name for kind, row in stored.items()}
    changes = {kind: name for kind, name in wishes.items() if name != before.get(kind, "")}
    refuse(
        [
            changed_problem(kind, before.get(kind, ""))
            for kind in changes
            if before.get(kind, "") != seen.get(kind, before.get(kind, ""))
        ]
    )
    if not changes:
        return False
    write_groups(player.league, {player: changes})
    record_audit(
        league=player.league,
        actor=actor,
        action=GROUPED,
        subject=player.key,
        player=player,
        before={kind: before.get(kind, "") for kind in changes},
        after=changes,
    )
    return True


def write_groups(league: League, groups: Mapping[Player, Mapping[str, str]]) -> None:
    """Let players, whom the caller holds, belong to groups by kind, an empty name for none.

    Then the league is held, which knows whether it has any.
    """
    if not groups:
        return
    rows = [(player.pk, kind, name) for player, own in groups.items() for kind, name in own.items()]
    for kind in PlayerGroup.Kind.values:
        gone = [player for player, one, name in rows if one == kind and not name]
        PlayerGroup.objects.filter(kind=kind, player__in=gone).delete()
    columns = ("league_id", "player_id", "kind", "name", "folded")
    upsert_rows(
        PlayerGroup,
        columns,
        [(league.pk, player, kind, name, fold_name(name)) for player, kind, name in rows if name],
        key=("player_id", "kind"),
    )
    # Held before it is looked: who adds a group at the same time is waited for, and is seen.
    League.objects.select_for_update(no_key=True).get(pk=league.pk)
    has_groups = PlayerGroup.objects.filter(league=league).exists()
    League.objects.filter(pk=league.pk).update(has_groups=has_groups)


def _clean(groups: Mapping[str, str]) -> dict[str, str]:
    wanted, problems = {}, []
    for kind in PlayerGroup.Kind.values:
        if kind not in groups:
            continue
        typed = groups[kind].strip()
        try:
            wanted[kind] = clean_name(typed) if typed else ""
        except NameProblem as problem:
            problems.append(Problem(kind, "name", str(problem)))
    refuse(problems)
    return wanted
