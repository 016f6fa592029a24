"""What a full replay of a board costs, from reading its facts until readers see what came out.

On PostgreSQL beside its floor: code of this bench alone that copies both tables of facts out as
arrays, rates them with the kernel, and copies a row for each participant into a table without an
index. Both take turns in one run, by the clock, as the database works beside this process, and by
the processor time of both processes, which others on the machine change less. SQLite is held
against PostgreSQL.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.costs import processor_seconds
from benchmarks.pages import installation
from benchmarks.report import Report, Row
from ratings import create
from ratings.log import MatchLog

if TYPE_CHECKING:
    from leagues.models import Board

MATCHES = 1_000_000
MATCHES_PER_PLAYER = 10
ROUNDS = 5
MAX_TIMES_FLOOR, MAX_TIMES_POSTGRES, MAX_MEGABYTES = 1.5, 2.0, 1000
SYSTEM = "glicko2"
SECONDS = "replay until it is seen"
"""Under this name the run on SQLite tells how long it took."""
ROWS_AT_ONCE = 65_536
ELEMENT = np.dtype([("length", ">i4"), ("value", ">i8")])
"""An element of an array of whole numbers, as PostgreSQL sends it."""
ARRAY_HEADER = 20
COPY_HEADER = b"PGCOPY\n\xff\r\n\0" + bytes(8)
COPY_END = b"\xff\xff"


@dataclass(slots=True)
class Turns:
    """Seconds of each turn, by the clock, and of all processes."""

    clock: list[float] = field(default_factory=list)
    processors: list[float] = field(default_factory=list)


def measure(report: Report, size: int | None = None) -> None:
    """Measure on the database that is named, and on SQLite beside PostgreSQL."""
    matches = size or MATCHES
    with installation():
        from django.db import connection

        is_postgres = connection.vendor == "postgresql"
        _make_in_another_process(matches)
        floor, replay = Turns(), Turns()
        title = f"{matches:,} matches"
        _replay(Turns())
        peak = 0.0
        for _ in range(ROUNDS):
            if is_postgres:
                _run_floor(floor)
            _forget_peak()
            _replay(replay)
            peak = max(peak, _peak_megabytes())
        report.note(f"{title}: {SECONDS}", median(replay.clock), "s")
        report.note(f"{title}: the same, processors", median(replay.processors), "s")
        report.add(Row(f"{title}: memory at most", peak, "MB", MAX_MEGABYTES, "at most"))
        if is_postgres:
            _compare(report, title, floor, replay, _seconds_on_sqlite(matches))


def _compare(
    report: Report, title: str, floor: Turns, replay: Turns, on_sqlite: float | None
) -> None:
    """Hold what was measured on PostgreSQL against its floor, and SQLite against it."""
    report.note(f"{title}: floor", median(floor.clock), "s")
    report.note(f"{title}: floor, processors", median(floor.processors), "s")
    times = _times(replay.clock, floor.clock)
    report.add(Row(f"{title}: replay over floor", times, "times", MAX_TIMES_FLOOR, "at most"))
    times = _times(replay.processors, floor.processors)
    report.note(f"{title}: replay over floor, processors", times, "times")
    if on_sqlite is None:
        report.leave_out(f"{title}: SQLite over PostgreSQL", "The run on SQLite failed.")
        return
    report.note(f"{title}: {SECONDS}, SQLite", on_sqlite, "s")
    times = on_sqlite / median(replay.clock)
    report.add(
        Row(f"{title}: SQLite over PostgreSQL", times, "times", MAX_TIMES_POSTGRES, "at most")
    )


def _times(ours: list[float], least: list[float]) -> float:
    """The median of how many times the one takes as long as the other, turn by turn."""
    return median(one / other for one, other in zip(ours, least, strict=True))


def _make_in_another_process(matches: int) -> None:
    """Write the league, whose lists of rows would count as memory of the replay."""
    from django.db import connection

    from leagues.store.bulk import refresh_statistics

    connection.close()
    making = multiprocessing.get_context("fork").Process(target=_make, args=(matches,))
    making.start()
    making.join()
    if making.exitcode:
        raise SystemExit("The league was not written.")
    refresh_statistics()


def _make(matches: int) -> None:
    from django.db import connection

    from benchmarks.world import make_world
    from leagues.models import Board

    make_world("large", matches=matches, players=matches // MATCHES_PER_PLAYER)
    Board.objects.exclude(system=SYSTEM).delete()
    connection.close()


def _replay(turns: Turns) -> None:
    """Rate the board from its first match, until readers see it and the former is deleted."""
    from django.db import connection
    from django.utils import timezone

    from leagues.jobs.queue import claim_job
    from leagues.jobs.runner import run_claim
    from leagues.models import RatingSegment
    from leagues.services.ratings import enqueue_rating

    board = _board()
    type(board).objects.filter(pk=board.pk).update(rated_through_revision=0)
    enqueue_rating(board)
    claim = claim_job(key=f"rate:{board.pk}")
    began, processors = timezone.now(), processor_seconds()
    table = connection.ops.quote_name(RatingSegment._meta.db_table)
    seen: list[float] = []

    def note(execute: Any, sql: Any, params: Any, many: Any, context: Any) -> Any:
        if not seen and sql.startswith("DELETE") and table in sql:
            seen.append(processor_seconds())
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        if claim is None or not run_claim(claim):
            raise SystemExit("The board was not rated.")
    board.refresh_from_db()
    if board.computed_at is None or board.computed_at < began or not seen:
        raise SystemExit("The board was not computed.")
    turns.clock.append((board.computed_at - began).total_seconds())
    turns.processors.append(seen[0] - processors)


def _board() -> Board:
    from leagues.models import Board

    return Board.objects.get(system=SYSTEM)


def _run_floor(turns: Turns) -> None:
    """Copy the facts out, rate them, and copy the states after each match in."""
    import psycopg
    from django.db import connection

    board = _board()
    began, processors = time.monotonic(), processor_seconds()
    with psycopg.Cursor(connection.connection) as cursor:
        cursor.format = psycopg.pq.Format.BINARY
        cursor.execute("SET enable_sort = off")
        cursor.execute("SET work_mem = '256MB'")
        match_id, seq, at = _arrays(
            cursor,
            "SELECT array_agg(id), array_agg(seq), "  # noqa: S608
            "array_agg((extract(epoch FROM played_at) * 1000000)::bigint) FROM leagues_match "
            f"WHERE season_id = {board.season_id} AND status = 'live' GROUP BY id / 16384",
        )
        of_match, player_id, side, rank = _arrays(
            cursor,
            "SELECT array_agg(match_id), array_agg(player_id), array_agg(side::bigint), "
            "array_agg(rank::bigint) FROM leagues_participant GROUP BY id / 16384",
        )
        order = np.lexsort((seq, at))
        by_id = np.argsort(match_id[order])
        match = by_id[np.searchsorted(match_id[order], of_match, sorter=by_id)]
        players, player = np.unique(player_id, return_inverse=True)
        log, rows = MatchLog.build(
            keys=[f"{key:012d}" for key in players.tolist()],
            at=at[order],
            match=match,
            side=side,
            rank=rank - 1,
            player=player,
        )
        after = create(SYSTEM).replay(log).after
        cursor.execute("DROP TABLE IF EXISTS floor_history")
        cursor.execute(
            "CREATE TABLE floor_history (match bigint, player bigint, at bigint, "
            "a float8, b float8, c float8, d float8)"
        )
        names = ("match", "player", "at", "a", "b", "c", "d")
        integers = (of_match[rows], player_id[rows], log.at[match[rows]])
        states = [after[:, column % after.shape[1]] for column in range(4)]
        _copy_in(cursor, names, integers, states)
        cursor.execute("RESET enable_sort")
        cursor.execute("RESET work_mem")
    turns.clock.append(time.monotonic() - began)
    turns.processors.append(processor_seconds() - processors)


def _arrays(cursor: Any, sql: str) -> list[NDArray[np.int64]]:
    """The columns of a query that gives them as arrays of whole numbers."""
    cursor.execute(sql)
    result = cursor.pgresult
    return [
        np.concatenate(
            [
                np.frombuffer(result.get_value(row, column), ELEMENT, offset=ARRAY_HEADER)["value"]
                for row in range(result.ntuples)
            ]
        ).astype(np.int64)
        for column in range(result.nfields)
    ]


def _copy_in(
    cursor: Any,
    names: tuple[str, ...],
    integers: tuple[NDArray[np.int64], ...],
    states: list[NDArray[np.float64]],
) -> None:
    row = np.dtype(
        [("fields", ">i2")]
        + [
            (name + part, kind)
            for number, name in enumerate(names)
            for part, kind in (("_length", ">i4"), ("", ">i8" if number < 3 else ">f8"))
        ]
    )
    rows = np.empty(len(integers[0]), row)
    rows["fields"] = len(names)
    for name, values in zip(names, (*integers, *states), strict=True):
        rows[f"{name}_length"] = 8
        rows[name] = values
    with cursor.copy("COPY floor_history FROM STDIN (FORMAT BINARY)") as copy:
        copy.write(COPY_HEADER)
        for first in range(0, len(rows), ROWS_AT_ONCE):
            copy.write(rows[first : first + ROWS_AT_ONCE].tobytes())
        copy.write(COPY_END)


def _seconds_on_sqlite(matches: int) -> float | None:
    """The same replay on SQLite, by another process."""
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "replay.json"
        words = ["replay", "--size", str(matches), "--json", str(file)]
        subprocess.run([sys.executable, "-m", "benchmarks", *words], env=environment, check=False)
        if not file.exists():
            return None
        figures = json.loads(file.read_text(encoding="utf-8"))["info"]
    return next(float(row["value"]) for row in figures if row["name"].endswith(SECONDS))


def _forget_peak() -> None:
    """Let the peak of this process's memory be what it takes now, where Linux can."""
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def _peak_megabytes() -> float:
    """The most memory that this process has taken since then."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    peak = next(line for line in lines if line.startswith("VmHWM"))
    return int(peak.split()[1]) * 1024 / 1e6
