"""How long pages take on the server with 100,000 players on a board, and how heavy they are.

What visitors get over HTTP is measured in `benchmarks.visits`.

Server time is that of a whole request through Django's test client, templates and middleware
included: the median of several. With SQLite, which works inside of the process, it is processor
time, because other work on the machine disturbs that less; with PostgreSQL it is by the clock.
Queries are counted in a request of their own, in a process that has everything to read again.
"""

from __future__ import annotations

import gzip
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from benchmarks.report import Report, Row

if TYPE_CHECKING:
    from django.test import Client

    from benchmarks.world import World

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 9
BAR_MS = 100.0
MOST_QUERIES = {"leaderboard": 6, "profile": 8, "match": 6}
QUERIES_OF_ORGANIZERS = 1
"""More on a leaderboard, which tells who may enter results of a night that was not recorded."""
QUERIES_OF_A_FIRST_SEARCH = 1
"""More on a leaderboard that is searched, once in a process: whether the league's players are too
many to look through the letters of all, which is remembered where they are."""
MOST_KB, MOST_PAINT_MS = 60.0, 500.0
PAINTS = 5
MATCHES = 200_000
CHROMIUM = ("chromium", "chromium-browser")


def league_of(size: int | None) -> tuple[int, int]:
    """The players and matches of the large league: half as many players, an even number."""
    matches = size or MATCHES
    return 2 * max(1, matches // 4), matches


def measure(report: Report, size: int | None = None) -> None:
    """Measure server times and queries, weight and paint of the first visit, visits over HTTP."""
    # It starts its servers by the function below.
    from benchmarks import visits

    with installation():
        from benchmarks.world import make_world
        from leagues.jobs.runner import drain

        began = time.monotonic()
        players, matches = league_of(size)
        world = make_world(players=players, matches=matches)
        report.note(f"league of {players:,} players written", time.monotonic() - began, "s")
        began = time.monotonic()
        drain()
        report.note("its boards rated and prepared", time.monotonic() - began, "s")
        _measure_pages(report, world)
    _measure_first_visit(report)
    visits.measure(report, size)


@contextmanager
def installation() -> Iterator[None]:
    """Set Django up on an empty database: a file of its own, or one beside that of DATABASE_URL."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["RUNGS_DATA"] = folder
        os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
        import django
        from django.conf import settings

        django.setup()
        settings.STORAGES["staticfiles"] = {
            "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        }
        settings.ALLOWED_HOSTS = ["testserver"]
        from django.core.management import call_command
        from django.db import connection

        from leagues.jobs.memory import settle_memory

        # As the server and the runner do.
        settle_memory()
        if connection.vendor == "sqlite":
            call_command("migrate", verbosity=0)
            yield
            connection.close()
            return
        name = connection.settings_dict["NAME"]
        connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
        try:
            yield
        finally:
            connection.creation.destroy_test_db(name, verbosity=0)


def _measure_pages(report: Report, world: World) -> None:
    from django.test import Client

    from leagues.jobs.runner import drain

    visitor, organizer = Client(), Client()
    organizer.force_login(world.organizer)
    for name, (is_signed_in, address) in _pages(world).items():
        client = organizer if is_signed_in else visitor
        status = client.get(address).status_code
        drain()
        if status != 200:
            report.leave_out(name, f"{address} answered {status}.")
            continue
        first = _time(client, address, anew=True)
        queries = _queries(client, address)
        taken = median(_time(client, address) for _ in range(ROUNDS))
        report.add(Row(f"{name}: server time", 1000 * taken, "ms", BAR_MS, "at most"))
        report.note(f"{name}: first of a process", 1000 * first, "ms")
        bar = _most_queries(name, is_signed_in)
        if bar is not None:
            report.add(Row(f"{name}: queries", queries, "", bar, "at most"))
        else:
            report.note(f"{name}: queries", queries, "")


def _most_queries(name: str, is_signed_in: bool) -> int | None:
    kind, _comma, what = name.partition(", ")
    most = MOST_QUERIES.get(kind)
    if most is None or kind != "leaderboard":
        return most
    more = QUERIES_OF_A_FIRST_SEARCH if what.startswith("searched") else 0
    return most + more + (QUERIES_OF_ORGANIZERS if is_signed_in else 0)


def _pages(world: World) -> dict[str, tuple[bool, str]]:
    """Return what is looked at: whether signed in, and the address."""
    base, api = "/l/large/", "/api/v1/leagues/large/"
    season = world.season.slug
    first, last = world.days
    four = f"a={world.busiest}&b={world.rival}&c=p000001&d=p000002"
    teams = f"a={world.busiest}&a={world.rival}&b=p000001&b=p000002"
    on = (first + (last - first) / 2).date().isoformat()
    return {
        "leaderboard, anonymous": (False, base),
        "leaderboard, organizer with stakes": (True, base),
        "leaderboard, filtered": (False, f"{base}?sure=fairly&least=3&active=30"),
        "leaderboard, searched for one": (True, f"{base}?q=ana+000010"),
        "leaderboard, searched for a fifth": (True, f"{base}?q=an"),
        "leaderboard, searched for everybody": (True, f"{base}?q=0"),
        "leaderboard, page 900": (True, f"{base}?page=900"),
        "leaderboard, of a day": (True, f"{base}?on={on}"),
        "leaderboard, change in 30 days": (True, f"{base}?since=30"),
        "leaderboard, who is inactive": (True, f"{base}?list=inactive"),
        "profile, busiest player": (True, f"{base}p/{world.busiest}/"),
        "profile, anybody": (False, f"{base}p/{world.rival}/"),
        "profile, opponents": (True, f"{base}p/{world.busiest}/?tab=opponents"),
        "match, newest": (True, f"{base}m/{season}/{world.league.matches.count()}/"),
        "results": (False, f"{base}results/"),
        "results of one": (False, f"{base}results/?q=ana+000010"),
        "results of nobody": (False, f"{base}results/?q=zoe"),
        "compare": (True, f"{base}compare/?a={world.busiest}&b={world.rival}"),
        "compare four": (True, f"{base}compare/?{four}"),
        "compare teams": (True, f"{base}compare/?{teams}"),
        "opponents": (True, f"{base}opponents/"),
        "statistics": (True, f"{base}statistics/"),
        "systems": (True, f"{base}systems/"),
        "rules": (True, f"{base}rules/"),
        "seasons": (True, f"{base}seasons/"),
        "season": (True, f"{base}seasons/{season}/"),
        "changes": (True, f"{base}changes/"),
        "dashboard": (True, f"{base}dashboard/"),
        "enter": (True, f"{base}enter/"),
        "API standings": (False, f"{api}standings/"),
        "API standings of a day": (False, f"{api}standings/?on={on}"),
        "API standings, searched": (False, f"{api}standings/?q=an"),
        "API matches": (False, f"{api}matches/"),
        "API player": (False, f"{api}players/{world.busiest}/"),
        "API history": (False, f"{api}players/{world.busiest}/history/"),
        "API comparison": (False, f"{api}comparison/?{four}"),
    }


def _time(client: Client, address: str, *, anew: bool = False) -> float:
    from django.conf import settings

    from leagues.store.memory import forget_all

    if anew:
        forget_all()

    clock = time.process_time if settings.IS_SQLITE else time.perf_counter
    began = clock()
    client.get(address)
    return clock() - began


def _queries(client: Client, address: str) -> int:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from leagues.store.memory import forget_all

    forget_all()
    with CaptureQueriesContext(connection) as asked:
        client.get(address)
    return len([row for row in asked if row["sql"].lstrip("(").startswith("SELECT")])


# The first visit


def _measure_first_visit(report: Report) -> None:
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "RUNGS_DATA": folder, "DATABASE_URL": "", "REDIS_URL": ""}
        make = "from leagues.services.demo import create_demo; create_demo()"
        for words in (("migrate", "-v0"), ("shell", "-v0", "-c", make), ("runjobs", "--once")):
            command = [sys.executable, "manage.py", *words]
            subprocess.run(command, cwd=ROOT, env=environment, check=True)
        with serve(environment) as url:
            _weigh(report, f"{url}l/demo/")
            _paint(report, f"{url}l/demo/")


@contextmanager
def serve(environment: dict[str, str]) -> Iterator[str]:
    """Run a server and answer its address."""
    server = subprocess.Popen(
        [sys.executable, "manage.py", "serve", "--port", "0"],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        said = iter(server.stdout or ())
        yield next(line.split()[-1] for line in said if "running at" in line)
    finally:
        server.send_signal(signal.SIGINT)
        server.wait()


def _weigh(report: Report, address: str) -> None:
    """Add up what a browser loads, compressed as it is sent."""
    page, weight = _load(address)
    total, parts = (
        weight,
        re.findall(r'(?:src|href)="(/static/[^"]+\.(?:css|js|woff2))"', page.decode()),
    )
    report.note("first visit: HTML", weight / 1000, "kB")
    for part in sorted(set(parts)):
        _body, weight = _load(urljoin(address, part))
        report.note(f"first visit: {part.rpartition('/')[2]}", weight / 1000, "kB")
        total += weight
    report.add(Row("first visit: all", total / 1000, "kB", MOST_KB, "at most"))


def _load(address: str) -> tuple[bytes, int]:
    request = urllib.request.Request(address, headers={"Accept-Encoding": "gzip"})  # noqa: S310
    with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310 - our own server
        body = answer.read()
        packed = answer.headers.get("Content-Encoding") == "gzip"
    return gzip.decompress(body) if packed else body, len(body)


def _paint(report: Report, address: str) -> None:
    """Ask Chromium when the largest part was painted, each time without anything cached."""
    import shutil

    chromium = next((path for name in CHROMIUM if (path := shutil.which(name))), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        chromium = None
    if chromium is None:
        report.leave_out("first visit: largest paint", "Playwright and Chromium are not here.")
        return
    ask = """() => new Promise((done) => new PerformanceObserver(
        (list) => done(list.getEntries().at(-1).startTime)
    ).observe({type: "largest-contentful-paint", buffered: true}))"""
    times = []
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for _ in range(PAINTS):
            context = browser.new_context(viewport={"width": 1280, "height": 900})
            page = context.new_page()
            page.goto(address, wait_until="load")
            times.append(page.evaluate(ask))
            context.close()
        browser.close()
    report.add(Row("first visit: largest paint", median(times), "ms", MOST_PAINT_MS, "at most"))
