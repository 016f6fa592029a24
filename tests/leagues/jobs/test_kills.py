"""kill -9 at every point of an import and of a rating: afterwards all is done, once."""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path

import pytest

from tests.leagues.conftest import Manage, manage_of

FOOTBALL = Path(__file__).parents[2] / "golden" / "football_excerpt.csv"
KILLED = -9

IMPORT_POINTS = (
    "import_batch",
    "after_insert_match",
    "before_import_commit",
    "after_import_commit",
    "after_replay",
    "replay_batch",
    "before_swap",
    "after_swap",
    "after_swap:2",
)


def report(manage: Manage) -> dict:
    found = json.loads(manage("verify", "--json").stdout)
    assert found["differences"] == 0
    return found


def digests(found: dict) -> list[str]:
    return [board["digest"] for board in found["boards"]]


def import_words(file: Path) -> list[str]:
    return ["import_matches", str(file), "--league", "cup", "--create", "--json"]


@pytest.mark.parametrize("point", IMPORT_POINTS)
def test_a_killed_import_is_finished_by_the_next_runner(manage, point):
    assert manage(*import_words(FOOTBALL), fault=point, check=False).returncode == KILLED
    again = json.loads(manage(*import_words(FOOTBALL)).stdout)
    assert again["imported"] + again["already_there"] == 401
    found = report(manage)
    assert {board["matches"] for board in found["boards"]} == {401}
    assert all(not board["behind"] for board in found["boards"])


@pytest.mark.parametrize("point", ["after_segments", "after_standings", "before_rating_commit"])
def test_a_killed_append_is_finished_by_the_next_runner(manage, tmp_path, point):
    shorter = tmp_path / "results.csv"
    lines = FOOTBALL.read_text(encoding="utf-8").splitlines(keepends=True)
    shorter.write_text("".join(lines[:381]), encoding="utf-8")
    manage(*import_words(shorter))
    shutil.copy(FOOTBALL, shorter)
    assert manage(*import_words(shorter), fault=point, check=False).returncode == KILLED
    manage(*import_words(shorter))
    found = report(manage)
    assert {board["matches"] for board in found["boards"]} == {401}


@pytest.fixture(scope="module")
def backup(with_football, tmp_path_factory) -> tuple[Path, str, list[str]]:
    """A backup of the football league, the digest it was written with, and those of its boards."""
    file = tmp_path_factory.mktemp("backup") / "club.backup"
    manage = manage_of(with_football)
    written = manage("backup", str(file)).stdout.split()[-1]
    return file, written, digests(report(manage))


def test_a_backup_restores_to_the_same_digest(manage, backup):
    file, written, before = backup
    assert written in manage("restore", str(file)).stdout
    assert digests(report(manage)) == before


def test_a_restore_into_a_used_installation_is_refused(manage_football, backup):
    refused = manage_football("restore", str(backup[0]), check=False)
    assert refused.returncode != 0
    assert "not empty" in refused.stderr


@pytest.mark.parametrize("point", ["restored_rows", "before_restore_commit"])
def test_a_killed_restore_leaves_what_there_was_and_can_be_done_again(manage, backup, point):
    file, _written, before = backup
    assert manage("restore", str(file), fault=point, check=False).returncode == KILLED
    assert report(manage)["boards"] == []
    assert "The file is unchanged since it was written" in manage("restore", str(file)).stdout
    assert digests(report(manage)) == before


@pytest.mark.parametrize("damage", ["cut", "text", "missing row"])
def test_a_damaged_backup_changes_nothing(manage, backup, tmp_path, damage):
    content = backup[0].read_bytes()
    file = tmp_path / "damaged.backup"
    if damage == "cut":
        file.write_bytes(content[: len(content) // 2])
    elif damage == "text":
        file.write_text("date,winner,loser\n", encoding="utf-8")
    else:
        lines = gzip.decompress(content).splitlines(keepends=True)
        del lines[-20]
        file.write_bytes(gzip.compress(b"".join(lines)))
    refused = manage("restore", str(file), check=False)
    assert refused.returncode != 0
    assert "Traceback" not in refused.stderr
    assert report(manage)["boards"] == []
