"""The locks of revisions that several seasons have parts of (`domain/linked_revisions.py`)."""

from __future__ import annotations

from collections.abc import Iterable

from leagues.domain.linked_revisions import Part, parts_of
from leagues.models import Revision
from leagues.services.revisions import LockedSeason, lock_season, lock_seasons


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


def next_parts(seasons: Iterable[LockedSeason]) -> tuple[Part, ...]:
    """The numbers that the next revision of each season is going to have."""
    return tuple((season.pk, season.last_revision + 1) for season in seasons)
