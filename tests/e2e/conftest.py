"""The real thing: `manage.py serve` in a folder of its own, and Debian's Chromium.

Screenshots of every page are kept where RUNGS_SCREENSHOTS names a folder.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, Queue
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

ROOT = Path(__file__).resolve().parents[2]
PASSWORD = "correct horse battery staple"
ARGUMENTS = [
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-default-apps",
    "--no-first-run",
    "--disable-gpu",
]
START_SECONDS = 120


@dataclass(frozen=True)
class Site:
    """A running installation: its address, the link of its first account, process and data."""

    url: str
    setup: str
    process: int
    data: Path

    @contextmanager
    def paused_runner(self) -> Iterator[None]:
        """Let results wait: stop the job runner, and let it go on afterwards."""
        runner = next(pid for pid in children_of(self.process) if "runjobs" in command_of(pid))
        os.kill(runner, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(runner, signal.SIGCONT)


def children_of(process: int) -> list[int]:
    """Return the processes that another one started."""
    threads = Path(f"/proc/{process}/task").iterdir()
    return [int(pid) for thread in threads for pid in (thread / "children").read_text().split()]


def command_of(process: int) -> str:
    """Return the command line of a process."""
    return Path(f"/proc/{process}/cmdline").read_text().replace("\0", " ")


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """Use the browser of the machine: the one that Playwright would fetch is not needed."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("there is no Chromium here (Debian: apt install chromium)")
    return {"executable_path": chromium, "args": ARGUMENTS}


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Serve a new installation with its demo league until the tests are over."""
    data = tmp_path_factory.mktemp("site")
    environment = {
        **{name: value for name, value in os.environ.items() if name not in FOREIGN},
        "RUNGS_DATA": str(data),
        "PYTHONUNBUFFERED": "1",
    }
    server = subprocess.Popen(
        [sys.executable, "manage.py", "serve", "--port", "0"],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        yield started(server, data)
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(timeout=30)


FOREIGN = ("DATABASE_URL", "REDIS_URL", "PUBLIC_URL", "DJANGO_SETTINGS_MODULE", "RUNGS_DEBUG")


def started(server: subprocess.Popen[str], data: Path) -> Site:
    """Read what the server says until it has told both addresses."""
    lines: Queue[str] = Queue()

    def read() -> None:
        for line in server.stdout or ():
            lines.put(line)
        lines.put("")

    threading.Thread(target=read, daemon=True).start()
    said, url, setup = "", "", ""
    while not (url and setup):
        try:
            line = lines.get(timeout=START_SECONDS)
        except Empty:
            line = ""
        if not line:
            pytest.fail(f"The server did not start:\n{said}")
        said += line
        if found := re.search(r"running at (http\S+?)/?\s*$", line):
            url = found[1]
        if found := re.search(r"First account.*?(http\S+)", line):
            setup = found[1]
    return Site(url, setup, server.pid, data)


@pytest.fixture(scope="session")
def account(site: Site, browser: Browser) -> Any:
    """Make the first account by its link, and return the state of the browser that has it."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(site.setup)
    page.fill("[name=username]", "kim")
    for field in page.locator("input[type=password]").all():
        field.fill(PASSWORD)
    for field in page.locator("input[type=email]").all():
        field.fill("kim@example.org")
    page.click("main .btn.main")
    page.goto(f"{site.url}/account/")
    assert "kim" in page.inner_text("h1")
    state = context.storage_state()
    context.close()
    return state


@pytest.fixture
def organizer(site: Site, account: Any, browser: Browser) -> Iterator[BrowserContext]:
    """A browser in which the first account is signed in."""
    context = browser.new_context(storage_state=account, base_url=site.url)
    yield context
    context.close()


@pytest.fixture
def visitor(site: Site, browser: Browser) -> Iterator[BrowserContext]:
    """A browser in which nobody is signed in."""
    context = browser.new_context(base_url=site.url)
    yield context
    context.close()


@pytest.fixture(scope="session")
def league(site: Site, account: Any, browser: Browser) -> str:
    """Fill the demo league with what simulations lack, and return its address.

    A correction, a void match, a walkover, a free-for-all; an empty league beside it.
    """
    context = browser.new_context(storage_state=account, base_url=site.url)
    page = context.new_page()
    page.goto("/l/demo/enter/?shape=list")
    page.fill("[name=places]", "Bo Lindqvist: 31\nAna Ruiz = Cy Adeyemi: 24\nJun Park: 12")
    page.click("text=Record the result")
    page.wait_for_selector("text=Before and after")
    enter(page, "Farah Siddiqui", "Ivo Petrov", kind="walkover", outcome="one")
    enter(page, "Mira Okonjo", "Jun Park", scores=(5, 3))
    page.click("text=Correct")
    page.fill("[name=score_two]", "4")
    page.fill("[name=reason]", "the last goal was missing")
    page.click("text=Save the correction")
    page.wait_for_selector("text=Undo")
    enter(page, "Bo Lindqvist", "Mira Okonjo", scores=(9, 0))
    page.click("main >> text=Void")
    page.fill("[name=reason]", "a friendly")
    page.click("text=Void the match")
    page.wait_for_selector("text=Undo")
    page.goto("/new/")
    page.fill("[name=name]", "Harbour Go Club")
    page.click("main .btn.main")
    page.wait_for_url("**/l/harbour-go-club/")
    context.close()
    return "/l/demo/"


def enter(
    page: Page,
    one: str,
    two: str,
    *,
    scores: tuple[int, int] | None = None,
    outcome: str = "",
    kind: str = "",
) -> None:
    """Enter a result by the form and wait for its page."""
    page.goto("/l/demo/enter/")
    page.fill("[name=one_1]", one)
    page.fill("[name=two_1]", two)
    if scores:
        page.fill("[name=score_one]", str(scores[0]))
        page.fill("[name=score_two]", str(scores[1]))
    if outcome:
        page.check(f"[name=outcome][value={outcome}]")
    if kind:
        page.select_option("[name=kind]", kind)
    page.click("text=Record the result")
    page.wait_for_selector("#account")
