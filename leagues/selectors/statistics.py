"""A board in numbers: its players by place, when was played, and matches to tell of.

What needs every match is read for small boards and kept until they change; of large ones it is
what the newest back-test found.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

import numpy as np
from django.core.cache import cache
from django.db.models import Count
from numpy.typing import NDArray

from leagues.bridge import (
    EncounterCounts,
    PointAccounts,
    count_encounters,
    has_point_accounts,
    is_fitted,
    point_accounts,
    rates_events,
)
from leagues.domain.activity import Activity, activity_of, read_activity
from leagues.models import Board, Match, MatchEvent, Player, Standing, Trial
from leagues.selectors.matches import PLAYERS_BY_RANK
from leagues.store.match_columns import read_facts

MOST_READ = 10_000
"""Boards of up to so many matches are read whole for their activity."""
MOST_EVENTS = 100_000
"""Events of up to so many are read for who got whom: each match may have 10,000."""

PlaceCounts = tuple[NDArray[np.int64], NDArray[np.int64]]


def place_counts(board: Board) -> PlaceCounts:
    """Every place value of a board and its players, ascending; an index holds them."""
    key = _key("places", board)
    known: PlaceCounts | None = cache.get(key)
    if known is None:
        rows = sorted(
            Standing.objects.current(board)
            .order_by()
            .values_list("place_value")
            .annotate(players=Count("pk"))
        )
        table = np.array(rows, dtype=np.int64).reshape(-1, 2)
        known = (table[:, 0], table[:, 1])
        cache.set(key, known)
    return known


def points_on(board: Board) -> PointAccounts | None:
    """The accounts of points; None where a system has none, and of a board of very many players."""
    if not has_point_accounts(board):
        return None
    rows = Standing.objects.current(board).order_by("player").values_list("shown", "state")
    found = list(rows[: MOST_READ + 1])
    if not 0 < len(found) <= MOST_READ:
        return None
    shown, states = zip(*found, strict=True)
    return point_accounts(board, shown, list(map(bytes, states)))


def own_place(board: Board, player: Player | None) -> int | None:
    """The place value of a player, who may have none."""
    if player is None:
        return None
    own = Standing.objects.current(board).filter(player=player)
    return own.values_list("place_value", flat=True).first()


def activity_on(board: Board, trial: Trial | None) -> Activity | None:
    """How much was played when; of a large board what the newest back-test has counted."""
    if board.rated_matches <= MOST_READ:
        key = _key("activity", board)
        known: Activity | None = cache.get(key)
        if known is None:
            known = activity_of(read_facts(board, with_events=False).without_losses())
            cache.set(key, known)
        return known
    report: dict[str, Any] | None = (trial.report or {}).get("activity") if trial else None
    return read_activity(report) if report else None


def encounters_on(board: Board) -> EncounterCounts | None:
    """What a board of static strengths counts; None for other systems, and of a large board."""
    if not is_fitted(board) or has_too_many_encounters(board):
        return None
    key = _key("encounters", board, board.parameters, rates_events(board))
    known: EncounterCounts | None = cache.get(key)
    if known is None:
        known = count_encounters(board, read_facts(board).without_losses())
        cache.set(key, known)
    return known


def has_too_many_encounters(board: Board) -> bool:
    """Whether a board rates more matches or events than a page reads for its encounters."""
    if board.rated_matches > MOST_READ:
        return True
    if not rates_events(board):
        return False
    key = _key("many-events", board)
    known: bool | None = cache.get(key)
    if known is None:
        events = MatchEvent.objects.filter(match__in=Match.objects.rated_on(board))
        known = events.order_by()[: MOST_EVENTS + 1].count() > MOST_EVENTS
        cache.set(key, known)
    return known


def players_by_place(board: Board) -> list[int]:
    """The ids of all who have a place value on a board, the highest first."""
    rows = Standing.objects.current(board).order_by("-place_value", "player__key")
    return list(rows.values_list("player_id", flat=True))


def live_matches(board: Board, seqs: Iterable[int]) -> dict[int, Match]:
    """The matches of some numbers that still count, with their players, best side first."""
    matches = board.season.matches.live().filter(mode=board.mode_id, seq__in=seqs)
    return {match.seq or 0: match for match in matches.prefetch_related(PLAYERS_BY_RANK)}


def _key(what: str, board: Board, *settings: Any) -> str:
    """Where something of a board is kept until the board changes, or one of the settings."""
    computed = board.computed_at.timestamp() if board.computed_at else 0
    key = f"{what}:{board.pk}:{board.generation}:{computed}"
    if not settings:
        return key
    return f"{key}:{hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()}"
