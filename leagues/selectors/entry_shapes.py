"""What the results of a mode look like, for the form that enters the next one."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum

from leagues.models import Match, Mode, Participant

NEWEST = 20
"""Results that say what is usual: a league may change what it plays."""


class EntryShape(StrEnum):
    """How a result is entered: by two players, by two teams, or by places."""

    PAIR = "pair"
    TEAMS = "teams"
    LIST = "list"


def usual_shape(mode: Mode) -> EntryShape:
    """The shape of the newest results of a mode; two players where there are none.

    Places where most of them had three sides or more, and teams where any of the others had
    team-mates: a single player fits there too.
    """
    newest = Match.objects.live().filter(mode=mode).order_by("-recorded_at", "-pk")[:NEWEST]
    rows = Participant.objects.filter(match__in=[match.pk for match in newest.only("pk")])
    sides: dict[int, Counter[int]] = {}
    for match, side in rows.values_list("match_id", "side"):
        sides.setdefault(match, Counter())[side] += 1
    lists = sum(len(members) > 2 for members in sides.values())
    if 2 * lists > len(sides):
        return EntryShape.LIST
    has_teams = any(max(members.values()) > 1 for members in sides.values() if len(members) == 2)
    return EntryShape.TEAMS if has_teams else EntryShape.PAIR
