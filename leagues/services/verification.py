"""Verification: the jobs that compare what is stored with a replay and with the hashes of it."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from leagues.jobs.faults import faultpoint
from leagues.jobs.queue import Claim
from leagues.models import Board
from leagues.services.change_checks import check_changes, note_changes
from leagues.services.history import check_league, note_league
from leagues.services.integrity import check_board, note_report
from leagues.services.ratings import (
    enqueue_change_check,
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
        if board.state != Board.State.PAUSED:
            # What is rated next asks for no more than a check of its changes.
            enqueue_verification(board)
        return {"behind": True}
    note_report(report)
    if _has_moved(board):
        enqueue_change_check(board)
    consider_backtest(board)
    return {"differences": len(report.differences)}


def _has_moved(board: Board) -> bool:
    """Whether a board has rated more since it was read."""
    stored = Board.objects.filter(pk=board.pk, generation=board.generation)
    return stored.filter(rated_through_revision__gt=board.rated_through_revision).exists()


def verify_changes_job(claim: Claim) -> dict[str, Any]:
    """Check what has changed on a board since its last check; all of it where that is not enough.

    A whole check comes after differences too: it counts them all.
    """
    named = Board.objects.only("pk", "league_id").filter(pk=claim.params["board"]).first()
    if named is None:
        return {}
    report = check_changes(named)
    if report is None:
        enqueue_verification(named)
        return {"whole": True}
    if report.is_behind:
        enqueue_rating(report.board)
        return {"behind": True}
    faultpoint("changes_checked")
    with transaction.atomic():
        claim.fence()
        if report.matches:
            note_changes(report)
        if report.differences:
            enqueue_verification(named)
        if report.findings:
            enqueue_record_check(named.league_id)
        result = {"differences": len(report.differences), "record": len(report.findings)}
        claim.finish(result)
    consider_backtest(report.board)
    return result


def check_record_job(claim: Claim) -> dict[str, int]:
    """Compare a league's seasons, settings and log with the hashes of them."""
    report = check_league(claim.params["league"])
    note_league(report)
    return {"differences": report.differences}
