"""Boards that a former release computed wrongly: named, computed again, and sealed again.

Three faults were mended. Compiled kernels wrote over where a board with one column began, so that
what was expected of newcomers, and on a ladder a point of their histories, came out otherwise than
under the plain engine. Bradley-Terry without a penalty did not settle on some boards, which
stopped. Histories of zero-sum boards with anchors lacked the mean at which players joined. A board
is hit where it stopped so, or where nothing but histories differs from a replay; any other
difference no release made, and it is left for `verify` to tell.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any, Final

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import override

from leagues.jobs.queue import Claim, Postponed
from leagues.models import Board, Season
from leagues.services.audit import record_audit
from leagues.services.integrity import board_digest, check_board
from leagues.services.leagues import restart_board
from leagues.services.ratings import enqueue_rating
from leagues.services.sealing import request_sealing
from leagues.store.match_columns import is_behind

log = logging.getLogger(__name__)

ONE_COLUMN: Final = ("ladder", "zerosum", "becker")
UNSETTLED: Final = "did not settle"
"""What the board said on which Bradley-Terry stopped."""


def mend_season_job(claim: Claim) -> dict[str, Any] | None:
    """Find the boards of a season that are hit, and let them be computed and sealed again."""
    season = Season.objects.select_related("league").filter(pk=claim.params["season"]).first()
    if season is None:
        return None
    boards = list(season.boards.select_related("league", "season", "mode").order_by("pk"))
    _wait_for_rating(boards)
    hit = [board for board in boards if _is_hit(board)]
    if not hit:
        return {"boards": []}
    names = "; ".join(board.name for board in hit)
    with override(None), transaction.atomic():
        claim.fence()
        locked = Season.objects.select_for_update(no_key=True).get(pk=season.pk)
        if locked.state != season.state:
            raise Postponed
        reason = _("A bug fix in this release changes the ratings of: %(boards)s.") % {
            "boards": names
        }
        if season.is_sealed:
            _open_again(locked, hit, reason)
        for board in hit:
            _compute_again(board, reason)
        if season.is_sealed:
            digest = season.sealed_digest
            request_sealing(
                locked,
                None,
                state=season.state,
                expected=digest,
                otherwise=[board.pk for board in hit],
            )
        claim.finish({"boards": [board.pk for board in hit]})
    words = "computed again and sealed again" if season.is_sealed else "computed again"
    log.warning("%s: boards to be %s: %s", season, words, names)
    return None


def _wait_for_rating(boards: Iterable[Board]) -> None:
    """Come back later where a board is behind, before any of them is replayed in vain."""
    behind = [
        board
        for board in boards
        if board.system in ONE_COLUMN and board.state != Board.State.PAUSED and is_behind(board)
    ]
    if behind:
        with transaction.atomic():
            for board in behind:
                enqueue_rating(board)
        raise Postponed


def _is_hit(board: Board) -> bool:
    if board.state == Board.State.PAUSED:
        return board.system == "static" and UNSETTLED in board.problem
    if board.system not in ONE_COLUMN:
        return False
    report = check_board(board)
    if report.is_behind:
        raise Postponed
    differing = [difference.what for difference in report.differences]
    return bool(differing) and all(what.startswith("history ") for what in differing)


def _open_again(season: Season, hit: Iterable[Board], reason: str) -> None:
    """Let a sealed season close once more: as it was, but for the boards that are hit.

    Its rules of then, and the seals of its boards, stay until the new ones are there.
    """
    # The database lets a sealed season go only where this record stands.
    record_audit(
        league=season.league,
        actor=None,
        action="season.reopen",
        subject=season.name,
        season=season,
        before={
            "state": season.state,
            "sealed": season.sealed_at.isoformat() if season.sealed_at else None,
            "digest": season.sealed_digest,
            "boards": {board.slug: board.seal for board in hit},
        },
        after={"state": Season.State.CLOSING.value, "reason": reason},
    )
    season.stopped_at = season.stopped_at or season.sealed_at
    season.state = Season.State.CLOSING
    season.save(update_fields=["state", "stopped_at"])


def _compute_again(board: Board, reason: str) -> None:
    record_audit(
        league=board.league,
        actor=None,
        action="board.recalculate",
        subject=board.name,
        season=board.season,
        before={"digest": board_digest(board)},
        after={"reason": reason},
    )
    Board.objects.filter(pk=board.pk).update(state=Board.State.READY, problem="")
    restart_board(board)
