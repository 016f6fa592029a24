"""What a change of a season's results reads of the boards that rate a mode: once, with its lock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, QuerySet

from leagues.models import Board, Match
from leagues.store.prepared import prepare


@dataclass(frozen=True, slots=True)
class RatedBoards:
    """The boards that rate a mode in a season, by their keys in ascending order."""

    keys: tuple[int, ...]
    systems: frozenset[str]
    season_has_starts: bool
    """Whether a match was ever started in the season, of whatever mode."""


def rated_boards(*, season_id: int, mode_id: int) -> RatedBoards | None:
    """The boards of a mode; None where there is none.

    It holds as long as the caller's lock on the season, unless the caller changes it.
    """
    rows = _rated_boards(season=season_id, mode=mode_id)
    if not rows:
        return None
    keys, systems, has_starts = zip(*rows, strict=True)
    return RatedBoards(keys, frozenset(systems), any(has_starts))


@prepare
def _rated_boards(*, season: int, mode: int) -> QuerySet[Board, tuple[Any, ...]]:
    starts = Match.objects.filter(season=season).starts_or_void()
    boards = Board.objects.filter(season=season, mode=mode).order_by("pk")
    return boards.annotate(has_starts=Exists(starts)).values_list("pk", "system", "has_starts")
