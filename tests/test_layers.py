"""What every part of the code must keep: style, types, layers, migrations, dependencies."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import dev
from ratings.registry import list_systems

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
    run(*dev.CHECKS[name])


BREACHES = (
    ("ratings.places", "leagues.store.hashes", "Imports go one way"),
    ("leagues.store.hashes", "config.health", "Imports go one way"),
    ("ratings.places", "sqlite3", "ratings knows no framework"),
    ("leagues.views.home", "ratings.log", "In leagues only the services"),
    ("leagues.domain.absence", "leagues.bridge", "What stores, decides and limits"),
    ("leagues.store.bulk", "leagues.jobs.queue", "What stores, decides and limits"),
    ("leagues.jobs.queue", "leagues.services.audit", "The bridge and the queue"),
    ("leagues.services.setup", "leagues.pages.log", "Services know no page"),
    ("leagues.charts.bars", "leagues.views.home", "Pages, rules in words"),
    ("leagues.selectors.shares", "leagues.pages.log", "Selectors know no page"),
)


def test_an_import_that_breaks_a_contract_is_found(tmp_path: Path) -> None:
    for name in ("config", "leagues", "ratings"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for module, imported, _contract in BREACHES:
        with (tmp_path / (module.replace(".", "/") + ".py")).open("a") as file:
            file.write(f"\nimport {imported}\n")
    done = subprocess.run(
        [sys.executable, *dev.CHECKS["import-linter"]],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    # What is said of each broken contract stands below its name and a line of dashes.
    said = re.split(r"\n(.+)\n-{3,}\n", done.stdout)
    found = dict(zip(said[1::2], said[2::2], strict=True))
    for module, imported, contract in BREACHES:
        (lines,) = (lines for name, lines in found.items() if name.startswith(contract))
        assert re.search(rf"{re.escape(module)} -> {re.escape(imported)} \(l\.", lines), done.stdout


def files_of_packages() -> dict[str, ast.Module]:
    """Every module by its name, but migrations."""
    found = {}
    for package in ("config", "leagues", "ratings"):
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            if "migrations" not in parts:
                found[".".join(parts).removesuffix(".__init__")] = ast.parse(path.read_text())
    return found


def files_imported(module: ast.Module, files: Collection[str]) -> Iterator[str]:
    """Which files a module imports, inside its functions too; not what only types need."""
    typing_only = {
        id(inner)
        for node in ast.walk(module)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(module):
        if id(node) in typing_only:
            continue
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name in files)
        elif isinstance(node, ast.ImportFrom) and node.module in files:
            inner = (f"{node.module}.{name.name}" for name in node.names)
            yield from (name if name in files else str(node.module) for name in inner)


def test_no_files_import_each_other_in_a_circle() -> None:
    files = files_of_packages()
    graph = {name: set(files_imported(module, files)) - {name} for name, module in files.items()}
    TopologicalSorter(graph).prepare()  # Raises CycleError with the circle.


def test_a_circle_of_imports_inside_functions_is_found() -> None:
    one = ast.parse("def late():\n    from leagues.jobs import queue")
    assert set(files_imported(one, {"leagues.jobs", "leagues.jobs.queue"})) == {
        "leagues.jobs.queue"
    }
    types = ast.parse("if TYPE_CHECKING:\n    from leagues.jobs import queue")
    assert not set(files_imported(types, {"leagues.jobs", "leagues.jobs.queue"}))


QUERIES = frozenset(
    {
        *("aggregate", "all", "annotate", "cursor", "defer", "distinct", "exclude", "exists"),
        *("filter", "in_bulk", "objects", "only", "order_by", "prefetch_related"),
        *("select_related", "values_list"),
    }
)
WORDS_AND_ADDRESSES = frozenset({"django.urls", "django.utils.translation"})


def modules_of(package: str) -> Iterator[tuple[str, ast.Module]]:
    folder = ROOT / "leagues" / package
    for path in sorted(folder.rglob("*.py")):
        yield str(path.relative_to(folder).with_suffix("")), ast.parse(path.read_text())


def imports_in(module: ast.Module) -> Iterator[str]:
    for node in ast.walk(module):
        if isinstance(node, ast.ImportFrom):
            yield node.module or ""
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)


def has_queries(module: ast.Module) -> bool:
    attributes = {node.attr for node in ast.walk(module) if isinstance(node, ast.Attribute)}
    is_of_database = any(name.startswith("django.db") for name in imports_in(module))
    return is_of_database or bool(QUERIES & attributes)


def test_no_page_queries_the_database() -> None:
    assert not {name for name, module in modules_of("pages") if has_queries(module)}


def test_no_selector_writes_words_or_addresses() -> None:
    wordy = {
        name
        for name, module in modules_of("selectors")
        if WORDS_AND_ADDRESSES & set(imports_in(module))
    }
    assert wordy == set()


@pytest.mark.parametrize(
    "package", ["accounts", "admin", "api", "forms", "pages", "selectors", "views"]
)
def test_only_services_open_transactions_and_take_locks(package: str) -> None:
    used = {
        name
        for name, module in modules_of(package)
        for node in ast.walk(module)
        if {"transaction", "atomic", "select_for_update"} & set(_names_in(node))
    }
    assert not used


def _names_in(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Attribute):
        return [node.attr]
    if isinstance(node, ast.Import | ast.ImportFrom):
        return [alias.name for alias in node.names]
    return []


READS_RANKED_AFTER = frozenset(
    {
        *("domain/ranking", "models/board"),
        # The setting itself: as it is sealed, and as it marks what is remembered.
        *("services/sealing", "selectors/season_facts", "pages/systems"),
    }
)


def test_how_many_results_rank_a_player_is_ruled_in_one_place() -> None:
    readers = {
        name
        for name, module in modules_of("")
        for node in ast.walk(module)
        if isinstance(node, ast.Attribute) and node.attr == "ranked_after"
    }
    assert readers <= READS_RANKED_AFTER


KINDS = frozenset({"kind__in", "match__kind__in"})
NAMES_KINDS = frozenset(
    {
        # Of a pair on a ladder, also what it played in other seasons of the mode.
        "services/challenges",
        # Kinds of revisions.
        *("services/import_ids", "services/moved_matches"),
        # Kinds of jobs.
        *("jobs/queue", "selectors/work", "management/commands/import_league"),
    }
)


def test_what_a_board_rates_is_ruled_in_one_place() -> None:
    choosers = {
        name
        for name, module in modules_of("")
        for node in ast.walk(module)
        if isinstance(node, ast.keyword) and node.arg in KINDS
    }
    assert choosers == {"models/match", *NAMES_KINDS}


def is_day_of_moment(node: ast.AST) -> bool:
    """Whether a line takes the date of a moment in a zone: `at.astimezone(zone).date()`."""
    if not (isinstance(node, ast.Attribute) and node.attr == "date"):
        return False
    moment = node.value.func if isinstance(node.value, ast.Call) else None
    return isinstance(moment, ast.Attribute) and moment.attr in {"astimezone", "localtime"}


def test_which_civil_day_a_moment_is_is_ruled_in_one_place() -> None:
    rulers = {
        name
        for name, module in modules_of("")
        for node in ast.walk(module)
        if is_day_of_moment(node)
    }
    assert rulers == {"domain/civil_days"}


SYSTEMS = frozenset(system.name for system in list_systems())
NAMES_SYSTEMS = frozenset(
    {
        # Which systems former releases computed wrongly.
        *("services/backups", "services/mending"),
        # Which systems a new league begins with.
        *("services/demo", "services/leagues"),
    }
)


def literals_in(node: ast.expr) -> list[ast.expr]:
    """The members of a list of literals, or the one that it is."""
    return node.elts if isinstance(node, ast.List | ast.Set | ast.Tuple) else [node]


def tells_systems_apart(node: ast.AST) -> bool:
    """Whether a comparison names a system, or a list names nothing else."""
    if isinstance(node, ast.Compare):
        parts = [part for side in (node.left, *node.comparators) for part in literals_in(side)]
        asked = ast.unparse(node)
        is_asked = "system" in asked or "name" in asked
        return is_asked and any(is_name_of_system(part) for part in parts)
    if isinstance(node, ast.List | ast.Set | ast.Tuple):
        return bool(node.elts) and all(is_name_of_system(part) for part in node.elts)
    return False


def is_name_of_system(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value in SYSTEMS


def test_systems_are_told_apart_by_what_they_declare() -> None:
    assert tells_systems_apart(ast.parse('board.system == "ladder"', mode="eval").body)
    asking = {
        name
        for name, module in modules_of(".")
        if not name.startswith("migrations/") and any(map(tells_systems_apart, ast.walk(module)))
    }
    assert asking == NAMES_SYSTEMS
    in_template = re.compile(rf"[=!]= *[\"']({'|'.join(SYSTEMS)})[\"']")
    templates = (ROOT / "templates").rglob("*.html")
    assert not [path.name for path in templates if in_template.search(path.read_text())]


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
