"""A new season of a league that has one."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from leagues.models import League, Season
from leagues.services.leagues import add_board, create_season, current_season, ensure_boards


@transaction.atomic
def start_season(
    *,
    league: League,
    name: str,
    starts_at: datetime | None,
    ends_at: datetime | None,
    actor: AbstractBaseUser | None,
) -> Season:
    """Make an open season with the boards of the current one, each from its start."""
    former = current_season(league)
    season = create_season(
        league=league, name=name, starts_at=starts_at, ends_at=ends_at, actor=actor
    )
    for board in former.boards.select_related("mode") if former else ():
        add_board(
            season=season,
            mode=board.mode,
            system=board.system,
            name=board.name,
            parameters=board.parameters,
            actor=actor,
        )
    for mode in league.modes.all():
        ensure_boards(season=season, mode=mode)
    return season
