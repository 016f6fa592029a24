"""How many matches per second the compiled kernels rate, beside peers measured in the same run.

Both are measured in processor time of this process, which other work on the machine disturbs
less than the clock, alternating, and by their fastest round: caches and cores shared with other
work only ever add. Peers rate the first matches of the same log; what they take per match is taken
for all.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median

import numpy as np

from benchmarks.generated import generated_log
from benchmarks.peers import (
    Peer,
    elote_elo,
    glicko2_player,
    openskill_rate,
    trueskill_rate,
)
from benchmarks.report import Report, Row
from ratings import create
from ratings.engine import Reader, compiled, numba_is_installed
from ratings.log import MatchLog
from ratings.sequential import Sequential

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 7
PART = 131_072
"""As many matches as the compiled engine is handed at a time."""
STARTS = 3


@dataclass(frozen=True, slots=True)
class Case:
    """One kernel on one kind of match, beside one peer."""

    title: str
    system: str
    peer: str
    rate: Peer
    peer_matches: int
    bar: float | None
    settings: dict[str, object] = field(default_factory=dict)


SHAPES: dict[tuple[int, int, int], tuple[Case, ...]] = {
    (1_000_000, 2, 1): (
        Case(
            "Elo, constant K",
            "elo",
            "elote",
            elote_elo,
            20_000,
            100,
            {"policy": "constant"},
        ),
        Case("Glicko-2", "glicko2", "glicko2", glicko2_player, 4_000, 50),
        Case("TrueSkill 1v1", "trueskill", "trueskill", trueskill_rate, 600, 3_000),
        Case("Weng-Lin 1v1", "wenglin", "openskill", openskill_rate, 2_000, None),
    ),
    (200_000, 2, 4): (Case("TrueSkill 4v4", "trueskill", "trueskill", trueskill_rate, 300, 2_000),),
    (200_000, 8, 1): (
        Case("TrueSkill free-for-all of 8", "trueskill", "trueskill", trueskill_rate, 60, 300),
    ),
}

IMPORT = "import ratings.registry"
COMPILE = """
from ratings import MatchLog, create
log, _ = MatchLog.build(keys=["a", "b"], at=[0], match=[0, 0], side=[0, 1], rank=[0, 1],
                        player=[0, 1])
for name in ("elo", "glicko2", "trueskill"):
    create(name).replay(log, engine="compiled")
"""


def measure(report: Report) -> None:
    """Measure the kernels against their peers, and what it costs to load them."""
    if not numba_is_installed():
        report.leave_out("kernels", "Numba is not installed here.")
        return
    for (matches, sides, size), cases in SHAPES.items():
        log = generated_log(matches, sides=sides, size=size)
        for case in cases:
            compare(report, case, log)
    measure_start(report)


def compare(report: Report, case: Case, log: MatchLog) -> None:
    """Measure a kernel and its peer in turns."""
    kernel = kernel_of(case.system, case.settings, log)
    kernel()
    ours, theirs = [], []
    for _ in range(ROUNDS):
        ours.append(kernel())
        try:
            theirs.append(case.rate(log, case.peer_matches))
        except ImportError as error:
            report.leave_out(f"{case.title} beside {case.peer}", str(error))
            return
    name = f"{case.title} beside {case.peer}"
    ratio = min(theirs) / min(ours)
    if case.bar is None:
        report.note(name, ratio, "times")
    else:
        report.add(Row(name, ratio, "times", case.bar, "at least"))
    report.note(f"{case.title}, kernel without history", 1.0 / min(ours), "matches/s")
    report.note(f"{case.peer}, first {case.peer_matches:,} matches", 1.0 / min(theirs), "matches/s")
    replays = [seconds_of_replay(case, log) for _ in range(STARTS)]
    report.note(f"{case.title}, replay with history", len(log) / min(replays), "matches/s")


def kernel_of(name: str, settings: dict[str, object], log: MatchLog) -> Callable[[], float]:
    """Return a function that rates the log without keeping history and answers s per match.

    The states after each match go into a buffer of one part of the log, over and over.
    """
    system = create(name, settings)
    assert isinstance(system, Sequential)  # noqa: S101 - true of all systems of this bench
    function, width = compiled(system.body), len(system.columns)
    first = np.array(system.new_player())
    participants = int(np.diff(log.member_start[log.side_start]).max())
    history = tuple(np.empty(PART * participants) for _ in range(width))
    scratch = tuple(np.empty(int(np.diff(log.side_start).max())) for _ in range(system.scratch))
    # Columns of one value throughout take no memory in a log; the kernel is to read them all.
    log = replace(
        log,
        weight=np.array(log.weight),
        score=np.array(log.score),
        handicap=np.array(log.handicap),
        share=np.array(log.share),
    )
    read = Reader()

    def rate() -> float:
        state = tuple(np.full(len(log.keys), value) for value in first)
        began = time.process_time()
        for start in range(0, len(log), PART):
            part = log.part(start, min(start + PART, len(log)))
            function(read(part.columns()), state, history, scratch, system.settings)
        return (time.process_time() - began) / len(log)

    return rate


def seconds_of_replay(case: Case, log: MatchLog) -> float:
    """Answer the processor seconds of a whole replay."""
    system = create(case.system, case.settings)
    began = time.process_time()
    system.replay(log, engine="compiled")
    return time.process_time() - began


def measure_start(report: Report) -> None:
    """Measure what loading costs: import, then three kernels compiled and taken from the cache."""
    report.note("import of all systems", wall_time(IMPORT), "s")
    with tempfile.TemporaryDirectory() as folder:
        report.note("process that compiles three kernels", wall_time(COMPILE, folder), "s")
        warm = median(wall_time(COMPILE, folder) for _ in range(STARTS))
        report.note("process that finds them compiled", warm, "s")


def wall_time(program: str, cache: str | None = None) -> float:
    """Answer the seconds a fresh process takes for a program, with a cache folder of its own."""
    environment = dict(os.environ)
    if cache is not None:
        environment["XDG_CACHE_HOME"] = cache
        environment.pop("NUMBA_CACHE_DIR", None)
    began = time.monotonic()
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=environment, check=True)
    return time.monotonic() - began
