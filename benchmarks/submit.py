"""How fast results come in over HTTP to the server as it is shipped, until they are rated.

The floor is a view of the same server that does the same authenticated inserts in one transaction
and nothing else. API and floor take many short turns, with one client and with eight on
kept connections; rates are medians of the rounds and of their ratios, tails are those of all
requests. The server's own runner rates meanwhile, as it always does.
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
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from statistics import median
from typing import Any
from urllib.parse import urlsplit

from benchmarks.pages import ROOT, serve
from benchmarks.report import Report, Row, p99

PLAYERS, BATCH, ROUNDS = 300, 100, 15
TURN_SECONDS = 0.6
PATIENCE_SECONDS = 120.0
LEAST_RATE, LEAST_BATCH_RATE, MOST_TAIL = 0.5, 0.3, 5.0
"""Of the floor's; a batch of the floor is four statements, beside which all checks weigh more."""
WAYS = {"API": "/api/v1/leagues/club/matches/", "floor": "/floor/results/"}

PREPARE = """
import django; django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
from leagues.services.leagues import create_league
from leagues.services.rosters import Roster
from leagues.services.tokens import create_token
for slug in ("club", "floor"):
    league = create_league(name=slug, slug=slug)
    roster = Roster.of_names(league)
    for number in range({players}):
        roster.bring(name=f"Player {{number}}", key=f"p{{number}}")
    roster.store()
    print(create_token(league=league, name="bench", scope="results", actor=None)[1])
"""


@dataclass(slots=True)
class Turns:
    """What came of the turns of one way in: matches in a second, and the seconds of each answer."""

    rates: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    @property
    def p99(self) -> float:
        return p99(self.seconds)


@dataclass(frozen=True, slots=True)
class Site:
    """A server that runs, and the token for each way in."""

    host: str
    tokens: dict[str, str]

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(self.host, timeout=PATIENCE_SECONDS)


def measure(report: Report, *, seconds: float = TURN_SECONDS) -> None:
    """Measure single results and batches, each beside its floor, and how long rating takes."""
    with tempfile.TemporaryDirectory() as folder, site(folder) as served:
        for clients, size in itertools.product((1, 8), (1, BATCH)):
            compare(report, served, clients, size, seconds)
        report.note("until all is rated after the last answer", settle(served), "s")


@contextmanager
def site(folder: str) -> Iterator[Site]:
    """Run a server with leagues of equal players, one for each way in."""
    environment = {
        **{"DATABASE_URL": "", "REDIS_URL": "", **os.environ},
        "RUNGS_DATA": folder,
        "DJANGO_SETTINGS_MODULE": "benchmarks.floor.settings",
        "RUNGS_LOG_LEVEL": "ERROR",
    }
    words = [sys.executable, "-c", PREPARE.format(players=PLAYERS)]
    made = subprocess.run(words, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE)
    with serve(environment) as address:
        tokens = dict(zip(WAYS, made.stdout.decode().split(), strict=True))
        yield Site(urlsplit(address).netloc, tokens)


def compare(report: Report, served: Site, clients: int, size: int, seconds: float) -> None:
    """Measure the API and its floor in turns; the first of each is for warming up."""
    ways = {way: Turns() for way in WAYS}
    for way in WAYS:
        take_turn(served, way, clients, size, seconds, Turns())
    for _ in range(ROUNDS):
        for way, turns in ways.items():
            take_turn(served, way, clients, size, seconds, turns)
    name = f"{clients} client{'s' * (clients > 1)}, {'one' if size == 1 else size} a request"
    for way, turns in ways.items():
        report.note(f"{name}: {way}", median(turns.rates), "matches/s")
        report.note(f"{name}: {way}, p99", 1000 * turns.p99, "ms")
    api, floor = ways["API"], ways["floor"]
    ratio = median(a / b for a, b in zip(api.rates, floor.rates, strict=True))
    least = LEAST_RATE if size == 1 else LEAST_BATCH_RATE
    report.add(Row(f"{name}: rate", ratio, "× floor", least, "at least"))
    if size == 1:
        report.add(Row(f"{name}: p99", api.p99 / floor.p99, "× floor", MOST_TAIL, "at most"))


def take_turn(
    served: Site, way: str, clients: int, size: int, seconds: float, turns: Turns
) -> None:
    """Send as many results as get answered in a turn."""
    took: list[list[float]] = [[] for _ in range(clients)]
    end = time.perf_counter() + seconds

    def client(place: int) -> None:
        connection, source = served.connect(), random.Random()
        while time.perf_counter() < end:
            began = time.perf_counter()
            send(connection, served, way, [duel(source) for _ in range(size)])
            took[place].append(time.perf_counter() - began)
        connection.close()

    began = time.perf_counter()
    with ThreadPoolExecutor(clients) as pool:
        list(pool.map(client, range(clients)))
    answers = list(itertools.chain(*took))
    turns.rates.append(size * len(answers) / (time.perf_counter() - began))
    turns.seconds += answers


def duel(source: random.Random) -> dict[str, Any]:
    """The result of a duel that was played just now."""
    sides = [
        {"rank": rank, "players": [{"key": f"p{number}"}]}
        for rank, number in enumerate(source.sample(range(PLAYERS), 2), 1)
    ]
    return {"played_at": datetime.now(UTC).isoformat(), "sides": sides}


def send(
    connection: http.client.HTTPConnection, served: Site, way: str, sent: list[dict[str, Any]]
) -> None:
    """Send results, a single one as itself, and see that they were stored."""
    body = json.dumps({"matches": sent} if len(sent) > 1 else sent[0])
    headers = {
        "Authorization": f"Bearer {served.tokens[way]}",
        "Content-Type": "application/json",
    }
    connection.request("POST", WAYS[way], body, headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    if answer.status != http.client.CREATED:
        raise SystemExit(f"{way} answered {answer.status}: {text[:300]}")


def settle(served: Site) -> float:
    """The seconds until every board says that it has rated everything."""
    began = time.monotonic()
    while time.monotonic() < began + PATIENCE_SECONDS:
        connection = served.connect()
        connection.request("GET", "/api/v1/leagues/club/rating-state/")
        boards = json.loads(connection.getresponse().read())["results"]
        if not any(board["behind"] for board in boards):
            return time.monotonic() - began
        time.sleep(0.1)
    raise SystemExit("Not everything was rated in two minutes.")
