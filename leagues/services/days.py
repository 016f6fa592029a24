"""Preparing the standings of moments, so that pages of large boards need not work them out."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import BinaryField
from django.db.models.functions import Substr
from django.utils import timezone

from leagues.bridge.tables import table_before
from leagues.jobs.queue import Claim, enqueue
from leagues.models import Board, BoardDay, Job
from leagues.store.bulk import refresh_statistics
from leagues.store.match_columns import results_by_day
from leagues.store.snapshot import snapshot
from leagues.store.standing_columns import (
    MARK,
    NEWEST,
    StandingTable,
    day_began,
    is_past,
    is_read_whole,
    pack,
    read_histories,
    read_newest,
    true_days,
)

MOST_DAYS = 24
"""Days kept of a board; who asks for one that is gone waits until it is prepared again."""


def prepare_board(board: Board) -> None:
    """Queue what pages show of a large board: the present, and what it is compared with."""
    if not is_read_whole(board):
        _enqueue("prepare_board", f"present:{board.pk}", board, [])


def prepare_days(board: Board, days: Sequence[datetime]) -> None:
    """Queue the standings before some moments, for the next who asks, with what others wait for.

    One job for them all, so that nobody fills the queue by asking for one day after the other.
    """
    wanted = [at.isoformat() for at in days]
    with transaction.atomic():
        # From here on the row is locked: nobody else adds to it or starts it meanwhile.
        job = Job.objects.get(pk=_enqueue("prepare_days", f"days:{board.pk}", board, wanted))
        job.params["days"] = list(dict.fromkeys(wanted + job.params["days"]))[:MOST_DAYS]
        job.save(update_fields=["params"])


def _enqueue(kind: str, key: str, board: Board, days: Sequence[str]) -> int:
    return enqueue(
        kind,
        key=key,
        params={"board": board.pk, "days": list(days)},
        league_id=board.league_id,
    )


def prepare_board_job(claim: Claim) -> None:
    """Keep the standings of a board as they are, and as they were before some moments."""
    days = [datetime.fromisoformat(text) for text in claim.params["days"]]
    with snapshot():
        boards = Board.objects.select_related("league", "season", "mode")
        board = boards.filter(pk=claim.params["board"]).first()
        if board is None or is_read_whole(board):
            return
        tables = {} if days else {NEWEST: read_newest(board)[0]}
        if not days and board.last_at is not None:
            days = [day_began(board.league, board.last_at)]
        known = set(_prepared_moments(board))
        wanted = [at for at in days if at not in known]
        if wanted:
            histories = read_histories(board)
            for at in wanted:
                tables[at] = table_before(board, histories, at)
        played = {at: _results_by_day(board, at) for at in tables}
    for at, table in tables.items():
        _keep(claim, board, at, table, played[at])
    with transaction.atomic():
        claim.fence()
        _throw_away(board)
    refresh_statistics()


def _prepared_moments(board: Board) -> list[datetime]:
    """The moments that need not be prepared; what another release wrote nobody can read."""
    form = Substr("data", 1, len(MARK), output_field=BinaryField())
    days = true_days(board).exclude(at=NEWEST).annotate(form=form)
    return [at for at, form in days.values_list("at", "form") if bytes(form) == MARK]


def _results_by_day(board: Board, at: datetime) -> list[tuple[str, int]] | None:
    """Count results by day up to a moment that nothing can come before any more."""
    if not is_past(board, at):
        return None
    return [(day.isoformat(), count) for day, count in results_by_day(board, before=at)]


def _keep(
    claim: Claim,
    board: Board,
    at: datetime,
    table: StandingTable,
    played: list[tuple[str, int]] | None,
) -> None:
    """Write one moment."""
    with transaction.atomic():
        claim.fence()
        BoardDay.objects.update_or_create(
            board=board,
            generation=board.generation,
            at=at,
            defaults={
                "league_id": board.league_id,
                "computed_at": None if is_past(board, at) else board.computed_at,
                "created_at": timezone.now(),
                "rated_matches": board.rated_matches,
                "players": len(table),
                "data": pack(table),
                "played": played,
            },
        )


def _throw_away(board: Board) -> None:
    BoardDay.objects.filter(board=board).exclude(generation=board.generation).delete()
    days = BoardDay.objects.filter(board=board).exclude(at=NEWEST).order_by("-created_at", "-pk")
    old = list(days.values_list("pk", flat=True)[MOST_DAYS:])
    BoardDay.objects.filter(pk__in=old).delete()
