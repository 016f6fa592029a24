"""Verification: the jobs that compare what is stored with a replay and with the hashes of it."""

from __future__ import annotations

from typing import Any

from leagues.jobs.queue import Claim
from leagues.models import Board, League, Season
from leagues.services.history import check_league, note_league
from leagues.services.integrity import check_board, note_report
from leagues.services.ratings import (
    enqueue_rating,
    enqueue_record_check,
    enqueue_verification,
)
from leagues.services.trials import consider_backtest


def verify_board_job(claim: Claim) -> dict[str, Any]:
    """Replay one board and write down whether its stored ratings are the same."""
    named = Board.objects.only("pk").filter(pk=claim.params["board"]).first()
    if named is None:
        return {}
    report = check_board(named)
    board = report.board
    if report.is_behind:
        enqueue_rating(board)
        return {"behind": True}
    note_report(report)
    consider_backtest(board)
    return {"differences": len(report.differences)}


def verify_boards_job(_claim: Claim) -> None:
    """Queue a check of every board, and of every league's record."""
    boards = Board.objects.only("pk", "league_id").exclude(season__state=Season.State.ARCHIVED)
    for board in boards.order_by("pk"):
        enqueue_verification(board)
    for league_id in League.objects.order_by("pk").values_list("pk", flat=True):
        enqueue_record_check(league_id)


def check_record_job(claim: Claim) -> dict[str, int]:
    """Compare a league's seasons, settings and log with the hashes of them."""
    report = check_league(claim.params["league"])
    note_league(report)
    return {"differences": report.differences}
