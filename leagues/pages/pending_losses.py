"""What leaving an open match costs, in words for lists of players and of matches."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.utils.translation import gettext as _

from leagues import bridge, wording
from leagues.bridge import LeavingLoss
from leagues.models import Board, Match
from leagues.pages.seats import format_change
from leagues.selectors.matches import people_of
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
    """What leaving costs the players of the open ones among some matches, side by side.

    With their names where it costs only some of them anything.
    """
    if not board.season.takes_late_results:
        return {}
    waiting = [
        match
        for match in matches
        if match.kind == Match.Kind.STARTED
        and match.status == Match.Status.LIVE
        and match.mode_id == board.mode_id
    ]
    for match in waiting:
        match.mode, match.season, match.league = board.mode, board.season, board.league
    losses: dict[int, list[LeavingLoss]] = {}
    for loss in bridge.open_losses(board, waiting, now):
        losses.setdefault(loss.match_id, []).append(loss)
    words = _("%(changes)s while it is open")
    return {
        match.pk: words % {"changes": _changes(board, match, losses[match.pk])}
        for match in waiting
        if match.pk in losses
    }


def _changes(board: Board, match: Match, losses: Sequence[LeavingLoss]) -> str:
    """What leaving an open match costs its players, one after the other."""
    changes = [loss_words(board, loss) for loss in losses]
    names = {row.player_id: wording.isolated(row.player.name) for row in people_of(match)}
    if len(losses) < len(names):
        players = [names[loss.player_id] for loss in losses]
        changes = [f"{name} {change}" for name, change in zip(players, changes, strict=True)]
    return " / ".join(changes)
