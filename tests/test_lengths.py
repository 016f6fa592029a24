"""A reader sees a function whole, and a file holds one subject."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from config.templates import BLOCKS

ROOT = Path(__file__).parent.parent
PACKAGES = ("benchmarks", "config", "leagues", "ratings", "storm")
LIMITS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["rungs"][
    "lengths"
]
REASON = "One module, because "
"""What the docstring of a longer file says of it."""


def sources() -> Iterator[Path]:
    yield ROOT / "dev.py"
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if "migrations" not in path.parts:
                yield path


def long_functions() -> set[str]:
    return {
        f"{path.relative_to(ROOT)}:{node.name}"
        for path in sources()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno >= LIMITS["function"]
    }


def long_files() -> dict[str, str]:
    """The docstring of every file that is over the limit."""
    texts = {path: path.read_text(encoding="utf-8") for path in sources()}
    return {
        str(path.relative_to(ROOT)): ast.get_docstring(ast.parse(text)) or ""
        for path, text in texts.items()
        if text.count("\n") > LIMITS["file"]
    }


def test_only_kernels_and_parsers_are_long_functions() -> None:
    assert long_functions() == set(LIMITS["kernels-and-parsers"])


def test_long_files_say_why_they_are_one() -> None:
    silent = {path for path, docstring in long_files().items() if REASON not in docstring}
    assert silent == set()


def template_lines() -> Iterator[tuple[str, str]]:
    """Each line of every page's template, with where it stands."""
    for path in sorted((ROOT / "templates").rglob("*.html")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            yield f"{path.relative_to(ROOT)}:{number}", line


def test_no_line_of_a_template_is_too_long() -> None:
    assert [place for place, line in template_lines() if len(line) > LIMITS["template-line"]] == []


def test_templates_have_one_element_a_line() -> None:
    drawings = "svg|g|line|circle|rect|path"
    opened = re.compile(rf"<(?!(?:{drawings})\b)(?:{BLOCKS})\b")
    assert [place for place, line in template_lines() if len(opened.findall(line)) > 1] == []
