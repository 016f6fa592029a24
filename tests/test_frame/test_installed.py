"""What the run-time requirements bring is all that the product needs, optional paths included."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from dev import ROOT
from tests.installed import PYTHON

# Only a process that compiles imports these, and it looks first whether Numba is there.
COMPILED = {"llvmlite", "numba"}

IMPORT_ALL = """
import importlib, pkgutil, django
django.setup()
for package in ("config", "leagues", "ratings"):
    root = importlib.import_module(package)
    for module in pkgutil.walk_packages(root.__path__, package + "."):
        if module.name.endswith("__main__"):
            continue
        try:
            importlib.import_module(module.name)
        except ModuleNotFoundError as error:
            print(error.name)
"""

OPEN_BROKER = "from config.celery import app; app.connection_for_write().transport_cls"


def run_installed(tmp_path: Path, script: str) -> subprocess.CompletedProcess[str]:
    """Run a script as those do who installed Rungs with PostgreSQL and Redis named."""
    return subprocess.run(
        [PYTHON, "-c", script],
        cwd=ROOT,
        env={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATABASE_URL": "postgres://rungs@127.0.0.1:1/rungs",
            "REDIS_URL": "redis://127.0.0.1:1/0",
            "RUNGS_DATA": str(tmp_path),
        },
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_module_is_imported_from_the_run_time_requirements(tmp_path: Path) -> None:
    done = run_installed(tmp_path, IMPORT_ALL)
    assert done.returncode == 0, done.stderr
    assert set(done.stdout.split()) <= COMPILED


def test_the_transport_of_redis_is_imported_from_the_run_time_requirements(tmp_path: Path) -> None:
    done = run_installed(tmp_path, OPEN_BROKER)
    assert done.returncode == 0, done.stderr
