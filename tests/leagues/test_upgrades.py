"""A database and a backup of former releases, brought to this one (see tests/golden/installation).

Nothing that was said or computed may change on the way.
"""

from __future__ import annotations

import json
import lzma
import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from tests.leagues.conftest import ROOT, Manage

GOLDEN = ROOT / "tests" / "golden" / "installation"
HIT = frozenset(
    {
        "foundry/first/compiled-ladder",
        "smithy/first/compiled-ladder",
        "reefs/first/no-penalty",
    }
)
"""Boards whose computation was mended since, so that their digest is another one."""
EXPECTED_HIT = frozenset(
    f"{league}/first/compiled-{system}"
    for league in ("foundry", "smithy")
    for system in ("ladder", "zerosum", "becker")
)
"""Boards that expected other things of players than they should have."""
WITH_HIT_BOARDS = ("foundry", "smithy", "reefs")
SEALED_ANEW = {"foundry/first"}
OTHER_STEPS = frozenset(
    {
        "atolls/first/no-penalty",
        "baseball/1987/no-penalty",
        "baseball/1987/penalty",
        "islands/first/no-penalty",
    }
)
"""Boards whose last digits were those of the processor that computed them; stored ones stay."""
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


SQLITE = pytest.mark.skipif(not settings.IS_SQLITE, reason="the golden database is one of SQLite")


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Manage:
    """The golden database in a folder of its own."""
    folder = tmp_path_factory.mktemp("golden")
    with lzma.open(GOLDEN / "rungs.sqlite3.xz") as packed:
        (folder / "rungs.sqlite3").write_bytes(packed.read())
    words = {"RUNGS_DATA": str(folder), "DATABASE_URL": "", "REDIS_URL": ""}
    return Manage(os.environ | words)


@pytest.fixture(scope="module")
def upgraded(unpacked: Manage) -> tuple[dict[str, Any], str]:
    """What the golden database holds after an upgrade, and what the upgrade said."""
    said = unpacked("migrate").stdout
    done = unpacked("runjobs", "--once")
    return described(unpacked), said + done.stdout + done.stderr


def unlike(now: dict[str, Any], then: dict[str, Any]) -> set[str]:
    """Return the seasons that are not as they were."""
    return {name for name, said in then["seasons"].items() if now["seasons"][name] != said}


def said_otherwise(now: dict[str, Any], then: dict[str, Any]) -> set[tuple[str, str]]:
    """Return leagues and kinds of facts that are not as they were."""
    return {
        (league, kind)
        for league, facts in then["facts"].items()
        for kind, digest in facts.items()
        if now["facts"][league][kind] != digest
    }


@SQLITE
def test_the_golden_database_holds_the_same_after_an_upgrade(
    upgraded: tuple[dict[str, Any], str],
) -> None:
    (now, _said), then = upgraded, expected()
    assert differing(now, then, "digest", "standings", "histories") == HIT
    assert differing(now, then, "expected") - HIT == EXPECTED_HIT - HIT
    assert differing(now, then, "parameters", "refused_matches", "started_from") == set()
    assert differing(now, then, "rated_matches", "state") == {"reefs/first/no-penalty"}
    assert unlike(now, then) == SEALED_ANEW
    assert said_otherwise(now, then) == {(league, "log") for league in WITH_HIT_BOARDS}
    entries = "leagues.auditentry"
    assert {name for name in then["counts"] if now["counts"][name] != then["counts"][name]} == {
        entries
    }


@SQLITE
def test_an_upgrade_names_the_boards_that_it_computes_again(
    upgraded: tuple[dict[str, Any], str],
) -> None:
    _now, said = upgraded
    assert "Foundry, First: Compiled ladder" in said
    told = dict(re.findall(r"(\w+: \w+): boards to be (computed again.*): .*", said))
    assert told["Smithy: First"] == "computed again"
    assert told["Reefs: First"] == "computed again"
    assert told["Foundry: First"] == "computed again and sealed again"
    assert re.search("Foundry: .*Compiled ladder; Compiled zerosum; Compiled becker", said)


