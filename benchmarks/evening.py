"""How long pages and results take in a browser, on the night of a league of a million matches.

An organizer enters thirty results in Chromium, half of them by the form of one result, half on the
night sheet, and looks at the standings, a profile, the list of results and a comparison after each.
Meanwhile as many matches as the league has are imported into another one. On servers and workers:
PostgreSQL, Redis, two processes of Celery. Nothing is cached from before, and each time is that of
the browser, from leaving the last page until the next one is there whole.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from benchmarks.generated import name_of
from benchmarks.imports import made_file
from benchmarks.pages import CHROMIUM, ROOT, serve
from benchmarks.report import Report, Row
from benchmarks.visits import database

if TYPE_CHECKING:
    from playwright.sync_api import Page

MATCHES: Final = 1_000_000
MATCHES_PER_PLAYER: Final = 5
SINGLE, ON_SHEET = 15, 15
MOST_PAGE_MS, MOST_VISIBLE_SECONDS = 300.0, 2.0
PATIENCE_SECONDS: Final = 30.0
POLL_SECONDS: Final = 0.05
LEAGUE: Final = "/l/large/"
RATED: Final = "Before and after"

PREPARE = """
import django; django.setup()
from django.core.management import call_command
from django.test import Client
call_command("migrate", verbosity=0)
from benchmarks.world import make_world
from leagues.jobs.runner import drain
world = make_world(players={players}, matches={matches})
drain()
visitor = Client()
visitor.force_login(world.organizer)
print(visitor.cookies["session"].value)
"""


@dataclass(slots=True)
class Night:
    """What a browser waited for."""

    page: Page
    pages: list[tuple[float, str]] = field(default_factory=list)
    """Milliseconds and addresses."""
    visible: list[float] = field(default_factory=list)

    def visit(self, path: str) -> None:
        """Look at a page."""
        self.page.goto(path)
        self.note()

    def note(self) -> None:
        """Keep how long the page that is there has taken."""
        took = self.page.evaluate(
            """() => {
                const one = performance.getEntriesByType("navigation")[0];
                return one.responseEnd - one.startTime;
            }"""
        )
        self.pages.append((took, self.page.url))

    def wait_until_rated(self, path: str, began: float) -> None:
        """Ask for the page of a match until it tells what that did to the ratings."""
        while RATED not in self.page.request.get(path).text():
            if time.perf_counter() - began > PATIENCE_SECONDS:
                raise SystemExit(f"{path} was not rated in {PATIENCE_SECONDS:g} seconds.")
            time.sleep(POLL_SECONDS)
        self.visible.append(time.perf_counter() - began)


def measure(report: Report, size: int | None = None) -> None:
    """Measure the night of a league of so many matches, beside an import of as many."""
    chromium = next((path for name in CHROMIUM if (path := shutil.which(name))), None)
    if not (chromium and os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL")):
        report.leave_out("evening", "It takes Chromium, --postgres and --redis.")
        return
    matches = size or MATCHES
    players = matches // MATCHES_PER_PLAYER
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        environment = {
            **os.environ,
            "RUNGS_DATA": str(folder),
            "DATABASE_URL": stack.enter_context(database(os.environ["DATABASE_URL"])),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "RUNGS_LOG_LEVEL": "ERROR",
        }
        words = [sys.executable, "-c", PREPARE.format(players=players, matches=matches)]
        made = subprocess.run(words, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE)
        session = made.stdout.decode().split()[-1]
        file = folder / "results.csv"
        file.write_bytes(made_file(matches))
        address = stack.enter_context(serve(environment))
        stack.enter_context(_workers(environment))
        importing = stack.enter_context(_import(environment, file))
        night = _play(address, session, chromium, players)
        code = importing.poll()
    if code is not None and code != 0:
        raise SystemExit(f"The import beside it ended with {code}.")
    report.note("evening: still importing when it was over (1: yes)", float(code is None), "")
    _report(report, f"evening, {matches:,} matches", night)


@contextmanager
def _workers(environment: dict[str, str]) -> Iterator[None]:
    commands = (("worker", "--concurrency", "2"), ("beat",))
    started = [
        subprocess.Popen(
            [sys.executable, "-m", "celery", "-A", "config.celery", *command, "-l", "error"],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for command in commands
    ]
    try:
        yield
    finally:
        for one in started:
            one.terminate()
        for one in started:
            one.wait()


@contextmanager
def _import(environment: dict[str, str], file: Path) -> Iterator[subprocess.Popen[bytes]]:
    command = ("import_matches", str(file), "--league", "other", "--create", "--skip-bad")
    started = subprocess.Popen(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
    )
    try:
        yield started
    finally:
        started.terminate()
        started.wait()


def _play(address: str, session: str, chromium: str, players: int) -> Night:
    """Enter the results of the night, and look around after each."""
    from playwright.sync_api import sync_playwright

    source = random.Random(1)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        context = browser.new_context(base_url=address, viewport={"width": 1280, "height": 900})
        context.add_cookies([{"name": "session", "value": session, "url": address}])
        night = Night(context.new_page())
        night.page.set_default_timeout(1000 * PATIENCE_SECONDS)
        for _ in range(SINGLE):
            one, other = source.sample(range(players), 2)
            _enter_one(night, one, other)
            _look_around(night, one, other)
        pairs = [source.sample(range(players), 2) for _ in range(ON_SHEET)]
        _enter_sheet(night, pairs)
        for one, other in pairs:
            _look_around(night, one, other)
        browser.close()
    return night


def _look_around(night: Night, one: int, other: int) -> None:
    for path in ("", f"p/p{one:06d}/", "results/", f"compare/?a=p{one:06d}&b=p{other:06d}"):
        night.visit(f"{LEAGUE}{path}")


def _enter_one(night: Night, one: int, other: int) -> None:
    """Enter a result by the form, and wait until the match's page has its effect."""
    page = night.page
    night.visit(f"{LEAGUE}enter/?a=p{one:06d}&b=p{other:06d}")
    page.fill("[name=score_one]", "3")
    page.fill("[name=score_two]", "1")
    began = time.perf_counter()
    page.click("text=Record the result")
    page.wait_for_selector("#account")
    night.note()
    night.wait_until_rated(page.url, began)


def _enter_sheet(night: Night, pairs: list[list[int]]) -> None:
    """Enter results on the night sheet, and wait until the last one has its effect."""
    page = night.page
    lines = [f"{name_of(one)} - {name_of(other)} 3-1\n" for one, other in pairs]
    night.visit(f"{LEAGUE}night/")
    page.fill("[name=text]", "".join(lines))
    page.click("button:has-text('Check')")
    enter = page.locator(f"button:has-text('Enter {len(pairs)} results')")
    enter.wait_for()
    began = time.perf_counter()
    enter.click()
    page.wait_for_selector(f"h1:has-text('{len(pairs)} results recorded')")
    night.note()
    last = page.locator("main a[href*='/m/']").last
    night.wait_until_rated(str(last.get_attribute("href")), began)


def _report(report: Report, name: str, night: Night) -> None:
    slowest = sorted(night.pages, reverse=True)
    for took, address in slowest[:5]:
        report.note(f"{name}: one of the slowest pages, {address.partition('/l/')[2]}", took, "ms")
    took = slowest[len(slowest) // 20][0]
    report.add(Row(f"{name}: pages, 95 in 100", took, "ms", MOST_PAGE_MS, "at most"))
    report.note(f"{name}: pages, median", slowest[len(slowest) // 2][0], "ms")
    slow = max(night.visible)
    report.add(Row(f"{name}: slowest result", slow, "s", MOST_VISIBLE_SECONDS, "at most"))
