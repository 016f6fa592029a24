"""Installations of their own, in other processes, for tests that kill them."""

from __future__ import annotations

import os
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from django.conf import settings

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 120

Manage = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def manage(tmp_path: Path) -> Iterator[Manage]:
    """Run `manage.py` in an empty installation on the engine under test."""
    environment = os.environ | {
        "RUNGS_DATA": str(tmp_path / "data"),
        "RUNGS_LEASE_SECONDS": "1",
        "REDIS_URL": "",
    }
    server = None if settings.IS_SQLITE else _server_url()
    name = f"rungs_kill_{uuid.uuid4().hex[:12]}"
    if server:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}"')
        environment["DATABASE_URL"] = server.rsplit("/", 1)[0] + f"/{name}"

    def run(*words: str, fault: str = "", check: bool = True) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [sys.executable, str(ROOT / "manage.py"), *words],
            env=environment | {"RUNGS_FAULTPOINT": fault},
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            check=False,
        )
        if check and done.returncode:
            raise AssertionError(f"{words} ended with {done.returncode}:\n{done.stderr}")
        return done

    run("migrate", "-v0")
    yield run
    if server:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def _server_url() -> str:
    database = settings.DATABASES["default"]
    return (
        f"postgres://{database['USER']}:{database['PASSWORD']}@{database['HOST']}"
        f":{database['PORT'] or 5432}/postgres"
    )
