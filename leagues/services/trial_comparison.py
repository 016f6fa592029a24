"""A board under its own and under other parameters, compared."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from leagues import bridge
from leagues.bridge import BacktestResult
from leagues.domain.ranking import RankingRule
from leagues.jobs.queue import Claim
from leagues.models import Board, Standing
from leagues.store.match_columns import Facts

MOST_MOVERS = 20


def prediction_scores(result: BacktestResult | None) -> dict[str, Any]:
    """The quality of the predictions; None where there was nothing to judge by."""
    if result is None:
        return {"log_loss": None, "brier": None, "accuracy": None}
    judged = result.evaluation
    return {"log_loss": judged.log_loss, "brier": judged.brier, "accuracy": judged.accuracy}


@dataclass(frozen=True, slots=True, eq=False)
class ReplayedBoard:
    """A board computed again: who would stand where, and how well it would have predicted."""

    places: dict[int, tuple[int, Standing]]
    keys: dict[int, str]
    foresight: BacktestResult | None


def replay_board(
    board: Board, facts: Facts, claim: Claim, first: int, rule: RankingRule
) -> ReplayedBoard:
    total = 2 * len(facts)
    computed = bridge.compute(
        board,
        facts,
        progress=lambda done, _all: claim.progress(min(first + done, total - 1), total, "trial"),
    )
    people = computed.people
    return ReplayedBoard(
        places=bridge.places_of(board, computed, rule),
        keys=dict(zip(people.player_id.tolist(), people.keys, strict=True)),
        foresight=bridge.foresight_of(facts, computed),
    )


def compare_ranks(now: ReplayedBoard, then: ReplayedBoard) -> dict[str, Any]:
    """The changes of places: how many, the greatest, and who would be ranked or no longer."""
    both = [
        (rank, then.places[player_id][0], player_id, standing, then.places[player_id][1])
        for player_id, (rank, standing) in now.places.items()
        if player_id in then.places
    ]
    moved = [row for row in both if row[0] != row[1]]
    moved.sort(key=lambda row: (-abs(row[0] - row[1]), row[0], now.keys[row[2]]))
    entering, leaving = _only_in(then, now), _only_in(now, then)
    return {
        "players": len(both),
        "moved": len(moved),
        "entering": {"count": len(entering), "players": entering[:MOST_MOVERS]},
        "leaving": {"count": len(leaving), "players": leaving[:MOST_MOVERS]},
        "movers": [
            {
                "player": now.keys[player_id],
                "from": before,
                "to": after,
                "before": standing.shown,
                "after": changed.shown,
            }
            for before, after, player_id, standing, changed in moved[:MOST_MOVERS]
        ],
    }


def _only_in(one: ReplayedBoard, other: ReplayedBoard) -> list[str]:
    """The keys of those who are ranked in one and not in the other, best first."""
    keys = [
        (rank, one.keys[player_id])
        for player_id, (rank, _standing) in one.places.items()
        if player_id not in other.places
    ]
    return [key for _rank, key in sorted(keys)]


def compare_predictions(board: Board, now: ReplayedBoard, then: ReplayedBoard) -> dict[str, Any]:
    """The quality of both predictions, and the difference with its uncertainty: minus is better."""
    margin = None
    if now.foresight and then.foresight and bridge.gives_chances(board.system):
        margin = bridge.margin_between(then.foresight, now.foresight)
    return {
        "before": prediction_scores(now.foresight),
        "after": prediction_scores(then.foresight),
        "margin": margin and asdict(margin),
    }
