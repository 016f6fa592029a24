"""Matches that have begun and are not over."""

from __future__ import annotations

from leagues.models import Board, Match, Mode, Season
from leagues.selectors.matches import with_players

MAX_OPEN = 200
"""More open matches at once are nobody's to read."""


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
