"""The names of `ratings` mean the same whatever was imported before."""

from __future__ import annotations

import pkgutil
import subprocess
import sys

import pytest

import ratings

PROGRAM = """
import importlib, sys
for module in {modules!r}:
    importlib.import_module(module)
import ratings
from ratings import *
from ratings import Elo, Events, Glicko2, MatchLog, ParameterError, Side, System, TrueSkill
from ratings import Unanswerable, create, list_systems
for info in list_systems():
    assert create(info.name).name == info.name
import ratings.systems.elo
assert ratings.list_systems() == list_systems() and ratings.Elo is Elo
assert issubclass(Unanswerable, ValueError) and ratings.create is create
"""


def test_no_public_name_is_that_of_a_module():
    """Importing a module sets its name in the package, over whatever stood there."""
    modules = {module.name for module in pkgutil.iter_modules(ratings.__path__)}
    assert not modules & set(ratings.__all__)


@pytest.mark.parametrize(
    "modules",
    [[], ["ratings.systems"], ["ratings.systems.elo"], ["ratings.registry", "ratings.simulation"]],
    ids=str,
)
def test_every_public_name_can_be_had_after_any_import(modules):
    program = PROGRAM.format(modules=modules)
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert run.returncode == 0, run.stderr.decode()
