"""How often matches of a board end in a draw, and how even they were."""

from __future__ import annotations

import numpy as np
from django.core.cache import cache
from django.db.models import Sum

from leagues.bridge.systems import system_info
from leagues.models import Board, RatingSegment, Standing
from ratings.draws import DrawRate

MOST_READ = 400
"""Pieces of histories that are read: all of a club's, of a large board a part."""

MOST_PLAYERS = 5_000
"""Players whose draws are counted, likewise."""


ENOUGH_TO_TELL = 100
"""Of a game that can be drawn some of so many results are: without any, fewer than 3 of 100 are."""


def has_draws(board: Board) -> bool:
    """Whether any result on a board was drawn. Kept by what the board has computed."""
    if not board.league.draws_allowed:
        return False
    computed = board.computed_at.timestamp() if board.computed_at else 0
    key = f"has-draws:{board.pk}:{board.generation}:{board.rated_through_revision}:{computed}"
    known: bool | None = cache.get(key)
    if known is None:
        known = Standing.objects.current(board).filter(drawn__gt=0).exists()
        cache.set(key, known)
    return known


def may_draw(board: Board) -> bool:
    """Whether a draw is among the outcomes to show: where there were any, or too few results."""
    if not board.league.draws_allowed:
        return False
    return board.rated_matches < ENOUGH_TO_TELL or has_draws(board)


def draw_rate(board: Board) -> DrawRate | None:
    """The rate of draws on a board; None where nothing has to be known.

    From what was expected of the players in each match, as their histories keep it. Kept by what
    the board has computed.
    """
    info = system_info(board.system)
    if info.has_own_draws or not info.gives_chances:
        return None
    if not board.league.draws_allowed or not board.rated_matches:
        return None
    computed = board.computed_at.timestamp() if board.computed_at else 0
    key = f"draws:{board.pk}:{board.generation}:{computed}"
    known: DrawRate | None = cache.get(key)
    if known is None:
        known = _count_draws(board)
        cache.set(key, known)
    return known


def _count_draws(board: Board) -> DrawRate:
    standings = Standing.objects.current(board)
    played = standings.order_by("player_id")[:MOST_PLAYERS].aggregate(
        games=Sum("games"), drawn=Sum("drawn")
    )
    if not played["drawn"]:
        return DrawRate()
    histories = RatingSegment.objects.filter(board=board, generation=board.generation)
    stored = histories.order_by("player_id", "number").values_list("expected", flat=True)
    expected = np.frombuffer(b"".join(bytes(row) for row in stored[:MOST_READ]), "<f8")
    expected = expected[~np.isnan(expected)]
    if not len(expected):
        return DrawRate()
    evenness = 4.0 * float(np.mean(expected * (1.0 - expected)))
    return DrawRate(
        draws=round(board.rated_matches * played["drawn"] / played["games"]),
        evenness=board.rated_matches * evenness,
    )
