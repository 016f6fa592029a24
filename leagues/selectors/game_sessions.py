"""Which games belong together: those of one evening."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.db.models import Exists, OuterRef

from leagues.models import Board, Match, MatchEvent
from leagues.selectors.boards import boards_of
from leagues.selectors.matches import with_players

PAUSE = timedelta(hours=3)
"""A longer pause between two games ends an evening."""
MOST_GAMES = 60
_REACH = timedelta(hours=18)


def games_around(match: Match) -> list[Match]:
    """The games with events of the evening of one of them, oldest first, with their players."""
    games = Match.objects.live().filter(
        Exists(MatchEvent.objects.filter(match=OuterRef("pk"))),
        season=match.season_id,
        mode=match.mode_id,
        played_at__range=(match.played_at - _REACH, match.played_at + _REACH),
    )
    rows = list(
        games.order_by("played_at", "same_time_order", "seq").values_list("pk", "played_at")
    )
    places = [pk for pk, _at in rows]
    if match.pk not in places:
        return []
    first = last = places.index(match.pk)
    while first and rows[first][1] - rows[first - 1][1] <= PAUSE:
        first -= 1
    while last + 1 < len(rows) and rows[last + 1][1] - rows[last][1] <= PAUSE:
        last += 1
    first = max(first, min(places.index(match.pk), last - MOST_GAMES + 1))
    chosen = places[first : min(last + 1, first + MOST_GAMES)]
    found = {game.pk: game for game in with_players(Match.objects.filter(pk__in=chosen))}
    for game in found.values():
        game.league, game.season, game.mode = match.league, match.season, match.mode
    return [found[pk] for pk in chosen]


def boards_of_mode(match: Match) -> Sequence[Board]:
    """The boards of a match's season and mode, in their order."""
    boards = [board for board in boards_of(match.season) if board.mode_id == match.mode_id]
    for board in boards:
        board.league, board.season, board.mode = match.league, match.season, match.mode
    return boards


def read_events(games: Sequence[Match]) -> list[MatchEvent]:
    """The events of games, in the order of the games and their own."""
    numbers = {game.pk: number for number, game in enumerate(games)}
    rows = MatchEvent.objects.filter(match__in=numbers)
    return sorted(rows, key=lambda event: (numbers[event.match_id], event.position))
