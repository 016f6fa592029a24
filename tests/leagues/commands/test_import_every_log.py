"""`import_log` over every log of the shared data, as one installation would have them."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from django.core.management import call_command

from leagues import bridge
from leagues.models import League, Match, MatchEvent, Revision
from leagues.store.match_columns import read_facts
from ratings.engine import numba_is_installed
from tests.leagues.commands.test_import_log import digests, run
from tests.leagues.log_check_values import assert_stored
from tests.leagues.play import new_club
from tests.shared_data import shared_data

pytestmark = pytest.mark.django_db

FOLDERS = ("quake", "gamelogs")
FILES, GAMES, IMPORTED, EVENTS = 32, 813, 218, 20_132


def every_log() -> list[Path]:
    folders = [shared_data(folder) for folder in FOLDERS]
    return sorted(path for folder in folders for path in folder.rglob("*") if path.is_file())


def differences() -> int:
    """How many stored values `verify` finds that differ from a replay or from their hashes."""
    output = io.StringIO()
    call_command("verify", json=True, stdout=output)
    count: int = json.loads(output.getvalue())["differences"]
    return count


def test_every_log_is_one_change_that_verifies_and_comes_back_the_same(tmp_path: Path) -> None:
    club = new_club()
    logs = every_log()
    assert len(logs) == FILES
    report = run(*logs, "--date", "2012-06-17", "--bots", "--broken-off")
    found = (report["games"], report["imported"], report["events_imported"])
    assert found == (GAMES, IMPORTED, EVENTS)
    assert report["imported"] + sum(report["left_out"].values()) == report["games"]
    assert (Match.objects.count(), MatchEvent.objects.count()) == found[1:]
    assert Revision.objects.filter(number__isnull=False).count() == 1
    assert_stored(club)
    assert differences() == 0
    file = tmp_path / "club.zip"
    call_command("export_league", "club", str(file))
    call_command("import_league", str(file), slug="again")
    assert digests(League.objects.get(slug="again")) == digests(club)
    assert differences() == 0
    again = run(*logs, "--date", "2012-06-17", "--bots", "--broken-off")
    assert (again["imported"], again["already_there"]) == (0, IMPORTED)
    for board in club.boards.select_related("league", "season", "mode"):
        computed = bridge.compute(board, read_facts(board))
        for engine in ("plain", "compiled") if numba_is_installed() else ("plain",):
            replay = computed.system.replay(computed.log, engine=engine)
            assert replay.after.tobytes() == computed.replay.after.tobytes(), (board, engine)
