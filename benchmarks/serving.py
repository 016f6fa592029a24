"""How long `serve` takes to its first page, the first time and later, and to end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from benchmarks.report import Report, Row

ROOT = Path(__file__).resolve().parent.parent
REPEATS = 5


def measure(report: Report) -> None:
    """Measure a first start on an empty folder and the median of warm ones."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "RUNGS_DATA": folder, "DATABASE_URL": "", "REDIS_URL": ""}
        first, _ = start_and_stop(environment)
        report.note("first page of a first start", first, "s")
        warm = sorted(start_and_stop(environment) for _ in range(REPEATS))
        report.add(Row("first page of a warm start", warm[REPEATS // 2][0], "s", 3.0, "at most"))
        slowest_stop = max(stop for _, stop in warm)
        report.add(Row("Ctrl-C until everything has ended", slowest_stop, "s", 2.0, "at most"))


def start_and_stop(environment: dict[str, str]) -> tuple[float, float]:
    """Answer the seconds from the command to the first page, and from Ctrl-C to the end."""
    began = time.monotonic()
    server = subprocess.Popen(
        [sys.executable, "manage.py", "serve", "--port", "0"],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None  # noqa: S101 - asked for above
    address = next((line.split()[-1] for line in server.stdout if "running at" in line), None)
    if address is None:
        raise SystemExit("serve ended before it answered.")
    with urllib.request.urlopen(address, timeout=60) as page:  # noqa: S310 - our own server
        page.read()
    answered = time.monotonic() - began
    began = time.monotonic()
    server.send_signal(signal.SIGINT)
    server.stdout.read()
    server.wait()
    return answered, time.monotonic() - began
