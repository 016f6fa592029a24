"""No pattern of the code base takes more than twice the steps for twice the text (S-15)."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.backtracking import STEEP, steepest_growth

ROOT = Path(__file__).resolve().parent.parent
SOURCES = sorted(
    path
    for place in ("config", "leagues", "ratings", "benchmarks", "dev.py", "manage.py")
    for path in ([ROOT / place] if place.endswith(".py") else (ROOT / place).rglob("*.py"))
)
PLACES = [
    path.relative_to(ROOT).as_posix()
    for path in SOURCES
    if re.search(r"\bre\.|RegexValidator|re_path", path.read_text(encoding="utf-8"))
]
"""Where patterns may be. To find them takes eight seconds, which no worker has for collecting."""
FLAGS_AT = {"split": 3, "sub": 4, "subn": 4, "compile": 1}
METHODS = ("match", "fullmatch", "search", "finditer", "findall", "split", "sub", "subn")
OTHER_HOLDERS = ("RegexValidator", "re_path")


class Use(NamedTuple):
    """A pattern, where it stands, and how its matches are looked for."""

    place: str
    pattern: str | bytes
    flags: int
    method: str


@cache
def uses() -> list[Use]:
    """Find all patterns of the code base with the ways they are used in."""
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in SOURCES}
    methods: dict[str, set[str]] = {}
    for tree in trees.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr in METHODS:
                held = node.value
                name = held.id if isinstance(held, ast.Name) else getattr(held, "attr", "")
                methods.setdefault(name, set()).add(node.attr)
    return [use for path, tree in trees.items() for use in _uses_in(path, tree, methods)]


def _uses_in(path: Path, tree: ast.Module, methods: dict[str, set[str]]) -> Iterator[Use]:
    names = {
        id(node.value): target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        called = _called(node)
        if not called:
            continue
        place = f"{path.relative_to(ROOT)}: {names.get(id(node)) or ast.unparse(node.args[0])}"
        pattern, flags = _evaluated(path, node, called)
        if called in METHODS:
            yield Use(place, pattern, flags, called)
            continue
        name = names.get(id(node), "")
        # One whose use is not seen may be used in the slowest way.
        for method in sorted(methods.get(name, ())) or ["finditer"]:
            yield Use(place, pattern, flags, method)


def _called(node: ast.Call) -> str:
    if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
        name = node.func.attr
        return name if node.func.value.id == "re" and name in (*METHODS, "compile") else ""
    name = getattr(node.func, "id", getattr(node.func, "attr", ""))
    return "search" if name in OTHER_HOLDERS else ""


def _evaluated(path: Path, node: ast.Call, called: str) -> tuple[str | bytes, int]:
    """Work the pattern out as its module does; it may be put together from names there."""
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    module = vars(importlib.import_module(name))

    def value(expression: ast.expr) -> Any:
        return eval(compile(ast.Expression(expression), str(path), "eval"), module)  # noqa: S307

    flags = [word.value for word in node.keywords if word.arg == "flags"]
    holds_flags = not isinstance(node.func, ast.Name)
    flags += node.args[FLAGS_AT.get(called, 2) :][:1] if holds_flags else []
    return value(node.args[0]), int(value(flags[0])) if flags else 0


def test_the_patterns_of_the_code_base_are_found() -> None:
    places = {use.place for use in uses()}
    assert len(places) > 40
    assert "leagues/services/tokens.py: _FORM" in places
    assert {use.method for use in uses() if use.place.endswith("players.py: _PLAIN")} <= {
        "match",
        "fullmatch",
    }


@pytest.mark.parametrize("place", PLACES)
def test_s15_twice_the_text_takes_a_pattern_about_twice_the_steps(place: str) -> None:
    for use in uses():
        if use.place.partition(":")[0] == place:
            growth, text = steepest_growth(use.pattern, use.flags, use.method)
            assert growth <= STEEP, f"{use.place} {use.method}: {growth:.1f} times: {text}"


def test_patterns_are_looked_for_wherever_there_are_any() -> None:
    assert {use.place.partition(":")[0] for use in uses()} <= set(PLACES)


@pytest.mark.parametrize(
    ("pattern", "method"),
    [
        (r'"(?:[^"\\]|\\.)*"', "sub"),
        (r"(?:a|aa)*c", "match"),
        (r"(a+)+\Z", "match"),
        (r"\s+$", "search"),
        (r"\s*,\s*", "split"),
        (r"(\w+\s?)*:", "fullmatch"),
        (r"a*a*b", "match"),
    ],
)
def test_patterns_that_are_known_to_be_slow_are_found(pattern: str, method: str) -> None:
    assert steepest_growth(pattern, re.DOTALL, method)[0] > STEEP


def test_s15_texts_are_normalized_in_the_one_place_that_bounds_the_time() -> None:
    places = {
        path.relative_to(ROOT).as_posix()
        for path in SOURCES
        if "unicodedata.normalize(" in path.read_text(encoding="utf-8")
    }
    assert places == {"ratings/files/names.py"}
