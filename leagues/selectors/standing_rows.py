"""Standings as rows: of one player or some, near by, and the best of a board."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from django.db.models import (
    Case,
    DateTimeField,
    IntegerField,
    OuterRef,
    Subquery,
    Value,
    When,
)

from leagues.domain.absence import absent_before
from leagues.domain.leaving import players_who_left
from leagues.domain.ranking import RankingRule, ranking_rule
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


def counted_rank(board: Board, standing: Standing, now: datetime) -> int | None:
    """The rank of one player, whom the database counts; None for whoever is not ranked."""
    rule = ranking_rule(board, now)
    if not rule.ranks(standing.games, standing.last_played_at):
        return None
    ranked = Standing.objects.current(board).ranked(rule)
    return 1 + ranked.above(standing.place_value).count()


def leaders(boards: Iterable[Board], now: datetime) -> dict[int, Standing]:
    """The standing of whoever each board ranks first of several, with the player, by board."""
    rules = {board.pk: ranking_rule(board, now) for board in boards}
    active_since = Case(
        *(When(pk=pk, then=Value(rule.active_since)) for pk, rule in rules.items()),
        output_field=DateTimeField(),
    )
    least_games = Case(
        *(When(pk=pk, then=Value(rule.least_games)) for pk, rule in rules.items()),
        output_field=IntegerField(),
    )
    # Each board's own rule, as columns of its row.
    rule = RankingRule(OuterRef("least_games"), OuterRef("active_since"))  # type: ignore[arg-type]
    of_board = Standing.objects.filter(board=OuterRef("pk"), generation=OuterRef("generation"))
    best = of_board.ranked(rule).best_first()
    first = (
        Board.objects.filter(pk__in=rules)
        .order_by()
        .annotate(active_since=active_since, least_games=least_games)
        .annotate(first=Subquery(best.values("pk")[:1]), second=Subquery(best.values("pk")[1:2]))
        .exclude(second=None)
        .values_list("first")
    )
    standings = Standing.objects.filter(pk__in=first).select_related("player")
    return {standing.board_id: standing for standing in standings}


def nearest_to(board: Board, own: Standing, now: datetime, count: int) -> list[Standing]:
    """Who stands near by and still plays, above and below: the index of places makes it quick.

    Either way equal ones come as they do in the index: on a large board very many newcomers are
    equal, all of whom would have to be sorted.
    """
    whole, since = Standing.objects.current(board), absent_before(board, board.last_at, now)
    left = players_who_left(board.league_id).values("pk")
    others = whole.filter(last_played_at__gte=since).exclude(player=own.player_id)
    others = others.exclude(player__in=left)
    others = others.select_related("player")
    above = others.filter(place_value__gte=own.place_value).order_by("place_value", "-player_id")
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
