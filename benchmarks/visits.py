"""How fast a board's page comes over HTTP from the server as it is shipped.

The floor is a view of the same server that does only the query of a page: the rows of its fifty
players. Page and floor take turns of a second each, with eight clients on kept connections, and
each ratio is the median of the rounds. Uncached is a page with an address that nobody has asked
for before. Writes are results sent to the API, several a second, which the server's own runner
rates meanwhile.
"""

from __future__ import annotations

import http.client
import itertools
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import Message
from pathlib import Path
from statistics import median
from typing import TypeAlias
from urllib.parse import urlsplit

from benchmarks.pages import league_of, serve
from benchmarks.report import Report, Row

ROOT = Path(__file__).resolve().parent.parent
CLIENTS, ROUNDS, TURN_SECONDS = 8, 5, 1.0
FIRSTS, PAUSE = 8, 0.25
PATIENCE_SECONDS = 120
CACHED, NOT_MODIFIED, UNCACHED, FIRST = 0.5, 3.0, 0.3, 1.5

PREPARE = """
import django; django.setup()
from django.core.management import call_command
from leagues.models import League
from leagues.services.tokens import create_token
call_command("migrate", verbosity=0)
if {slug!r} == "demo":
    from leagues.services.demo import create_demo
    create_demo()
else:
    from benchmarks.world import make_world
    make_world(players={players}, matches={matches})
from leagues.jobs.runner import drain
drain()
league = League.objects.get(slug={slug!r})
print(create_token(league=league, name="bench", scope="results", actor=None)[1])
print(*league.players.order_by("key").values_list("key", flat=True)[:2])
"""

REST = """
import time
import django; django.setup()
from leagues.jobs.queue import due_jobs
from leagues.models import Job
end = time.monotonic() + {patience}
while due_jobs().exists() or Job.objects.filter(state="running").exists():
    if time.monotonic() > end:
        raise SystemExit("There was still work to do after two minutes.")
    time.sleep(0.5)
"""
"""A server begins with what is due once a day, and pages are measured beside nothing else."""

Request: TypeAlias = Callable[[Message], tuple[str, dict[str, str]]]
"""What a client asks for next, by the headers of its last answer: an address and headers."""


@dataclass(frozen=True, slots=True)
class Site:
    """A server that runs, and what it takes to send it results."""

    host: str
    slug: str
    token: str
    players: tuple[str, ...]

    @property
    def board(self) -> str:
        return f"/l/{self.slug}/"

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(self.host, timeout=PATIENCE_SECONDS)


def measure(report: Report, size: int | None = None) -> None:
    """Measure the demo league and a large one, of so many matches."""
    players, matches = league_of(size)
    for slug, name in (("demo", "demo"), ("large", f"{players:,} players")):
        script = PREPARE.format(slug=slug, players=players, matches=matches)
        with tempfile.TemporaryDirectory() as folder, site(folder, slug, script) as served:
            rates(report, served, name)
            firsts(report, served, name)
            with writes(served):
                rates(report, served, f"{name}, while results come")


@contextmanager
def site(folder: str, slug: str, script: str) -> Iterator[Site]:
    """Run a server with a league on it."""
    with database(os.environ.get("DATABASE_URL", "")) as url:
        environment = {
            **os.environ,
            "RUNGS_DATA": folder,
            "DATABASE_URL": url,
            "REDIS_URL": os.environ.get("REDIS_URL", ""),
            "DJANGO_SETTINGS_MODULE": "benchmarks.floor.settings",
            "RUNGS_LOG_LEVEL": "ERROR",
        }
        words = [sys.executable, "-c", script]
        made = subprocess.run(words, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE)
        token, *players = made.stdout.decode().split()
        with serve(environment) as address:
            rest = REST.format(patience=PATIENCE_SECONDS)
            subprocess.run([sys.executable, "-c", rest], cwd=ROOT, env=environment, check=True)
            yield Site(urlsplit(address).netloc, slug, token, tuple(players))


