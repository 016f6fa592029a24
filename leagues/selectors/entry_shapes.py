"""What the results of a mode look like, for the form that enters the next one."""

from __future__ import annotations

from collections import Counter

from django.db.models import QuerySet

from leagues.domain.who_plays import EntryShape, shape_of
from leagues.models import League, Match, Mode, Participant

NEWEST = 20
"""Results that say what is usual: a league may change what it plays."""


def entry_shapes(mode: Mode) -> Counter[EntryShape]:
    """The shape that a mode is for; else how many of its newest results have each shape."""
    if mode.shape is not None:
        return Counter([mode.shape])
    return _newest_shapes(Match.objects.live().filter(league=mode.league_id, mode=mode))


def sheet_shapes(league: League, mode: Mode | None) -> tuple[EntryShape, ...]:
    """The shape that a mode is for, then those of the other modes: a sheet takes them too.

    Of a mode for anyone, those that the newest results of the league have, of whichever mode; a
    league without results may play anything.
    """
    if mode is not None and mode.shape is not None:
        others = (other.shape for other in league.modes.all())
        return tuple(dict.fromkeys(filter(None, (mode.shape, *others))))
    recent = _newest_shapes(Match.objects.live().filter(league=league.pk))
    return tuple(shape for shape in EntryShape if not recent or shape in recent)


def _newest_shapes(matches: QuerySet[Match]) -> Counter[EntryShape]:
    # By time of play, of which there is an index: a league may have a million.
    newest = matches.order_by("-played_at", "-pk")[:NEWEST]
    rows = Participant.objects.filter(match__in=[match.pk for match in newest.only("pk")])
    sides: dict[int, Counter[int]] = {}
    for match, side in rows.values_list("match_id", "side"):
        sides.setdefault(match, Counter())[side] += 1
    return Counter(shape_of([*members.values()]) for members in sides.values())


def usual_shape(shapes: Counter[EntryShape]) -> EntryShape:
    """The shape that a form begins with; two players where there are no results.

    Places where most results had three sides or more, and teams where any of the others had
    team-mates: a single player fits there too.
    """
    if 2 * shapes[EntryShape.LIST] > shapes.total():
        return EntryShape.LIST
    return EntryShape.TEAMS if shapes[EntryShape.TEAMS] else EntryShape.PAIR
