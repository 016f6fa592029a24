"""Rows that all tests of a module begin with: written once, and read anew by each test.

What a test changes is gone after it, as each still runs in a savepoint of its own. Tests of real
transactions (`transaction=True`) empty all tables, and cannot share a module with such rows.
"""

from __future__ import annotations

from inspect import Parameter, Signature
from typing import Any

import pytest
from django.db.models import Model


def read_anew(built: str) -> Any:
    """A fixture of the row that another fixture built for the module, as the database has it."""

    def read(**fixtures: Any) -> Model:
        row: Model = fixtures[built]
        return type(row)._base_manager.get(pk=row.pk)

    # By these names pytest knows what to make before it.
    names = ("db", built)
    words = [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in names]
    read.__signature__ = Signature(words)  # type: ignore[attr-defined]
    return pytest.fixture(read)
