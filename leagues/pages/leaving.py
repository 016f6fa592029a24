"""That a player no longer plays here, in words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import wording
from leagues.domain.civil_days import day_of
from leagues.domain.leaving import has_left
from leagues.models import Player


@dataclass(frozen=True, slots=True)
class Leaving:
    """Whether a player left, what that means, and what the button of the page sends."""

    since: str
    """Since when the player no longer plays here; empty for one who plays."""
    was: str
    """The stored moment, by which two pages do not undo each other's changes."""
    rank_sentence: str


def left_sentence(player: Player, now: datetime) -> str:
    """Since when a player no longer plays here; empty for one who plays."""
    if player.left_at is None or not has_left(player):
        return ""
    zone = player.league.zone
    day = wording.day(day_of(player.left_at, zone), day_of(now, zone))
    return _("no longer plays here since %(day)s") % {"day": day}


def leaving_of(player: Player, now: datetime) -> Leaving:
    """What the page to edit a player says of it."""
    days = player.league.active_days
    words = ngettext(
        "Ratings and ranks do not change: on the standings a player is inactive after %(days)s day "
        "without a match.",
        "Ratings and ranks do not change: on the standings a player is inactive after %(days)s "
        "days without a match.",
        days,
    )
    return Leaving(
        since=left_sentence(player, now),
        was=player.left_at.isoformat() if player.left_at else "",
        rank_sentence=words % {"days": wording.count(days)},
    )
