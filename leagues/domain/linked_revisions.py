"""Revisions of several seasons that do one thing together, and are undone together.

Revisions belong to a season. Each part of one that reaches several names them all in its summary,
by the ids of their seasons and their numbers there.
"""

from __future__ import annotations

from typing import Final

from leagues.models import Revision, Season

MERGE_SUMMARY: Final = "merge"
"""The word of a revision's summary under which it says what it merged."""
MOVE_SUMMARY: Final = "move"
"""The word of a revision's summary under which it says what it moved to another season."""
Part = tuple[int, int]
"""The id of a season, and a number there."""


def parts_of(revision: Revision) -> tuple[Part, ...]:
    """The revisions that did one thing with a revision, itself among them; none if it is alone."""
    for word in (MERGE_SUMMARY, MOVE_SUMMARY):
        if word in revision.summary:
            return tuple((season, number) for season, number in revision.summary[word]["parts"])
    return ()


def is_league_wide(revision: Revision) -> bool:
    """Whether undoing a revision locks all seasons of its league."""
    return bool(parts_of(revision))


def seasons_of_undo(revision: Revision) -> list[Season]:
    """The seasons in which undoing a revision changes results."""
    parts = parts_of(revision)
    if not parts:
        return [revision.season]
    seasons = Season.objects.filter(pk__in=[season for season, _number in parts])
    return list(seasons.select_related("league").order_by("pk"))
