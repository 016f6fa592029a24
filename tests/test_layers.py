"""What every part of the code must keep: style, types, layers, migrations, dependencies."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import dev

ROOT = Path(__file__).resolve().parent.parent
PRODUCTION = {
    "PUBLIC_URL": "https://rungs.example",
    "TRUSTED_PROXIES": "127.0.0.1",
    "RUNGS_BIND": "127.0.0.1",
}


def run(*arguments: str, environment: dict[str, str] | None = None) -> None:
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**os.environ, **(environment or {})},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", dev.CHECKS)
def test_the_code_passes(name: str) -> None:
    run("-m", *dev.CHECKS[name])


def test_no_migration_is_missing() -> None:
    run("manage.py", "makemigrations", "--check", "--dry-run")


def test_production_settings_pass_the_deployment_check() -> None:
    run("manage.py", "check", "--deploy", "--fail-level", "WARNING", environment=PRODUCTION)


def test_a_web_process_imports_no_compiler_and_no_scipy() -> None:
    """Numba alone costs a web process 130 MB and a third of a second."""
    run(
        "-c",
        "import sys, config.wsgi; from django.urls import get_resolver;"
        "get_resolver().url_patterns;"
        "heavy = {'numba', 'scipy', 'celery'} & set(sys.modules); assert not heavy, heavy",
        environment={"REDIS_URL": ""},
    )


def test_the_locked_packages_have_no_known_hole() -> None:
    """Reliability S-27; needs the network, because the list of holes grows every day."""
    locks = [part for lock in (dev.RUNTIME, dev.FAST) for part in ("-r", lock)]
    done = subprocess.run(
        [sys.executable, "-m", "pip_audit", "--disable-pip", "--require-hashes", *locks],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=180,
    )
    unreachable = ("ConnectionError", "ServiceError", "Max retries", "Connection", "Timeout")
    if done.returncode and any(word in done.stderr for word in unreachable):
        pytest.skip("pip-audit cannot reach the list of known holes from here.")
    assert done.returncode == 0, done.stdout + done.stderr
