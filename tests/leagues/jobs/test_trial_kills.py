"""kill -9 in the middle of a back-test: the next runner finishes it, and leaves nothing double."""

from __future__ import annotations

import json
from typing import Any

from tests.leagues.conftest import Manage

KILLED = -9
ASK = """
from leagues.models import Season
from leagues.services.trials import request_backtest
season = Season.objects.get()
request_backtest(season=season, mode=season.league.modes.get())
"""
TELL = """
import json
from leagues.models import Trial
print(json.dumps([[bool(row.finished_at), row.report] for row in Trial.objects.all()]))
"""


def told(manage: Manage) -> list[list[Any]]:
    """Return of every back-test whether it is finished, and its report."""
    said = manage("shell", "-v0", "-c", TELL).stdout
    found: list[list[Any]] = json.loads(said.strip().rpartition("\n")[2])
    return found


def test_a_killed_backtest_is_finished_by_the_next_runner(manage_football: Manage) -> None:
    manage_football("shell", "-v0", "-c", ASK)
    for point in ("backtest_system:3", "before_backtest_commit"):
        assert manage_football("runjobs", "--once", fault=point, check=False).returncode == KILLED
    ((is_finished, report),) = told(manage_football)
    assert not is_finished and report["systems"]
    manage_football("runjobs", "--once")
    ((is_finished, report),) = told(manage_football)
    assert is_finished and report["results"] == 401
    assert report["best"] is not None
    assert len({row["system"] for row in report["systems"]}) == len(report["systems"])
