"""Preparing the standings of moments, so that pages of large boards need not work them out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

import numpy as np
from django.db import transaction
from django.db.models import BinaryField, F, QuerySet
from django.db.models.functions import Substr

from leagues import bridge
from leagues.bridge.tables import is_table_before, table_before
from leagues.jobs.queue import Claim, enqueue
from leagues.models import Board, BoardDay, Job, PackedStandings, Player
from leagues.store.bulk import read_large, refresh_statistics
from leagues.store.id_lists import Among
from leagues.store.match_columns import Facts, Integers, results_by_day
from leagues.store.packed_standings import (
    MARK,
    changed_players,
    pack,
    pack_changes,
    unpack_day,
)
from leagues.store.prepared import prepare
from leagues.store.snapshot import snapshot
from leagues.store.standing_columns import (
    NEWEST,
    StandingTable,
    carry_forward,
    day_began,
    is_past,
    is_read_whole,
    read_histories,
    read_newest,
    true_days,
)
from leagues.store.standing_rows import StandingRow

MAX_NAMED = 10_000
"""Of more players than this the keys of the whole league are read."""

MOST_DAYS = 24
"""Days kept of a board; who asks for one that is gone waits until it is prepared again."""

LEAST_CHANGES, CHANGED_PART = 256, 1 / 32
"""Of more changed players, and more than this part of all, the standings are packed anew: writing
them costs much then, and that once in hundreds of results."""
DAYS_WAITING = 8
"""Days above these that appends let wait, so that not each new one has to throw one away."""

Played = list[tuple[str, int]]
"""How many results each civil day had."""


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
        moments = {at: Moment(table, _results_by_day(board, at)) for at, table in tables.items()}
    for at, moment in moments.items():
        with transaction.atomic():
            claim.fence()
            # Meanwhile an append may have carried the present on, or a correction changed the past.
            if _is_past_unchanged(board) if is_past(board, at) else _is_unchanged(board):
                _write(board, at, moment)
    with transaction.atomic():
        claim.fence()
        _throw_away(board)
    refresh_statistics()


def _is_unchanged(board: Board) -> bool:
    """Whether a board is as it was read; it stays so for the rest of the transaction."""
    same = Board.objects.filter(pk=board.pk, computed_at=board.computed_at)
    return same.select_for_update(no_key=True).exists()


def _is_past_unchanged(board: Board) -> bool:
    """Whether nothing but appends came after a board was read, for the rest of the transaction."""
    same = Board.objects.filter(pk=board.pk, last_generation=board.last_generation)
    return same.select_for_update(no_key=True).exists()


def _prepared_moments(board: Board) -> list[datetime]:
    """The moments that need not be prepared; what another release wrote nobody can read."""
    form = Substr("base__data", 1, len(MARK), output_field=BinaryField())
    days = true_days(board).exclude(at=NEWEST).annotate(form=form)
    return [at for at, form in days.values_list("at", "form") if bytes(form) == MARK]


def _results_by_day(board: Board, at: datetime) -> Played | None:
    """Count results by day up to a moment that nothing can come before any more."""
    return _count_from_last(board, at) if is_past(board, at) else None


def _count_from_last(board: Board, at: datetime) -> Played:
    """Count results by day up to a moment, from the last moment on for which that was done."""
    counted = true_days(board).filter(played__isnull=False, at__lte=at).order_by("-at")
    since, played = counted.values_list("at", "played").first() or (None, None)
    days = results_by_day(board, since=since, before=at)
    return [*(played or []), *((day.isoformat(), count) for day, count in days)]


# Carrying forward what is prepared, so that an append need not read the board.


@dataclass(frozen=True, slots=True)
class Moment:
    """The standings before a moment, and how many results each day up to it had."""

    table: StandingTable
    played: Played | None
    shared: Shared | None = None


@dataclass(frozen=True, slots=True)
class Shared:
    """What a moment has in common with others: packed standings, and who differs from these."""

    base: int
    differing_ids: Integers

    def after(self, rows: Sequence[StandingRow]) -> Shared:
        """The same after some standings have changed."""
        players = np.array([row.player_id for row in rows], np.int64)
        return Shared(self.base, np.union1d(self.differing_ids, players))


def carry_moments(
    board: Board,
    facts: Facts,
    before: bridge.Before,
    computed: bridge.Computed,
    standings: Sequence[StandingRow],
) -> dict[datetime, Moment | None]:
    """What is prepared of a large board, as matches that are appended leave it.

    The present, and where they begin another day the standings before that one, which are what
    the present was. None for what cannot be told without reading the board; nothing for a board
    of which nothing is prepared.
    """
    present = None if is_read_whole(board) else _read_present(board)
    if present is None or facts.last_at is None:
        return {}
    moments: dict[datetime, Moment | None] = {NEWEST: _after(board, present, standings)}
    day = day_began(board.league, facts.last_at)
    if board.last_at is None or board.last_at < day:
        earlier = facts.before(day)
        if len(earlier):
            part = bridge.compute(board, earlier, before=before)
            present = _after(board, present, bridge.changed_standings(board, before, part))
        is_same = is_table_before(board, computed, present.table, day)
        played = _count_from_last(board, day)
        moments[day] = replace(present, played=played) if is_same else None
    return moments


def _after(board: Board, present: Moment, rows: Sequence[StandingRow]) -> Moment:
    """The present after some standings have changed."""
    table = carry_forward(present.table, rows, partial(_read_keys, board.league_id))
    return Moment(table, None, present.shared.after(rows) if present.shared else None)


def write_moments(board: Board, moments: Mapping[datetime, Moment | None]) -> None:
    """Write what was carried forward, in the transaction of an append; let the rest be prepared."""
    are_packed_anew = False
    for at, moment in moments.items():
        if moment is None:
            prepare_days(board, [at])
        else:
            are_packed_anew |= _write(board, at, moment)
    if are_packed_anew:
        _throw_away_unused(board)
    if len(moments) > 1 and len(_days_of(board=board.pk)) >= MOST_DAYS + DAYS_WAITING:
        _throw_away(board)
    if not moments:
        prepare_board(board)


def forget_days(board: Board, since: datetime) -> None:
    """Throw away what is prepared of a board whose results have changed from a moment on.

    In the transaction that rewrites them; the present too, for nothing of it may be seen as it was,
    not even while the new one is prepared. Whoever has read what stood before is told by the
    board's `last_generation`, which counts all that has replaced the past.
    """
    Board.objects.filter(pk=board.pk).update(last_generation=F("last_generation") + 1)
    until = min(since, board.last_at or since)
    BoardDay.objects.filter(board=board, at__gt=until).delete()


def keep_prepared(board: Board, computed_at: datetime | None) -> bool:
    """Let the present that was prepared count as of now; False where there is none."""
    newest = BoardDay.objects.filter(board=board, generation=board.generation, at=NEWEST)
    return bool(newest.filter(computed_at=computed_at).update(computed_at=board.computed_at))


def _read_present(board: Board) -> Moment | None:
    newest = true_days(board).filter(at=NEWEST)
    for base, data, changes in read_large(newest.values_list("base", "base__data", "changes")):
        table = unpack_day(data, changes)
        if table is not None:
            return Moment(table, None, Shared(base, changed_players(changes)))
    return None


def _read_keys(league_id: int, player_ids: list[int]) -> dict[int, str]:
    if len(player_ids) <= MAX_NAMED:
        return dict(_some_keys(ids=tuple(player_ids)))
    return dict(Player.objects.filter(league_id=league_id).values_list("pk", "key"))


@prepare
def _some_keys(*, ids: tuple[int, ...]) -> QuerySet[Player, tuple[int, str]]:
    return Player.objects.filter(Among("pk", ids)).values_list("pk", "key")


def _write(board: Board, at: datetime, moment: Moment) -> bool:
    """Write one moment; whether its standings were packed anew."""
    shared, count = moment.shared, len(moment.table)
    is_near = shared and len(shared.differing_ids) <= max(LEAST_CHANGES, CHANGED_PART * count)
    # A job may have packed the standings anew meanwhile and thrown the former ones away.
    is_shared = bool(shared and is_near and _hold_base(base=shared.base))
    if shared and is_shared:
        base, changes = shared.base, pack_changes(moment.table, shared.differing_ids)
    else:
        base, changes = _pack_anew(board, moment.table), b""
    day = BoardDay(
        league_id=board.league_id,
        board=board,
        generation=board.generation,
        at=at,
        computed_at=None if is_past(board, at) else board.computed_at,
        rated_matches=board.rated_matches,
        players=len(moment.table),
        base_id=base,
        changes=changes,
        played=moment.played,
    )
    BoardDay.objects.bulk_create(
        [day],
        update_conflicts=True,
        unique_fields=["board", "generation", "at"],
        update_fields=[
            *("computed_at", "rated_matches", "players", "base", "changes", "played"),
            "created_at",
        ],
    )
    return not is_shared


@prepare
def _hold_base(*, base: int) -> QuerySet[PackedStandings, int]:
    held = PackedStandings.objects.select_for_update(no_key=True).filter(pk=base)
    return held.values_list("pk", flat=True)


def _pack_anew(board: Board, table: StandingTable) -> int:
    base = PackedStandings(league_id=board.league_id, board=board, data=pack(table))
    base.save()
    return base.pk


@prepare
def _days_of(*, board: int) -> QuerySet[BoardDay, int]:
    return BoardDay.objects.filter(board=board).values_list("pk", flat=True)


def _throw_away(board: Board) -> None:
    BoardDay.objects.filter(board=board).exclude(generation=board.generation).delete()
    days = BoardDay.objects.filter(board=board).exclude(at=NEWEST).order_by("-created_at", "-pk")
    old = list(days.values_list("pk", flat=True)[MOST_DAYS:])
    BoardDay.objects.filter(pk__in=old).delete()
    _throw_away_unused(board)


def _throw_away_unused(board: Board) -> None:
    """Throw away packed standings that no day is told apart from any more."""
    unused = PackedStandings.objects.filter(board=board, days__isnull=True)
    if keys := list(unused.values_list("pk", flat=True)):
        PackedStandings.objects.filter(pk__in=keys).delete()
