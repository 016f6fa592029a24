"""Standings as rows: of one player or some, near by, and the best of a board."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from leagues.domain.absence import absent_before
from leagues.domain.leaving import players_who_left
from leagues.domain.ranking import ranking_rule
from leagues.models import Board, Player, Standing


def standing_of(board: Board, player: Player) -> Standing | None:
    """A player's standing on a board; None while that one is not rated."""
    own = Standing.objects.current(board).filter(player=player).first()
    if own is not None:
        own.player = player
    return own


def placed_among(board: Board, players: Collection[int]) -> list[int]:
    """Those of some players that stand on a board."""
    rows = Standing.objects.current(board).filter(player__in=players)
    return list(rows.values_list("player_id", flat=True))


def standings_on(
    players: Sequence[Player], boards: Sequence[Board]
) -> dict[tuple[int, int], Standing]:
    """The visible standings of players by (board, player), all in one query."""
    generations = {board.pk: board.generation for board in boards}
    rows = Standing.objects.filter(
        player__in=players, board__in=generations, generation__in=set(generations.values())
    )
    known = {player.pk: player for player in players}
    standings = {}
    for row in rows:
        if row.generation == generations[row.board_id]:
            row.player = known[row.player_id]
            standings[row.board_id, row.player_id] = row
    return standings


def nearest_to(board: Board, own: Standing, now: datetime, count: int) -> list[Standing]:
    """Who stands near by and still plays, above and below: the index of places makes it quick."""
    whole, since = Standing.objects.current(board), absent_before(board, board.last_at, now)
    left = players_who_left(board.league_id).values("pk")
    others = whole.filter(last_played_at__gte=since).exclude(player=own.player_id)
    others = others.exclude(player__in=left)
    others = others.select_related("player")
    above = others.filter(place_value__gte=own.place_value).order_by("place_value", "player_id")
    below = others.filter(place_value__lt=own.place_value).order_by("-place_value", "player_id")
    return [*above[:count], *below[:count]]


def default_sides(board: Board, me: Player | None, now: datetime) -> list[list[Player]]:
    """Whom to compare where nobody is named: me and who is above, else the best two.

    They are among those whom the leaderboard ranks and who still play here; whoever stands nowhere
    yet meets the best.
    """
    whole = Standing.objects.current(board).select_related("player")
    own = whole.filter(player=me).first() if me else None
    left = players_who_left(board.league_id).values("pk")
    ranked = whole.ranked(ranking_rule(board, now)).exclude(player__in=left)
    best = ranked.best_first()
    if me is None:
        return [[row.player] for row in best[:2]]
    if own is None:
        return [[me], *([row.player] for row in best.exclude(player=me)[:1])]
    rest = ranked.exclude(player=me)
    above = rest.filter(place_value__gte=own.place_value).order_by("place_value", "player__key")
    below = rest.filter(place_value__lte=own.place_value).order_by("-place_value", "player__key")
    neighbour = above.first() or below.first()
    return [[me], [neighbour.player]] if neighbour else [[me]]
