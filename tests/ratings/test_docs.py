"""The pages of the rating systems say what the code does."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

import ratings
from ratings.__main__ import main
from ratings.parameter_table import parameter_table
from ratings.registry import list_systems

DOCS = Path(__file__).resolve().parents[2] / "docs" / "ratings"

every_system = pytest.mark.parametrize("info", list_systems(), ids=lambda info: info.name)


@every_system
def test_every_system_has_a_page_with_its_parameters(info):
    page = (DOCS / f"{info.name}.md").read_text(encoding="utf-8")
    assert page.startswith(f"# {info.title}\n")
    assert parameter_table(info.name) in page
    assert f"({info.name}.md)" in (DOCS / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("document", sorted(DOCS.glob("*.md")), ids=lambda path: path.stem)
def test_every_example_runs(document):
    outcome = doctest.testfile(str(document), module_relative=False)
    assert outcome.failed == 0


def test_the_package_says_an_example_that_runs():
    assert doctest.testmod(ratings).failed == 0


def test_the_command_line_prints_the_table(capsys):
    assert main(["parameters", "elo"]) == 0
    assert capsys.readouterr().out.strip() == parameter_table("elo")
