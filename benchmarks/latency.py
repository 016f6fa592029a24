"""How long a result takes from the first byte sent until every board of its season shows it.

Eight clients send results to the server as it is shipped, each its next one when the last is on
the boards. Meanwhile a file is imported into another league and everything is verified, again and
again. The clocks of all processes are put forward so that the midnight of the league comes in the
middle: results before and after it are told apart. What is held against the bar is a ratio to the
answers of the same requests.
"""

from __future__ import annotations

import http.client
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

from benchmarks.crowd import running
from benchmarks.pages import ROOT, serve
from benchmarks.report import Report, Row, p99
from benchmarks.visits import PATIENCE_SECONDS, database

CLIENTS, HALF_SECONDS = 8, 30.0
PLAYERS, MATCHES = 30_000, 300_000
IMPORTED = 20_000
POLL_SECONDS = 0.02
MOST_TAIL = 10.0

PREPARE = """
import django; django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
from benchmarks.world import make_world
from leagues.jobs.runner import drain
from leagues.services.tokens import create_token
world = make_world(players={players}, matches={matches})
drain()
for number in range({clients}):
    name = f"bench {{number}}"
    print(create_token(league=world.league, name=name, scope="results", actor=None)[1])
"""


@dataclass(slots=True)
class Waits:
    """Seconds until the answer, and until all boards had the result, of requests of one time."""

    answered: list[float] = field(default_factory=list)
    visible: list[float] = field(default_factory=list)


def measure(report: Report, size: int | None = None) -> None:
    """Measure with other work and without, each across a midnight."""
    matches = size or MATCHES
    players = matches * PLAYERS // MATCHES
    for is_busy in (False, True):
        with (
            tempfile.TemporaryDirectory() as folder,
            database(os.environ.get("DATABASE_URL", "")) as url,
        ):
            environment = {
                **os.environ,
                "RUNGS_DATA": folder,
                "DATABASE_URL": url,
                "DJANGO_SETTINGS_MODULE": "benchmarks.floor.settings",
                "RUNGS_LOG_LEVEL": "ERROR",
            }
            tokens = _prepared(environment, players, matches)
            midnight = datetime.now(UTC).replace(hour=0, minute=0, second=0) + timedelta(days=1)
            ahead = midnight - datetime.now(UTC) - timedelta(seconds=HALF_SECONDS)
            environment["BENCH_SECONDS_AHEAD"] = str(ahead.total_seconds())
            name = "beside an import and a verification" if is_busy else "alone"
            with serve(environment) as address, _work(environment, Path(folder), is_busy):
                host = urlsplit(address).netloc
                before, after = _send(host, tokens, players, ahead, midnight)
            for what, waits in (("before midnight", before), ("after midnight", after)):
                _report(report, f"{matches:,} matches, {name}, {what}", waits)


def _prepared(environment: dict[str, str], players: int, matches: int) -> list[str]:
    """Make a large league that is rated; a token for each client, whose limits are its own."""
    script = PREPARE.format(players=players, matches=matches, clients=CLIENTS)
    words = [sys.executable, "-c", script]
    made = subprocess.run(words, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE)
    return made.stdout.decode().split()


@contextmanager
def _work(environment: dict[str, str], folder: Path, is_busy: bool) -> Iterator[None]:
    """Import files and verify all boards until the block ends, if so asked."""
    if not is_busy:
        yield
        return
    source = random.Random(1)
    rows = (
        f"2025-01-01,Player {one},Player {other}"
        for one, other in (source.sample(range(2_000), 2) for _ in range(IMPORTED))
    )
    file = folder / "results.csv"
    file.write_text("\n".join(("date,winner,loser", *rows)), encoding="utf-8")
    over = threading.Event()
    failures: list[str] = []

    def run(*words: str, codes: tuple[int, ...] = (0,)) -> None:
        command = [sys.executable, "manage.py", *words]
        ended = subprocess.run(
            command, cwd=ROOT, env=environment, check=False, stdout=subprocess.DEVNULL
        )
        if ended.returncode not in codes:
            failures.append(f"{words[0]} ended with {ended.returncode}.")
            over.set()

    def import_files() -> None:
        for number in itertools.count():
            if over.is_set():
                break
            run("import_matches", str(file), "--league", f"other-{number}", "--create")

    def verify() -> None:
        while not over.is_set():
            # The results of this league have no hashes, which verifying finds.
            run("verify", codes=(0, 1))

    with running(import_files, 1, over), running(verify, 1, over):
        yield
    if failures:
        raise SystemExit("\n".join(failures))


def _send(
    host: str, tokens: list[str], players: int, ahead: timedelta, midnight: datetime
) -> tuple[Waits, Waits]:
    """Send results before and after midnight; the waits of each half."""
    halves = Waits(), Waits()
    end = midnight + timedelta(seconds=HALF_SECONDS)

    def client(place: int, token: str) -> None:
        connection = http.client.HTTPConnection(host, timeout=PATIENCE_SECONDS)
        source = random.Random(place)

        def enter(now: datetime) -> tuple[float, float]:
            """Send a result; the seconds until it is answered, and until it is visible."""
            sides = [
                {"rank": rank, "players": [{"key": f"p{number:06d}"}]}
                for rank, number in enumerate(source.sample(range(players), 2), 1)
            ]
            began = time.perf_counter()
            revision = _posted(connection, token, {"played_at": now.isoformat(), "sides": sides})
            answered = time.perf_counter() - began
            while not _is_visible(connection, token, revision):
                time.sleep(POLL_SECONDS)
            return answered, time.perf_counter() - began

        # The first of a process waits until all of it is loaded.
        enter(datetime.now(UTC) + ahead)
        while (now := datetime.now(UTC) + ahead) < end:
            answered, visible = enter(now)
            waits = halves[now >= midnight]
            waits.answered.append(answered)
            waits.visible.append(visible)
        connection.close()

    # A thread of its own would end with its client and leave the others to be measured.
    with ThreadPoolExecutor(CLIENTS) as clients:
        list(clients.map(client, range(CLIENTS), tokens))
    return halves


def _posted(connection: http.client.HTTPConnection, token: str, result: dict[str, object]) -> int:
    """Send a result; the number of its revision."""
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    connection.request("POST", "/api/v1/leagues/large/matches/", json.dumps(result), headers)
    answer = connection.getresponse()
    text = answer.read()
    if answer.status != http.client.CREATED:
        raise SystemExit(f"The API answered {answer.status}: {text[:300]!r}")
    return int(json.loads(text)["revision"])


def _is_visible(connection: http.client.HTTPConnection, token: str, revision: int) -> bool:
    """Whether every board of the league has rated a revision."""
    headers = {"Authorization": f"Bearer {token}"}
    connection.request("GET", "/api/v1/leagues/large/rating-state/", headers=headers)
    boards = json.loads(connection.getresponse().read())["results"]
    return all(board["rated_through_revision"] >= revision for board in boards)


def _report(report: Report, name: str, waits: Waits) -> None:
    if not waits.visible:
        report.leave_out(name, "No result was on the boards in this time.")
        return
    report.note(f"{name}: results", len(waits.visible), "")
    for what, seconds in (("answered", waits.answered), ("visible", waits.visible)):
        report.note(f"{name}: {what}, median", 1000 * median(seconds), "ms")
        report.note(f"{name}: {what}, p99", 1000 * p99(seconds), "ms")
    ratio = p99(waits.visible) / p99(waits.answered)
    report.add(Row(f"{name}: visible to answered, p99", ratio, "", MOST_TAIL, "at most"))
