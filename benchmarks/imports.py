"""What importing a results file costs, from its bytes until its results count on the boards.

Beside its floor, which is code of this bench alone: the file read by `csv`, and the same rows
copied into tables with the same indexes (`benchmarks.import_floor`). Both take turns in one run, by
the clock, as the database works beside this process. Each import goes into a new league, by a
process of its own, whose memory is looked at when the results are stored and when all boards have
rated them.
"""

from __future__ import annotations

import csv
import io
import multiprocessing
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from statistics import median
from typing import Any, Final

from benchmarks.generated import generated_rows
from benchmarks.import_floor import Floor
from benchmarks.pages import installation
from benchmarks.report import Report, Row

MATCHES: Final = 1_000_000
MATCHES_PER_PLAYER: Final = 10
MATCHES_PER_DAY: Final = 500
LAST_DAY: Final = date(2026, 1, 1)
ROUNDS: Final = {100: 5, 10: 3, 1: 2}
"""How often a file of so small a part of the matches is imported."""
MAX_TIMES_FLOOR, MAX_MEGABYTES, MAX_TIMES_PER_ROW = 4.0, 500.0, 1.2
HEADER: Final = ("date", "event", "winner", "loser", "winner_score", "loser_score", "dq")


@dataclass(frozen=True, slots=True)
class Turn:
    """One import: seconds by the clock and of the process, and the most memory in megabytes."""

    stored: float
    counted: float
    processor: float
    megabytes_stored: float
    megabytes_counted: float


