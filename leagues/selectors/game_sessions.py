"""Which games belong together, those of one evening, and the order of players that they give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Exists, OuterRef, QuerySet

from leagues import bridge
from leagues.bridge import RatedSession
from leagues.models import Board, League, Match, MatchEvent, Player
from leagues.selectors.boards import boards_of
from leagues.selectors.matches import people_of, with_players
from leagues.store.match_columns import read_games

PAUSE = timedelta(hours=3)
"""A longer pause between two games ends an evening."""
MOST_GAMES = 60
_REACH = timedelta(hours=18)


MOST_SESSIONS = 60
"""Newest games of a league of which sessions are offered."""


@dataclass(frozen=True, slots=True, eq=False)
class GameSession:
    """One game, or (`is_evening`) all of its evening, and the board whose system rates it."""

    around: Sequence[Match]
    boards: Sequence[Board]
    games: Sequence[Match]
    board: Board
    is_evening: bool

    @property
    def players(self) -> dict[int, Player]:
        """Who took part, by their ids."""
        return {row.player_id: row.player for game in self.games for row in people_of(game)}

    def rate(self) -> RatedSession | None:
        """The session from a blank slate; None where its board rates none of the games."""
        return bridge.rate_session(
            self.board, read_games(self.board, [game.pk for game in self.games])
        )


def find_session(match: Match, *, is_evening: bool, board: str = "") -> GameSession | None:
    """The session of a game; None of a game without events or boards, and of one that is void.

    Without the address of a `board`, the first one that rates frags says how it is rated.
    """
    around, boards = games_around(match), boards_of_mode(match)
    if not around or not boards:
        return None
    is_evening = is_evening and len(around) > 1
    by_frags = next((one for one in boards if bridge.rates_frags(one)), boards[0])
    return GameSession(
        around=around,
        boards=boards,
        games=around if is_evening else [game for game in around if game.pk == match.pk],
        board=next((one for one in boards if one.slug == board), by_frags),
        is_evening=is_evening,
    )


def session_order(session: GameSession) -> list[Player]:
    """The players in the final order of a session; those who share a place by their keys."""
    rated, players = session.rate(), session.players
    places = sorted(
        (place.rank, players[place.player_id].key, place.player_id)
        for place in (rated.places if rated else ())
    )
    return [players[player_id] for _rank, _key, player_id in places]


def last_games(league: League) -> list[list[Match]]:
    """The newest games with events of a league, evening by evening, the newest first."""
    rows = _with_events(league.matches.live()).select_related("season", "mode")
    evenings: list[list[Match]] = []
    last: dict[tuple[int, int], list[Match]] = {}
    for game in rows.order_by("-played_at", "-same_time_order", "-seq")[:MOST_SESSIONS]:
        where = game.season_id, game.mode_id
        evening = last.get(where)
        if evening is None or evening[-1].played_at - game.played_at > PAUSE:
            evening = last[where] = []
            evenings.append(evening)
        evening.append(game)
    return evenings


def _with_events(games: QuerySet[Match]) -> QuerySet[Match]:
    return games.filter(Exists(MatchEvent.objects.filter(match=OuterRef("pk"))))


def games_around(match: Match) -> list[Match]:
    """The games with events of the evening of one of them, oldest first, with their players."""
    games = _with_events(Match.objects.live()).filter(
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
