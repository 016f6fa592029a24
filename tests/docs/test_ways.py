"""Every function that the way of a result or a page names can be opened."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

WAYS = Path(__file__).parents[2] / "docs" / "ways.md"
MOST_STEPS = 12


def steps() -> list[str]:
    return re.findall(r"`(leagues\.[\w.]+)`", WAYS.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", steps())
def test_a_step_is_a_function_that_can_be_opened(name: str) -> None:
    module, _, rest = name.partition(".")
    thing = importlib.import_module(module)
    for part in rest.split("."):
        if hasattr(thing, part):
            thing = getattr(thing, part)
        else:
            thing = importlib.import_module(f"{thing.__name__}.{part}")
    assert callable(thing)


def test_a_result_takes_at_most_twelve_steps() -> None:
    numbers = [int(number) for number in re.findall(r"^\| (\d+) \|", WAYS.read_text(), re.M)]
    assert max(numbers) <= MOST_STEPS
