"""A real server, started as its users start it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import urllib.request
from email.message import Message
from pathlib import Path

from tests.installed import PYTHON

ROOT = Path(__file__).resolve().parent.parent.parent
PATIENCE_SECONDS = 60


class Server:
    """A real server with its own data on a port of its own."""

    def __init__(self, data: Path, *arguments: str, database: str = "") -> None:
        self.process = subprocess.Popen(
            [PYTHON, "manage.py", "serve", *arguments],
            cwd=ROOT,
            env={
                **os.environ,
                "RUNGS_DATA": str(data),
                "DATABASE_URL": database,
                "REDIS_URL": "",
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.printed = ""

    def wait_for(self, pattern: str) -> str:
        """Read what the server prints up to a line that matches."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.printed += line
            found = re.search(pattern, line)
            if found:
                return found.group(found.re.groups)
        raise AssertionError(f"The server ended:\n{self.printed}")

    def children(self) -> dict[int, str]:
        """Answer the child processes with their command lines."""
        pid = self.process.pid
        found = {}
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            command = Path(f"/proc/{child}/cmdline").read_text().replace("\0", " ")
            found[int(child)] = command
        return found

    def web(self) -> int:
        """Answer the web server's process id."""
        return next(pid for pid, words in self.children().items() if "config.web" in words)

    def runner(self) -> int | None:
        """Answer the process id of the runner that does every kind of job."""
        for pid, words in self.children().items():
            if "runjobs" in words and "--ratings" not in words:
                return pid
        return None

    def stop(self, number: signal.Signals) -> int:
        """End the server and answer its exit code."""
        self.process.send_signal(number)
        assert self.process.stdout is not None
        self.printed += self.process.stdout.read()
        return self.process.wait(PATIENCE_SECONDS)


def get(address: str, **headers: str) -> tuple[int, str, bytes, Message]:
    request = urllib.request.Request(address, headers=headers)  # noqa: S310 - our own server
    with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as answer:  # noqa: S310
        return answer.status, answer.url, answer.read(), answer.headers
