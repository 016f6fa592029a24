"""Revisions of several seasons that do one thing together, and are undone together.

Revisions belong to a season. Each part of one that reaches several names them all in its summary,
by the ids of their seasons and their numbers there.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from leagues.models import Revision, Season
from leagues.services.revisions import LockedSeason, lock_season, lock_seasons

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


def lock_parts(revision: Revision) -> list[tuple[LockedSeason, Revision]]:
    """Lock the season in which a revision is undone, and read it.

    Of one with parts all of these, and all seasons of the league: nobody is to enter a result for
    a player who is about to be another one.
    """
    parts = parts_of(revision)
    if not parts:
        held = lock_season(revision.season_id)
        revision.refresh_from_db()
        return [(held, revision)]
    lock_seasons(revision.league_id)
    return [
        (
            lock_season(season_id),
            Revision.objects.get(season=season_id, number=number, league=revision.league_id),
        )
        for season_id, number in parts
    ]


def seasons_of_undo(revision: Revision) -> list[Season]:
    """The seasons in which undoing a revision changes results."""
    parts = parts_of(revision)
    if not parts:
        return [revision.season]
    seasons = Season.objects.filter(pk__in=[season for season, _number in parts])
    return list(seasons.select_related("league").order_by("pk"))


def next_parts(seasons: Iterable[LockedSeason]) -> tuple[Part, ...]:
    """The numbers that the next revision of each season is going to have."""
    return tuple((season.pk, season.last_revision + 1) for season in seasons)
