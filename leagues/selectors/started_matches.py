"""Matches that have begun and are not over, and how those ended that are."""

from __future__ import annotations

from datetime import datetime

from leagues.models import Board, Match, Mode, Season
from leagues.selectors.matches import with_players
from leagues.services.start_verdicts import result_of_start

MAX_OPEN = 200
"""More open matches at once are not read."""


def open_matches(season: Season, mode: Mode, *, player: int | None = None) -> list[Match]:
    """The open matches of a season and mode with their players, of one player if named.

    None where the season takes no results any more: what was open there stays so for good.
    """
    if not season.takes_late_results:
        return []
    rows = Match.objects.started().filter(season=season.pk, mode=mode.pk)
    if player is not None:
        rows = rows.filter(participants__player=player)
    matches = list(with_players(rows).order_by("started_at", "seq")[:MAX_OPEN])
    for match in matches:
        match.season, match.mode, match.league = season, mode, season.league
    return matches


def open_matches_on(board: Board, *, player: int | None = None) -> list[Match]:
    """The open matches that a board is going to rate."""
    if board.has_open_matches is False:
        return []
    return open_matches(board.season, board.mode, player=player)


def has_starts(board: Board) -> bool:
    """Whether matches were started in the season and mode of a board."""
    return Match.objects.starts().filter(season=board.season_id, mode=board.mode_id).exists()


def result_of(match: Match, now: datetime) -> Match | None:
    """The result that has ended a started match, if one has."""
    return result_of_start(match, now) if match.kind == Match.Kind.ENDED else None
