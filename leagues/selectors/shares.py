"""How much of the points, and how much of the matches, players took."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from leagues.models import Board, Participant
from leagues.models.match import is_rated_on


@dataclass(frozen=True, slots=True)
class ScoreShare:
    """Over the matches with scores: the mean share of the points, and of the wins."""

    results: int
    scores: float
    wins: float


def score_shares(board: Board, player_ids: Sequence[int]) -> dict[int, ScoreShare]:
    """The shares of players in the matches of two sides that a board rates."""
    rows = (
        Participant.objects.filter(
            is_rated_on(board, "match__"),
            match__participants__player__in=player_ids,
        )
        .values_list("match_id", "player_id", "side", "rank", "score")
        .distinct()
    )
    matches: dict[int, dict[int, tuple[int, int | None]]] = defaultdict(dict)
    sides: dict[tuple[int, int], int] = {}
    for match_id, player_id, side, rank, score in rows:
        matches[match_id][side] = rank, score
        sides[match_id, player_id] = side
    taken: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for (match_id, player_id), side in sides.items():
        match = matches[match_id]
        if player_id not in player_ids or len(match) != 2:
            continue
        rank, score = match[side]
        ((other_rank, other),) = (match[number] for number in match if number != side)
        if score is None or other is None or min(score, other) < 0 or not score + other:
            continue
        won = 0.5 if rank == other_rank else float(rank < other_rank)
        taken[player_id].append((score / (score + other), won))
    return {
        player_id: ScoreShare(
            len(pairs),
            sum(share for share, _won in pairs) / len(pairs),
            sum(won for _share, won in pairs) / len(pairs),
        )
        for player_id, pairs in taken.items()
    }
