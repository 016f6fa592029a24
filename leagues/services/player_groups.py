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
from leagues.services.errors import Problem, refuse
from ratings.files.names import NameProblem, clean_name, fold_name

GROUPED: Final = "player.groups"


@transaction.atomic
def set_groups(*, player: Player, groups: Mapping[str, str], actor: User | None) -> bool:
    """Let a player belong to these groups, by kind, and to no others; whether that is new.

    Raises Refused for names that can be none. Holds the player, so that the log tells of every
    change in its order, and then the league.
    """
    wanted = _clean(groups)
    player = Player.objects.select_for_update(of=("self",), no_key=True).get(pk=player.pk)
    stored = {row.kind: row for row in PlayerGroup.objects.filter(player=player)}
    before = {kind: row.name for kind, row in stored.items()}
    if wanted == before:
        return False
    for kind in before.keys() - wanted.keys():
        stored[kind].delete()
    for kind, name in wanted.items():
        PlayerGroup.objects.update_or_create(
            player=player,
            kind=kind,
            defaults={"league_id": player.league_id, "name": name, "folded": fold_name(name)},
        )
    # Held before it is looked: who adds a group at the same time is waited for, and is seen.
    League.objects.select_for_update(no_key=True).get(pk=player.league_id)
    has_groups = PlayerGroup.objects.filter(league=player.league_id).exists()
    League.objects.filter(pk=player.league_id).update(has_groups=has_groups)
    kinds = [kind for kind in PlayerGroup.Kind.values if wanted.get(kind) != before.get(kind)]
    record_audit(
        league=player.league,
        actor=actor,
        action=GROUPED,
        subject=player.key,
        player=player,
        before={kind: before.get(kind, "") for kind in kinds},
        after={kind: wanted.get(kind, "") for kind in kinds},
    )
    return True


def _clean(groups: Mapping[str, str]) -> dict[str, str]:
    wanted, problems = {}, []
    for kind in PlayerGroup.Kind.values:
        if not (typed := groups.get(kind, "").strip()):
            continue
        try:
            wanted[kind] = clean_name(typed)
        except NameProblem as problem:
            problems.append(Problem(kind, "name", str(problem)))
    refuse(problems)
    return wanted
