"""What the results of a mode look like, for the form that enters the next one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum

from django.db.models import QuerySet

from leagues.models import League, Match, Mode, Participant

NEWEST = 20
"""Results that say what is usual: a league may change what it plays."""


class EntryShape(StrEnum):
    """How a result is entered: by two players, by two teams, or by places."""

    PAIR = "pair"
    TEAMS = "teams"
    LIST = "list"


def recent_shapes(mode: Mode) -> Counter[EntryShape]:
    """How many of the newest results of a mode have each shape."""
    return _newest_shapes(Match.objects.live().filter(league=mode.league_id, mode=mode))


def played_shapes(league: League) -> frozenset[EntryShape]:
    """The shapes that the newest results of a league have, in whichever mode; all without results.

    A league of which nothing is known yet may play anything.
    """
    recent = _newest_shapes(Match.objects.live().filter(league=league.pk))
    return frozenset(recent or EntryShape)


def _newest_shapes(matches: QuerySet[Match]) -> Counter[EntryShape]:
    # By time of play, of which there is an index: a league may have a million.
    newest = matches.order_by("-played_at", "-pk")[:NEWEST]
    rows = Participant.objects.filter(match__in=[match.pk for match in newest.only("pk")])
    sides: dict[int, Counter[int]] = {}
    for match, side in rows.values_list("match_id", "side"):
        sides.setdefault(match, Counter())[side] += 1
    return Counter(shape_of_sides(members) for members in sides.values())


def shape_of_sides(places: Iterable[int] | Mapping[int, int]) -> EntryShape:
    """The shape of a result, of the side of each player or how many each side has."""
    members = Counter(places)
    if len(members) > 2:
        return EntryShape.LIST
    return EntryShape.TEAMS if max(members.values()) > 1 else EntryShape.PAIR


def usual_shape(recent: Counter[EntryShape]) -> EntryShape:
    """The shape that a form begins with; two players where there are no results.

    Places where most results had three sides or more, and teams where any of the others had
    team-mates: a single player fits there too.
    """
    if 2 * recent[EntryShape.LIST] > recent.total():
        return EntryShape.LIST
    return EntryShape.TEAMS if recent[EntryShape.TEAMS] else EntryShape.PAIR
