"""What a system would have made of a season: how it predicts, and whom it would place where."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from leagues.bridge.computing import Computed, compute, standings_of
from leagues.bridge.systems import (
    board_state,
    checked_parameters,
    new_board_parameters,
    system_info,
    system_of,
    systems,
)
from leagues.domain.ranking import RankingRule, ranks_of
from leagues.models import Board, Standing
from leagues.store.match_columns import Facts
from ratings.evaluation import (
    Evaluation,
    Losses,
    Margin,
    Predictions,
    judge,
    losses,
    margin,
    predictions_of,
    upsets,
)
from ratings.fitting import fit
from ratings.system import Reach, Unanswerable

MOST_UPSETS = 20


@dataclass(frozen=True, slots=True, eq=False)
class BacktestResult:
    """How well a board's system would have predicted its matches, each before it was rated."""

    evaluation: Evaluation
    losses: Losses
    """In the order of the facts; matches that the system cannot rate weigh nothing."""
    upsets: tuple[tuple[int, float], ...]
    """Seq of the match, and what its winner was expected to score."""
    refused: int
    gives_chances: bool
    """Whether it says how likely, or only who is ahead."""


def foresight(
    board: Board, facts: Facts, *, progress: Callable[[int, int], None] | None = None
) -> BacktestResult | None:
    """Predict every match from what was known before; None for systems that cannot."""
    if system_of(board).reach is Reach.BATCH:
        return None
    return foresight_of(facts, compute(board, facts, progress=progress))


def foresight_of(facts: Facts, computed: Computed) -> BacktestResult | None:
    """How well a computation had predicted what it rated; None for systems that cannot."""
    system, log = computed.system, computed.log
    if system.reach is Reach.BATCH:
        return None
    predictions = _predictions(computed)
    return BacktestResult(
        evaluation=judge(system, log, predictions),
        losses=_spread(losses(log, predictions), facts, computed),
        upsets=tuple(
            (int(computed.seq[match]), expected)
            for match, expected in upsets(log, predictions, MOST_UPSETS)
        ),
        refused=len(computed.refused),
        gives_chances=not system.orders_only,
    )


def _predictions(computed: Computed) -> Predictions:
    """The expectations that the rules of each time had of its matches, as of the whole log."""
    parts, matches, sides = [], 0, 0
    for piece in computed.pieces:
        probabilities, log = predictions_of(piece.system, piece.replay), piece.replay.log
        parts.append(
            replace(
                probabilities,
                match=probabilities.match + matches,
                one=probabilities.one + sides,
                other=probabilities.other + sides,
            )
        )
        matches, sides = matches + len(log), sides + len(log.rank)
    if len(parts) == 1:
        return parts[0]
    return Predictions(
        **{
            column.name: np.concatenate([getattr(part, column.name) for part in parts])
            for column in fields(Predictions)
        }
    )


def margin_between(one: BacktestResult, other: BacktestResult) -> Margin | None:
    """How much worse one predicted than another, over the matches that both rated."""
    return margin(one.losses, other.losses)


def gives_chances(name: str) -> bool:
    """Whether a system says how likely a result is: a ladder knows who is ahead, no more."""
    return system_info(name).gives_chances


def uses_scores(board: Board) -> bool:
    """Whether by how much a match was won counts on a board."""
    return bool(getattr(system_of(board), "uses_scores", False))


def shown_decimals(board: Board) -> int:
    """The digits after the point of a board's shown values."""
    system = system_of(board)
    return system.display(system.new_player(board_state(board)), board_state(board)).decimals


def unused_boards(boards: Sequence[Board]) -> list[Board]:
    """An unsaved board with its defaults for each system that none of these boards has."""
    first, used = boards[0], {board.system for board in boards}
    return [
        Board(
            league=first.league,
            season=first.season,
            mode=first.mode,
            system=info.name,
            parameters=new_board_parameters(info.name),
            name=info.title,
        )
        for info in systems()
        if info.name not in used
    ]


def with_parameters(
    board: Board, parameters: Mapping[str, Any], since: datetime | None = None
) -> Board:
    """A copy of a board with other parameters from a moment on, or from its first match.

    Nothing of it is ever saved.
    """
    tried = copy.copy(board)
    tried.parameters, tried.rules_since = dict(parameters), since
    return tried


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Parameters found by a search, and how they do on the results that took no part in it."""

    parameters: dict[str, Any]
    searched: int
    held_out: int
    before: Evaluation
    after: Evaluation


def search(board: Board, facts: Facts) -> SearchResult | None:
    """Search the parameters worth fitting by the log-loss of the first four fifths of a season.

    None where nothing in them was decided.
    """
    info = system_info(board.system)
    log = compute(board, facts).log
    try:
        fitted = fit(board.system, log, over=info.fitted, parameters=board.parameters)
    except Unanswerable:
        return None
    return SearchResult(
        parameters=checked_parameters(
            board.system, _round_parameters(fitted.parameters, board.parameters)
        ),
        searched=fitted.fitted_on,
        held_out=fitted.held_out,
        before=fitted.held_out_before,
        after=fitted.held_out_after,
    )


def _round_parameters(parameters: Mapping[str, Any], former: Mapping[str, Any]) -> dict[str, Any]:
    """Fitted parameters in three digits: more would only be noise, and hard to read."""
    return {
        name: float(f"{value:.3g}")
        if isinstance(value, float) and value != former.get(name)
        else value
        for name, value in parameters.items()
    }


def places_of(
    board: Board, computed: Computed, rule: RankingRule
) -> dict[int, tuple[int, Standing]]:
    """The rank and the standing that a computation gives each ranked player, by player id."""
    standings = standings_of(board, board.generation, computed)
    rows = [row for row in standings if rule.ranks(row.games, row.last_played_at)]
    ranks = ranks_of(row.place_value for row in rows)
    return {row.player_id: (rank, row) for rank, row in zip(ranks, rows, strict=True)}


def _spread(losses: Losses, facts: Facts, computed: Computed) -> Losses:
    """Put the losses of the rated matches where the facts have these matches."""
    # Of all matches: those refused are not in the log, nor losses on boards that have none.
    rated: NDArray[np.bool_] = np.isin(facts.seq, computed.seq)
    whole = Losses(np.zeros(len(facts)), np.zeros(len(facts)))
    whole.total[rated], whole.weight[rated] = losses.total, losses.weight
    return whole
