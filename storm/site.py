"""The installation under the storm: its folder, its database, its processes and their logs."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
import uuid
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from storm.processes import MARK, marked, send
from storm.servers import OwnPostgres, OwnRedis, free_port, wait_for_port

ROOT = Path(__file__).resolve().parent.parent
LEASE_SECONDS = 3
STOP_SECONDS = 30
KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "VIRTUAL_ENV")
MANAGE = (sys.executable, "manage.py")
CELERY = (sys.executable, "-m", "celery", "-A", "config.celery")


@dataclass
class Service:
    """A command that is started again when it ends, as a service manager would."""

    name: str
    command: list[str]
    environment: dict[str, str]
    log: Path
    process: subprocess.Popen[bytes] | None = None
    is_wanted: bool = False

    def start(self) -> None:
        self.is_wanted = True
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command,
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def tend(self) -> None:
        if self.is_wanted and self.process is not None and self.process.poll() is not None:
            self.start()

    def stop(self) -> bool:
        """Ask it to end; False if it had to be killed."""
        self.is_wanted = False
        if self.process is None or self.process.poll() is not None:
            return True
        self.process.send_signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(STOP_SECONDS)
            return True
        self.process.kill()
        self.process.wait()
        return False


@dataclass
class Site:
    """A fresh installation; `postgres` and `redis` are addresses, "own", or nothing."""

    folder: Path
    postgres: str
    redis: str
    mark: str = field(default_factory=lambda: uuid.uuid4().hex)
    port: int = field(default_factory=free_port)
    own_postgres: OwnPostgres | None = None
    own_redis: OwnRedis | None = None
    services: list[Service] = field(default_factory=list)
    access: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.environment = {name: os.environ[name] for name in KEPT if name in os.environ} | {
            MARK: self.mark,
            "RUNGS_DATA": str(self.folder / "data"),
            "RUNGS_LEASE_SECONDS": str(LEASE_SECONDS),
            "RUNGS_LOG_LEVEL": "WARNING",
            "PYTHONUNBUFFERED": "1",
        }
        self._ended = threading.Event()
        self._tending = threading.Thread(target=self._tend, daemon=True)
        self._database = f"rungs_storm_{self.mark[:12]}"

    def start(self) -> None:
        """Start the servers that are our own, prepare the installation and serve it."""
        if self.postgres == "own":
            self.own_postgres = OwnPostgres(self.folder, self.environment)
            self.own_postgres.start()
        if self.redis == "own":
            self.own_redis = OwnRedis(self.folder, self.environment)
            self.own_redis.start()
        if self.postgres:
            with psycopg.connect(self.server_url, autocommit=True) as server:
                server.execute(f'CREATE DATABASE "{self._database}"')
        self.environment |= {"DATABASE_URL": self.database_url, "REDIS_URL": self.redis_url}
        self.run(*MANAGE, "migrate", "-v0")
        self.access = json.loads(self.run(sys.executable, "-m", "storm.prepare"))
        self._serve("serve", [*MANAGE, "serve", "--port", str(self.port)])
        if self.redis:
            self._serve("worker", [*CELERY, "worker", "--concurrency", "2", "-l", "warning"])
            self._serve("beat", [*CELERY, "beat", "-l", "warning"])
        wait_for_port(self.port)
        self._tending.start()

    @property
    def server_url(self) -> str:
        return self.own_postgres.url if self.own_postgres else self.postgres

    @property
    def database_url(self) -> str:
        return f"{self.server_url.rpartition('/')[0]}/{self._database}" if self.postgres else ""

    @property
    def redis_url(self) -> str:
        return self.own_redis.url if self.own_redis else self.redis

    @property
    def engine(self) -> str:
        parts = ["PostgreSQL" if self.postgres else "SQLite", *(["Redis"] if self.redis else [])]
        return " and ".join(parts)

    def run(self, *command: str, check: bool = True) -> str:
        """Run a command of the installation to its end and return what it printed."""
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        (self.folder / "commands.log").open("a").write(done.stderr)
        if check and done.returncode:
            raise RuntimeError(f"{command} ended with {done.returncode}: {done.stderr[-2000:]}")
        return done.stdout

    def terminate_backends(self) -> None:
        """End every connection to the database but our own."""
        with psycopg.connect(self.server_url, autocommit=True) as server:
            server.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s",
                [self._database],
            )

    def logs(self) -> list[Path]:
        return sorted(self.folder.glob("*.log"))

    def stop(self) -> list[str]:
        """End everything; say which services did not end, and which processes are left."""
        self._ended.set()
        if self._tending.ident:
            self._tending.join()
        problems = [
            f"{service.name} did not end within {STOP_SECONDS} s"
            for service in reversed(self.services)
            if not service.stop()
        ]
        servers = (
            {self.own_redis.process.pid} if self.own_redis and self.own_redis.process else set()
        )
        deadline = time.monotonic() + 5
        while (left := self._left(servers)) and time.monotonic() < deadline:
            time.sleep(0.1)
        problems += [f"process {pid} is left" for pid in left]
        for pid in left:
            send(pid, signal.SIGKILL)
        return problems

    def end_servers(self) -> None:
        """Drop the database and end our own servers."""
        with suppress(psycopg.Error):
            if self.postgres and not self.own_postgres:
                with psycopg.connect(self.server_url, autocommit=True) as server:
                    server.execute(f'DROP DATABASE "{self._database}" WITH (FORCE)')
        for own in (self.own_postgres, self.own_redis):
            if own is not None:
                own.end()

    def _left(self, servers: set[int]) -> list[int]:
        """The processes that should have ended; PostgreSQL's end with it."""
        return [
            pid
            for pid in marked(self.mark)
            if pid not in servers and "postgres" not in Path(f"/proc/{pid}/comm").read_text()
        ]

    def _serve(self, name: str, command: list[str]) -> None:
        service = Service(name, command, self.environment, self.folder / f"{name}.log")
        self.services.append(service)
        service.start()

    def _tend(self) -> None:
        while not self._ended.wait(0.2):
            for service in self.services:
                service.tend()
