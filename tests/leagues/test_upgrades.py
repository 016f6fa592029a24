"""A database and a backup of former releases, brought to this one (see tests/golden/installation).

Nothing that was said or computed may change on the way.
"""

from __future__ import annotations

import json
import lzma
import os
import subprocess
import sys
from typing import Any

import pytest
from django.conf import settings

from tests.leagues.conftest import ROOT, Manage

GOLDEN = ROOT / "tests" / "golden" / "installation"
HIT = frozenset({"foundry/first/compiled-ladder", "smithy/first/compiled-ladder"})
"""Boards whose computation was mended since."""
CUT_OFF = frozenset({"stopwatch/first/races-elo", "stopwatch/first/races-glicko-2"})
"""Backups of the second format keep milliseconds; these were played between two of them."""


def described(manage: Manage) -> dict[str, Any]:
    """Return what an installation holds now."""
    said = subprocess.run(
        [sys.executable, str(GOLDEN / "describe.py")],
        env=manage.environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(said.stdout)


def expected() -> dict[str, Any]:
    return json.loads((GOLDEN / "expected.json").read_text(encoding="utf-8"))


def differing(now: dict[str, Any], then: dict[str, Any], *columns: str) -> set[str]:
    """Return the boards that one of the columns tells another thing of."""
    return {
        board
        for board, said in then["boards"].items()
        if any(now["boards"][board][column] != said[column] for column in columns)
    }


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Manage:
    """The golden database in a folder of its own."""
    folder = tmp_path_factory.mktemp("golden")
    with lzma.open(GOLDEN / "rungs.sqlite3.xz") as packed:
        (folder / "rungs.sqlite3").write_bytes(packed.read())
    words = {"RUNGS_DATA": str(folder), "DATABASE_URL": "", "REDIS_URL": ""}
    return Manage(os.environ | words)


@pytest.mark.skipif(not settings.IS_SQLITE, reason="the golden database is one of SQLite")
def test_the_golden_database_holds_the_same_after_an_upgrade(unpacked: Manage) -> None:
    unpacked("migrate", "-v0")
    unpacked("runjobs", "--once")
    now, then = described(unpacked), expected()
    assert now["counts"] == then["counts"]
    assert now["seasons"] == then["seasons"]
    assert now["facts"] == then["facts"]
    assert now["boards"] == then["boards"]


def test_the_golden_backup_holds_the_same_after_a_restore(manage: Manage) -> None:
    manage("restore", str(GOLDEN / "backup.json.gz"), check=False)
    now, then = described(manage), expected()
    assert now["counts"] == then["counts"]
    assert [name for name in then["facts"] if now["facts"][name] != then["facts"][name]] == [
        "stopwatch"
    ]
    assert differing(now, then, "digest") == HIT | CUT_OFF
