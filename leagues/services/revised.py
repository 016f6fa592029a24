"""Noting what a revision of older results did to ratings, for the profiles of those it touched."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q

from leagues.models import Board, Match, Participant, RevisedRating, Revision, Standing
from leagues.models.match import MatchQuerySet, new_results, starts_never_lost
from leagues.store.standing_rows import StandingRow

MOST_MATCHES = 1000
"""More matches at once are another season, not a revision of it."""

Shown = Mapping[int, tuple[int, float]]
"""Place and value by player."""


@dataclass(frozen=True, slots=True)
class Cause:
    """The revision that ratings are revised by; of several the last one."""

    revision: Revision
    match_id: int | None
    """The one match it changed or added, where it was one."""


def revising(board: Board, target: int) -> Cause | None:
    """The changes of older results between what the board has rated and a revision.

    Matches that follow the last rated one change nothing that was; nor is anything revised that
    was never shown.
    """
    if board.generation == 0 or board.rated_through_revision <= 0 or board.last_at is None:
        return None
    older = _touched_matches(board, target).filter(before_last_rated(board))
    last = (
        older.order_by("-touched_in_revision").values_list("touched_in_revision", flat=True).first()
    )
    if last is None or older[MOST_MATCHES : MOST_MATCHES + 1].exists():
        return None
    matches = list(older.filter(touched_in_revision=last).values_list("pk", flat=True)[:2])
    return Cause(
        Revision.objects.get(season=board.season_id, number=last),
        matches[0] if len(matches) == 1 else None,
    )


def before_last_rated(board: Board) -> Q:
    """The matches that are changed or added before the last one that a board has rated."""
    is_open = starts_never_lost()
    changed = ~(new_results() | is_open)
    if board.last_at is None:
        return changed
    same_time = Q(played_at=board.last_at, same_time_order__lt=board.last_same_time_order or 0)
    return changed | (Q(played_at__lt=board.last_at) | same_time) & ~is_open


def shown_values(board: Board) -> Shown:
    """What is shown of everybody on a board."""
    rows = Standing.objects.current(board).values_list("player_id", "place_value", "shown")
    return {player_id: (place, value) for player_id, place, value in rows}


def revised_ratings(
    board: Board,
    target: int,
    cause: Cause,
    generation: int,
    before: Shown,
    standings: Sequence[StandingRow],
) -> Iterator[RevisedRating]:
    """Yield what is shown otherwise than before, of those who have no new result in between."""
    fresh = _touched_matches(board, target).new_results()
    played = set(Participant.objects.filter(match__in=fresh).values_list("player_id", flat=True))
    for standing in standings:
        if standing.player_id not in before or standing.player_id in played:
            continue
        place, value = before[standing.player_id]
        if place != standing.place_value:
            yield RevisedRating(
                league_id=board.league_id,
                board_id=board.pk,
                player_id=standing.player_id,
                generation=generation,
                revision_id=cause.revision.pk,
                match_id=cause.match_id,
                before=value,
                after=standing.shown,
            )


def _touched_matches(board: Board, target: int) -> MatchQuerySet:
    touched = Match.objects.played_on(board).touched_after(board.rated_through_revision)
    return touched.filter(touched_in_revision__lte=target)
