"""Give the tests an environment of their own, whatever the machine's looks like.

Runs before Django reads its settings: pytest-django sets Django up after the first conftest.
"""

from __future__ import annotations

import gc
import ipaddress
import os
import shutil
import sys
import tempfile
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings as hypothesis_settings

WORKER = os.environ.get("PYTEST_XDIST_WORKER", "")
if not WORKER:
    os.environ["RUNGS_TEST_FOLDER"] = tempfile.mkdtemp(prefix="rungs-tests-")
FOLDER = Path(os.environ["RUNGS_TEST_FOLDER"])

for name in ("PUBLIC_URL", "RUNGS_ALLOWED_HOSTS", "RUNGS_BIND", "RUNGS_DEBUG", "SECRET_KEY"):
    os.environ.pop(name, None)
os.environ["RUNGS_DATA"] = str(FOLDER / (WORKER or "main"))
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"

# What neither the database nor the broker can change runs once.
ENGINE_FREE = [
    "config",
    "docs",
    "ratings",
    "storm",
    "test_frame",
    "test_layers.py",
    "test_lengths.py",
    "test_names.py",
    "test_patterns.py",
    "test_picture.py",
    "test_plain_words.py",
]
# Where all tests run on SQLite and then on servers, each of these runs on one of the two, and with
# the next commit on the other one; what servers do not change runs with every other commit.
BY_TURNS = (
    "tests/e2e/",
    "tests/fuzz/",
    "tests/leagues/",
    *(
        f"tests/ratings/test_{name}.py"
        for name in ("engines", "explanation", "fitting", "properties")
    ),
    "tests/ratings/files/test_shared_files.py",
)
# What takes long, most of it whole seasons under every system: each of these runs at two of four
# commits, once on either database. Together they are a third of all the time.
AT_TWO_OF_FOUR = (
    *(
        f"tests/leagues/{name}"
        for name in (
            *("bridge/test_explanations.py", "bridge/test_starting.py"),
            *("commands/test_import_every_log.py", "commands/test_import_log.py"),
            *(f"imports/test_{name}.py" for name in ("every_log", "round_trip", "whole_league")),
            *(
                f"jobs/test_{name}.py"
                for name in (
                    *("broker_faults", "entry_kills", "kills", "seal_kills", "trial_kills"),
                    "workers",
                )
            ),
            *(
                f"services/test_{name}.py"
                for name in (
                    *("appends", "board_tails", "change_checks", "correction_preview"),
                    *("event_boards", "inactivity_sweep", "match_moving", "player_merging"),
                    *("rules", "seasons", "started_matches", "systems"),
                )
            ),
            *("test_digests.py", "test_sealed.py", "test_season_steps.py", "test_upgrades.py"),
            "walk/",
        )
    ),
    *(f"tests/e2e/test_{name}.py" for name in ("age_classes", "swaps", "two_years")),
)
# Browser tests of one module share leagues and sites that take longer to make than to look at.
WHOLE_MODULES = "tests/e2e/"
# What speaks to the database and the queue in their own ways runs on both with every commit.
ON_BOTH = tuple(
    f"tests/leagues/{name}"
    for name in (
        *("jobs/test_celery.py", "jobs/test_outages.py", "jobs/test_queue.py", "jobs/test_wake.py"),
        *(
            "services/test_access_races.py",
            "services/test_matches.py",
            "services/test_seal_races.py",
        ),
        *("store/test_outages.py", "test_one_rule"),
    )
)
# Modules of few and long tests begin first: at the end one core would wait for them.
LONGEST = (
    "tests/e2e/test_pages.py",
    "tests/e2e/test_real_data.py",
    "tests/leagues/jobs/test_kills.py",
    "tests/leagues/services/test_systems.py",
    "tests/leagues/test_upgrades.py",
    "tests/leagues/walk/",
    "tests/ratings/test_engines.py",
    "tests/ratings/test_fitting.py",
    "tests/test_frame/",
    "tests/test_layers.py",
)
collect_ignore: list[str] = []

