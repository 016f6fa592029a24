"""Installations of their own, in other processes, for tests that kill them."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.installed import PYTHON, redis_url
from tests.migrated import Installation, address_of, migrated_once, new_database

ROOT = Path(__file__).resolve().parents[2]
FOOTBALL = ROOT / "tests" / "golden" / "football_excerpt.csv"
LEASE_SECONDS = 1
PATIENCE_SECONDS = 120


@pytest.fixture(autouse=True)
def _nothing_remembered() -> None:
    """Forget the standings of former tests, whose boards had the same numbers."""
    from django.core.cache import cache

    from leagues.store.memory import forget_all

    cache.clear()
    forget_all()


@pytest.fixture(scope="module")
def shared_rows(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Keep what other fixtures of the module write until its tests are over."""
    from django.test import TestCase

    from leagues.store.memory import forget_all

    forget_all()
    with django_db_blocker.unblock():
        atomics = TestCase._enter_atomics()
        yield
        TestCase._rollback_atomics(atomics)


@dataclass(frozen=True, slots=True)
class Manage:
    """Run `manage.py` of one installation; `fault` is where it kills itself."""

    environment: dict[str, str]

    def __call__(
        self, *words: str, fault: str = "", check: bool = True
    ) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [PYTHON, str(ROOT / "manage.py"), *words],
            env=self.environment | {"RUNGS_FAULTPOINT": fault},
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            check=False,
        )
        if check and done.returncode:
            raise AssertionError(f"{words} ended with {done.returncode}:\n{done.stderr}")
        if done.returncode == -signal.SIGKILL:
            # What it was at stays leased to the dead process for so long, and no longer.
            time.sleep(LEASE_SECONDS)
        return done


@pytest.fixture(scope="session")
def migrated() -> Installation:
    """An empty installation to copy."""
    return migrated_once(Path(os.environ["RUNGS_TEST_FOLDER"]))


@pytest.fixture(scope="session")
def with_football(
    migrated: Installation, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Installation]:
    """An installation to copy whose league has the results of the football excerpt, rated."""
    with _copied(migrated, tmp_path_factory.mktemp("football") / "data") as installation:
        manage_of(installation)("import_matches", str(FOOTBALL), "--league", "cup", "--create")
        yield installation


@pytest.fixture
def manage(migrated: Installation, tmp_path: Path) -> Iterator[Manage]:
    """Run `manage.py` in an empty installation on the engine under test."""
    with _copied(migrated, tmp_path / "data") as installation:
        yield manage_of(installation)


@pytest.fixture
def manage_football(with_football: Installation, tmp_path: Path) -> Iterator[Manage]:
    """Run `manage.py` where the league "cup" has the results of the football excerpt, rated."""
    with _copied(with_football, tmp_path / "data") as installation:
        yield manage_of(installation)


@contextmanager
def _copied(template: Installation, folder: Path) -> Iterator[Installation]:
    with new_database(template.database) as database:
        shutil.copytree(template.folder, folder)
        yield Installation(folder, database)


def manage_of(installation: Installation) -> Manage:
    """Run `manage.py` of an installation."""
    words = {
        "RUNGS_DATA": str(installation.folder),
        "RUNGS_LEASE_SECONDS": str(LEASE_SECONDS),
        "REDIS_URL": redis_url(),
        "DATABASE_URL": address_of(installation.database),
    }
    return Manage(os.environ | words)


@pytest.fixture
def sparse_corrections(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let corrections rewrite only whom they reach, however small the board and many they are."""
    monkeypatch.setattr("leagues.services.tail_states.MIN_RATED", 0)
    monkeypatch.setattr("leagues.services.board_corrections.MAX_SHARE_LATE", 1.0)
    monkeypatch.setattr("leagues.services.board_corrections.MAX_SHARE_REACHED", 1.0)
