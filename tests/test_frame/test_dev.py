"""dev.py: the environment is made from locks, and what a machine lacks is said in words."""

from __future__ import annotations

import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import dev

LOCKS = sorted(path.name for path in dev.ROOT.glob("requirements*.txt"))
PIN = re.compile(r"^([a-z0-9-]+)(?:\[[a-z,]+\])?==(\S+)", re.MULTILINE)


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dev.Environment:
    """Point dev.py at an empty folder, and return the environment that it would make there."""
    monkeypatch.setattr(dev, "ROOT", tmp_path)
    (tmp_path / dev.RUNTIME).write_text("one\n")
    return dev.Environment(".venv")


def install_by_hand(environment: dev.Environment) -> None:
    environment.python.parent.mkdir(parents=True)
    environment.python.touch()
    locks = {dev.RUNTIME: {"sha256": dev.digest_of(dev.RUNTIME), "failed": ""}}
    environment.stamp.write_text(json.dumps({"python": sys.version, "locks": locks}))


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_hashes_and_neither_an_index_nor_a_folder(lock: str) -> None:
    text = (dev.ROOT / lock).read_text(encoding="utf-8")
    assert len(PIN.findall(text)) <= text.count("--hash=sha256:")
    assert "://" not in text
    assert "index-url" not in text
    assert not re.search(r"(^|\s)/", text)


def test_all_locks_agree_about_versions() -> None:
    versions: dict[str, set[str]] = {}
    for lock in LOCKS:
        for name, version in PIN.findall((dev.ROOT / lock).read_text(encoding="utf-8")):
            versions.setdefault(name, set()).add(version)
    assert {name: found for name, found in versions.items() if len(found) > 1} == {}


def test_every_direct_dependency_says_what_it_is_for() -> None:
    described = (dev.ROOT / "docs" / "libraries.md").read_text(encoding="utf-8")
    for source in dev.ROOT.glob("requirements*.in"):
        for line in source.read_text(encoding="utf-8").split():
            assert re.split(r"[\[=~<>]", line)[0].lower() in described.lower()


def test_an_environment_is_used_again_until_a_lock_changes(elsewhere: dev.Environment) -> None:
    install_by_hand(elsewhere)
    assert dev.is_ready(dev.read_stamp(elsewhere), [dev.RUNTIME])
    (dev.ROOT / dev.RUNTIME).write_text("two\n")
    assert not dev.is_ready(dev.read_stamp(elsewhere), [dev.RUNTIME])


def test_an_installation_that_was_cut_short_does_not_count(elsewhere: dev.Environment) -> None:
    install_by_hand(elsewhere)
    elsewhere.stamp.write_text('{"python": ')
    assert dev.read_stamp(elsewhere) == {}


def test_a_python_without_venv_gets_the_name_of_the_package(
    elsewhere: dev.Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(dev.ROOT))
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    with pytest.raises(dev.Trouble, match="python3-venv"):
        dev.ensure_environment([dev.RUNTIME], without_fast=True, environment=elsewhere)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_source_that_cannot_be_written_is_answered_in_words(elsewhere: dev.Environment) -> None:
    dev.ROOT.chmod(0o500)
    try:
        with pytest.raises(dev.Trouble, match="that you own"):
            dev.ensure_environment([dev.RUNTIME], without_fast=True, environment=elsewhere)
    finally:
        dev.ROOT.chmod(0o700)


def test_an_old_python_gets_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 8, 10))
    with pytest.raises(SystemExit, match=r"needs Python 3\.11 or newer"):
        runpy.run_path(str(dev.ROOT / "dev.py"), run_name="__main__")


def test_the_test_command_ends_with_what_ran_and_what_could_not() -> None:
    ours = ("TEST_", "RUNGS_", "PYTEST_", "DJANGO_")
    environment = {name: os.environ[name] for name in os.environ if not name.startswith(ours)}
    done = subprocess.run(
        [sys.executable, "dev.py", "test", "-n0", "tests/config/test_logs.py"],
        cwd=dev.ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "What ran:\n  ok     SQLite: " in done.stdout
    assert "PostgreSQL: TEST_POSTGRES_URL is not set" in done.stdout
    assert "Redis and Celery: TEST_REDIS_URL is not set." in done.stdout
    assert re.search(r"=+ \d+ passed in .*=+\s*\Z", done.stdout)


def test_dev_py_uses_the_standard_library_only() -> None:
    python = shutil.which("python3", path="/usr/bin:/usr/local/bin") or sys.executable
    done = subprocess.run(
        [python, "-I", "dev.py", "--help"],
        cwd=dev.ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for command in ("serve", "test", "e2e", "bench", "lint", "lock"):
        assert command in done.stdout