@SQLITE
def test_a_season_that_is_sealed_anew_keeps_its_old_seal_in_the_log(
    upgraded: tuple[dict[str, Any], str], unpacked: Manage
) -> None:
    then = expected()["seasons"]["foundry/first"]
    season = upgraded[0]["seasons"]["foundry/first"]
    assert season["state"] == "closed"
    assert season["digest"] != then["digest"]
    with sqlite3.connect(Path(unpacked.environment["RUNGS_DATA"]) / "rungs.sqlite3") as database:
        entries = database.execute(
            "SELECT a.action, a.before, a.after FROM leagues_auditentry a JOIN leagues_league l "
            "ON l.id = a.league_id WHERE l.slug = 'foundry' ORDER BY a.id"
        ).fetchall()
    words = [action for action, _before, _after in entries]
    assert words[-5:] == ["season.reopen", *["board.recalculate"] * 3, "season.seal"]
    reopened, sealed = json.loads(entries[-5][1]), json.loads(entries[-1][1])
    assert reopened["digest"] == sealed["digest"] == then["digest"]
    assert json.loads(entries[-1][2])["digest"] == season["digest"]
    assert json.loads(entries[-1][2])["computed_again"] == ["Compiled ladder"]


SEND_AGAIN = """
import json
from datetime import timedelta
from django.db.models import F
from django.test import Client
from django.test.utils import setup_test_environment
from leagues.models import Match, RequestKey
from leagues.services.tidying import tidy_job

setup_test_environment()
told = json.load(open(%r, encoding="utf-8"))["requests"]
client = Client(headers={"Authorization": "Bearer " + told["token"]})
count = Match.objects.count()
answers = {}
RequestKey.objects.update(created_at=F("created_at") - timedelta(days=120))
tidy_job(None)
for key, sent in told["sent"].items():
    other = sent["body"] | {"create_players": True}
    for what, body in (("same", sent["body"]), ("other", other)):
        answer = client.post(
            told["path"], json.dumps(body), content_type="application/json",
            headers={"Idempotency-Key": key},
        )
        ids = [match["id"] for match in answer.json().get("matches", [])]
        answers[key, what] = [answer.status_code, ids]
print(json.dumps([list(answers.values()), Match.objects.count() - count]))
"""


@SQLITE
def test_requests_sent_before_an_upgrade_and_again_after_months_count_once(
    upgraded: tuple[dict[str, Any], str], unpacked: Manage
) -> None:
    said = unpacked("shell", "-v0", "-c", SEND_AGAIN % str(GOLDEN / "expected.json"))
    answers, more = json.loads(said.stdout.splitlines()[-1])
    sent = expected()["requests"]["sent"].values()
    assert answers == [answer for was in sent for answer in ([200, was["matches"]], [422, []])]
    assert more == 0


@SQLITE
def test_an_upgraded_database_verifies(
    upgraded: tuple[dict[str, Any], str], unpacked: Manage
) -> None:
    assert json.loads(unpacked("verify", "--json").stdout)["differences"] == 0


def test_the_golden_backup_holds_the_same_after_a_restore(manage: Manage) -> None:
    said = manage("restore", str(GOLDEN / "backup.json.gz"), check=False)
    assert "from a backup of format 2. That format proves less" in said.stdout
    assert "Foundry: First was sealed again because these boards are computed" in said.stderr
    assert "so their ratings differ" in said.stderr
    now, then = described(manage), expected()
    assert "last digits can differ: Harbour Games Club: Season 1: Static exact;" in said.stderr
    assert said_otherwise(now, then) == {
        ("foundry", "log"),
        ("islands", "log"),
        ("stopwatch", "matches"),
    }
    assert differing(now, then, "digest") == HIT | CUT_OFF | OTHER_STEPS
    sealed_anew = SEALED_ANEW | {"islands/first"}
    assert unlike(now, then) == sealed_anew
    assert {now["seasons"][name]["state"] for name in sealed_anew} == {"closed"}
    assert json.loads(manage("verify", "--json").stdout)["differences"] == 0