def measure(report: Report, size: int | None = None, content: bytes | None = None) -> None:
    """Measure files of a hundredth and a tenth of the matches, and of all; or the one given."""
    with installation():
        from django.db import connection

        connection.close()
        matches = size or MATCHES
        turns: dict[int, list[Turn]] = {}
        for part, rounds in ROUNDS.items() if content is None else {1: 1}.items():
            file = Path(os.environ["RUNGS_DATA"]) / "results.csv"
            if content is None:
                _in_another_process(_write_made_file, file, matches // part)
            else:
                file.write_bytes(content)
            floors: list[float] = []
            turns[part] = []
            for number in range(rounds):
                floors.append(_run_floor(file))
                turns[part].append(_in_another_process(_import, file, f"bench-{part}-{number}"))
            rows = file.read_bytes().count(b"\n") - 1
            _report(report, f"{rows:,} rows", floors, turns[part], is_largest=part == 1)
        if content is None:
            _report_growth(report, turns)


def _report(
    report: Report, title: str, floors: list[float], turns: list[Turn], *, is_largest: bool
) -> None:
    """Hold the largest file against its floor; of small ones most is what any import costs."""
    report.note(f"{title}: floor", median(floors), "s")
    report.note(f"{title}: import until stored", median(turn.stored for turn in turns), "s")
    report.note(f"{title}: import until it counts", median(turn.counted for turn in turns), "s")
    report.note(f"{title}: processor of the process", median(t.processor for t in turns), "s")
    times = median(turn.counted / floor for turn, floor in zip(turns, floors, strict=True))
    name = f"{title}: import over floor"
    if is_largest:
        report.add(Row(name, times, "times", MAX_TIMES_FLOOR, "at most"))
    else:
        report.note(name, times, "times")
    memory = max(turn.megabytes_stored for turn in turns)
    report.add(Row(f"{title}: memory at most", memory, "MB", MAX_MEGABYTES, "at most"))
    memory = max(turn.megabytes_counted for turn in turns)
    report.note(f"{title}: memory at most, rating included", memory, "MB")


def _report_growth(report: Report, turns: dict[int, list[Turn]]) -> None:
    """Hold what a row costs in the largest file against what it costs in the smallest."""
    for what, seconds in (
        ("stored", {part: median(t.stored for t in some) * part for part, some in turns.items()}),
        ("counted", {part: median(t.counted for t in some) * part for part, some in turns.items()}),
    ):
        small = seconds[max(seconds)]
        times = seconds[min(seconds)] / small
        name = f"a row {what}, in the largest file over the smallest"
        report.add(Row(name, times, "times", MAX_TIMES_PER_ROW, "at most"))


def made_file(matches: int) -> bytes:
    """A results file of matches between players a few of whom play most, a few of them forfeits."""
    columns = generated_rows(
        matches, sides=2, size=1, players=max(2, matches // MATCHES_PER_PLAYER)
    )
    player, rank = columns["player"].reshape(-1, 2), columns["rank"].reshape(-1, 2)
    first = LAST_DAY - timedelta(days=matches // MATCHES_PER_DAY)
    file = io.StringIO()
    rows = csv.writer(file, lineterminator="\n")
    rows.writerow(HEADER)
    for number, ((one, other), (mine, _)) in enumerate(
        zip(player.tolist(), rank.tolist(), strict=True)
    ):
        day = first + timedelta(days=number // MATCHES_PER_DAY)
        winner, loser = (one, other) if mine == 0 else (other, one)
        is_forfeit = number % 13 == 0
        scores = (0, -1, 1) if is_forfeit else (2 + number % 2, number % 3 % 2, 0)
        rows.writerow((day.isoformat(), number // 60, winner, loser, *scores))
    return file.getvalue().encode()


def _run_floor(file: Path) -> float:
    content = file.read_bytes()
    with Floor() as floor:
        began = time.monotonic()
        floor.copy(content)
        return time.monotonic() - began


def _in_another_process(work: Callable[..., Any], *values: Any) -> Any:
    """What `work` gives, whose memory begins with that of this process: no file is kept here."""
    fork = multiprocessing.get_context("fork")
    ours, theirs = fork.Pipe()
    process = fork.Process(target=lambda: theirs.send(work(*values)))
    process.start()
    theirs.close()
    try:
        return ours.recv()
    except EOFError:
        raise SystemExit("The file was not imported.") from None
    finally:
        process.join()


def _write_made_file(file: Path, matches: int) -> None:
    file.write_bytes(made_file(matches))


def _import(file: Path, slug: str) -> Turn:
    """Import the file, and rate it on all boards of the new league."""
    from django.db import connection

    from leagues.jobs.queue import claim_job
    from leagues.jobs.runner import run_claim
    from leagues.models import Job, Match
    from leagues.services.import_reading import ImportOptions
    from leagues.services.imports import start_import
    from leagues.services.leagues import create_league
    from leagues.store.match_columns import is_behind

    league = create_league(name=slug.title(), slug=slug, mode="Singles")
    season, mode = league.seasons.get(), league.modes.get()
    Job.objects.all().delete()
    began, processor = time.monotonic(), time.process_time()
    job = start_import(
        season=season,
        mode=mode,
        name="results.csv",
        content=file.read_bytes(),
        options=ImportOptions(is_upload=False),
    )
    _run(claim_job(only=job), run_claim)
    stored, megabytes = time.monotonic() - began, _peak_megabytes()
    while claim := claim_job(only_ratings=True):
        _run(claim, run_claim)
    if any(is_behind(board) for board in league.boards.all()) or not Match.objects.exists():
        raise SystemExit("The boards have not rated the file.")
    turn = Turn(
        stored,
        time.monotonic() - began,
        time.process_time() - processor,
        megabytes,
        _peak_megabytes(),
    )
    connection.close()
    return turn


def _run(claim: Any, run_claim: Any) -> None:
    if claim is None or not run_claim(claim):
        raise SystemExit("A job failed.")


def _peak_megabytes() -> float:
    """The most memory that this process has taken."""
    lines = Path(f"/proc/{os.getpid()}/status").read_text(encoding="ascii").splitlines()
    peak = next(line for line in lines if line.startswith("VmHWM"))
    return int(peak.split()[1]) * 1024 / 1e6
