"""How long a visitor waits for a leaderboard while many clients ask for the heaviest page.

Starts the server as it is shipped on a league of 100,000 players. The visitor's wait is a ratio to
that of the idle server in the same run, for machines differ and are not quiet.
"""

from __future__ import annotations

import http.client
import itertools
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

from benchmarks.pages import serve
from benchmarks.report import Report, Row

ROOT = Path(__file__).resolve().parent.parent
CLIENTS = 32
IDLE_VISITS, BUSY_SECONDS = 40, 20.0
PAUSE = 0.05
BAR = 3.0
TIMEOUT = 120

Address = Callable[[int], str]
BOARD = "/l/large/"
HEAVY: dict[str, Address] = {
    "simulator": lambda n: (
        f"{BOARD}systems/simulator/?system=trueskill&players=200&rounds=50&seed={n}"
    ),
    "comparison of four": lambda n: (
        f"{BOARD}compare/?"
        + "&".join(
            f"{letter}=p{(97 * n + 31 * place) % 100_000:06d}"
            for place, letter in enumerate("abcd")
        )
    ),
    "comparison with unknown names": lambda n: (
        f"{BOARD}compare/?"
        + "&".join(
            f"{letter}=Hanne+0{n}{place}x".replace("+", "%20")
            for place, letter in enumerate("abcd")
        )
    ),
    "statistics": lambda n: f"{BOARD}statistics/",
    "systems": lambda n: f"{BOARD}systems/?page={1 + n % 2000}",
}


def measure(report: Report) -> None:
    """Measure the visitor's wait without and with the crowd."""
    with tempfile.TemporaryDirectory() as folder:
        make_league(folder)
        with serve(_environment(folder)) as site:
            host = urlsplit(site).netloc
            visit(host, BOARD)
            taken = {name: _shortest(host, address) for name, address in HEAVY.items()}
            for name, seconds in taken.items():
                report.note(f"{name}: alone", 1000 * seconds, "ms")
            name = max(taken, key=taken.__getitem__)
            idle = sorted(_visits(host, IDLE_VISITS))
            with crowd(host, HEAVY[name]) as answers:
                busy = sorted(_visits(host, None))
        report.note("leaderboard on an idle server, median", 1000 * median(idle), "ms")
        report.note(f"leaderboard beside {CLIENTS} clients, median", 1000 * median(busy), "ms")
        report.note("the same, slowest of twenty", 1000 * busy[len(busy) * 19 // 20], "ms")
        for status, count in sorted(answers.items()):
            report.note(f"answers {status} to the crowd", count / BUSY_SECONDS, "/s")
        words = f"wait for a leaderboard beside {CLIENTS} clients at the {name}"
        report.add(Row(words, median(busy) / median(idle), "× idle", BAR, "at most"))


def make_league(folder: str) -> None:
    """Write the large league in a process of its own, so that none of ours holds the database."""
    script = (
        "import django; django.setup()\n"
        "from django.core.management import call_command\n"
        "call_command('migrate', verbosity=0)\n"
        "from benchmarks.world import make_world\n"
        "from leagues.jobs.runner import drain\n"
        "make_world(); drain()\n"
    )
    words = {**_environment(folder), "DJANGO_SETTINGS_MODULE": "config.settings"}
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, env=words, check=True)


@contextmanager
def crowd(host: str, address: Address) -> Iterator[Counter[int]]:
    """Let many clients ask again as soon as they are answered; yield what they are answered."""
    numbers, answers, over = itertools.count(1000), Counter[int](), threading.Event()

    def ask() -> None:
        while not over.is_set():
            answers[visit(host, address(next(numbers)))[0]] += 1

    clients = [threading.Thread(target=ask, daemon=True) for _ in range(CLIENTS)]
    for client in clients:
        client.start()
    try:
        yield answers
    finally:
        over.set()
        for client in clients:
            client.join()


def visit(host: str, path: str) -> tuple[int, float]:
    """Ask for a page as a new visitor; return the status and the seconds it took."""
    began = time.perf_counter()
    connection = http.client.HTTPConnection(host, timeout=TIMEOUT)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        return answer.status, time.perf_counter() - began
    finally:
        connection.close()


def _visits(host: str, count: int | None) -> Iterator[float]:
    """Visit the leaderboard so often, or for as long as the crowd is there."""
    end = time.monotonic() + BUSY_SECONDS
    for number in itertools.count():
        if number == count or (count is None and time.monotonic() > end):
            return
        status, seconds = visit(host, BOARD)
        if status != http.client.OK:
            raise SystemExit(f"The visitor was answered {status}.")
        yield seconds
        time.sleep(PAUSE)


def _shortest(host: str, address: Address) -> float:
    answers = [visit(host, address(number)) for number in range(1, 4)]
    for status, _seconds in answers:
        if status != http.client.OK:
            raise SystemExit(f"{address(1)} was answered {status}.")
    return min(seconds for _status, seconds in answers)


def _environment(folder: str) -> dict[str, str]:
    return {**os.environ, "RUNGS_DATA": folder, "DATABASE_URL": "", "REDIS_URL": ""}