@contextmanager
def database(url: str) -> Iterator[str]:
    """The address of an empty database: one beside that of an address, a file without one."""
    if not url:
        yield ""
        return
    import psycopg

    parts = urlsplit(url)
    name = f"{parts.path.strip('/')}_visits"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        connection.execute(f'CREATE DATABASE "{name}"')
        try:
            yield parts._replace(path=f"/{name}").geturl()
        finally:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def rates(report: Report, served: Site, name: str) -> None:
    """Measure how many pages of each kind come in a second, in turns with the floor."""
    numbers = itertools.count()
    kinds: dict[str, Request] = {
        "floor": lambda _: (f"/floor/{served.slug}/", {}),
        "cached": lambda _: (served.board, {}),
        # As a browser does: of the page that it has, which results may have changed since.
        "304": lambda last: (served.board, {"If-None-Match": last.get("ETag", "")}),
        "uncached": lambda _: (f"{served.board}?nothing={next(numbers)}", {}),
        "home": lambda _: ("/", {}),
    }
    measured: dict[str, list[float]] = {kind: [] for kind in kinds}
    for kind, make in itertools.chain(kinds.items(), *[kinds.items()] * ROUNDS):
        measured[kind].append(rate(served, make))
    rounds = {kind: turns[1:] for kind, turns in measured.items()}
    for kind, turns in rounds.items():
        report.note(f"{name}: {kind}", median(turns), "/s")

    def ratio(kind: str, other: str) -> float:
        return median(a / b for a, b in zip(rounds[kind], rounds[other], strict=True))

    add(report, f"{name}: cached", ratio("cached", "floor"), "× floor", CACHED)
    add(report, f"{name}: uncached", ratio("uncached", "floor"), "× floor", UNCACHED)
    add(report, f"{name}: 304", ratio("304", "uncached"), "× full page", NOT_MODIFIED)


def add(report: Report, name: str, value: float, unit: str, bar: float) -> None:
    report.add(Row(name, value, unit, bar, "at least"))


def rate(served: Site, make: Request) -> float:
    """How many requests eight clients get answered in a second."""
    counts, end = [0] * CLIENTS, time.perf_counter() + TURN_SECONDS

    def client(place: int) -> None:
        connection, last = served.connect(), Message()
        while time.perf_counter() < end:
            last = ask(connection, *make(last))
            counts[place] += 1
        connection.close()

    began = time.perf_counter()
    threads = [threading.Thread(target=client, args=[place]) for place in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts) / (time.perf_counter() - began)


def ask(
    connection: http.client.HTTPConnection, address: str, headers: dict[str, str] | None = None
) -> Message:
    """Get a page as a browser does, compressed, and return its headers."""
    connection.request("GET", address, headers={"Accept-Encoding": "gzip", **(headers or {})})
    answer = connection.getresponse()
    body = answer.read()
    if answer.status not in (http.client.OK, http.client.NOT_MODIFIED):
        raise SystemExit(f"{address} was answered {answer.status}: {body.decode()[:300]}")
    return answer.headers


def firsts(report: Report, served: Site, name: str) -> None:
    """Measure the first page after a result was rated and after midnight, beside any other."""
    connection, numbers = served.connect(), itertools.count(1_000_000)

    def seconds(address: str) -> float:
        began = time.perf_counter()
        ask(connection, address)
        return time.perf_counter() - began

    def other() -> float:
        return seconds(f"{served.board}?nothing={next(numbers)}")

    others, after = [other() for _ in range(FIRSTS)], []
    for _ in range(FIRSTS):
        send_result(connection, served)
        wait_until_rated(connection, served)
        after.append(seconds(served.board))
        others += [other(), other()]
    nights = []
    for _ in range(FIRSTS):
        ask(connection, "/floor/next-day/")
        nights.append(seconds(served.board))
        others += [other(), other()]
    for what, times in (("a change", after), ("midnight", nights)):
        report.note(f"{name}: first page after {what}, slowest", 1000 * max(times), "ms")
        value = median(times) / median(others)
        report.add(Row(f"{name}: first page after {what}", value, "× any other", FIRST, "at most"))


def send_result(connection: http.client.HTTPConnection, served: Site) -> None:
    """Send the result of a duel that was played just now."""
    sides = [
        {"rank": rank, "players": [{"key": key}]} for rank, key in enumerate(served.players, 1)
    ]
    body = json.dumps({"played_at": datetime.now(UTC).isoformat(), "sides": sides})
    headers = {"Authorization": f"Bearer {served.token}", "Content-Type": "application/json"}
    connection.request("POST", f"/api/v1/leagues/{served.slug}/matches/", body, headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    if answer.status != http.client.CREATED:
        raise SystemExit(f"A result was answered {answer.status}: {text[:300]}")


def wait_until_rated(connection: http.client.HTTPConnection, served: Site) -> None:
    """Wait as the page does, which asks until no result waits any more."""
    end = time.monotonic() + PATIENCE_SECONDS
    while "HX-Trigger" not in ask(connection, f"{served.board}rating-state/"):
        if time.monotonic() > end:
            raise SystemExit("A result was not rated in two minutes.")
        time.sleep(0.05)


@contextmanager
def writes(served: Site) -> Iterator[None]:
    """Send results until the block ends."""
    over, connection = threading.Event(), served.connect()

    def send() -> None:
        while not over.wait(PAUSE):
            send_result(connection, served)

    writer = threading.Thread(target=send)
    writer.start()
    try:
        yield
    finally:
        over.set()
        writer.join()
