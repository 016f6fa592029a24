"""Pages, forms and the API get what is protected from `leagues.access`, not from its tables."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import leagues.models

LEAGUES = Path(leagues.models.__file__).parents[1]
ROOMS = ("views", "forms", "api", "accounts")
MANAGERS = {"objects", "_default_manager", "_base_manager"}
SHORTCUTS = {"get_object_or_404", "get_list_or_404"}
PROTECTED = set(leagues.models.__all__)


def open_tables(path: Path) -> Iterator[str]:
    """Name each place where a module goes to the table of a protected model."""
    for node in ast.walk(ast.parse(path.read_text())):
        if (
            isinstance(node, ast.Attribute)
            and node.attr in MANAGERS
            and isinstance(node.value, ast.Name)
            and node.value.id in PROTECTED
        ):
            yield f"{path.relative_to(LEAGUES)}:{node.lineno} {node.value.id}.{node.attr}"
        elif isinstance(node, ast.Name) and node.id in SHORTCUTS:
            yield f"{path.relative_to(LEAGUES)}:{node.lineno} {node.id}"


def test_nothing_that_is_shown_goes_around_the_door() -> None:
    found = []
    for room in ROOMS:
        for path in sorted((LEAGUES / room).rglob("*.py")):
            found += open_tables(path)
    assert found == []


def test_the_search_finds_what_it_looks_for() -> None:
    module = LEAGUES / "access.py"
    assert any("League.objects" in place for place in open_tables(module))
