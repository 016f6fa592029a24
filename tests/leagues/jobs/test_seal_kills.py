"""kill -9 between the steps of sealing: the season is closing or closed, never half."""

from __future__ import annotations

import json

import pytest

from tests.leagues.conftest import Manage

KILLED = -9

SEAL = """
from django.utils import timezone
from leagues.jobs.runner import drain
from leagues.models import Season
from leagues.services.seasons import Step, take_step
season = Season.objects.get()
for step in (Step.CLOSE, Step.SEAL):
    take_step(season, step, actor=None, now=timezone.now())
drain()
"""
GO_ON = """
import time
from leagues.jobs.runner import drain
from leagues.models import Season
deadline = time.monotonic() + 60
while Season.objects.get().state == "closing" and time.monotonic() < deadline:
    drain()
    time.sleep(0.2)
"""
TELL = """
import json
from leagues.models import Season
season = Season.objects.get()
seals = list(season.boards.order_by("pk").values_list("seal", flat=True))
print(json.dumps([season.state, season.sealed_digest, seals]))
"""


def tell(manage: Manage) -> tuple[str, str, list[str]]:
    return tuple(json.loads(manage("shell", "-v0", "-c", TELL).stdout))


@pytest.mark.parametrize(
    ("point", "state"),
    [
        ("board_proved:2", "closing"),
        ("boards_sealed", "closing"),
        ("after_seal", "closed"),
    ],
)
def test_a_killed_sealing_is_finished_by_the_next_runner(
    manage_football, point: str, state: str
) -> None:
    killed = manage_football("shell", "-v0", "-c", SEAL, fault=point, check=False)
    assert killed.returncode == KILLED
    found, digest, seals = tell(manage_football)
    assert found == state
    assert bool(digest) == all(seals) == any(seals) == (state == "closed")
    manage_football("shell", "-v0", "-c", GO_ON)
    found, digest, seals = tell(manage_football)
    assert found == "closed"
    assert digest
    boards = json.loads(manage_football("verify", "--json").stdout)["boards"]
    assert sorted(board["digest"] for board in boards) == sorted(seals)


def test_a_backup_brings_a_sealed_season_back_with_its_seal(manage_football, tmp_path) -> None:
    manage_football("shell", "-v0", "-c", SEAL)
    before = tell(manage_football)
    assert before[0] == "closed"
    file = tmp_path / "club.backup"
    manage_football("backup", str(file))
    manage_football("flush", "--no-input")
    manage_football("restore", str(file))
    manage_football("shell", "-v0", "-c", GO_ON)
    assert tell(manage_football) == before
