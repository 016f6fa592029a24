"""Celery workers: a message wakes them, a kill or a lost message costs time and nothing else."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.installed import PYTHON
from tests.leagues.conftest import PATIENCE_SECONDS, ROOT, Manage

FOOTBALL = Path(__file__).parents[2] / "golden" / "football_excerpt.csv"
REDIS = os.environ.get("REDIS_URL", "")

pytestmark = pytest.mark.skipif(not REDIS, reason="no Redis server is named by REDIS_URL")

Worker = Callable[[str], "subprocess.Popen[bytes]"]

QUEUE_IMPORT = f"""
from leagues.services.import_reading import ImportOptions
from leagues.services.imports import start_import
from leagues.services.leagues import create_league
league = create_league(name="Cup", slug="cup")
start_import(
    season=league.seasons.get(), mode=league.modes.get(), name="results.csv",
    content=open({str(FOOTBALL)!r}, "rb").read(), options=ImportOptions(),
)
"""


@pytest.fixture
def worker(manage: Manage) -> Iterator[Worker]:
    """Start Celery workers on a queue of their own."""
    started: list[subprocess.Popen[bytes]] = []

    def start(fault: str = "") -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [PYTHON, "-m", "celery", "-A", "config", "worker", "-P", "solo", "-l", "error"],
            cwd=ROOT,
            env=manage.environment | {"RUNGS_FAULTPOINT": fault},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.send_signal(signal.SIGKILL)
        process.wait()


def wait_for(is_so: Callable[[], bool]) -> None:
    """Wait until something is so; the limit only ends a test that has failed."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.1)


def open_jobs(manage: Manage) -> int:
    return int(
        manage(
            "shell",
            "-v0",
            "-c",
            "from leagues.models import Job;"
            "print(Job.objects.filter(state__in=['queued', 'running'])"
            ".exclude(kind='verify_board').count())",
        ).stdout
    )


def check(manage: Manage) -> None:
    report = json.loads(manage("verify", "--json").stdout)
    assert report["differences"] == 0
    assert {board["matches"] for board in report["boards"]} == {401}


def test_a_worker_imports_and_rates_what_is_queued(manage, worker):
    worker()
    manage("shell", "-v0", "-c", QUEUE_IMPORT)
    wait_for(lambda: open_jobs(manage) == 0)
    check(manage)


@pytest.mark.parametrize("point", ["import_batch", "before_swap"])
def test_what_a_killed_worker_left_is_finished_by_the_sweep_beside_the_workers(
    manage, worker, point
):
    manage("shell", "-v0", "-c", QUEUE_IMPORT)
    assert worker(point).wait(PATIENCE_SECONDS) == -signal.SIGKILL
    worker()

    def is_done() -> bool:
        manage("runjobs", "--once")
        return open_jobs(manage) == 0

    wait_for(is_done)
    check(manage)
