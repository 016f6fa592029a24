"""Installations of their own, in other processes, for tests that kill them."""

from __future__ import annotations

import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
from django.conf import settings

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 120


@pytest.fixture(autouse=True)
def _nothing_remembered() -> None:
    """Forget the standings of former tests, whose boards had the same numbers."""
    from leagues.selectors.tables import forget_all

    forget_all()


@dataclass(frozen=True, slots=True)
class Manage:
    """Run `manage.py` of one installation; `fault` is where it kills itself."""

    environment: dict[str, str]

    def __call__(
        self, *words: str, fault: str = "", check: bool = True
    ) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [sys.executable, str(ROOT / "manage.py"), *words],
            env=self.environment | {"RUNGS_FAULTPOINT": fault},
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            check=False,
        )
        if check and done.returncode:
            raise AssertionError(f"{words} ended with {done.returncode}:\n{done.stderr}")
        return done


@pytest.fixture
def manage(tmp_path: Path) -> Iterator[Manage]:
    """Run `manage.py` in an empty installation on the engine under test."""
    environment = os.environ | {
        "RUNGS_DATA": str(tmp_path / "data"),
        "RUNGS_LEASE_SECONDS": "1",
        "REDIS_URL": _redis_url(),
    }
    server = None if settings.IS_SQLITE else _server_url()
    name = f"rungs_kill_{uuid.uuid4().hex[:12]}"
    if server:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}"')
        environment["DATABASE_URL"] = server.rsplit("/", 1)[0] + f"/{name}"

    manage = Manage(environment)
    manage("migrate", "-v0")
    yield manage
    if server:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def _redis_url() -> str:
    """Name a Redis database that no other worker of this run reads messages from."""
    url = os.environ.get("REDIS_URL", "")
    base, _, database = url.rpartition("/")
    number = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
    return f"{base}/{(int(database) + int(number)) % 16}" if url else ""


def _server_url() -> str:
    database = settings.DATABASES["default"]
    return (
        f"postgres://{database['USER']}:{database['PASSWORD']}@{database['HOST']}"
        f":{database['PORT'] or 5432}/postgres"
    )
