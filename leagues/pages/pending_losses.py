"""What leaving an open match costs, in words for lists of players and of matches."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.utils.translation import gettext as _

from leagues import bridge
from leagues.bridge import LeavingLoss
from leagues.models import Board, Match
from leagues.pages.seats import format_change
from leagues.selectors.started_matches import open_matches_on


def loss_words(board: Board, loss: LeavingLoss) -> str:
    """The change that leaving brings, as it is written."""
    return format_change(board, loss.before.value, loss.after.value, loss.after.decimals)


def pending_losses(board: Board, now: datetime) -> dict[int, str]:
    """What leaving an open match costs the players of a board, by player."""
    changes: dict[int, str] = {}
    for loss in bridge.open_losses(board, open_matches_on(board), now):
        changes.setdefault(loss.player_id, loss_words(board, loss))
    return changes


def pending_by_match(board: Board, matches: Sequence[Match], now: datetime) -> dict[int, str]:
    """What leaving costs the players of the open ones among some matches, side by side."""
    if not board.season.takes_late_results:
        return {}
    waiting = [
        match
        for match in matches
        if match.kind == Match.Kind.STARTED
        and match.status == Match.Status.LIVE
        and match.mode_id == board.mode_id
    ]
    changes: dict[int, list[str]] = {}
    for match in waiting:
        match.mode, match.season, match.league = board.mode, board.season, board.league
    for loss in bridge.open_losses(board, waiting, now):
        changes.setdefault(loss.match_id, []).append(loss_words(board, loss))
    return {
        match: _("%(changes)s while it is open") % {"changes": " / ".join(losses)}
        for match, losses in changes.items()
    }
