"""PostgreSQL and Redis of a storm's own: this machine's programs, on ports of their own."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

from storm.processes import send

START_SECONDS = 30.0
ROOT_USER = 0


class Missing(Exception):
    """What this machine lacks for a storm, in words."""


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def wait_for_port(port: int) -> None:
    """Return once somebody listens on a port."""
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            if time.monotonic() > deadline:
                raise Missing(f"Nothing answers on port {port}.") from None
            time.sleep(0.05)


@dataclass
class OwnPostgres:
    """A cluster in a folder; on request it is stopped as if the machine had lost its power."""

    folder: Path
    environment: dict[str, str]
    port: int = field(default_factory=free_port)

    def __post_init__(self) -> None:
        self.data = self.folder / "postgres"
        self.data.mkdir()
        if self._user:
            shutil.chown(self.data, self._user)
        self._run("initdb", "-D", str(self.data), "-U", "postgres", "-A", "trust", "-E", "UTF8")

    @property
    def url(self) -> str:
        return f"postgres://postgres@127.0.0.1:{self.port}/postgres"

    @property
    def _user(self) -> str | None:
        """The owner of its files: PostgreSQL refuses to run as root."""
        return "postgres" if os.geteuid() == ROOT_USER else None

    def start(self) -> None:
        options = f"-p {self.port} -h 127.0.0.1 -k {self.data} -c max_connections=60"
        log = str(self.data / "server.log")
        self._run("pg_ctl", "start", "-w", "-D", str(self.data), "-o", options, "-l", log)

    def stop(self) -> None:
        """End it at once, without a checkpoint: its next start recovers."""
        self._run("pg_ctl", "stop", "-w", "-m", "immediate", "-D", str(self.data))

    def end(self) -> None:
        """End it for good, whatever state it is in."""
        if (self.data / "postmaster.pid").exists():
            self.stop()

    def _run(self, program: str, *arguments: str) -> None:
        found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{program}"))
        path = str(found[-1]) if found else shutil.which(program)
        if path is None:
            raise Missing("There are no PostgreSQL programs here: apt install postgresql")
        done = subprocess.run(
            [path, *arguments],
            user=self._user,
            cwd=self.data,
            env=self.environment,
            stdout=subprocess.PIPE if program == "initdb" else subprocess.DEVNULL,
            stderr=subprocess.STDOUT,
            timeout=120,
            check=False,
        )
        if done.returncode:
            raise Missing(f"{program} ended with {done.returncode}: {done.stdout!r}")


@dataclass
class OwnRedis:
    """A broker that keeps nothing, as a broker may."""

    folder: Path
    environment: dict[str, str]
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        path = shutil.which("redis-server")
        if path is None:
            raise Missing("There is no Redis here: apt install redis-server")
        command = [path, "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        command += ["--dir", str(self.folder), "--logfile", str(self.folder / "redis.log")]
        self.process = subprocess.Popen(command, env=self.environment, start_new_session=True)
        wait_for_port(self.port)

    def stop(self) -> None:
        """Kill it: what it held is gone."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    end = stop

    def signal(self, number: signal.Signals) -> None:
        if self.process is not None:
            send(self.process.pid, number)
