"""What commands say where nothing has been installed yet."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from dev import ROOT
from tests.installed import PYTHON


def test_a_command_says_that_the_tables_are_missing(tmp_path: Path) -> None:
    done = subprocess.run(
        [PYTHON, "manage.py", "verify"],
        cwd=ROOT,
        env={**os.environ, "RUNGS_DATA": str(tmp_path), "DATABASE_URL": "", "REDIS_URL": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "First run: manage.py migrate" in done.stderr
    assert "Traceback" not in done.stderr
