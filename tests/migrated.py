"""An installation without rows: migrated once in a run, and copied for each that needs one."""

from __future__ import annotations

import fcntl
import os
import subprocess
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
from django.conf import settings

from tests.installed import PYTHON

ROOT = Path(__file__).resolve().parents[1]
SQLITE_FILE = "rungs.sqlite3"


@dataclass(frozen=True, slots=True)
class Installation:
    """The folder of an installation, and its database where the folder does not hold it."""

    folder: Path
    database: str


def migrated_once(run: Path) -> Installation:
    """The installation of this run to copy: the first worker that needs it migrates it."""
    template = Installation(
        run / "migrated", "" if settings.IS_SQLITE else f"{_short(run)}_migrated"
    )
    done = run / "migrated.done"
    with (run / "migrated.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            _migrate(template)
            done.touch()
    return template


def forget_migrated(run: Path) -> None:
    """Drop the database of the run's installation, which is not in the run's folder."""
    if not settings.IS_SQLITE and (run / "migrated.done").exists():
        _drop_database(f"{_short(run)}_migrated")


@contextmanager
def new_database(template: str) -> Iterator[str]:
    """Make a database of its own and return its name; nothing where the folder holds it."""
    if settings.IS_SQLITE:
        yield ""
        return
    name = f"rungs_kill_{uuid.uuid4().hex[:12]}"
    _create_database(name, template)
    yield name
    _drop_database(name)


def server_url() -> str:
    """Name the database of the server that belongs to nobody."""
    database = settings.DATABASES["default"]
    return (
        f"postgres://{database['USER']}:{database['PASSWORD']}@{database['HOST']}"
        f":{database['PORT'] or 5432}/postgres"
    )


def address_of(database: str) -> str:
    """What DATABASE_URL has to be for a database; nothing where the folder holds it."""
    return database and f"{server_url().rsplit('/', 1)[0]}/{database}"


def _migrate(template: Installation) -> None:
    if template.database:
        _create_database(template.database, "template1")
    subprocess.run(
        [PYTHON, str(ROOT / "manage.py"), "migrate", "-v0"],
        env=os.environ
        | {
            "RUNGS_DATA": str(template.folder),
            "REDIS_URL": "",
            "DATABASE_URL": address_of(template.database),
        },
        check=True,
    )


def _short(run: Path) -> str:
    return run.name.replace("-", "_")


def _create_database(name: str, template: str) -> None:
    with psycopg.connect(server_url(), autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')


def _drop_database(name: str) -> None:
    with psycopg.connect(server_url(), autocommit=True) as connection:
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
