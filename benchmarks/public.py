"""How much of its kernel's speed the library's public call reaches: `MatchLog.build` and `replay`.

What a user of the library waits for is a log built from unsorted columns and a replay with its
history, by the engine that is chosen for it. Both are held against the kernel that rates the same
log without history, in turns and in processor time, once the kernels are compiled.
"""

from __future__ import annotations

import time
from typing import Any

from benchmarks.generated import generated_rows
from benchmarks.kernels import kernel_of
from benchmarks.report import Report, Row
from ratings import create
from ratings.engine import numba_is_installed
from ratings.log import MatchLog
from ratings.sequential import Sequential

ROUNDS = 7
BAR = 0.5
ELO_DUELS_BAR = 0.4
"""Elo's kernel takes less time for a duel than reading it from memory."""
SHAPES = {
    "duels": (1_000_000, 2, 1),
    "4 against 4": (200_000, 2, 4),
    "free-for-all of 8": (100_000, 8, 1),
}
SYSTEMS: dict[str, dict[str, object]] = {
    "elo": {"policy": "constant"},
    "glicko": {},
    "glicko2": {},
    "trueskill": {},
    "wenglin": {},
}


def measure(report: Report) -> None:
    """Measure every system that rates match by match, on logs of every shape."""
    if not numba_is_installed():
        report.leave_out("public call", "Numba is not installed here.")
        return
    for shape, (matches, sides, size) in SHAPES.items():
        rows = generated_rows(matches, sides=sides, size=size)
        for name, settings in SYSTEMS.items():
            compare(report, shape, rows, name, settings)


def compare(
    report: Report, shape: str, rows: dict[str, Any], name: str, settings: dict[str, object]
) -> None:
    """Measure one system on one log, call and kernel in turns."""
    system = create(name, settings)
    assert isinstance(system, Sequential)  # noqa: S101 - true of all systems of this bench
    log, _ = MatchLog.build(**rows)
    kernel = kernel_of(name, settings, log)
    kernel()
    system.replay(log)
    kernels, builds, replays = [], [], []
    for _ in range(ROUNDS):
        kernels.append(kernel() * len(log))
        began = time.process_time()
        log, _ = MatchLog.build(**rows)
        built = time.process_time()
        system.replay(log)
        builds.append(built - began)
        replays.append(time.process_time() - built)
    title = f"{system.title}, {len(log):,} {shape}"
    bar = ELO_DUELS_BAR if (name, shape) == ("elo", "duels") else BAR
    ratio = min(kernels) / (min(builds) + min(replays))
    report.add(Row(f"{title}: kernel over public call", ratio, "times", bar, "at least"))
    report.note(f"{title}: build", 1e3 * min(builds), "ms")
    report.note(f"{title}: replay", 1e3 * min(replays), "ms")
    report.note(f"{title}: kernel", 1e3 * min(kernels), "ms")