# CI looks at the same examples each time, which finds little more in twice as many.
hypothesis_settings.register_profile("usual", deadline=None)
hypothesis_settings.register_profile("ci", deadline=None, derandomize=True, max_examples=50)
hypothesis_settings.register_profile("thorough", deadline=None, max_examples=1500)
hypothesis_settings.load_profile(
    os.environ.get("RUNGS_HYPOTHESIS", "ci" if "CI" in os.environ else "usual")
)


@pytest.fixture(autouse=True)
def forget_uses() -> None:
    """Let no test wait for what another one did, or for a download that it never read."""
    from leagues.limits import lines
    from leagues.limits.counting import memory
    from leagues.store.memory import forget_all

    memory.PLACE.forget()
    forget_all()
    for line in (lines.VISITORS, lines.MEMBERS, lines.DOWNLOADS):
        line.forget()


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """Let the test database be the copy that was made for it; its folder goes with the run."""
    from django.conf import settings

    return bool(settings.IS_SQLITE)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """Begin with a copy of what the run has migrated: each worker would take ten seconds."""
    from django.conf import settings

    from tests.migrated import SQLITE_FILE, migrated_once

    template = migrated_once(FOLDER)
    test = settings.DATABASES["default"]["TEST"]
    if settings.IS_SQLITE:
        shutil.copyfile(template.folder / SQLITE_FILE, test["NAME"])
    else:
        test["TEMPLATE"] = template.database


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the choices of `dev.py`."""
    parser.addoption("--e2e", action="store_true", help="collect the browser tests too")
    parser.addoption(
        "--engines-only",
        action="store_true",
        help="leave out what neither the database nor the broker can change",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Choose what is collected, and settle what only costs time in tests."""
    if not config.getoption("--e2e"):
        collect_ignore.append("e2e")
    if config.getoption("--engines-only"):
        collect_ignore.extend(ENGINE_FREE)

    from django.conf import settings

    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.STORAGES["staticfiles"] = {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
    }
    if not settings.IS_SQLITE:
        # Two runs on one server must not meet in one database.
        test = settings.DATABASES["default"].setdefault("TEST", {})
        test["NAME"] = FOLDER.name.replace("-", "_")
        # Tests kill processes and connections, never the server: it need not wait for its disk.
        settings.DATABASES["default"]["OPTIONS"]["options"] += " -c synchronous_commit=off"
    settings.WHITENOISE_AUTOREFRESH = settings.WHITENOISE_USE_FINDERS = True
    sys.addaudithook(refuse_other_machines)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with the longest, and leave to the other run what has its turn there."""
    items.sort(key=lambda item: not item.nodeid.startswith(LONGEST))
    turn = os.environ.get("RUNGS_TURN", "")
    if not turn:
        return
    here, elsewhere = [], []
    for item in items:
        takes_turns = item.nodeid.startswith(BY_TURNS) and not item.nodeid.startswith(ON_BOTH)
        name = item.nodeid
        if name.startswith(WHOLE_MODULES):
            name = name.partition("::")[0]
        turns = 4 if name.startswith(AT_TWO_OF_FOUR) else 2
        is_here = not takes_turns or (zlib.crc32(name.encode()) + int(turn)) % turns == 0
        (here if is_here else elsewhere).append(item)
    items[:] = here
    config.hook.pytest_deselected(items=elsewhere)


def pytest_collection_finish() -> None:
    """Let the collector leave alone what stays until the end: going through it takes a tenth."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def pytest_unconfigure() -> None:
    """Remove the run's folder."""
    if not WORKER:
        from tests.migrated import forget_migrated

        forget_migrated(FOLDER)
        shutil.rmtree(FOLDER, ignore_errors=True)


def refuse_other_machines(event: str, arguments: tuple[Any, ...]) -> None:
    """Let tests talk to this machine only."""
    if event != "socket.connect" or not isinstance(arguments[1], tuple):
        return
    host = arguments[1][0]
    if host != "localhost" and not ipaddress.ip_address(host).is_loopback:
        raise RuntimeError(f"A test tried to reach {host}; tests stay on this machine.")
