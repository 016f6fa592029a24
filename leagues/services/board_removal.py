"""Removing a board: its row goes at once, what was computed for it in the background."""

from __future__ import annotations

from collections.abc import Iterator

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues.domain.openings import has_opening
from leagues.models import Board
from leagues.services.audit import record_audit
from leagues.services.errors import Problem, refuse
from leagues.services.ratings import enqueue_rating
from leagues.services.revisions import lock_season
from leagues.store.imprints import forget


def obstacles(board: Board) -> list[Problem]:
    """Why a board cannot be removed; empty where it can."""
    season = board.season
    if season.is_sealed:
        words = {"season": season.name, "state": season.get_state_display()}
        message = _(
            "“%(season)s” is %(state)s, so its boards can’t be changed. A site admin can reopen "
            "the season."
        )
        return [Problem("season", "sealed", message % words)]
    if not season.boards.filter(mode=board.mode).exclude(pk=board.pk).exists():
        message = _(
            "“%(board)s” is the only board that rates “%(mode)s” in this season. Add another one "
            "first."
        ) % {"board": board.name, "mode": board.mode.name}
        return [Problem("board", "only_board", message)]
    return []


def consequences(board: Board) -> Iterator[str]:
    """What removing a board does, in sentences."""
    yield _("Its ratings, ranks and charts will disappear, and links to it will stop working.")
    yield _("All results stay, and no other board will change.")
    carried = board.starting_states.carried_over().count()
    given = board.starting_states.from_elsewhere().count()
    if carried and has_opening(board):
        yield ngettext(
            "What was drawn or chosen for %(count)d player to begin with will be lost.",
            "What was drawn or chosen for %(count)d players to begin with will be lost.",
            carried,
        ) % {"count": carried}
    elif carried:
        yield ngettext(
            "The rating that %(count)d player carried over from the previous season will be "
            "lost: on a new board, everyone starts as a newcomer.",
            "The ratings that %(count)d players carried over from the previous season will be "
            "lost: on a new board, everyone starts as a newcomer.",
            carried,
        ) % {"count": carried}
    if given:
        yield ngettext(
            "The starting rating that %(count)d player was given will be lost.",
            "The starting ratings that %(count)d players were given will be lost.",
            given,
        ) % {"count": given}
    if board.rules_since is not None:
        yield _(
            "Its rules changed during the season. A new board would use one set of rules for "
            "the whole season."
        )
    if not carried and not given and board.rules_since is None:
        yield _(
            "You can add it again: with the same system and parameters, it will have the same "
            "ratings."
        )


@transaction.atomic
def remove_board(*, board: Board, actor: User | None) -> None:
    """Take a board away from its season; raises Refused where it has to stay."""
    board.season = lock_season(board.season_id)
    refuse(obstacles(board))
    row = Board.objects.filter(pk=board.pk)
    if not row.exists():
        # Pressed twice: who came first has removed and recorded it.
        return
    record_audit(
        league=board.league,
        actor=actor,
        action="board.remove",
        subject=board.name,
        season=board.season,
        before={"system": board.system, "parameters": board.parameters},
    )
    board.trials.all().delete()
    board.rules.all().delete()
    board.starting_states.all().delete()
    # The job of its ratings finds no board and throws away what was computed. Django's own
    # deletion would do that here, for a million players while everybody who writes waits.
    enqueue_rating(board)
    row._raw_delete(row.db)
    forget(Board, [board.pk])
