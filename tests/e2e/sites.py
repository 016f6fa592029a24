"""Installations as people run them: by one command, or with PostgreSQL, Redis and Celery.

`DATABASE_URL` and `REDIS_URL` name the servers, and then both.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sqlite3
import subprocess
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, Queue
from typing import Any

import psycopg
import pytest
from playwright.sync_api import Page, expect

from tests.installed import PYTHON, redis_url

ROOT = Path(__file__).resolve().parents[2]
FOREIGN = ("PUBLIC_URL", "DJANGO_SETTINGS_MODULE", "RUNGS_DEBUG")
START_SECONDS = 120
CELERY = (PYTHON, "-m", "celery", "-A", "config.celery")


@dataclass(frozen=True)
class Site:
    """A running installation: its address, the link of its first account, how it was started."""

    url: str
    setup: str
    environment: dict[str, str]
    server: int
    workers: tuple[int, ...]

    @property
    def data(self) -> Path:
        """Return the folder of its data."""
        return Path(self.environment["RUNGS_DATA"])

    @contextmanager
    def paused_runners(self) -> Iterator[None]:
        """Let results wait: stop whatever runs jobs, and let it go on afterwards."""
        runners = [pid for pid in children_of(self.server) if "runjobs" in command_of(pid)]
        groups = self.workers
        try:
            for runner in runners:
                os.kill(runner, signal.SIGSTOP)
            for group in groups:
                os.killpg(group, signal.SIGSTOP)
            yield
        finally:
            for runner in runners:
                os.kill(runner, signal.SIGCONT)
            for group in groups:
                os.killpg(group, signal.SIGCONT)

    @contextmanager
    def database(self) -> Iterator[Any]:
        """Open its database, as somebody does who has the password."""
        url = self.environment["DATABASE_URL"]
        opened: Any = (
            psycopg.connect(url, autocommit=True)
            if url
            else sqlite3.connect(self.data / "rungs.sqlite3")
        )
        with contextlib.closing(opened):
            yield opened


def children_of(process: int) -> list[int]:
    """Return the processes that another one started."""
    threads = Path(f"/proc/{process}/task").iterdir()
    return [int(pid) for thread in threads for pid in (thread / "children").read_text().split()]


def command_of(process: int) -> str:
    """Return the command line of a process."""
    return Path(f"/proc/{process}/cmdline").read_text().replace("\0", " ")


@contextmanager
def new_site(data: Path) -> Iterator[Site]:
    """Serve a new installation with its demo league, with workers where a broker is named."""
    with new_database() as database, contextlib.ExitStack() as running:
        environment = {
            **{name: value for name, value in os.environ.items() if name not in FOREIGN},
            "RUNGS_DATA": str(data),
            "DATABASE_URL": database,
            "REDIS_URL": redis_url(),
            "PYTHONUNBUFFERED": "1",
        }
        server = running.enter_context(
            process(
                [PYTHON, "manage.py", "serve", "--port", "0"],
                environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
        )
        url, setup = addresses(server)
        commands = [("worker", "--concurrency", "2"), ("beat",)]
        if not environment["REDIS_URL"]:
            commands = []
        workers = [
            running.enter_context(process([*CELERY, *command, "-l", "error"], environment))
            for command in commands
        ]
        yield Site(url, setup, environment, server.pid, tuple(worker.pid for worker in workers))


@contextmanager
def new_database() -> Iterator[str]:
    """Make a database on the server that is named, if one is; return its address."""
    server = os.environ.get("DATABASE_URL", "")
    if not server:
        yield ""
        return
    name = f"rungs_e2e_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    yield server.rpartition("/")[0] + f"/{name}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@contextmanager
def process(
    command: list[str], environment: dict[str, str], **words: Any
) -> Iterator[subprocess.Popen[Any]]:
    """Run a program in a group of its own until it is not needed any more."""
    started = subprocess.Popen(command, cwd=ROOT, env=environment, start_new_session=True, **words)
    try:
        yield started
    finally:
        os.killpg(started.pid, signal.SIGTERM)
        try:
            started.wait(timeout=30)
        except subprocess.TimeoutExpired:
            os.killpg(started.pid, signal.SIGKILL)
            started.wait()


def addresses(server: subprocess.Popen[str]) -> tuple[str, str]:
    """Read what the server says until it has told its address and the first account's link."""
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
        if found := re.search(r"Create the first account.*?(http\S+)", line):
            setup = found[1]
    return url, setup


def remove_board(page: Page, name: str) -> None:
    """Take a board of the demo league away again: what other tests see of it has its size."""
    page.goto("/l/demo/settings/boards/")
    link = page.get_by_role("link", name=f"Remove {name}", exact=True)
    link.click()
    page.get_by_role("button", name="Remove the board").click()
    expect(page.get_by_role("link", name="Remove").first).to_be_visible()
    expect(link).to_have_count(0)
