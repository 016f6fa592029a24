"""Saying of a player that the player no longer plays here, and bringing the player back.

The moment is what is stored. A match that was played after it makes the player active again
(`domain/leaving.py`), so that undoing that result restores what was said.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from leagues.models import Player
from leagues.models.checks import FIRST_INSTANT
from leagues.services.audit import record_audit
from leagues.services.errors import CHANGED, Problem, refuse
from leagues.services.merged_players import merged_problem

LEFT: Final = "player.left"
RETURNED: Final = "player.returned"


@transaction.atomic
def set_left(
    *, player: Player, left_at: datetime | None, was: datetime | None, actor: User | None
) -> bool:
    """Set since when a player no longer plays here, None for one who does; whether that is new.

    `was` is what the actor saw; Refused where that has changed. Holds the player.
    """
    rows = Player.objects.select_for_update(of=("self",), no_key=True).select_related("league")
    player = rows.get(pk=player.pk)
    before = player.left_at
    if before == left_at:
        return False
    refuse(_problems(player, left_at, was))
    player.left_at = left_at
    player.save(update_fields=["left_at"])
    record_audit(
        league=player.league,
        actor=actor,
        action=RETURNED if left_at is None else LEFT,
        subject=player.key,
        player=player,
        before={"left_at": _as_text(before)},
        after={"left_at": _as_text(left_at)},
    )
    return True


def _problems(player: Player, left_at: datetime | None, was: datetime | None) -> list[Problem]:
    if player.merged_into_id is not None:
        return [merged_problem(player)]
    if player.left_at != was:
        words = _("Someone else changed this in the meantime. Look again before you decide.")
        return [Problem("left_at", CHANGED, words)]
    if left_at is not None and not FIRST_INSTANT <= left_at <= timezone.now():
        words = _("This moment cannot be. A player leaves now or has left already.")
        return [Problem("left_at", "left_at", words)]
    return []


def _as_text(left_at: datetime | None) -> str | None:
    return None if left_at is None else left_at.isoformat()
